//! The three views of a domain (its members, their number, membership) agree with each other and with
//! numbers known from elsewhere.

mod estimates;

use super::*;
use crate::language::{
    Collection, Value,
    attributes::{Attribute, Measure, Property},
};

fn ints(low: i64, high: i64) -> GroundDomain {
    GroundDomain::Int(IntSet::range(low, high))
}

fn boxed(low: i64, high: i64) -> Box<GroundDomain> {
    Box::new(ints(low, high))
}

fn size(min: Option<i64>, max: Option<i64>) -> Size<i64> {
    Size { min, max }
}

fn sized(size: &Size<i64>) -> Attributes<i64> {
    Attributes::sized(size.clone())
}

fn having(properties: &[Property]) -> Attributes<i64> {
    Attributes::default().with(properties)
}

/// Every subset of some properties.
pub(crate) fn some_of(properties: &[Property]) -> Vec<Vec<Property>> {
    let chosen = |flags: u32| properties.iter().enumerate().filter(move |(at, _)| flags >> at & 1 > 0).map(|(_, p)| *p);
    (0..1 << properties.len()).map(|flags| chosen(flags).collect()).collect()
}

/// Members are in ascending order without repetition, each is contained, and their number is as counted.
fn consistent(domain: &GroundDomain) -> usize {
    let members: Vec<Value> = domain.members().collect();
    assert!(members.is_sorted_by(|left, right| left < right), "{domain:?}: {members:?}");
    for member in &members {
        assert_eq!(domain.check(member, DomainRole::Decision), Ok(()), "{domain:?}");
    }
    assert_eq!(domain.size(), Some(members.len() as u128), "{domain:?}");
    assert_eq!(domain.is_empty(), members.is_empty());
    members.len()
}

/// Besides being consistent, the domain has exactly those members of a wider one that it contains.
fn consistent_within(domain: &GroundDomain, wider: &GroundDomain) -> usize {
    let contained: Vec<Value> = wider.members().filter(|value| domain.contains(value)).collect();
    assert_eq!(domain.members().collect::<Vec<_>>(), contained, "{domain:?}");
    consistent(domain)
}

fn all_sizes() -> Vec<Size<i64>> {
    let bounds = [None, Some(-1), Some(0), Some(1), Some(2), Some(3), Some(9)];
    bounds.iter().flat_map(|min| bounds.iter().map(|max| size(*min, *max))).collect()
}

#[test]
fn simple_domains() {
    assert_eq!(consistent(&GroundDomain::Bool), 2);
    assert_eq!(consistent(&GroundDomain::Int(IntSet::from_ranges([(1, 3), (7, 8)]))), 5);
    assert_eq!(consistent(&GroundDomain::Tuple(vec![GroundDomain::Bool, ints(1, 3)])), 6);
    assert_eq!(consistent(&GroundDomain::Tuple(vec![])), 1);
    assert_eq!(consistent(&GroundDomain::Variant(vec![("a".into(), GroundDomain::Bool), ("b".into(), ints(0, 4))])), 7);
    assert_eq!(consistent(&GroundDomain::Matrix(boxed(0, 2), boxed(1, 3))), 27);
    assert_eq!(consistent(&GroundDomain::Matrix(Box::new(GroundDomain::Bool), boxed(1, 3))), 9);
    assert_eq!(consistent(&GroundDomain::Matrix(boxed(1, 0), boxed(1, 3))), 1);
    assert_eq!(consistent(&GroundDomain::Matrix(boxed(1, 2), boxed(1, 0))), 0);
}

#[test]
fn sets_and_multisets_of_all_sizes() {
    let every_set = GroundDomain::Collection(Collection::Set, Attributes::default(), vec![*boxed(1, 4)]);
    assert_eq!(consistent(&every_set), 16);
    let multisets = |bounds: &Size<i64>, occurrences: Size<i64>| {
        GroundDomain::Collection(
            Collection::MSet,
            sized(bounds).bounding(Measure::Occurrences, occurrences),
            vec![*boxed(1, 3)],
        )
    };
    let every_multiset = multisets(&size(None, Some(9)), size(None, Some(4)));
    for bounds in all_sizes() {
        consistent_within(&GroundDomain::Collection(Collection::Set, sized(&bounds), vec![*boxed(1, 4)]), &every_set);
        for occurrences in all_sizes().into_iter().filter(|bounds| bounds.max.is_some_and(|max| (0..=4).contains(&max)))
        {
            consistent_within(&multisets(&bounds, occurrences), &every_multiset);
        }
    }
    assert_eq!(consistent(&multisets(&size(Some(2), Some(2)), Size::default())), 6);
}

