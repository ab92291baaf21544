//! Every value of a domain has exactly one assignment, in each representation that the domain can have.

use super::*;
use crate::{
    language::{
        attributes::{Attributes, Measure, Property},
        domain::tests::some_of,
    },
    solver::{self, EngineOptions, SearchEnd},
    symbolic::{read, write::Writing},
};
use std::ops::ControlFlow;

fn ints(low: i64, high: i64) -> GroundDomain {
    GroundDomain::Int(IntSet::range(low, high))
}

fn boxed(low: i64, high: i64) -> Box<GroundDomain> {
    Box::new(ints(low, high))
}

/// The solutions of a problem that consists of one declaration, in ascending order.
fn solutions(domain: &GroundDomain, wanted: Option<Representation>) -> Vec<Value> {
    solutions_by(domain, &wanted.map_or_else(Plan::default, Plan::wanting))
}

fn solutions_by(domain: &GroundDomain, plan: &Plan) -> Vec<Value> {
    let mut symbolic = Symbolic::new();
    let term = symbolic.declare_as(domain, plan, Role::Decision).expect("a small domain");
    let problem = symbolic.finish().expect("a small domain");
    let mut values = Vec::new();
    let mut solver = solver::alone();
    let writing = Writing::of(&problem, &term, domain);
    let status = solver.solve(&problem, &EngineOptions::default(), &mut |assignment| {
        let value = read::value(&problem, &term, assignment);
        if let Some(writing) = &writing {
            let numbers = writing.variables().iter().map(|variable| problem.value(*variable, assignment));
            assert_eq!(writing.write(&value), Some(numbers.collect()), "{value:?} of {domain:?}");
        }
        values.push(value);
        ControlFlow::Continue(())
    });
    assert_eq!(status, Ok(SearchEnd::Complete));
    // An empty domain has no variables to write into.
    assert!(writing.is_some() || values.is_empty(), "{domain:?}");
    values.sort();
    values
}

/// Compares the solutions with the members, in each representation. Returns the number of representations.
fn one_assignment_each(domain: &GroundDomain) -> usize {
    let members: Vec<Value> = domain.members().collect();
    let possible = possible(domain);
    assert_eq!(solutions(domain, None), members, "{domain:?}");
    for representation in &possible {
        assert_eq!(solutions(domain, Some(*representation)), members, "{domain:?} as {representation}");
    }
    possible.len()
}

fn at_most(max: i64) -> Attributes<i64> {
    Attributes::sized(Size { min: None, max: Some(max) })
}

fn sizes() -> Vec<Size<i64>> {
    let bounds =
        [(None, None), (None, Some(2)), (Some(1), Some(2)), (Some(2), None), (Some(2), Some(2)), (Some(5), None)];
    bounds.map(|(min, max)| Size { min, max }).to_vec()
}

#[test]
fn sets_and_multisets() {
    for size in sizes() {
        let inner = [ints(1, 3), ints(1, 0), GroundDomain::Tuple(vec![GroundDomain::Bool, ints(1, 2)])];
        for inner in inner.map(Box::new) {
            assert_eq!(
                one_assignment_each(&GroundDomain::Collection(
                    Collection::Set,
                    Attributes::sized(size.clone()),
                    vec![*inner.clone()]
                )),
                2
            );
            for (min, max) in [(None, Some(2)), (Some(1), Some(2)), (None, Some(1))] {
                let domain = GroundDomain::Collection(
                    Collection::MSet,
                    Attributes::sized(size.clone()).bounding(Measure::Occurrences, Size { min, max }),
                    vec![*inner.clone()],
                );
                assert_eq!(one_assignment_each(&domain), 2);
            }
            if size.max.is_some() {
                one_assignment_each(&GroundDomain::Collection(
                    Collection::MSet,
                    Attributes::sized(size.clone()),
                    vec![*inner],
                ));
            }
        }
    }
}

