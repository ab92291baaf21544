//! Matrices and lists: a list is a matrix indexed from 1, and a matrix of more than one dimension is a matrix of
//! matrices. Slices are separate nodes in the typed model.

use super::{
    Lookup, Operator, OperatorSymbol,
    evaluation::{boolean, integer_in_range, items, length},
    results,
    symbols::*,
};
use crate::{
    language::{Collection, GroundDomain, Stop, Value, value::Matrix},
    problem::Bool,
    symbolic::{Member, MemberCounts, Partial, Repetition, Symbolic, Term},
};
use std::collections::BTreeSet;

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        INDEX,
        "(matrix indexed by [I] of T, I) -> T",
        "the element at an index; undefined outside the matrix",
        ("[5, 6, 7][2]", "6"),
        |args| element_at_index(&args[0], &args[1]).cloned().ok_or(Stop::Undefined),
        |s, args| s.element_of(&args[0], &args[1]),
    )
    .looking_up(Lookup::Element)
    .resulting_in(results::member_of_first),
    Operator::new(
        OperatorSymbol::function("elementId"),
        "(matrix indexed by [T] of T, T) -> T",
        "the element at an index, or the index itself outside the matrix",
        ("elementId([3, 1, 2], 9)", "9"),
        |args| Ok(element_at_index(&args[0], &args[1]).unwrap_or(&args[1]).clone()),
        |s, args| {
            let element = s.element_of(&args[0], &args[1]);
            s.choose(vec![(element.defined, element.term), (!element.defined, args[1].clone())]).into()
        },
    )
    .resulting_in(results::element_or_index),
    Operator::new(
        FLATTEN,
        "([T]) -> [innermost T]",
        "all elements of a matrix of any number of dimensions, as one list",
        ("flatten([[1, 2], [3, 4]])", "[1, 2, 3, 4]"),
        |args| Ok(Value::list(flatten(&args[0], usize::MAX))),
        |s, args| Term::guarded_list(lower_flatten(s, &args[0], usize::MAX)).into(),
    )
    .resulting_in(results::flattened)
    .flattening(),
    Operator::new(
        FLATTEN,
        "(int, [T]) -> [innermost T]",
        "a matrix with its first n + 1 dimensions joined into one, where n is the first operand",
        ("flatten(1, [[[1, 2]], [[3, 4]]])", "[[1, 2], [3, 4]]"),
        |args| Ok(Value::list(flatten(&args[1], levels(&args[0])))),
        |s, args| {
            let levels = args[0].as_value().map_or(0, levels);
            Term::guarded_list(lower_flatten(s, &args[1], levels)).into()
        },
    )
    .resulting_in(results::flattened)
    .flattening(),
    Operator::new(
        OperatorSymbol::function("concatenate"),
        "([[T]]) -> [T]",
        "the lists one after the other",
        ("concatenate([[1, 2], [3]])", "[1, 2, 3]"),
        |args| Ok(Value::list(flatten(&args[0], 1))),
        |s, args| Term::guarded_list(lower_flatten(s, &args[0], 1)).into(),
    )
    .resulting_in(results::concatenated)
    .flattening(),
    Operator::new(
        IN,
        "(T, [T]) -> bool",
        "the value is one of the elements",
        ("2 in [1, 2, 3]", "true"),
        |args| boolean(items(&args[1]).contains(&args[0])),
        |s, args| {
            let members = args[1].list_members();
            let found: Vec<Bool> = members
                .iter()
                .map(|member| {
                    let same = s.equal(&member.term, &args[0]);
                    s.problem.and([member.condition, same])
                })
                .collect();
            s.problem.or(found).into()
        },
    )
    .in_any_order(1),
    Operator::new(
        BARS,
        "([T]) -> int",
        "the number of elements of a list; write `|flatten(m)|` for a matrix",
        ("|[x | x : int(1..9), x % 2 = 0]|", "4"),
        |args| length(&args[0]),
        |s, args| {
            let members = args[0].list_members();
            let length = s.problem.count(members.iter().map(|member| member.condition));
            s.int_term(length).into()
        },
    )
    .in_any_order(0)
    .resulting_in(results::size_domain),
    Operator::new(
        TO_SET,
        "([T]) -> set of T",
        "the elements as a set",
        ("toSet([2, 1, 2])", "{1, 2}"),
        |args| Ok(Value::set(items(&args[0]).to_vec())),
        |s, args| {
            let members = args[0].list_members();
            s.set(members, Repetition::Possible).into()
        },
    )
    .in_any_order(0)
    .resulting_in(results::set_of_members),
    Operator::new(
        TO_MSET,
        "([T]) -> mset of T",
        "the elements as a multiset",
        ("toMSet([2, 1, 2])", "mset(1, 2, 2)"),
        |args| Value::of(Collection::MSet, items(&args[0]).to_vec()).ok_or(Stop::Undefined),
        |s, args| {
            let members = args[0].list_members();
            s.collection(Collection::MSet, members, Repetition::Possible).into()
        },
    )
    .in_any_order(0)
    .resulting_in(results::mset_of_members),
    Operator::new(
        FREQUENCY,
        "([T], T) -> int",
        "how often a value occurs among the elements",
        ("freq([2, 1, 2], 2)", "2"),
        |args| integer_in_range(items(&args[0]).iter().filter(|item| **item == args[1]).count() as i128),
        |s, args| {
            let members = args[0].list_members();
            let frequency = s.frequency(&members, &args[1]);
            s.int_term(frequency).into()
        },
    )
    .in_any_order(0)
    .resulting_in(results::size_domain),
    Operator::new(
        HISTOGRAM,
        "([T]) -> [(T, int)]",
        "the distinct values in ascending order, each with its number of occurrences",
        ("hist([2, 1, 2])", "[(1, 1), (2, 2)]"),
        |args| {
            let mut sorted = items(&args[0]).to_vec();
            sorted.sort_unstable();
            Ok(histogram(&sorted))
        },
        |s, args| {
            let members = args[0].list_members();
            lower_histogram(s, &members)
        },
    ),
];