#[test]
fn functions_and_sequences_with_all_attributes() {
    let every_function = GroundDomain::of(Collection::Function, [*boxed(1, 3), *boxed(1, 2)]);
    assert_eq!(consistent(&every_function), 27);
    let every_sequence =
        |images| GroundDomain::Collection(Collection::Sequence, sized(&size(None, Some(4))), vec![*boxed(1, images)]);
    for properties in some_of(&[Property::Total, Property::Injective, Property::Surjective]) {
        for bounds in all_sizes() {
            let attributes = sized(&bounds).with(&properties);
            consistent_within(
                &GroundDomain::Collection(Collection::Function, attributes.clone(), vec![*boxed(1, 3), *boxed(1, 2)]),
                &every_function,
            );
            consistent(&GroundDomain::Collection(
                Collection::Function,
                attributes.clone(),
                vec![*boxed(1, 2), *boxed(1, 3)],
            ));
            if !attributes.has(Property::Total) && bounds.max.is_some_and(|max| max <= 4) {
                consistent_within(
                    &GroundDomain::Collection(Collection::Sequence, attributes, vec![*boxed(1, 3)]),
                    &every_sequence(3),
                );
            }
        }
    }
    // A bijective function need not be total.
    let bijective = GroundDomain::Collection(
        Collection::Function,
        having(&[Property::Injective, Property::Surjective]),
        vec![*boxed(1, 3), *boxed(1, 2)],
    );
    assert_eq!(consistent(&bijective), 6);
}

#[test]
fn partitions_and_permutations() {
    let partitions = |attributes| GroundDomain::Collection(Collection::Partition, attributes, vec![*boxed(1, 4)]);
    assert_eq!(consistent(&partitions(Attributes::default())), 15);
    for parts in all_sizes() {
        for part_size in all_sizes() {
            for properties in some_of(&[Property::Regular]) {
                let attributes = having(&properties)
                    .bounding(Measure::Parts, parts.clone())
                    .bounding(Measure::PartSize, part_size.clone());
                consistent_within(&partitions(attributes), &partitions(Attributes::default()));
            }
        }
    }
    assert_eq!(consistent(&partitions(having(&[Property::Regular]))), 5);
    let permutations = |moved| {
        GroundDomain::Collection(
            Collection::Permutation,
            Attributes::default().bounding(Measure::Moved, moved),
            vec![*boxed(1, 4)],
        )
    };
    assert_eq!(consistent(&permutations(Size::default())), 24);
    for moved in all_sizes() {
        consistent_within(&permutations(moved), &permutations(Size::default()));
    }
}

#[test]
fn relations_with_properties() {
    let relation = |word: &str| {
        let row = Attribute::find(word, Collection::Relation).unwrap();
        GroundDomain::Collection(Collection::Relation, having(row.properties()), vec![ints(1, 3), ints(1, 3)])
    };
    let every = GroundDomain::of(Collection::Relation, [ints(1, 3), ints(1, 3)]);
    assert_eq!(consistent(&every), 512);
    let known = [
        ("reflexive", 64),
        ("irreflexive", 64),
        ("coreflexive", 8),
        ("symmetric", 64),
        ("antiSymmetric", 216),
        ("aSymmetric", 27),
        ("transitive", 171),
        ("total", 27),
        ("leftTotal", 343),
        ("rightTotal", 343),
        ("equivalence", 5),
        ("partialOrder", 19),
        ("linearOrder", 6),
        ("weakOrder", 13),
        ("preOrder", 29),
        ("strictPartialOrder", 19),
    ];
    for (word, count) in known {
        assert_eq!(consistent_within(&relation(word), &every), count, "{word}");
    }
    consistent_within(&relation("connex"), &every);
    consistent_within(&relation("Euclidean"), &every);
    // The formula for larger relations agrees with the enumeration of small ones.
    let larger = |properties: &[Property], size| {
        GroundDomain::Collection(Collection::Relation, sized(&size).with(properties), vec![ints(1, 5), ints(1, 5)])
    };
    assert_eq!(larger(&[Property::Symmetric], Size::default()).size(), Some(1 << 15));
    assert_eq!(larger(&[Property::ASymmetric], Size::default()).size(), Some(3u128.pow(10)));
    assert_eq!(larger(&[Property::Connex], Size::default()).size(), Some(3u128.pow(10) << 5));
    assert_eq!(larger(&[Property::Coreflexive], size(Some(2), Some(2))).size(), Some(10));
    assert_eq!(larger(&[Property::Reflexive], size(None, Some(6))).size(), Some(21));
    assert_eq!(larger(&[Property::Transitive], Size::default()).size(), None);
    let complete = having(&[Property::Irreflexive, Property::Symmetric, Property::Connex]);
    assert_eq!(consistent(&GroundDomain::Collection(Collection::Relation, complete, vec![ints(1, 9), ints(1, 9)])), 1);
    let ternary = GroundDomain::of(Collection::Relation, [ints(1, 2), GroundDomain::Bool, ints(1, 2)]);
    assert_eq!(consistent(&ternary), 256);
}

