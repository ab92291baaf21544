//! Functions that the families' `eval` functions share: checked integers, the contents of collections, and merges of
//! sorted lists. Sets, multisets, functions and relations are all kept sorted, so one merge serves them all; with
//! repetitions, it counts occurrences as multisets need it.

use crate::{
    diagnostic::{Code, Diagnostic},
    language::{Evaluated, Stop, Value},
};
use std::cmp::Ordering;

/// The largest integer that the language computes with; the smallest one is its negative. So the sum and the difference
/// of two integers, and their neighbours, fit in 64 bits, which all computations with values rely on. Products and sums
/// of three have 128 bits or are checked.
pub(crate) const LARGEST: i64 = (1 << 62) - 1;

/// The maximum number of members of a collection that an operator makes from a smaller one. Chosen.
const MOST_MEMBERS: u128 = 1_000_000;

/// An integer in the range that the language computes with.
pub(crate) fn integer_in_range(value: i128) -> Evaluated {
    if value.unsigned_abs() <= LARGEST as u128 { Ok(Value::Int(value as i64)) } else { Err(overflow()) }
}

pub(crate) fn overflow() -> Stop {
    Diagnostic::error(Code::OVERFLOW, "this integer is too large")
        .note("integers must be between -(2**62 - 1) and 2**62 - 1")
        .into()
}

/// Refuses a collection with too many members.
pub(crate) fn check_size(size: Option<u128>, what: &str) -> Evaluated<()> {
    match size {
        Some(size) if size <= MOST_MEMBERS => Ok(()),
        Some(size) => Err(Diagnostic::error(Code::TOO_LARGE, format!("{what} has {size} members"))
            .note(format!("at most {MOST_MEMBERS} can be enumerated"))
            .into()),
        None => Err(Diagnostic::error(Code::TOO_LARGE, format!("{what} has more members than can be counted")).into()),
    }
}

/// The contents of a matrix, set, multiset, sequence, relation (tuples) or partition (sets).
pub(crate) fn items(value: &Value) -> &[Value] {
    match value {
        Value::Collection(_, items) | Value::Tuple(items) => items,
        Value::Matrix(matrix) => &matrix.elements,
        other => unreachable!("a collection was expected, not {other:?}"),
    }
}

/// The pairs of a function or a permutation.
pub(crate) fn pairs(value: &Value) -> &[(Value, Value)] {
    match value {
        Value::Mapping(_, pairs) => pairs,
        other => unreachable!("a function was expected, not {other:?}"),
    }
}

/// The image to which a function or a permutation explicitly maps a point.
pub(crate) fn image<'a>(value: &'a Value, point: &Value) -> Option<&'a Value> {
    let pairs = pairs(value);
    pairs.binary_search_by(|pair| pair.0.cmp(point)).ok().map(|at| &pairs[at].1)
}

/// The element of a sequence at a 1-based position.
pub(crate) fn element_at<'a>(sequence: &'a Value, position: &Value) -> Option<&'a Value> {
    usize::try_from(position.as_int()).ok().and_then(|at| items(sequence).get(at.checked_sub(1)?))
}

pub(crate) fn tuple_of_two(left: &Value, right: &Value) -> Value {
    Value::tuple([left.clone(), right.clone()])
}

/// The pairs of a function or a permutation as tuples.
pub(crate) fn tuples(value: &Value) -> Vec<Value> {
    pairs(value).iter().map(|(point, image)| tuple_of_two(point, image)).collect()
}

pub(crate) fn length(value: &Value) -> Evaluated {
    Ok(Value::Int(items(value).len() as i64))
}

pub(crate) fn boolean(value: bool) -> Evaluated {
    Ok(Value::Bool(value))
}

/// The union of two sorted lists, with the larger number of occurrences of each element.
pub(crate) fn union<T: Ord + Clone>(left: &[T], right: &[T]) -> Vec<T> {
    let mut merged = Vec::with_capacity(left.len().max(right.len()));
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        let order = left[l].cmp(&right[r]);
        merged.push(if order == Ordering::Greater { right[r].clone() } else { left[l].clone() });
        // If the elements are equal, both lists advance, so the larger number of occurrences remains.
        l += usize::from(order != Ordering::Greater);
        r += usize::from(order != Ordering::Less);
    }
    merged.extend_from_slice(&left[l..]);
    merged.extend_from_slice(&right[r..]);
    merged
}

/// The intersection of two sorted lists, with the smaller number of occurrences of each element.
pub(crate) fn intersection<T: Ord + Clone>(left: &[T], right: &[T]) -> Vec<T> {
    let mut common = Vec::new();
    let (mut l, mut r) = (0, 0);
    while l < left.len() && r < right.len() {
        let order = left[l].cmp(&right[r]);
        if order == Ordering::Equal {
            common.push(left[l].clone());
        }
        l += usize::from(order != Ordering::Greater);
        r += usize::from(order != Ordering::Less);
    }
    common
}

/// The first sorted list without the second: each occurrence in the second removes one from the first.
pub(crate) fn difference_of_lists<T: Ord + Clone>(left: &[T], right: &[T]) -> Vec<T> {
    // Both lists are sorted, so one pass over them is enough.
    let mut rest = Vec::new();
    let mut r = 0;
    for item in left {
        while r < right.len() && right[r] < *item {
            r += 1;
        }
        if right.get(r) == Some(item) {
            r += 1;
        } else {
            rest.push(item.clone());
        }
    }
    rest
}

/// Returns true if the second sorted list has every element of the first, at least as often.
pub(crate) fn is_subset<T: Ord>(left: &[T], right: &[T]) -> bool {
    let mut r = 0;
    // A longer list cannot be included, because each element on the left uses up one on the right.
    left.len() <= right.len()
        && left.iter().all(|item| {
            while r < right.len() && right[r] < *item {
                r += 1;
            }
            r += 1;
            // The search has stopped at the first element that is not less, which must be the wanted one.
            right.get(r - 1) == Some(item)
        })
}
