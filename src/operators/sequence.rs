//! Sequences: functions from 1, 2, … without gaps.

use super::{
    Lookup, Operator,
    evaluation::{boolean, element_at, items, length},
    function, results,
    set::lower_size,
    symbols::*,
};
use crate::{
    language::{Collection, Evaluated, Stop, Value},
    problem::Bool,
    symbolic::{Member, Partial, Symbolic, Term, collection_kind_of},
};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        EQUAL,
        "(sequence of T, [T]) -> bool",
        "the same elements in the same order, and the list is indexed from 1",
        ("sequence(5, 6) = [5, 6]", "true"),
        |args| boolean(sequence_as_list(&args[0]) == args[1]),
        |s, args| equals_list(s, &args[0], &args[1]).into(),
    ),
    Operator::new(
        EQUAL,
        "([T], sequence of T) -> bool",
        "the same elements in the same order, and the list is indexed from 1",
        ("[5, 6] = sequence(6, 5)", "false"),
        |args| boolean(args[0] == sequence_as_list(&args[1])),
        |s, args| equals_list(s, &args[1], &args[0]).into(),
    ),
    Operator::new(
        UNEQUAL,
        "(sequence of T, [T]) -> bool",
        "the elements or their order differ, or the list is not indexed from 1",
        ("sequence(5, 6) != [5, 6]", "false"),
        |args| boolean(sequence_as_list(&args[0]) != args[1]),
        |s, args| (!equals_list(s, &args[0], &args[1])).into(),
    ),
    Operator::new(
        UNEQUAL,
        "([T], sequence of T) -> bool",
        "the elements or their order differ, or the list is not indexed from 1",
        ("[5, 6] != sequence(6, 5)", "true"),
        |args| boolean(args[0] != sequence_as_list(&args[1])),
        |s, args| (!equals_list(s, &args[1], &args[0])).into(),
    ),
    Operator::new(
        IMAGE,
        "(sequence of T, int) -> T",
        "the element at a position, counted from 1; undefined beyond the end",
        ("sequence(5, 6, 5)(2)", "6"),
        sequence_image,
        function::lower_image,
    )
    .looking_up(Lookup::Image)
    .resulting_in(results::image_domain),
    Operator::new(
        IMAGE_WORD,
        "(sequence of T, int) -> T",
        "the element at a position, counted from 1; undefined beyond the end",
        ("image(sequence(5, 6, 5), 2)", "6"),
        sequence_image,
        function::lower_image,
    )
    .looking_up(Lookup::Image)
    .resulting_in(results::image_domain),
    Operator::new(
        IMAGE_SET,
        "(sequence of T, int) -> set of T",
        "the set of the element at a position, or the empty set beyond the end",
        ("imageSet(sequence(5, 6, 5), 2)", "{6}"),
        |args| Ok(Value::ascending_set(element_at(&args[0], &args[1]).into_iter().cloned().collect())),
        function::lower_image_set,
    )
    .resulting_in(results::set_of_images),
    Operator::new(
        PRE_IMAGE,
        "(sequence of T, T) -> set of int",
        "the positions of a value",
        ("preImage(sequence(5, 6, 5), 5)", "{1, 3}"),
        |args| {
            let positions = items(&args[0]).iter().zip(1..).filter(|(item, _)| **item == args[1]);
            Ok(Value::ascending_set(positions.map(|(_, position)| Value::Int(position)).collect()))
        },
        function::lower_pre_image,
    )
    .resulting_in(results::set_of_arguments),
    Operator::new(
        DEFINED,
        "(sequence of T) -> set of int",
        "the positions from 1 to the length",
        ("defined(sequence(5, 6, 5))", "{1, 2, 3}"),
        |args| Ok(Value::ascending_set((1..=items(&args[0]).len() as i64).map(Value::Int).collect())),
        function::lower_defined,
    )
    .resulting_in(results::set_of_arguments),
    Operator::new(
        RANGE,
        "(sequence of T) -> set of T",
        "the values that occur",
        ("range(sequence(5, 6, 5))", "{5, 6}"),
        |args| Ok(Value::set(items(&args[0]).to_vec())),
        function::lower_range,
    )
    .resulting_in(results::set_of_images),
    Operator::new(
        BARS,
        "(sequence of T) -> int",
        "the length",
        ("|sequence(5, 6, 5)|", "3"),
        |args| length(&args[0]),
        lower_size,
    )
    .resulting_in(results::size_domain),
    Operator::new(
        IN,
        "((int, T), sequence of T) -> bool",
        "the first component is a position of the second",
        ("(2, 6) in sequence(5, 6, 5)", "true"),
        |args| {
            let pair = items(&args[0]);
            boolean(element_at(&args[1], &pair[0]) == Some(&pair[1]))
        },
        function::lower_in_function,
    ),
    Operator::new(
        SUBSEQUENCE,
        "(sequence of T, sequence of T) -> bool",
        "the elements of the first occur in the second in the same order, possibly with others between them",
        ("sequence(5, 5) subsequence sequence(5, 6, 5)", "true"),
        |args| {
            let mut rest = items(&args[1]).iter();
            boolean(items(&args[0]).iter().all(|item| rest.any(|other| other == item)))
        },
        lower_subsequence,
    ),
    Operator::new(
        SUBSTRING,
        "(sequence of T, sequence of T) -> bool",
        "the first occurs in the second without gaps",
        ("sequence(5, 5) substring sequence(5, 6, 5)", "false"),
        |args| {
            let (part, whole) = (items(&args[0]), items(&args[1]));
            boolean(part.is_empty() || whole.windows(part.len()).any(|window| window == part))
        },
        lower_substring,
    ),
];

