//! Sequences: functions from 1, 2, … without gaps.

use super::{
    Operator,
    evaluation::{boolean, element_at, items, length},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Stop, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        IMAGE,
        "(sequence of T, int) -> T",
        "the element at a position, counted from 1; undefined beyond the end",
        image,
        not_lowered,
    ),
    Operator::new(
        IMAGE_WORD,
        "(sequence of T, int) -> T",
        "the element at a position, counted from 1; undefined beyond the end",
        image,
        not_lowered,
    ),
    Operator::new(
        IMAGE_SET,
        "(sequence of T, int) -> set of T",
        "the set of the element at a position, or the empty set beyond the end",
        |args| Ok(Value::Set(element_at(&args[0], &args[1]).into_iter().cloned().collect())),
        not_lowered,
    ),
    Operator::new(
        PRE_IMAGE,
        "(sequence of T, T) -> set of int",
        "the positions at which a value stands",
        |args| {
            let positions = items(&args[0]).iter().zip(1..).filter(|(item, _)| **item == args[1]);
            Ok(Value::Set(positions.map(|(_, position)| Value::Int(position)).collect()))
        },
        not_lowered,
    ),
    Operator::new(
        DEFINED,
        "(sequence of T) -> set of int",
        "the positions from 1 to the length",
        |args| Ok(Value::Set((1..=items(&args[0]).len() as i64).map(Value::Int).collect())),
        not_lowered,
    ),
    Operator::new(
        RANGE,
        "(sequence of T) -> set of T",
        "the values that occur",
        |args| Ok(Value::set(items(&args[0]).to_vec())),
        not_lowered,
    ),
    Operator::new(BARS, "(sequence of T) -> int", "length", |args| length(&args[0]), not_lowered),
    Operator::new(
        IN,
        "((int, T), sequence of T) -> bool",
        "the second component stands at the position that the first says",
        |args| {
            let pair = items(&args[0]);
            boolean(element_at(&args[1], &pair[0]) == Some(&pair[1]))
        },
        not_lowered,
    ),
    Operator::new(
        SUBSEQUENCE,
        "(sequence of T, sequence of T) -> bool",
        "the elements of the first occur in the second in the same order, possibly with others between them",
        |args| {
            let mut rest = items(&args[1]).iter();
            boolean(items(&args[0]).iter().all(|item| rest.any(|other| other == item)))
        },
        not_lowered,
    ),
    Operator::new(
        SUBSTRING,
        "(sequence of T, sequence of T) -> bool",
        "the first occurs in the second without gaps",
        |args| {
            let (part, whole) = (items(&args[0]), items(&args[1]));
            boolean(part.is_empty() || whole.windows(part.len()).any(|window| window == part))
        },
        not_lowered,
    ),
];

fn image(args: &[Value]) -> Evaluated {
    element_at(&args[0], &args[1]).cloned().ok_or(Stop::Undefined)
}
