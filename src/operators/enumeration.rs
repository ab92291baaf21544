//! Neighbours in an ordered type, and domains as operands.

use super::{
    Operator, Symbol,
    evaluation::{check_size, integer, overflow},
    symbols::*,
};
use crate::{
    language::{Evaluated, GroundDomain, Stop, Value},
    symbolic::{Partial, Symbolic, Term},
};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        Symbol::function("pred"),
        "(T) -> T where T ordered",
        "the value before; of a Boolean always false",
        |args| match &args[0] {
            Value::Bool(_) => Ok(Value::FALSE),
            value => integer(i128::from(value.as_int()) - 1),
        },
        |s, args| match &args[0] {
            Term::Bool(_) => Term::Value(Value::FALSE).into(),
            value => neighbour(s, value, -1),
        },
    ),
    Operator::new(
        Symbol::function("succ"),
        "(T) -> T where T ordered",
        "the value after; of a Boolean whether it is false",
        |args| match &args[0] {
            Value::Bool(value) => Ok(Value::Bool(!value)),
            value => integer(i128::from(value.as_int()) + 1),
        },
        |s, args| match &args[0] {
            Term::Bool(value) => (!*value).into(),
            value => neighbour(s, value, 1),
        },
    ),
    Operator::new(
        BARS,
        "(domain of T) -> int",
        "number of values of a domain",
        |args| size(domain(&args[0])),
        lower_domain,
    ),
    Operator::new(
        MIN,
        "(domain of T) -> T where T ordered",
        "smallest value of a domain; undefined if there is none",
        |args| extreme(domain(&args[0]), false),
        lower_domain,
    ),
    Operator::new(
        MAX,
        "(domain of T) -> T where T ordered",
        "largest value of a domain; undefined if there is none",
        |args| extreme(domain(&args[0]), true),
        lower_domain,
    ),
];

fn domain(value: &Value) -> &GroundDomain {
    match value {
        Value::Domain(domain) => domain,
        other => unreachable!("a domain was expected, not {other:?}"),
    }
}

fn extreme(domain: &GroundDomain, largest: bool) -> Evaluated {
    match domain {
        GroundDomain::Bool => Ok(Value::Bool(largest)),
        GroundDomain::Int(values) => {
            if !values.is_finite() {
                check_size(None, "this domain")?;
            }
            let value = if largest { values.max() } else { values.min() };
            value.map(Value::Int).ok_or(Stop::Undefined)
        }
        other => unreachable!("a domain of ordered values was expected, not {other:?}"),
    }
}

fn size(domain: &GroundDomain) -> Evaluated {
    match domain.size().and_then(|size| i128::try_from(size).ok()) {
        Some(size) => integer(size),
        None => Err(overflow()),
    }
}

fn neighbour(symbolic: &mut Symbolic, value: &Term, step: i64) -> Partial {
    let value = symbolic.int(value);
    let neighbour = symbolic.problem.linear([(1, value)], step);
    symbolic.int_term(neighbour).into()
}

/// Domains do not depend on decision variables, so that their operators are evaluated.
fn lower_domain(symbolic: &mut Symbolic, _: &[Term]) -> Partial {
    symbolic.refuse("a domain that depends on decision variables").into()
}
