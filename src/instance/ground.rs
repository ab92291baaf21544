//! Evaluates domains with expressions to domains with numbers.

use super::{Environment, evaluate};
use crate::{
    analysis::model::{self, Ints, Range},
    diagnostic::{Code, Diagnostic},
    language::{Evaluated, GroundDomain, IntSet, Value},
};
use std::cell::RefCell;

/// Evaluates the bounds and attributes of a domain.
pub(crate) fn ground(domain: &model::ExprDomain, env: &mut Environment) -> Evaluated<GroundDomain> {
    // The two closures need the environment in turn, so it is in a cell.
    let env = RefCell::new(env);
    domain.try_map(&mut |set| ints(set, *env.borrow_mut()), &mut |number| {
        evaluate(number, *env.borrow_mut()).map(|value| value.as_int())
    })
}

fn ints(set: &Ints, env: &mut Environment) -> Evaluated<IntSet> {
    match set {
        // An empty list of ranges is written `int`.
        Ints::Ranges(list) if list.is_empty() => Ok(IntSet::all()),
        Ints::Ranges(list) => ground_ranges(list, (IntSet::MINUS_INFINITY, IntSet::INFINITY), env),
        Ints::Named(declaration, list) => {
            let Some(size) = env.size_of_type(declaration.0) else {
                let name = &env.model().declaration(*declaration).name;
                return Err(Diagnostic::error(Code::MISSING_PARAMETER, format!("`{name}` has no members")).into());
            };
            if list.is_empty() {
                return Ok(IntSet::range(1, size));
            }
            ground_ranges(list, (1, size), env)
        }
        Ints::Members(collection) => {
            let mut members = Vec::new();
            collect_integers(&evaluate(collection, env)?, &mut members);
            Ok(IntSet::from_values(members))
        }
    }
}

fn ground_ranges(list: &[Range], ends: (i64, i64), env: &mut Environment) -> Evaluated<IntSet> {
    let mut end = |bound: Option<&model::Expr>, open: i64| match bound {
        Some(bound) => evaluate(bound, env).map(|value| value.as_int()),
        None => Ok(open),
    };
    let mut all = Vec::with_capacity(list.len());
    for range in list {
        all.push(match range {
            Range::Interval(low, high) => (end(low.as_ref(), ends.0)?, end(high.as_ref(), ends.1)?),
            Range::Single(value) => {
                let value = end(Some(value), 0)?;
                (value, value)
            }
        });
    }
    Ok(IntSet::from_ranges(all))
}

/// The integers in a collection of integers.
fn collect_integers(value: &Value, members: &mut Vec<i64>) {
    match value {
        Value::Int(value) => members.push(*value),
        Value::Collection(_, items) => {
            items.iter().for_each(|item| collect_integers(item, members));
        }
        Value::Matrix(matrix) => matrix.elements.iter().for_each(|item| collect_integers(item, members)),
        other => unreachable!("a collection of integers was expected, not {other:?}"),
    }
}
