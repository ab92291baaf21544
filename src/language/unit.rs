//! Units: the size of one step of an integer that represents a decimal number, such as 0.01 for prices.

use serde_json::Value as Json;
use std::{borrow::Cow, cmp::Ordering, error::Error, fmt, str::FromStr};

/// A positive decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unit(Decimal);

/// The maximum number of digits after the point, so that the products below fit.
const MOST_PLACES: usize = 12;

/// A unit has fewer digits than this power of ten, so that its product with any integer fits.
const MOST_DIGITS: u32 = 18;

/// The reason why a decimal number is not an integer in a unit.
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
    /// The unit of whole numbers.
    pub(crate) const WHOLE: Unit = Unit(Decimal { digits: 1, places: 0 });

    /// Parses a unit such as `0.01`.
    pub(crate) fn read(text: &str) -> Option<Unit> {
        let size: Decimal = text.parse().ok()?;
        (1..10_i128.pow(MOST_DIGITS)).contains(&size.digits).then_some(Unit(size))
    }

    /// The number of steps in a decimal number. Nothing is rounded.
    pub(crate) fn steps(self, text: &str) -> Result<i64, Misfit> {
        let Decimal { digits, places } = Decimal::read(text)?;
        let numerator = digits.checked_mul(10_i128.pow(self.0.places)).ok_or(Misfit::TooLarge)?;
        let denominator = self.0.digits.checked_mul(10_i128.pow(places)).ok_or(Misfit::TooLarge)?;
        match numerator % denominator {
            0 => i64::try_from(numerator / denominator).map_err(|_| Misfit::TooLarge),
            _ => Err(Misfit::BetweenSteps),
        }
    }

    /// The number of whole steps in a decimal number that is not negative, and true if there is a remainder. For a
    /// number that is too large, the number of steps is the maximum.
    pub(crate) fn whole_steps(self, text: &str) -> Result<(i64, bool), Misfit> {
        match self.steps(text) {
            Ok(steps) => Ok((steps, false)),
            Err(Misfit::TooLarge) => Ok((i64::MAX, false)),
            Err(Misfit::NotDecimal) => Err(Misfit::NotDecimal),
            Err(Misfit::BetweenSteps) => {
                let Decimal { digits, places } = Decimal::read(text)?;
                let steps = digits * 10_i128.pow(self.0.places) / (self.0.digits * 10_i128.pow(places));
                Ok((i64::try_from(steps).unwrap_or(i64::MAX), true))
            }
        }
    }

    /// The multiple of the unit that is nearest to a decimal number.
    pub(crate) fn nearest(self, text: &str) -> Option<String> {
        let Decimal { digits, places } = Decimal::read(text).ok()?;
        let numerator = digits.checked_mul(2 * 10_i128.pow(self.0.places))?;
        let denominator = self.0.digits.checked_mul(10_i128.pow(places))?;
        // Adding half a step and rounding down gives the nearest step, or the upper one if two are equally near.
        let steps = numerator.checked_add(denominator)?.div_euclid(denominator.checked_mul(2)?);
        Some(self.shown(i64::try_from(steps).ok()?))
    }

    /// The decimal number with this number of steps, with as many digits after the point as the unit.
    pub(crate) fn shown(self, steps: i64) -> String {
        decimal_text(i128::from(steps) * self.0.digits, self.0.places)
    }

    /// The decimal number with this number of steps in JSON: a number, or a string if a program that reads numbers as
    /// doubles would get another number.
    pub(crate) fn json(self, steps: i64) -> Json {
        decimal_as_json(&self.shown(steps))
    }
}

/// A decimal number in JSON.
fn decimal_as_json(text: &str) -> Json {
    let number = match text.parse::<i64>() {
        Ok(whole) => Json::from(whole),
        Err(_) => text.parse::<f64>().map_or(Json::Null, Json::from),
    };
    let written = number.to_string();
    let is_same = !written.contains('e') && written.parse::<Decimal>().is_ok_and(|read| Ok(read) == text.parse());
    if is_same { number } else { text.into() }
}

/// Returns true if a text is a whole number of any size.
pub(crate) fn is_whole(text: &str) -> bool {
    matches!(Decimal::read(text.trim()), Ok(Decimal { places: 0, .. }) | Err(Misfit::TooLarge))
}

