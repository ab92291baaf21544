//! Multisets. Their union, inclusion and the like stand in [`super::algebra`].

use super::{
    Operator,
    evaluation::{boolean, integer, items, length},
    matrix::histogram,
    not_lowered,
    symbols::*,
};
use crate::language::Value;

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        IN,
        "(T, mset of T) -> bool",
        "occurs in the multiset",
        |args| boolean(items(&args[1]).binary_search(&args[0]).is_ok()),
        not_lowered,
    ),
    Operator::new(
        BARS,
        "(mset of T) -> int",
        "number of members, each as often as it occurs",
        |args| length(&args[0]),
        not_lowered,
    ),
    Operator::new(
        FREQUENCY,
        "(mset of T, T) -> int",
        "how often a value occurs",
        |args| integer(frequency(items(&args[0]), &args[1]) as i128),
        not_lowered,
    ),
    Operator::new(
        HISTOGRAM,
        "(mset of T) -> [(T, int)]",
        "the values that occur, ascending, each with the number of its occurrences",
        |args| Ok(histogram(items(&args[0]))),
        not_lowered,
    ),
    Operator::new(
        TO_SET,
        "(mset of T) -> set of T",
        "the values that occur",
        |args| Ok(Value::set(items(&args[0]).to_vec())),
        not_lowered,
    ),
    Operator::new(TO_MSET, "(mset of T) -> mset of T", "the multiset itself", |args| Ok(args[0].clone()), not_lowered),
];

fn frequency(sorted: &[Value], value: &Value) -> usize {
    let first = sorted.partition_point(|item| item < value);
    sorted[first..].partition_point(|item| item <= value)
}
