//! Integer arithmetic. Division rounds down and the remainder has the divisor's sign, so `(x / y) * y + x % y = x`
//! always holds. Results beyond ±(2^62 − 1) are faults, never wrapped.

use super::{
    Operator, OperatorSymbol,
    evaluation::{LARGEST, integer_in_range, overflow},
    results,
    symbols::*,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::{Evaluated, IntSet, Stop, Value},
    problem::Int,
    symbolic::{Partial, Symbolic, Term},
};

pub(crate) static OPERATORS: &[Operator] = &[
    Operator::new(
        PLUS,
        "(int, int) -> int",
        "the sum of the two numbers",
        ("2 + 3", "5"),
        |args| integer_in_range(i128::from(args[0].as_int()) + i128::from(args[1].as_int())),
        |s, args| {
            let (a, b) = int_operands(s, args);
            let term = s.problem.add(a, b);
            s.int_term(term).into()
        },
    )
    .total(true)
    .resulting_in(results::plus),
    Operator::new(
        MINUS,
        "(int, int) -> int",
        "the first number minus the second",
        ("2 - 3", "-1"),
        |args| integer_in_range(i128::from(args[0].as_int()) - i128::from(args[1].as_int())),
        |s, args| {
            let (a, b) = int_operands(s, args);
            let term = s.problem.subtract(a, b);
            s.int_term(term).into()
        },
    )
    .total(true)
    .resulting_in(results::minus),
    Operator::new(
        TIMES,
        "(int, int) -> int",
        "the product of the two numbers",
        ("4 * 5", "20"),
        |args| integer_in_range(i128::from(args[0].as_int()) * i128::from(args[1].as_int())),
        |s, args| {
            let (a, b) = int_operands(s, args);
            let term = s.problem.multiply(a, b);
            s.int_term(term).into()
        },
    )
    .total(true)
    .resulting_in(results::times_domain),
    Operator::new(
        DIVIDE,
        "(int, int) -> int",
        "the quotient, rounded down; undefined if the divisor is 0",
        ("-7 / 2", "-4"),
        quotient,
        |s, args| {
            let (a, b) = int_operands(s, args);
            let term = s.problem.quotient(a, b);
            divided(s, term, b)
        },
    )
    .resulting_in(results::quotient_domain),
    Operator::new(
        MODULO,
        "(int, int) -> int",
        "the remainder, with the sign of the divisor; undefined if the divisor is 0",
        ("-7 % 2", "1"),
        remainder,
        |s, args| {
            let (a, b) = int_operands(s, args);
            let term = s.problem.remainder(a, b);
            divided(s, term, b)
        },
    )
    .resulting_in(results::remainder_domain),
    Operator::new(
        POWER,
        "(int, int) -> int",
        "the first number to the power of the second; undefined if the exponent is negative, and 1 if it is 0",
        ("2 ** 5", "32"),
        power,
        |s, args| {
            let (a, b) = int_operands(s, args);
            // With a negative exponent, the result is not an integer.
            let defined = !s.problem.at_most_constant(b, -1);
            let term = s.problem.power(a, b);
            Partial { term: s.int_term(term), defined }
        },
    )
    .resulting_in(results::power_domain),
    Operator::new(
        NEGATE,
        "(int) -> int",
        "the number with the other sign",
        ("-(2 + 3)", "-5"),
        |args| integer_in_range(-i128::from(args[0].as_int())),
        |s, args| {
            let a = s.int(&args[0]);
            let term = s.problem.negate(a);
            s.int_term(term).into()
        },
    )
    .total(true)
    .resulting_in(results::negative),
    Operator::new(
        BARS,
        "(int) -> int",
        "the absolute value",
        ("|2 - 5|", "3"),
        |args| Ok(Value::Int(args[0].as_int().abs())),
        |s, args| {
            let a = s.int(&args[0]);
            let term = s.problem.absolute(a);
            s.int_term(term).into()
        },
    )
    .resulting_in(results::absolute_domain),
    Operator::new(
        FACTORIAL,
        "(int) -> int",
        "the factorial; 1 if the operand is not positive",
        ("4!", "24"),
        factorial,
        lower_factorial,
    ),
    Operator::new(
        OperatorSymbol::function("factorial"),
        "(int) -> int",
        "the factorial; 1 if the operand is not positive",
        ("factorial(4)", "24"),
        factorial,
        lower_factorial,
    ),
    Operator::new(
        OperatorSymbol::function("toInt"),
        "(bool) -> int",
        "1 if the operand holds, else 0",
        ("toInt(1 < 2)", "1"),
        |args| Ok(Value::Int(args[0].as_bool().into())),
        |s, args| {
            let term = s.int(&args[0]);
            s.int_term(term).into()
        },
    )
    .resulting_in(results::zero_or_one),
];

