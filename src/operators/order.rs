//! Orders on more than single values. `<lex` compares lists position by position. `.<` is some total order
//! on every type, made to break symmetries: here the order of [`Value`]. `~<` compares collections by how
//! often their members occur: of the members that do not occur equally often in both, the smallest decides,
//! and the collection that has it less often is smaller.

use super::{
    Operator,
    evaluation::{boolean, items, tuples},
    not_lowered,
    symbols::*,
};
use crate::language::Value;
use std::cmp::Ordering;

/// Four operators for each of the orders: on which operands, in which words, by which comparison.
macro_rules! rows {
    ($($less:ident, $at_most:ident, $greater:ident, $at_least:ident: $operands:literal, $order:literal, $compare:expr;)*) => {
        &[$(
            Operator::new(
                $less,
                concat!($operands, " -> bool"),
                concat!("smaller in ", $order),
                |args| boolean($compare(&args[0], &args[1]) == Ordering::Less),
                not_lowered,
            ),
            Operator::new(
                $at_most,
                concat!($operands, " -> bool"),
                concat!("smaller or equal in ", $order),
                |args| boolean($compare(&args[0], &args[1]) != Ordering::Greater),
                not_lowered,
            ),
            Operator::new(
                $greater,
                concat!($operands, " -> bool"),
                concat!("greater in ", $order),
                |args| boolean($compare(&args[0], &args[1]) == Ordering::Greater),
                not_lowered,
            ),
            Operator::new(
                $at_least,
                concat!($operands, " -> bool"),
                concat!("greater or equal in ", $order),
                |args| boolean($compare(&args[0], &args[1]) != Ordering::Less),
                not_lowered,
            ),
        )*]
    };
}

pub static OPERATORS: &[Operator] = rows! {
    LEX_LESS, LEX_AT_MOST, LEX_GREATER, LEX_AT_LEAST: "([T], [T])", "the lexicographic order", lexicographic;
    LEX_LESS, LEX_AT_MOST, LEX_GREATER, LEX_AT_LEAST: "(sequence of T, sequence of T)", "the lexicographic order", lexicographic;
    DOT_LESS, DOT_AT_MOST, DOT_GREATER, DOT_AT_LEAST: "(T, T)", "some total order, for breaking symmetries", Value::cmp;
    TILDE_LESS, TILDE_AT_MOST, TILDE_GREATER, TILDE_AT_LEAST: "(T, T)", "the order by occurrences of the smallest members", tilde;
};

fn lexicographic(left: &Value, right: &Value) -> Ordering {
    items(left).cmp(items(right))
}

fn tilde(left: &Value, right: &Value) -> Ordering {
    match (left, right) {
        (Value::Tuple(left), Value::Tuple(right)) => left
            .iter()
            .zip(right.iter())
            .map(|(l, r)| tilde(l, r))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal),
        (Value::Set(left), Value::Set(right))
        | (Value::MSet(left), Value::MSet(right))
        | (Value::Relation(left), Value::Relation(right))
        | (Value::Partition(left), Value::Partition(right)) => by_occurrences(left.to_vec(), right.to_vec()),
        (Value::Function(_), Value::Function(_)) => by_occurrences(tuples(left), tuples(right)),
        _ => left.cmp(right),
    }
}

/// With both sides ascending, the first difference shows the smallest member that occurs unequally often:
/// it is the smaller one of the two that stand there, and the side that has it is the greater one.
fn by_occurrences(mut left: Vec<Value>, mut right: Vec<Value>) -> Ordering {
    left.sort_by(tilde);
    right.sort_by(tilde);
    let difference = left.iter().zip(&right).map(|(l, r)| tilde(l, r)).find(|order| order.is_ne());
    difference.map_or(left.len().cmp(&right.len()), Ordering::reverse)
}
