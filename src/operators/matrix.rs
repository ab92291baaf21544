//! Matrices and lists: a list is a matrix indexed from 1, and a matrix of more than one dimension is a
//! matrix of matrices. Slices are nodes of their own in the typed model.

use super::{
    Operator, Symbol,
    evaluation::{boolean, integer, items, length},
    not_lowered,
    symbols::*,
};
use crate::language::{GroundDomain, Stop, Value, value::Matrix};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        INDEX,
        "(matrix indexed by [I] of T, I) -> T",
        "the element at an index; undefined outside the matrix",
        |args| at(&args[0], &args[1]).cloned().ok_or(Stop::Undefined),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("elementId"),
        "(matrix indexed by [T] of T, T) -> T",
        "the element at an index, or the index itself outside the matrix",
        |args| Ok(at(&args[0], &args[1]).unwrap_or(&args[1]).clone()),
        not_lowered,
    ),
    Operator::new(
        FLATTEN,
        "([T]) -> [innermost T]",
        "all elements of a matrix of any number of dimensions, as one list",
        |args| Ok(Value::list(flatten(&args[0], usize::MAX))),
        not_lowered,
    ),
    Operator::new(
        FLATTEN,
        "(int, [T]) -> [innermost T]",
        "as many dimensions as the first operand says, and one more, become one list",
        |args| Ok(Value::list(flatten(&args[1], usize::try_from(args[0].as_int()).map_err(|_| Stop::Undefined)?))),
        not_lowered,
    ),
    Operator::new(
        Symbol::function("concatenate"),
        "([[T]]) -> [T]",
        "the lists one after the other",
        |args| Ok(Value::list(flatten(&args[0], 1))),
        not_lowered,
    ),
    Operator::new(
        IN,
        "(T, [T]) -> bool",
        "one of the elements",
        |args| boolean(items(&args[1]).contains(&args[0])),
        not_lowered,
    ),
    Operator::new(BARS, "([T]) -> int", "number of elements", |args| length(&args[0]), not_lowered),
    Operator::new(
        TO_SET,
        "([T]) -> set of T",
        "the elements as a set",
        |args| Ok(Value::set(items(&args[0]).to_vec())),
        not_lowered,
    ),
    Operator::new(
        TO_MSET,
        "([T]) -> mset of T",
        "the elements as a multiset",
        |args| Ok(Value::mset(items(&args[0]).to_vec())),
        not_lowered,
    ),
    Operator::new(
        FREQUENCY,
        "([T], T) -> int",
        "how often a value occurs among the elements",
        |args| integer(items(&args[0]).iter().filter(|item| **item == args[1]).count() as i128),
        not_lowered,
    ),
    Operator::new(
        HISTOGRAM,
        "([T]) -> [(T, int)]",
        "the values that occur, ascending, each with the number of its occurrences",
        |args| {
            let mut sorted = items(&args[0]).to_vec();
            sorted.sort_unstable();
            Ok(histogram(&sorted))
        },
        not_lowered,
    ),
];

/// The element of a matrix at an index.
pub fn at<'a>(matrix: &'a Value, index: &Value) -> Option<&'a Value> {
    let Value::Matrix(matrix) = matrix else { unreachable!("a matrix was expected, not {matrix:?}") };
    matrix.elements.get(position(matrix, index)?)
}

fn position(matrix: &Matrix, index: &Value) -> Option<usize> {
    match &matrix.index {
        GroundDomain::Int(indices) => indices.position(index.as_int()),
        _ => Some(index.as_int() as usize),
    }
}

/// The elements after the given number of inner dimensions, if there are as many, have been opened.
fn flatten(matrix: &Value, inner: usize) -> Vec<Value> {
    fn collect(value: &Value, levels: usize, into: &mut Vec<Value>) {
        match value {
            Value::Matrix(matrix) if levels > 0 => {
                matrix.elements.iter().for_each(|element| collect(element, levels - 1, into));
            }
            element => into.push(element.clone()),
        }
    }
    let mut flat = Vec::new();
    collect(matrix, inner.saturating_add(1), &mut flat);
    flat
}

/// The list of a sorted list's different values, each with the number of its occurrences.
pub fn histogram(sorted: &[Value]) -> Value {
    Value::list(
        sorted
            .chunk_by(|left, right| left == right)
            .map(|equal| Value::tuple([equal[0].clone(), Value::Int(equal.len() as i64)]))
            .collect(),
    )
}