#[test]
fn functions_and_sequences() {
    for size in sizes() {
        for properties in some_of(&[Property::Total, Property::Injective, Property::Surjective]) {
            let attributes = Attributes::sized(size.clone()).with(&properties);
            for (from, to) in [(boxed(1, 3), boxed(1, 2)), (boxed(1, 2), boxed(1, 3)), (boxed(1, 2), boxed(1, 0))] {
                assert_eq!(
                    one_assignment_each(&GroundDomain::Collection(
                        Collection::Function,
                        attributes.clone(),
                        vec![*from, *to]
                    )),
                    2
                );
            }
            if !attributes.has(Property::Total) && (size.max.is_some() || attributes.has(Property::Injective)) {
                assert_eq!(
                    one_assignment_each(&GroundDomain::Collection(
                        Collection::Sequence,
                        attributes,
                        vec![*boxed(1, 3)]
                    )),
                    1
                );
            }
        }
    }
}

#[test]
fn relations() {
    for size in sizes() {
        let attributes = Attributes::sized(size.clone());
        assert_eq!(
            one_assignment_each(&GroundDomain::Collection(
                Collection::Relation,
                attributes,
                vec![ints(1, 2), ints(1, 3)]
            )),
            2
        );
        for properties in [&[Property::Symmetric][..], &[Property::Reflexive, Property::Transitive]] {
            let attributes = Attributes::sized(size.clone()).with(properties);
            assert_eq!(
                one_assignment_each(&GroundDomain::Collection(Collection::Relation, attributes, vec![ints(1, 2); 2])),
                2
            );
        }
    }
}

#[test]
fn partitions_and_permutations() {
    for size in sizes() {
        let bounding = |measure| Attributes::default().bounding(measure, size.clone());
        for properties in some_of(&[Property::Regular]) {
            for measure in [Measure::Parts, Measure::PartSize] {
                one_assignment_each(&GroundDomain::Collection(
                    Collection::Partition,
                    bounding(measure).with(&properties),
                    vec![*boxed(1, 4)],
                ));
            }
        }
        one_assignment_each(&GroundDomain::Collection(
            Collection::Permutation,
            bounding(Measure::Moved),
            vec![*boxed(1, 4)],
        ));
    }
}

#[test]
fn nested_domains() {
    let set = |inner: Box<GroundDomain>| Box::new(GroundDomain::of(Collection::Set, [*inner]));
    let two = |inner: Box<GroundDomain>| GroundDomain::Collection(Collection::Set, at_most(2), vec![*inner]);
    assert_eq!(one_assignment_each(&two(set(boxed(1, 3)))), 2);
    one_assignment_each(&GroundDomain::Collection(Collection::MSet, at_most(2), vec![*set(boxed(1, 2))]));
    one_assignment_each(&GroundDomain::Matrix(boxed(1, 2), set(boxed(1, 2))));
    one_assignment_each(&GroundDomain::Tuple(vec![*set(boxed(1, 2)), ints(1, 2), *set(boxed(1, 2))]));
    one_assignment_each(&GroundDomain::Variant(vec![("a".into(), *set(boxed(1, 2))), ("b".into(), ints(1, 2))]));
    one_assignment_each(&GroundDomain::of(Collection::Function, [*set(boxed(1, 1)), *set(boxed(1, 2))]));
    one_assignment_each(&two(Box::new(GroundDomain::Collection(Collection::Sequence, at_most(2), vec![*boxed(1, 2)]))));
    one_assignment_each(&two(Box::new(GroundDomain::Collection(
        Collection::Partition,
        Attributes::default(),
        vec![*boxed(1, 3)],
    ))));
    one_assignment_each(&two(Box::new(GroundDomain::Collection(
        Collection::Permutation,
        Attributes::default(),
        vec![*boxed(1, 3)],
    ))));
    let function = GroundDomain::of(Collection::Function, [*boxed(1, 2), *boxed(1, 2)]);
    one_assignment_each(&two(Box::new(function)));
}

