//! Equations whose two sides never leave the same remainder, such as `2 * x = 2 * y + 1`.

use crate::{
    analysis::model::{Expr, ExprKind, Qualifier},
    instance::{Environment, evaluate},
    language::Value,
};

/// The largest divisor that is tried. Chosen.
const MOST_DIVISOR: u32 = 12;

/// The possible remainders of a number, as a bit set.
type Remainders = u32;

/// The least divisor by which the two sides of an equation leave different remainders, whatever the unknowns are.
pub(super) fn differing_modulus(expr: &Expr, env: &mut Environment) -> Option<u32> {
    let ExprKind::Apply(operator, operands) = &expr.kind else { return None };
    let [left, right] = operands.as_slice() else { return None };
    if operator.symbol.text != "=" {
        return None;
    }
    (2..=MOST_DIVISOR).find(|divisor| remainders(left, *divisor, env) & remainders(right, *divisor, env) == 0)
}

fn all(divisor: u32) -> Remainders {
    (1 << divisor) - 1
}

/// True for expressions without quantified names, whose values in the environment may be stale.
fn is_closed(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Constant(_) | ExprKind::Global(_) => true,
        ExprKind::Apply(_, operands) => operands.iter().all(is_closed),
        _ => false,
    }
}

fn remainders(expr: &Expr, divisor: u32, env: &mut Environment) -> Remainders {
    if is_closed(expr)
        && let Ok(Value::Int(value)) = evaluate(expr, env)
    {
        return 1 << value.rem_euclid(i64::from(divisor));
    }
    let each = |found: Remainders| (0..divisor).filter(move |remainder| found >> remainder & 1 == 1);
    let combine = |one: Remainders, other: Remainders, of: &dyn Fn(u32, u32) -> u32| {
        each(one)
            .flat_map(|one| each(other).map(move |other| (one, other)))
            .fold(0, |found: Remainders, (one, other)| found | 1 << (of(one, other) % divisor))
    };
    let ExprKind::Apply(operator, operands) = &expr.kind else { return all(divisor) };
    match (operator.symbol.text, operands.as_slice()) {
        ("+", [left, right]) => {
            combine(remainders(left, divisor, env), remainders(right, divisor, env), &|one, other| one + other)
        }
        ("-", [left, right]) => {
            combine(remainders(left, divisor, env), remainders(right, divisor, env), &|one, other| {
                one + divisor - other
            })
        }
        // In the set of bits 1, the only remainder is 0.
        ("-", [operand]) => combine(remainders(operand, divisor, env), 1, &|one, _| divisor - one),
        ("*", [left, right]) => {
            combine(remainders(left, divisor, env), remainders(right, divisor, env), &|one, other| one * other)
        }
        ("sum", [list]) => {
            let ExprKind::Comprehension(comprehension) = &list.kind else { return all(divisor) };
            if comprehension.qualifiers.iter().any(|qualifier| matches!(qualifier, Qualifier::Letting(..))) {
                return all(divisor);
            }
            // The sum may have any number of terms, so the loop closes `{0}` under adding a remainder of a term.
            let own = remainders(&comprehension.body, divisor, env);
            let mut sums: Remainders = 1;
            loop {
                let more = sums | combine(sums, own, &|one, other| one + other);
                if more == sums {
                    return sums;
                }
                sums = more;
            }
        }
        _ => all(divisor),
    }
}