/// The element of a matrix at an index.
pub(crate) fn element_at_index<'a>(matrix: &'a Value, index: &Value) -> Option<&'a Value> {
    let Value::Matrix(matrix) = matrix else { unreachable!("a matrix was expected, not {matrix:?}") };
    matrix.elements.get(position_of_index(matrix, index)?)
}

fn position_of_index(matrix: &Matrix, index: &Value) -> Option<usize> {
    match &matrix.index {
        GroundDomain::Int(indices) => indices.position(index.as_int()),
        _ => Some(index.as_int() as usize),
    }
}

/// The number of dimensions that `flatten` removes. It is a constant, because the type of the result depends on it.
fn levels(number: &Value) -> usize {
    usize::try_from(number.as_int()).unwrap_or(0)
}

/// The elements of a matrix, flattened through up to `inner` further dimensions.
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

/// The different values of a sorted list, each with the number of its occurrences.
pub(crate) fn histogram(sorted: &[Value]) -> Value {
    Value::list(
        sorted
            .chunk_by(|left, right| left == right)
            .map(|equal| Value::tuple([equal[0].clone(), Value::Int(equal.len() as i64)]))
            .collect(),
    )
}

/// The elements of a matrix, flattened through up to `inner` further dimensions.
fn lower_flatten(symbolic: &mut Symbolic, matrix: &Term, inner: usize) -> Vec<Member> {
    fn collect(symbolic: &mut Symbolic, member: &Member, levels: usize, into: &mut Vec<Member>) {
        if levels == 0 || !member.term.is_matrix() {
            into.push(member.clone());
            return;
        }
        for inner in member.term.list_members() {
            let condition = symbolic.problem.and([member.condition, inner.condition]);
            collect(symbolic, &Member::new(condition, inner.term), levels - 1, into);
        }
    }
    let mut flat = Vec::new();
    collect(symbolic, &Member::always(matrix.clone()), inner.saturating_add(1), &mut flat);
    flat
}

/// The possible values in ascending order, each with its number of occurrences, under the condition that it occurs. If
/// the values are unknown, the first occurrences of the members are sorted instead.
pub(crate) fn lower_histogram(symbolic: &mut Symbolic, members: &[Member]) -> Partial {
    let Some(values) = possible_values(symbolic, members) else {
        let mut rows = Vec::with_capacity(members.len());
        for (position, member) in members.iter().enumerate() {
            // A value gets a row only at its first occurrence.
            let earlier = symbolic.frequency(&members[..position], &member.term);
            let first = symbolic.problem.at_most_constant(earlier, 0);
            let count = symbolic.frequency(members, &member.term);
            let first = symbolic.problem.and([member.condition, first]);
            rows.push(Member::new(first, Term::pair(member.term.clone(), symbolic.int_term(count))));
        }
        let keys: Vec<Term> = rows.iter().map(|row| row.term.item(0)).collect();
        return Term::guarded_list(symbolic.sorted(&rows, &keys)).into();
    };
    let mut rows = Vec::with_capacity(values.len());
    let occurrences = MemberCounts::new(members);
    for value in values {
        let value = Term::Value(value);
        let count = occurrences.frequency(symbolic, &value);
        let occurs = !symbolic.problem.at_most_constant(count, 0);
        rows.push(Member::new(occurs, Term::pair(value, symbolic.int_term(count))));
    }
    Term::guarded_list(rows).into()
}

/// The maximum number of values of one member for which a histogram has one row each. Chosen.
const MOST_VALUES: u128 = 256;

/// The possible values of the members in ascending order; `None` if there are too many, or if they are unknown.
fn possible_values(symbolic: &Symbolic, members: &[Member]) -> Option<BTreeSet<Value>> {
    let mut values = BTreeSet::new();
    for member in members {
        match &member.term {
            Term::Value(value) => {
                values.insert(value.clone());
            }
            Term::Bool(_) => values.extend([Value::FALSE, Value::TRUE]),
            Term::Int(term) => {
                let possible = symbolic.problem.values(*term);
                possible.size().filter(|size| *size <= MOST_VALUES)?;
                values.extend(possible.iter().map(Value::Int));
            }
            _ => return None,
        }
    }
    Some(values)
}
