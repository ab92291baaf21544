//! Multisets. Their union, inclusion and the like are in [`super::algebra`].

use super::{
    Operator,
    collections::set_of,
    evaluation::{boolean, integer_in_range, items, length},
    matrix::{histogram, lower_histogram},
    results,
    set::{lower_in, lower_size},
    symbols::*,
};
use crate::language::Value;

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        IN,
        "(T, mset of T) -> bool",
        "the value occurs in the multiset",
        ("2 in mset(1, 1)", "false"),
        |args| boolean(items(&args[1]).binary_search(&args[0]).is_ok()),
        lower_in,
    ),
    Operator::new(
        BARS,
        "(mset of T) -> int",
        "the number of members, each as often as it occurs",
        ("|mset(1, 1, 2)|", "3"),
        |args| length(&args[0]),
        lower_size,
    )
    .resulting_in(results::size_domain),
    Operator::new(
        FREQUENCY,
        "(mset of T, T) -> int",
        "how often a value occurs",
        ("freq(mset(1, 1, 2), 1)", "2"),
        |args| integer_in_range(frequency(items(&args[0]), &args[1]) as i128),
        |s, args| {
            let members = s.members(&args[0]);
            let frequency = s.frequency(&members.members, &args[1]);
            s.int_term(frequency).into()
        },
    )
    .resulting_in(results::size_domain),
    Operator::new(
        HISTOGRAM,
        "(mset of T) -> [(T, int)]",
        "the distinct values in ascending order, each with its number of occurrences",
        ("hist(mset(1, 1, 2))", "[(1, 2), (2, 1)]"),
        |args| Ok(histogram(items(&args[0]))),
        |s, args| {
            let members = s.members(&args[0]);
            lower_histogram(s, &members.members)
        },
    ),
    Operator::new(
        TO_SET,
        "(mset of T) -> set of T",
        "the values that occur",
        ("toSet(mset(1, 1, 2))", "{1, 2}"),
        |args| Ok(Value::set(items(&args[0]).to_vec())),
        |s, args| {
            let members = s.members(&args[0]);
            set_of(s, members.members.clone()).into()
        },
    )
    .resulting_in(results::set_of_members),
    Operator::new(
        TO_MSET,
        "(mset of T) -> mset of T",
        "the multiset itself",
        ("toMSet(mset(1, 1))", "mset(1, 1)"),
        |args| Ok(args[0].clone()),
        |_, args| args[0].clone().into(),
    )
    .resulting_in(results::mset_of_members),
];

fn frequency(sorted: &[Value], value: &Value) -> usize {
    let first = sorted.partition_point(|item| item < value);
    sorted[first..].partition_point(|item| item <= value)
}