fn quotient(args: &[Value]) -> Evaluated {
    let (left, right) = (args[0].as_int(), args[1].as_int());
    if right == 0 {
        return Err(Stop::Undefined);
    }
    // Rust rounds towards zero, but Essence rounds down. The quotients differ only if there is a remainder and the
    // signs differ.
    let rounds_down = left % right != 0 && (left < 0) != (right < 0);
    integer_in_range(i128::from(left / right) - i128::from(rounds_down))
}

fn remainder(args: &[Value]) -> Evaluated {
    let (left, right) = (args[0].as_int(), args[1].as_int());
    if right == 0 {
        return Err(Stop::Undefined);
    }
    // In Rust, the remainder has the sign of the dividend.
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
        // The powers of any other base leave the range within 62 steps.
        _ => multiply((0..exponent).map(|_| base)),
    }
}

fn factorial(args: &[Value]) -> Evaluated {
    multiply(1..=args[0].as_int())
}

/// The product of the factors. It stops as soon as the product is too large, which only a later factor 0 could undo:
/// the caller has checked for that.
pub(crate) fn multiply(factors: impl IntoIterator<Item = i64>) -> Evaluated {
    let mut product: i128 = 1;
    for factor in factors {
        product *= i128::from(factor);
        if product.unsigned_abs() > LARGEST as u128 {
            return Err(overflow());
        }
    }
    integer_in_range(product)
}

fn int_operands(symbolic: &mut Symbolic, args: &[Term]) -> (Int, Int) {
    (symbolic.int(&args[0]), symbolic.int(&args[1]))
}

/// A quotient or remainder; undefined if the divisor is 0.
fn divided(symbolic: &mut Symbolic, term: Int, divisor: Int) -> Partial {
    let defined = !symbolic.problem.equals_constant(divisor, 0);
    Partial { term: symbolic.int_term(term), defined }
}

/// The factorial: a choice among the factorials of the operand's possible values.
fn lower_factorial(symbolic: &mut Symbolic, args: &[Term]) -> Partial {
    let operand = symbolic.int(&args[0]);
    // There are at most 19 alternatives, because 21! is out of range.
    let values = symbolic.problem.values(operand).clone();
    // 0! and 1! are both 1, and the factorial of a negative number is defined as 1 here.
    let mut alternatives = vec![(symbolic.problem.at_most_constant(operand, 1), Term::Value(Value::Int(1)))];
    for value in values.intersect(&IntSet::range(2, IntSet::INFINITY)).iter() {
        match factorial(&[Value::Int(value)]) {
            Ok(factorial) => {
                alternatives.push((symbolic.problem.equals_constant(operand, value), Term::Value(factorial)));
            }
            Err(_) => {
                symbolic.refuse(|| {
                    Diagnostic::error(Code::OVERFLOW, "this factorial can be too large to compute with")
                        .note("20! is the largest factorial below 2**62")
                        .help("give the operand a smaller domain")
                });
                // Lowering ends with an error, so the value of this term does not matter.
                return Term::Value(Value::Int(0)).into();
            }
        }
    }
    symbolic.choose(alternatives).into()
}
