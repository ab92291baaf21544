//! Integer arithmetic. Division rounds down and the remainder has the divisor's sign, so that always
//! `(x / y) * y + x % y = x`. Results beyond ±(2^62 − 1) are faults, never wrapped.

use super::{
    Operator, Symbol,
    evaluation::{LARGEST, integer, overflow},
    not_lowered,
    symbols::*,
};
use crate::language::{Evaluated, Stop, Value};

pub static OPERATORS: &[Operator] = &[
    Operator::new(
        PLUS,
        "(int, int) -> int",
        "sum",
        |args| integer(i128::from(args[0].as_int()) + i128::from(args[1].as_int())),
        not_lowered,
    ),
    Operator::new(
        MINUS,
        "(int, int) -> int",
        "difference",
        |args| integer(i128::from(args[0].as_int()) - i128::from(args[1].as_int())),
        not_lowered,
    ),
    Operator::new(
        TIMES,
        "(int, int) -> int",
        "product",
        |args| integer(i128::from(args[0].as_int()) * i128::from(args[1].as_int())),
        not_lowered,
    ),
    Operator::new(
        DIVIDE,
        "(int, int) -> int",
        "quotient, rounded down; undefined if the divisor is 0",
        quotient,
        not_lowered,
    ),
    Operator::new(
        MODULO,
        "(int, int) -> int",
        "remainder, with the sign of the divisor; undefined if the divisor is 0",
        remainder,
        not_lowered,
    ),
    Operator::new(
        POWER,
        "(int, int) -> int",
        "power; undefined if the exponent is negative, and 1 if it is 0",
        power,
        not_lowered,
    ),
    Operator::new(NEGATE, "(int) -> int", "negation", |args| integer(-i128::from(args[0].as_int())), not_lowered),
    Operator::new(BARS, "(int) -> int", "absolute value", |args| Ok(Value::Int(args[0].as_int().abs())), not_lowered),
    Operator::new(FACTORIAL, "(int) -> int", "factorial; 1 if the operand is not positive", factorial, not_lowered),
    Operator::new(
        Symbol::function("factorial"),
        "(int) -> int",
        "factorial; 1 if the operand is not positive",
        factorial,
        not_lowered,
    ),
    Operator::new(
        Symbol::function("toInt"),
        "(bool) -> int",
        "1 if the operand holds, else 0",
        |args| Ok(Value::Int(args[0].as_bool().into())),
        not_lowered,
    ),
];

fn quotient(args: &[Value]) -> Evaluated {
    let (left, right) = (args[0].as_int(), args[1].as_int());
    if right == 0 {
        return Err(Stop::Undefined);
    }
    let rounds_down = left % right != 0 && (left < 0) != (right < 0);
    integer(i128::from(left / right) - i128::from(rounds_down))
}

fn remainder(args: &[Value]) -> Evaluated {
    let (left, right) = (args[0].as_int(), args[1].as_int());
    if right == 0 {
        return Err(Stop::Undefined);
    }
    let rest = left % right;
    Ok(Value::Int(if rest != 0 && (rest < 0) != (right < 0) { rest + right } else { rest }))
}

fn power(args: &[Value]) -> Evaluated {
    let (base, exponent) = (args[0].as_int(), args[1].as_int());
    match (base, exponent) {
        (_, ..0) => Err(Stop::Undefined),
        (_, 0) | (1, _) => Ok(Value::Int(1)),
        (0, _) => Ok(Value::Int(0)),
        (-1, _) => Ok(Value::Int(if exponent % 2 == 0 { 1 } else { -1 })),
        // Any other base leaves the range within 62 steps.
        _ => multiply((0..exponent).map(|_| base)),
    }
}

fn factorial(args: &[Value]) -> Evaluated {
    multiply(1..=args[0].as_int())
}

/// The product of the factors. Stops as soon as it is known to be too large, which only a factor 0 later on
/// could undo: the caller has looked for those.
pub fn multiply(factors: impl IntoIterator<Item = i64>) -> Evaluated {
    let mut product: i128 = 1;
    for factor in factors {
        product *= i128::from(factor);
        if product.unsigned_abs() > LARGEST as u128 {
            return Err(overflow());
        }
    }
    integer(product)
}
