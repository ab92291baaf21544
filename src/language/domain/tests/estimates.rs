//! Estimates are never below the number of members, and close to it if only sizes are given.

use super::{super::*, some_of};
use crate::language::attributes::{Measure, Property};

fn ints(high: i64) -> GroundDomain {
    GroundDomain::Int(IntSet::range(1, high))
}

fn set(max: Option<i64>, inner: GroundDomain) -> GroundDomain {
    GroundDomain::Collection(Collection::Set, Attributes::sized(Size { min: None, max }), vec![inner])
}

#[test]
fn what_cannot_be_counted_is_a_power_of_two() {
    let large = |domain: &GroundDomain| domain.amount().to_string();
    let three = set(None, set(None, set(None, ints(9))));
    assert_eq!(large(&three), "about 2^(2^512)");
    let GroundDomain::Collection(Collection::Set, _, two) = &three else { unreachable!() };
    assert_eq!(large(&two[0]), "about 2^512");
    assert_eq!(large(&set(None, three.clone())), "more than 2^(2^1000)");
    assert_eq!(large(&set(Some(1), three.clone())), "about 2^(2^512)");
    assert_eq!(large(&set(None, ints(3))), "8");
    assert_eq!(large(&GroundDomain::Matrix(Box::new(ints(100)), Box::new(ints(16)))), "about 2^400");
}

#[test]
fn the_bound_is_never_below_the_number() {
    let sizes = [None, Some(0), Some(1), Some(3)].map(|max| Size { min: None, max });
    let mut domains = Vec::new();
    for size in &sizes {
        let sized = Attributes::sized(size.clone());
        let twice = Size { min: None, max: Some(2) };
        domains.push(GroundDomain::Collection(Collection::Set, sized.clone(), vec![ints(6)]));
        domains.push(GroundDomain::Collection(
            Collection::MSet,
            sized.clone().bounding(Measure::Occurrences, twice),
            vec![ints(4)],
        ));
        domains.push(GroundDomain::Collection(
            Collection::Permutation,
            Attributes::default().bounding(Measure::Moved, size.clone()),
            vec![ints(5)],
        ));
        for properties in some_of(&[Property::Total, Property::Injective, Property::Surjective]) {
            let attributes = sized.clone().with(&properties);
            domains.push(GroundDomain::Collection(Collection::Function, attributes.clone(), vec![ints(3), ints(4)]));
            if size.max.is_some() && !attributes.has(Property::Total) {
                domains.push(GroundDomain::Collection(Collection::Sequence, attributes, vec![ints(3)]));
            }
        }
    }
    domains.push(GroundDomain::Collection(Collection::Partition, Attributes::default(), vec![ints(5)]));
    domains.push(GroundDomain::Variant(vec![("a".into(), ints(3)), ("b".into(), ints(6))]));
    for domain in domains {
        let counted = domain.size().expect("a small domain");
        let bound = domain.log2_bound();
        assert!(bound >= (counted as f64).log2() - 1e-6, "{domain:?}: {counted}, 2^{bound}");
    }
}

#[test]
fn sizes_alone_are_estimated_well() {
    // C(1000, 0) + … + C(1000, 20)
    let domain = set(Some(20), ints(1000));
    assert!(domain.size().is_none_or(|size| ((size as f64).log2() - domain.log2_bound()).abs() < 1e-3));
    assert_eq!(domain.amount().to_string(), "about 2^138");
}