/// Expands a number with an exponent such as `1.5e3`, as programs and spreadsheets write large and small numbers. Other
/// texts stay as they are.
pub(crate) fn without_exponent(text: &str) -> Cow<'_, str> {
    // No number of the language has more digits, and a huge exponent must not fill the memory.
    const MOST: usize = 60;
    let expanded = || {
        let (number, exponent) = text.split_once(['e', 'E'])?;
        let exponent: isize = exponent.parse().ok()?;
        let unsigned = number.trim_start_matches(['+', '-']);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let is_number =
            number.len() - unsigned.len() <= 1 && !whole.is_empty() && is_digits(whole) && is_digits(fraction);
        if !is_number || exponent.unsigned_abs() > MOST || unsigned.ends_with('.') {
            return None;
        }
        let zeros = "0".repeat(exponent.unsigned_abs());
        let digits =
            if exponent < 0 { format!("{zeros}{whole}{fraction}") } else { format!("{whole}{fraction}{zeros}") };
        let (whole, fraction) = digits.split_at(if exponent < 0 { whole.len() } else { whole.len() + zeros.len() });
        let point = if fraction.is_empty() { "" } else { "." };
        Some(format!("{}{whole}{point}{fraction}", &number[..number.len() - unsigned.len()]))
    };
    expanded().map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The message for a decimal number that is not a multiple of a unit; `written` is the number in the data.
pub(crate) fn between_steps(written: &str, number: &str, unit: Unit) -> String {
    let nearest = unit.nearest(number).map(|nearest| format!("; the nearest multiple is {nearest}"));
    format!("`{written}` is not a multiple of {unit}{}", nearest.unwrap_or_default())
}

/// Returns a percentage such as `9.2` of a value, rounded down, and true if it was rounded; `None` if the text is not a
/// decimal number, or if the result is too large. The computation is exact: 9.2 % of 750 is 69.
pub fn percentage(percent: &str, value: i64) -> Option<(i64, bool)> {
    let Decimal { digits, places } = percent.parse().ok()?;
    let (part, whole) = (digits.checked_mul(i128::from(value))?, 100 * 10_i128.pow(places));
    Some((i64::try_from(part.div_euclid(whole)).ok()?, part.rem_euclid(whole) != 0))
}

/// The unit as it is written.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown(1))
    }
}

/// An exact decimal number. Numbers with different units can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// The number without its point, and without zeros at the end of its fraction.
    digits: i128,
    /// The number of digits after the point.
    places: u32,
}

impl Decimal {
    /// The number in JSON: a number, or a string if a program that reads numbers as doubles would get another one.
    pub fn json(self) -> Json {
        decimal_as_json(&self.to_string())
    }

    /// The number that [`Decimal::json`] writes.
    pub fn of_json(json: &Json) -> Option<Decimal> {
        match json {
            Json::String(text) => text.parse().ok(),
            Json::Number(number) => number.to_string().parse().ok(),
            _ => None,
        }
    }

    /// Parses a decimal number. If the fraction is longer than [`MOST_PLACES`], one more digit marks the rest.
    fn read(text: &str) -> Result<Decimal, Misfit> {
        let text = &*without_exponent(text);
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(unsigned) => (true, unsigned),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let fraction = fraction.trim_end_matches('0');
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || unsigned.ends_with('.') || !is_digits(whole) || !is_digits(fraction) {
            return Err(Misfit::NotDecimal);
        }
        let (fraction, rest) = fraction.split_at(fraction.len().min(MOST_PLACES));
        // A final 1 represents the remaining digits, which are not all 0.
        let fraction = if rest.is_empty() { fraction.to_owned() } else { format!("{fraction}1") };
        let digits = format!("{whole}{fraction}").parse::<i128>().ok().filter(|digits| *digits < 10_i128.pow(38));
        let digits = digits.ok_or(Misfit::TooLarge)?;
        Ok(Decimal { digits: if negative { -digits } else { digits }, places: fraction.len() as u32 })
    }

    /// The integer part, rounded down, and the rest in the smallest parts that a fraction can express.
    fn whole_and_rest(self) -> (i128, i128) {
        let scale = 10_i128.pow(self.places);
        // Both numbers are scaled to the same power of ten, so the pairs compare like the numbers.
        (self.digits.div_euclid(scale), self.digits.rem_euclid(scale) * 10_i128.pow(MOST_PLACES as u32 - self.places))
    }
}

impl FromStr for Decimal {
    type Err = NotDecimal;

    fn from_str(text: &str) -> Result<Self, NotDecimal> {
        Decimal::read(text).ok().filter(|read| read.places as usize <= MOST_PLACES).ok_or(NotDecimal)
    }
}

