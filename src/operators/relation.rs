//! Relations: sets of tuples. `R(a, b)` is analysed to the image of the tuple `(a, b)`; projections are separate nodes
//! in the typed model. Union, inclusion and so on are in [`super::algebra`].

use super::{
    Lookup, Operator,
    evaluation::{boolean, items, length},
    results,
    set::{lower_in, lower_size},
    symbols::*,
};
use crate::{
    language::{Collection, Evaluated, Value},
    symbolic::{Partial, Repetition, Symbolic, Term},
};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        IMAGE,
        "(relation of R, R) -> bool",
        "the tuple is in the relation",
        ("relation((1, 2), (2, 3))(1, 2)", "true"),
        |args| contains(&args[0], &args[1]),
        |s, args| lower_in(s, &[args[1].clone(), args[0].clone()]),
    )
    .looking_up(Lookup::Image),
    Operator::new(
        IN,
        "(R, relation of R) -> bool",
        "the tuple is in the relation",
        ("(2, 1) in relation((1, 2), (2, 3))", "false"),
        |args| contains(&args[1], &args[0]),
        lower_in,
    ),
    Operator::new(
        BARS,
        "(relation of R) -> int",
        "the number of tuples",
        ("|relation((1, 2), (2, 3))|", "2"),
        |args| length(&args[0]),
        lower_size,
    )
    .resulting_in(results::size_domain),
    Operator::new(
        TO_SET,
        "(relation of R) -> set of R",
        "the tuples as a set",
        ("toSet(relation((1, 2), (2, 3)))", "{(1, 2), (2, 3)}"),
        |args| Ok(Value::ascending_set(tuples_of_relation(&args[0]))),
        |s, args| lower_tuples(s, &args[0], Collection::Set),
    )
    .resulting_in(results::set_of_members),
    Operator::new(
        TO_MSET,
        "(relation of R) -> mset of R",
        "the tuples as a multiset",
        ("toMSet(relation((1, 2), (2, 3)))", "mset((1, 2), (2, 3))"),
        |args| Ok(Value::Collection(Collection::MSet, tuples_of_relation(&args[0]))),
        |s, args| lower_tuples(s, &args[0], Collection::MSet),
    )
    .resulting_in(results::mset_of_members),
];

fn contains(relation: &Value, tuple: &Value) -> Evaluated {
    boolean(items(relation).binary_search(tuple).is_ok())
}

fn tuples_of_relation(relation: &Value) -> std::sync::Arc<[Value]> {
    let Value::Collection(Collection::Relation, tuples) = relation else {
        unreachable!("a relation was expected, not {relation:?}")
    };
    tuples.clone()
}

/// The tuples as the members of another collection.
fn lower_tuples(symbolic: &mut Symbolic, relation: &Term, kind: Collection) -> Partial {
    let members = symbolic.members(relation);
    let members = symbolic.distinct(relation, &members);
    symbolic.collection(kind, members.members.clone(), Repetition::Never).into()
}
