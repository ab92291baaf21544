//! Neighbours in an ordered type, and domains as operands. The type checker adds the domain of an enumerated type as
//! the last operand of `pred` and `succ`, which is not written, because values do not know how many members their type
//! has.

use super::{
    Operator, OperatorSymbol,
    evaluation::{check_size, integer_in_range, overflow},
    results,
    symbols::*,
};
use crate::{
    language::{Evaluated, GroundDomain, Stop, Value},
    problem::Extreme,
    symbolic::{Partial, Symbolic, Term},
};

const PRED: OperatorSymbol = OperatorSymbol::function("pred");
const SUCC: OperatorSymbol = OperatorSymbol::function("succ");

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        PRED,
        "(T, domain of T) -> T where T enumerated",
        "the previous value; undefined for the first one",
        ("pred(green)", "red"),
        |args| eval_inside(&args[0], &args[1], -1),
        |s, args| lower_inside(s, &args[0], &args[1], -1),
    ),
    Operator::new(
        PRED,
        "(T) -> T where T ordered",
        "the value before; always false for a Boolean",
        ("pred(3)", "2"),
        // As in Conjure, `pred(true)` and `pred(false)` are both false.
        |args| match &args[0] {
            Value::Bool(_) => Ok(Value::FALSE),
            value => integer_in_range(i128::from(value.as_int()) - 1),
        },
        |s, args| match &args[0] {
            Term::Bool(_) => Term::Value(Value::FALSE).into(),
            value => neighbouring_value(s, value, -1),
        },
    ),
    Operator::new(
        SUCC,
        "(T, domain of T) -> T where T enumerated",
        "the next value; undefined for the last one",
        ("succ(red)", "green"),
        |args| eval_inside(&args[0], &args[1], 1),
        |s, args| lower_inside(s, &args[0], &args[1], 1),
    ),
    Operator::new(
        SUCC,
        "(T) -> T where T ordered",
        "the value after; for a Boolean, whether it is false",
        ("succ(3)", "4"),
        |args| match &args[0] {
            Value::Bool(value) => Ok(Value::Bool(!value)),
            value => integer_in_range(i128::from(value.as_int()) + 1),
        },
        |s, args| match &args[0] {
            Term::Bool(value) => (!*value).into(),
            value => neighbouring_value(s, value, 1),
        },
    ),
    Operator::new(
        BARS,
        "(domain of T) -> int",
        "the number of values of a domain",
        ("|`int(1..9)`|", "9"),
        |args| enumeration_size(domain_value(&args[0])),
        lower_domain,
    ),
    Operator::new(
        MIN,
        "(domain of T) -> T where T ordered",
        "the smallest value of a domain; undefined if there is none",
        ("min(`int(1..9)`)", "1"),
        |args| extreme(domain_value(&args[0]), Extreme::Minimum),
        lower_domain,
    )
    .resulting_in(results::first_domain),
    Operator::new(
        MAX,
        "(domain of T) -> T where T ordered",
        "the largest value of a domain; undefined if there is none",
        ("max(`int(1..9)`)", "9"),
        |args| extreme(domain_value(&args[0]), Extreme::Maximum),
        lower_domain,
    )
    .resulting_in(results::first_domain),
];

fn domain_value(value: &Value) -> &GroundDomain {
    match value {
        Value::Domain(domain) => domain,
        other => unreachable!("a domain was expected, not {other:?}"),
    }
}

fn extreme(domain: &GroundDomain, extreme: Extreme) -> Evaluated {
    match domain {
        GroundDomain::Bool => Ok(Value::Bool(extreme == Extreme::Maximum)),
        GroundDomain::Int(values) => {
            // `min` and `max` of an infinite domain are an error, not undefined.
            if !values.is_finite() {
                check_size(None, "this domain")?;
            }
            let value = match extreme {
                Extreme::Minimum => values.min(),
                Extreme::Maximum => values.max(),
            };
            value.map(Value::Int).ok_or(Stop::Undefined)
        }
        other => unreachable!("a domain of ordered values was expected, not {other:?}"),
    }
}

fn enumeration_size(domain: &GroundDomain) -> Evaluated {
    match i128::try_from(domain.amount_gone_through().number).ok() {
        Some(size) => integer_in_range(size),
        None => Err(overflow()),
    }
}

/// The value at a distance, if it is a member of the domain.
fn eval_inside(value: &Value, members: &Value, step: i64) -> Evaluated {
    // The sum does not overflow, because positions are far below the limit.
    let neighbour = Value::Int(value.as_int() + step);
    if domain_value(members).contains(&neighbour) { Ok(neighbour) } else { Err(Stop::Undefined) }
}

fn lower_inside(symbolic: &mut Symbolic, value: &Term, members: &Term, step: i64) -> Partial {
    let Some(Value::Domain(members)) = members.as_value() else { unreachable!("domains do not depend on decisions") };
    let GroundDomain::Int(members) = &**members else { unreachable!("an enumerated type, not {members:?}") };
    let value = symbolic.int(value);
    let neighbour = symbolic.problem.linear([(1, value)], step);
    let defined = symbolic.problem.member(neighbour, members);
    Partial { term: symbolic.int_term(neighbour), defined }
}

fn neighbouring_value(symbolic: &mut Symbolic, value: &Term, step: i64) -> Partial {
    let value = symbolic.int(value);
    let neighbour = symbolic.problem.linear([(1, value)], step);
    symbolic.int_term(neighbour).into()
}

/// Operators on domains are evaluated, because domains do not depend on decisions.
fn lower_domain(_: &mut Symbolic, args: &[Term]) -> Partial {
    unreachable!("an operator on domains is evaluated, here on {args:?}")
}
