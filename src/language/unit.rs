//! Units: the size of one step of an integer that stands for a decimal number, such as 0.01 for prices.

use std::fmt;

/// A positive decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// The number without its point.
    digits: i128,
    /// The number of digits after the point.
    places: u32,
}

/// More digits than this after the point are refused, so that the products below fit.
const MOST_PLACES: usize = 12;

/// A unit has fewer digits than this power of ten, so that its product with any integer fits.
const MOST_DIGITS: u32 = 18;

/// Why a decimal number is not an integer in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// It is not a decimal number.
    NotDecimal,
    /// It lies between two steps.
    BetweenSteps,
    /// It is too large.
    TooLarge,
}

impl Unit {
    /// The unit that a text is, such as `0.01`.
    pub(crate) fn read(text: &str) -> Option<Unit> {
        let (digits, places) = decimal(text)?;
        (1..10_i128.pow(MOST_DIGITS)).contains(&digits).then_some(Unit { digits, places })
    }

    /// The number of steps that a decimal number has. Nothing is rounded.
    pub(crate) fn steps(self, text: &str) -> Result<i64, Misfit> {
        let (digits, places) = decimal(text).ok_or(Misfit::NotDecimal)?;
        let numerator = digits.checked_mul(10_i128.pow(self.places)).ok_or(Misfit::TooLarge)?;
        let denominator = self.digits.checked_mul(10_i128.pow(places)).ok_or(Misfit::TooLarge)?;
        match numerator % denominator {
            0 => i64::try_from(numerator / denominator).map_err(|_| Misfit::TooLarge),
            _ => Err(Misfit::BetweenSteps),
        }
    }

    /// The decimal number that a number of steps is, with as many digits after the point as the unit has.
    pub(crate) fn shown(self, steps: i64) -> String {
        let all = i128::from(steps) * self.digits;
        let sign = if all < 0 { "-" } else { "" };
        let (all, scale) = (all.unsigned_abs(), 10_u128.pow(self.places));
        match self.places {
            0 => format!("{sign}{all}"),
            places => format!("{sign}{}.{:0width$}", all / scale, all % scale, width = places as usize),
        }
    }
}

/// The unit as it is written.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(1))
    }
}

/// The digits of a decimal number, and how many of them stand after the point.
fn decimal(text: &str) -> Option<(i128, u32)> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let fraction = fraction.trim_end_matches('0');
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || unsigned.ends_with('.') || !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    if fraction.len() > MOST_PLACES {
        return None;
    }
    let digits = format!("{whole}{fraction}").parse::<i128>().ok().filter(|digits| *digits < 10_i128.pow(24))?;
    Some((if negative { -digits } else { digits }, fraction.len() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact() {
        let cent = Unit::read("0.01").expect("a unit");
        assert_eq!(cent.steps("12.50"), Ok(1250));
        assert_eq!(cent.steps("-0.07"), Ok(-7));
        assert_eq!(cent.steps("3"), Ok(300));
        assert_eq!(cent.steps("12.505"), Err(Misfit::BetweenSteps));
        assert_eq!(cent.steps("1,250"), Err(Misfit::NotDecimal));
        assert_eq!(cent.steps("99999999999999999999"), Err(Misfit::TooLarge));
        assert_eq!(cent.shown(1250), "12.50");
        assert_eq!(cent.shown(-7), "-0.07");
        let quarter = Unit::read("0.25").expect("a unit");
        assert_eq!(quarter.steps("1.75"), Ok(7));
        assert_eq!(quarter.steps("1.8"), Err(Misfit::BetweenSteps));
        assert_eq!(quarter.shown(-1), "-0.25");
        assert_eq!(Unit::read("5").expect("a unit").steps("35"), Ok(7));
        assert_eq!(Unit::read("5").expect("a unit").shown(7), "35");
        let large = Unit::read("999999999999999999").expect("a unit");
        assert_eq!(large.shown((1 << 62) - 1), "4611686018427387898388313981572612097");
        for text in ["0", "-1", "", ".", "1.", "x", "0.0000000000001", "1000000000000000000"] {
            assert_eq!(Unit::read(text), None, "{text}");
        }
    }
}