#[test]
fn representations_of_parts() {
    let small = |inner: Box<GroundDomain>| GroundDomain::Collection(Collection::Set, at_most(2), vec![*inner]);
    let inner = || Box::new(small(boxed(1, 3)));
    let pair = Box::new(GroundDomain::Tuple(vec![ints(1, 2), *inner()]));
    let cases = [
        (small(inner()), "member"),
        (small(pair), "member.2"),
        (GroundDomain::Collection(Collection::Relation, at_most(1), vec![ints(1, 2), *inner()]), "2"),
        (GroundDomain::Collection(Collection::Function, at_most(1), vec![*inner(), *boxed(1, 2)]), "argument"),
        (GroundDomain::Collection(Collection::Function, at_most(1), vec![*boxed(1, 2), *inner()]), "image"),
    ];
    for (domain, path) in cases {
        let outer = if matches!(domain, GroundDomain::Collection(Collection::Function, ..)) {
            Representation::Pairs
        } else {
            Representation::Explicit
        };
        let slots = |inner: Option<Representation>| {
            let path = path.split('.').map(str::to_owned).collect();
            let asked = [(Path::new(), outer)].into_iter().chain(inner.map(|inner| (path, inner)));
            let plan = Plan::new(asked, [].into());
            let mut symbolic = Symbolic::new();
            symbolic.declare_as(&domain, &plan, Role::Decision).expect("a small domain");
            assert_eq!(solutions_by(&domain, &plan), domain.members().collect::<Vec<_>>(), "{domain:?}");
            symbolic.finish().expect("a small domain").decisions().len()
        };
        // Two slots take a Boolean and an integer each; occurrence takes three Booleans.
        assert!(slots(Some(Representation::Explicit)) > slots(Some(Representation::Occurrence)));
        assert_eq!(slots(None), slots(Some(Representation::Occurrence)));
    }
}

#[test]
fn much_smaller_representations_are_preferred() {
    let set = |size| Attributes::sized(Size { min: Some(size), max: Some(size) });
    let nested = |high| {
        GroundDomain::Collection(
            Collection::Set,
            set(4),
            vec![GroundDomain::Collection(Collection::Set, set(3), vec![*boxed(1, high)])],
        )
    };
    let chosen = |domain: &GroundDomain, uses: &[u32]| {
        choose(domain, &Plan::new([], uses.into())).expect("small").representation
    };
    assert_eq!(chosen(&nested(7), &[]), Representation::Occurrence);
    assert_eq!(chosen(&nested(30), &[]), Representation::Explicit);
    let ints = GroundDomain::Collection(Collection::Set, set(4), vec![*boxed(1, 1000)]);
    assert_eq!(chosen(&ints, &[]), Representation::Occurrence);
    assert_eq!(chosen(&ints, &[1]), Representation::Occurrence);
    assert_eq!(chosen(&ints, &[2]), Representation::Explicit);
    assert_eq!(
        chosen(&GroundDomain::Collection(Collection::Function, set(2), vec![*boxed(1, 500), *boxed(1, 9)]), &[]),
        Representation::Pairs
    );
}

#[test]
fn the_rule_prefers_occurrence_and_falls_back_to_slots() {
    let chosen = |high, max| {
        let domain = GroundDomain::Collection(
            Collection::Set,
            Attributes::sized(Size { min: None, max }),
            vec![*boxed(1, high)],
        );
        choose(&domain, &Plan::default()).map(|chosen| chosen.representation).map_err(|candidates| candidates.len())
    };
    assert_eq!(chosen(10_000, None), Ok(Representation::Occurrence));
    assert_eq!(chosen(10_001, Some(1000)), Ok(Representation::Explicit));
    assert_eq!(chosen(10_001, Some(1001)), Ok(Representation::Occurrence));
    assert_eq!(chosen(1_000_001, Some(1001)), Ok(Representation::Explicit));
    assert_eq!(chosen(1_000_001, Some(100_001)), Err(2));
}