/// A sequence as a list; other values as they are.
pub(crate) fn sequence_as_list(value: &Value) -> Value {
    match value {
        Value::Collection(Collection::Sequence, items) => Value::list(items.to_vec()),
        other => other.clone(),
    }
}

/// A sequence as a list; other terms as they are.
pub(crate) fn lower_listed(symbolic: &mut Symbolic, term: &Term) -> Term {
    match term {
        Term::Value(value) => Term::Value(sequence_as_list(value)),
        _ if collection_kind_of(term) == Some(Collection::Sequence) => {
            Term::guarded_list(sequence_slots(symbolic, term))
        }
        _ => term.clone(),
    }
}

fn equals_list(symbolic: &mut Symbolic, sequence: &Term, list: &Term) -> Bool {
    let sequence = lower_listed(symbolic, sequence);
    symbolic.equal(&sequence, list)
}

fn sequence_image(args: &[Value]) -> Evaluated {
    element_at(&args[0], &args[1]).cloned().ok_or(Stop::Undefined)
}

/// The elements in order, each with the condition that the sequence is long enough.
pub(crate) fn sequence_slots(symbolic: &mut Symbolic, sequence: &Term) -> Vec<Member> {
    let members = symbolic.members(sequence);
    (1..=members.members.len() as i64)
        .map(|position| {
            let element = symbolic.image(&members, &Term::Value(Value::Int(position)));
            Member::new(element.defined, element.term)
        })
        .collect()
}

/// The subsequence test as a dynamic program: `occurs[n]` is the condition that the first `n` elements of `part` occur
/// in the elements of `whole` so far.
fn lower_subsequence(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let (part, whole) = (sequence_slots(symbolic, &args[0]), sequence_slots(symbolic, &args[1]));
    let mut occurs = vec![Bool::FALSE; part.len() + 1];
    occurs[0] = Bool::TRUE;
    for element in &whole {
        // The loop runs from the longest prefix down, so that one element of `whole` matches only once.
        for length in (1..=part.len()).rev() {
            let same = symbolic.equal(&part[length - 1].term, &element.term);
            let extended = symbolic.problem.and([element.condition, occurs[length - 1], same]);
            occurs[length] = symbolic.problem.or([occurs[length], extended]);
        }
    }
    let parts: Vec<Bool> = part
        .iter()
        .zip(&occurs[1..])
        .map(|(element, occurs)| symbolic.problem.implies(element.condition, *occurs))
        .collect();
    symbolic.problem.and(parts).into()
}

fn lower_substring(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let (part, whole) = (sequence_slots(symbolic, &args[0]), sequence_slots(symbolic, &args[1]));
    let mut ways = Vec::new();
    // The empty sequence occurs in the empty one, so one offset is tried even if `whole` is empty.
    for offset in 0..whole.len().max(1) {
        let mut parts = Vec::with_capacity(part.len());
        for (position, element) in part.iter().enumerate() {
            let there = match whole.get(offset + position) {
                Some(other) => {
                    let same = symbolic.equal(&element.term, &other.term);
                    symbolic.problem.and([other.condition, same])
                }
                None => Bool::FALSE,
            };
            parts.push(symbolic.problem.implies(element.condition, there));
        }
        ways.push(symbolic.problem.and(parts));
    }
    symbolic.problem.or(ways).into()
}
