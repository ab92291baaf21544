//! Ranges that hold all results of an arithmetic operator.

use crate::{
    language::IntSet,
    operators::{Symbol, symbols},
};

/// A range of integers that holds all results.
pub(crate) fn arithmetic(symbol: Symbol, left: &IntSet, right: &IntSet) -> Option<IntSet> {
    let ends = |set: &IntSet| if set.is_finite() { Some([set.min()?, set.max()?]) } else { None };
    let (left, right) = (ends(left)?, ends(right)?);
    let mut results = Vec::new();
    for a in left {
        for b in right {
            results.extend(match symbol {
                symbols::PLUS => [a.checked_add(b)?; 2],
                symbols::MINUS => [a.checked_sub(b)?; 2],
                symbols::TIMES => [a.checked_mul(b)?; 2],
                // Nearer to zero than the dividend, but for the sign.
                symbols::DIVIDE => [a, a.checked_neg()?],
                // Nearer to zero than the divisor, with its sign.
                symbols::MODULO => [0, b - b.signum()],
                symbols::NEGATE => [a.checked_neg()?; 2],
                _ => [a.checked_abs()?; 2],
            });
        }
    }
    if symbol == symbols::BARS && left[0] <= 0 && left[1] >= 0 {
        results.push(0);
    }
    Some(IntSet::range(*results.iter().min()?, *results.iter().max()?))
}

/// A range of integers that contains the sum or product of at most `most` values.
pub(crate) fn of_many(symbol: Symbol, values: &IntSet, most: i64) -> Option<IntSet> {
    if !values.is_finite() {
        return None;
    }
    let (low, high) = (values.min().unwrap_or(0), values.max().unwrap_or(0));
    Some(match symbol {
        symbols::SUM => IntSet::range(low.checked_mul(most)?.min(0), high.checked_mul(most)?.max(0)),
        _ => {
            let magnitude = low.abs().max(high.abs()).max(1).checked_pow(u32::try_from(most).ok()?)?;
            IntSet::range(-magnitude, magnitude)
        }
    })
}