#[test]
fn huge_domains_are_counted_and_entered_without_being_enumerated() {
    let billion = || boxed(1, 1_000_000_000);
    let pairs = GroundDomain::Collection(Collection::Set, sized(&size(Some(2), Some(2))), vec![*billion()]);
    assert_eq!(pairs.size(), Some(499_999_999_500_000_000));
    let first = pairs.members().nth(1);
    assert_eq!(first, Some(Value::set(vec![Value::Int(1), Value::Int(3)])));
    assert_eq!(GroundDomain::Collection(Collection::Set, Attributes::default(), vec![*billion()]).size(), None);
    assert!(!GroundDomain::Collection(Collection::Set, Attributes::default(), vec![*billion()]).is_empty());
    let infinite = GroundDomain::Int(IntSet::all());
    assert!(!GroundDomain::of(Collection::Set, [infinite.clone()]).is_finite());
    assert!(infinite.contains(&Value::Int(-5)));
}

#[test]
fn a_violation_says_where_and_why() {
    let inner = GroundDomain::Collection(Collection::Set, sized(&size(None, Some(2))), vec![*boxed(1, 4)]);
    let domain = GroundDomain::of(Collection::Function, [*boxed(1, 3), inner]);
    let pair = |images: &[i64]| (Value::Int(2), Value::set(images.iter().map(|image| Value::Int(*image)).collect()));
    let of = |images| domain.check(&Value::function(vec![pair(images)]).unwrap(), DomainRole::Decision).unwrap_err();
    let violation = of(&[1, 7]);
    assert_eq!(violation.path, [ValueStep::Image(Value::Int(2)), ValueStep::Member(Value::Int(7))]);
    assert_eq!(violation.reason, OutsideReason::NotIn(7, IntSet::range(1, 4)));
    assert_eq!(of(&[1, 2, 3]).reason, OutsideReason::Measure(Measure::Size, None, 3, size(None, Some(2))));
    let total =
        GroundDomain::Collection(Collection::Function, having(&[Property::Total]), vec![*boxed(1, 3), *boxed(1, 1)]);
    let partial = Value::function(vec![(Value::Int(1), Value::Int(1)), (Value::Int(3), Value::Int(1))]).unwrap();
    assert_eq!(
        total.check(&partial, DomainRole::Decision).unwrap_err().reason,
        OutsideReason::Property(Property::Total, vec![Value::Int(2)])
    );
}

#[test]
fn parameters_may_leave_values_out() {
    let partition = GroundDomain::Collection(Collection::Partition, Attributes::default(), vec![*boxed(1, 4)]);
    let value = Value::of(Collection::Partition, vec![Value::set(vec![Value::Int(1), Value::Int(3)])]).unwrap();
    assert!(partition.check(&value, DomainRole::Parameter).is_ok());
    assert_eq!(
        partition.check(&value, DomainRole::Decision).unwrap_err().reason,
        OutsideReason::NotCovered(Value::Int(2))
    );
    let multiset = GroundDomain::Collection(
        Collection::MSet,
        Attributes::default().bounding(Measure::Occurrences, size(Some(2), None)),
        vec![*boxed(1, 2)],
    );
    let value = Value::of(Collection::MSet, vec![Value::Int(1), Value::Int(1)]).expect("a multiset");
    assert!(multiset.check(&value, DomainRole::Parameter).is_ok());
    assert!(!multiset.contains(&value));
}

#[test]
fn domains_of_more_values_than_are_kept() {
    let many = || ints(1, 40_000);
    assert_eq!(consistent(&GroundDomain::Tuple(vec![ints(1, 3), many()])), 120_000);
    assert_eq!(consistent(&GroundDomain::Tuple(vec![many(), GroundDomain::Bool])), 80_000);
    assert_eq!(
        consistent(&GroundDomain::Collection(Collection::Set, sized(&size(None, Some(1))), vec![many()])),
        40_001
    );
    assert_eq!(
        consistent(&GroundDomain::Collection(
            Collection::Function,
            having(&[Property::Total]),
            vec![*boxed(1, 1), many()]
        )),
        40_000
    );
}
