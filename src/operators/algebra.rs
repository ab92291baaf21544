//! What sets, multisets, functions and relations have in common: union, intersection, difference and
//! inclusion. A function counts as the set of its pairs. Multisets count occurrences: a union has a value as
//! often as the operand that has it more often, an intersection as often as the other one.

use super::{
    Operator,
    evaluation::{boolean, difference, intersection, is_subset, union},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Stop, Value};

/// The same seven operators for each of the types.
macro_rules! rows {
    ($($collection:literal),*) => {
        &[$(
            Operator::new(
                UNION,
                concat!("(", $collection, ", ", $collection, ") -> ", $collection),
                "what is in either of the two",
                eval_union,
                not_lowered,
            ),
            Operator::new(
                INTERSECT,
                concat!("(", $collection, ", ", $collection, ") -> ", $collection),
                "what is in both",
                eval_intersection,
                not_lowered,
            ),
            Operator::new(
                MINUS,
                concat!("(", $collection, ", ", $collection, ") -> ", $collection),
                "what is in the first and not in the second",
                eval_difference,
                not_lowered,
            ),
            Operator::new(
                SUBSET,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the second has everything that the first has, and more",
                |args| boolean(is_included(&args[0], &args[1]) && args[0] != args[1]),
                not_lowered,
            ),
            Operator::new(
                SUBSET_EQ,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the second has everything that the first has",
                |args| boolean(is_included(&args[0], &args[1])),
                not_lowered,
            ),
            Operator::new(
                SUPERSET,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the first has everything that the second has, and more",
                |args| boolean(is_included(&args[1], &args[0]) && args[0] != args[1]),
                not_lowered,
            ),
            Operator::new(
                SUPERSET_EQ,
                concat!("(", $collection, ", ", $collection, ") -> bool"),
                "the first has everything that the second has",
                |args| boolean(is_included(&args[1], &args[0])),
                not_lowered,
            ),
        )*]
    };
}

pub static OPERATORS: &[Operator] = rows!["set of T", "mset of T", "function A --> B", "relation of R"];

/// A union of functions that disagree somewhere is not a function: undefined.
fn eval_union(args: &[Value]) -> Evaluated {
    Ok(match (&args[0], &args[1]) {
        (Value::Set(left), Value::Set(right)) => Value::Set(union(left, right).into()),
        (Value::MSet(left), Value::MSet(right)) => Value::MSet(union(left, right).into()),
        (Value::Relation(left), Value::Relation(right)) => Value::Relation(union(left, right).into()),
        (Value::Function(left), Value::Function(right)) => {
            let pairs = union(left, right);
            if pairs.windows(2).any(|two| two[0].0 == two[1].0) {
                return Err(Stop::Undefined);
            }
            Value::Function(pairs.into())
        }
        (left, right) => unreachable!("the union of {left:?} and {right:?}"),
    })
}

fn eval_intersection(args: &[Value]) -> Evaluated {
    Ok(match (&args[0], &args[1]) {
        (Value::Set(left), Value::Set(right)) => Value::Set(intersection(left, right).into()),
        (Value::MSet(left), Value::MSet(right)) => Value::MSet(intersection(left, right).into()),
        (Value::Relation(left), Value::Relation(right)) => Value::Relation(intersection(left, right).into()),
        (Value::Function(left), Value::Function(right)) => Value::Function(intersection(left, right).into()),
        (left, right) => unreachable!("the intersection of {left:?} and {right:?}"),
    })
}

fn eval_difference(args: &[Value]) -> Evaluated {
    Ok(match (&args[0], &args[1]) {
        (Value::Set(left), Value::Set(right)) => Value::Set(difference(left, right).into()),
        (Value::MSet(left), Value::MSet(right)) => Value::MSet(difference(left, right).into()),
        (Value::Relation(left), Value::Relation(right)) => Value::Relation(difference(left, right).into()),
        (Value::Function(left), Value::Function(right)) => Value::Function(difference(left, right).into()),
        (left, right) => unreachable!("the difference of {left:?} and {right:?}"),
    })
}

fn is_included(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Set(left), Value::Set(right))
        | (Value::MSet(left), Value::MSet(right))
        | (Value::Relation(left), Value::Relation(right)) => is_subset(left, right),
        (Value::Function(left), Value::Function(right)) => is_subset(left, right),
        (left, right) => unreachable!("inclusion of {left:?} in {right:?}"),
    }
}