/// The error for a text that is not a decimal number such as `-12.5`, or that has too many digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDecimal;

impl fmt::Display for NotDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write a number such as 10 or 12.5")
    }
}

impl Error for NotDecimal {}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal_text(self.digits, self.places))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        self.whole_and_rest().cmp(&other.whole_and_rest())
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes a number with these digits, of which `places` are after the point.
fn decimal_text(digits: i128, places: u32) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let (all, scale) = (digits.unsigned_abs(), 10_u128.pow(places));
    match places {
        0 => format!("{sign}{all}"),
        places => format!("{sign}{}.{:0width$}", all / scale, all % scale, width = places as usize),
    }
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
        assert_eq!(cent.nearest("12.505").as_deref(), Some("12.51"));
        assert_eq!(cent.nearest("-12.506").as_deref(), Some("-12.51"));
        assert_eq!(cent.whole_steps("12.505"), Ok((1250, true)));
        assert_eq!(cent.whole_steps("12.5"), Ok((1250, false)));
        assert_eq!(cent.whole_steps("99999999999999999999"), Ok((i64::MAX, false)));
        assert_eq!(Unit::WHOLE.whole_steps("0.5"), Ok((0, true)));
        // Programs with floating-point arithmetic write such numbers.
        assert_eq!(cent.steps("96.47879999999999"), Err(Misfit::BetweenSteps));
        assert_eq!(cent.nearest("96.47879999999999").as_deref(), Some("96.48"));
        assert_eq!(cent.nearest("0.30000000000000004").as_deref(), Some("0.30"));
        assert_eq!(cent.steps("0.30000000000000000"), Ok(30));
        assert_eq!(cent.steps("1,250"), Err(Misfit::NotDecimal));
        assert_eq!(
            ["1.5e3", "12E-2", "-1e+1", "0e0", "150e-2"].map(|text| cent.steps(text).ok()),
            [Some(150_000), Some(12), Some(-1000), Some(0), Some(150)]
        );
        assert_eq!(cent.steps("1e-3"), Err(Misfit::BetweenSteps));
        assert_eq!(cent.steps("1e40"), Err(Misfit::TooLarge));
        let refused = ["e3", "1e", "1e2.5", ".5e3", "1.e3", "--1e3", "1e99999999999999999999", "1e3e3"];
        assert!(refused.iter().all(|text| cent.steps(text) == Err(Misfit::NotDecimal)));
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

    #[test]
    fn decimals_have_an_order() {
        let sorted =
            ["-12.5", "-12.49", "-0.000001", "0", "0.07", "0.5", "12", "12.000000000001", "99999999999999999999"];
        let read: Vec<Decimal> = sorted.iter().map(|text| text.parse().expect("a decimal number")).collect();
        assert!(read.is_sorted_by(|one, other| one < other));
        for (decimal, text) in read.iter().zip(sorted) {
            assert_eq!((decimal.to_string(), Decimal::of_json(&decimal.json())), (text.to_owned(), Some(*decimal)));
        }
        assert_eq!("12.50".parse::<Decimal>(), "+12.5".parse());
    }

    #[test]
    fn decimals_in_json_are_read_as_the_same_number() {
        let json = |unit: &str, steps| Unit::read(unit).expect("a unit").json(steps).to_string();
        assert_eq!(json("0.01", 1000), "10.0");
        assert_eq!(json("0.01", 9648), "96.48");
        assert_eq!(json("5", -7), "-35");
        // A double would have other digits, or an exponent.
        assert_eq!(json("0.01", 4_611_686_018_427_387_903), r#""46116860184273879.03""#);
        assert_eq!(json("0.000001", 1), r#""0.000001""#);
        for unit in ["0.01", "0.25", "5", "0.000001", "1000000000"] {
            for steps in [0, 1, -7, 99, 100, 123_456_789, (1 << 53) + 1, (1 << 62) - 1] {
                let text = json(unit, steps);
                let unit = Unit::read(unit).expect("a unit");
                assert_eq!(unit.steps(text.trim_matches('"')), Ok(steps), "{text}");
            }
        }
    }

    #[test]
    fn percentages_are_exact() {
        assert_eq!(percentage("9.2", 750), Some((69, false)));
        assert_eq!(percentage("5", 139), Some((6, true)));
        assert_eq!(percentage("0", 139), Some((0, false)));
        assert_eq!(percentage("x", 139), None);
    }
}
