//! Neighbours in an ordered type, and domains as operands.

use super::{
    Operator, Symbol,
    evaluation::{check_size, integer, overflow},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, GroundDomain, Stop, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        Symbol::function("pred"),
        "(T) -> T where T ordered",
        "the value before; of a Boolean always false",
        |args| match &args[0] {
            Value::Bool(_) => Ok(Value::FALSE),
            value => integer(i128::from(value.as_int()) - 1),
        },
        not_lowered,
    ),
    Operator::new(
        Symbol::function("succ"),
        "(T) -> T where T ordered",
        "the value after; of a Boolean whether it is false",
        |args| match &args[0] {
            Value::Bool(value) => Ok(Value::Bool(!value)),
            value => integer(i128::from(value.as_int()) + 1),
        },
        not_lowered,
    ),
    Operator::new(
        BARS,
        "(domain of T) -> int",
        "number of values of a domain",
        |args| size(domain(&args[0])),
        not_lowered,
    ),
    Operator::new(
        MIN,
        "(domain of T) -> T where T ordered",
        "smallest value of a domain; undefined if there is none",
        |args| extreme(domain(&args[0]), false),
        not_lowered,
    ),
    Operator::new(
        MAX,
        "(domain of T) -> T where T ordered",
        "largest value of a domain; undefined if there is none",
        |args| extreme(domain(&args[0]), true),
        not_lowered,
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
