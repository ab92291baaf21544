//! Matrices and lists: a list is a matrix indexed from 1, and a matrix of more than one dimension is a
//! matrix of matrices. Slices are nodes of their own in the typed model.

use super::{
    Operator, Symbol,
    evaluation::{boolean, integer, items, length},
    symbols::*,
};
use crate::{
    language::{Collection, GroundDomain, IntSet, Stop, Value, value::Matrix},
    problem::Bool,
    symbolic::{Member, Partial, Symbolic, Term},
};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        INDEX,
        "(matrix indexed by [I] of T, I) -> T",
        "the element at an index; undefined outside the matrix",
        |args| at(&args[0], &args[1]).cloned().ok_or(Stop::Undefined),
        lower_index,
    ),
    Operator::new(
        Symbol::function("elementId"),
        "(matrix indexed by [T] of T, T) -> T",
        "the element at an index, or the index itself outside the matrix",
        |args| Ok(at(&args[0], &args[1]).unwrap_or(&args[1]).clone()),
        |s, args| {
            let element = lower_index(s, args);
            s.choose(vec![(element.defined, element.term), (!element.defined, args[1].clone())]).into()
        },
    ),
    Operator::new(
        FLATTEN,
        "([T]) -> [innermost T]",
        "all elements of a matrix of any number of dimensions, as one list",
        |args| Ok(Value::list(flatten(&args[0], usize::MAX))),
        |s, args| Term::guarded_list(lower_flatten(s, &args[0], usize::MAX)).into(),
    ),
    Operator::new(
        FLATTEN,
        "(int, [T]) -> [innermost T]",
        "as many dimensions as the first operand says, and one more, become one list",
        |args| Ok(Value::list(flatten(&args[1], usize::try_from(args[0].as_int()).map_err(|_| Stop::Undefined)?))),
        |s, args| match args[0].as_value().map(Value::as_int).and_then(|levels| usize::try_from(levels).ok()) {
            Some(levels) => Term::guarded_list(lower_flatten(s, &args[1], levels)).into(),
            None => s.refuse("`flatten` to a depth that depends on decisions").into(),
        },
    ),
    Operator::new(
        Symbol::function("concatenate"),
        "([[T]]) -> [T]",
        "the lists one after the other",
        |args| Ok(Value::list(flatten(&args[0], 1))),
        |s, args| Term::guarded_list(lower_flatten(s, &args[0], 1)).into(),
    ),
    Operator::new(
        IN,
        "(T, [T]) -> bool",
        "one of the elements",
        |args| boolean(items(&args[1]).contains(&args[0])),
        |s, args| {
            let members = s.list_members(&args[1]);
            let found: Vec<Bool> = members
                .iter()
                .map(|member| {
                    let same = s.equal(&member.term, &args[0]);
                    s.problem.and([member.condition, same])
                })
                .collect();
            s.problem.or(found).into()
        },
    ),
    Operator::new(
        BARS,
        "([T]) -> int",
        "number of elements",
        |args| length(&args[0]),
        |s, args| {
            let members = s.list_members(&args[0]);
            let length = s.problem.count(members.iter().map(|member| member.condition));
            s.int_term(length).into()
        },
    ),
    Operator::new(
        TO_SET,
        "([T]) -> set of T",
        "the elements as a set",
        |args| Ok(Value::set(items(&args[0]).to_vec())),
        |s, args| {
            let members = s.list_members(&args[0]);
            s.set(members, false).into()
        },
    ),
    Operator::new(
        TO_MSET,
        "([T]) -> mset of T",
        "the elements as a multiset",
        |args| Ok(Value::mset(items(&args[0]).to_vec())),
        |s, args| {
            let members = s.list_members(&args[0]);
            s.collection(Collection::MSet, members, false).into()
        },
    ),
    Operator::new(
        FREQUENCY,
        "([T], T) -> int",
        "how often a value occurs among the elements",
        |args| integer(items(&args[0]).iter().filter(|item| **item == args[1]).count() as i128),
        |s, args| {
            let members = s.list_members(&args[0]);
            let frequency = s.frequency(&members, &args[1]);
            s.int_term(frequency).into()
        },
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
        |s, args| {
            let members = s.list_members(&args[0]);
            lower_histogram(s, &members)
        },
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

fn lower_index(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    match &args[0] {
        Term::Matrix(index, elements) => symbolic.element(index, elements, &args[1]),
        Term::List(_) => {
            let elements = symbolic.compact(&args[0]);
            let terms: Vec<Term> = elements.iter().map(|element| element.term.clone()).collect();
            let present: Vec<Term> = elements.iter().map(|element| element.condition.into()).collect();
            let index = GroundDomain::Int(IntSet::range(1, terms.len() as i64));
            let element = symbolic.element(&index, &terms, &args[1]);
            let present = symbolic.element(&index, &present, &args[1]);
            let there = symbolic.bool(&present.term);
            Partial { term: element.term, defined: symbolic.problem.and([element.defined, there]) }
        }
        matrix => match matrix.as_matrix() {
            Some((index, elements)) => symbolic.element(&index, &elements, &args[1]),
            None => symbolic.refuse("indexing this").into(),
        },
    }
}

/// The elements after the given number of inner dimensions, if there are as many, have been opened.
fn lower_flatten(symbolic: &mut Symbolic, matrix: &Term, inner: usize) -> Vec<Member> {
    fn collect(symbolic: &mut Symbolic, member: &Member, levels: usize, into: &mut Vec<Member>) {
        match &member.term {
            Term::Value(Value::Matrix(_)) | Term::Matrix(..) | Term::List(_) if levels > 0 => {
                for inner in symbolic.list_members(&member.term) {
                    let condition = symbolic.problem.and([member.condition, inner.condition]);
                    collect(symbolic, &Member::new(condition, inner.term), levels - 1, into);
                }
            }
            _ => into.push(member.clone()),
        }
    }
    let mut flat = Vec::new();
    collect(symbolic, &Member::always(matrix.clone()), inner.saturating_add(1), &mut flat);
    flat
}

/// The values that can occur, ascending, each with the number of its occurrences; those that do occur are in
/// the list.
pub fn lower_histogram(symbolic: &mut Symbolic, members: &[Member]) -> Partial {
    let mut values: Vec<Value> = Vec::new();
    for member in members {
        match &member.term {
            Term::Value(value) => values.push(value.clone()),
            Term::Bool(_) => values.extend([Value::FALSE, Value::TRUE]),
            Term::Int(term) => values.extend(symbolic.problem.values(*term).iter().map(Value::Int)),
            _ => return symbolic.refuse("`hist` of collections that depend on decisions").into(),
        }
    }
    values.sort_unstable();
    values.dedup();
    let mut rows = Vec::with_capacity(values.len());
    for value in values {
        let value = Term::Value(value);
        let count = symbolic.frequency(members, &value);
        let occurs = !symbolic.problem.at_most_constant(count, 0);
        rows.push(Member::new(occurs, Term::pair(value, symbolic.int_term(count))));
    }
    Term::guarded_list(rows).into()
}
