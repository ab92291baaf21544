//! Random models with large numbers: coefficients, offsets and gaps from 2^30 to 2^62, mostly near the limits of
//! representations (2^31, 2^53, 2^62).
//!
//! Each expression is made together with its bounds, and its value for one assignment, the sample. Therefore the bounds
//! of comparisons are near values that occur, most models have a solution, and few sums overflow.

use super::{generator::Generated, random::Random};
use conjure_like::{diagnostic::Diagnostics, operators::LARGEST, source::Sources, syntax};
use std::fmt::Write;

/// Hard limit on the number of assignments.
const MOST_COMBINATIONS: u64 = 400;
/// The exponents of the powers of two near the numbers.
const EXPONENTS: [u32; 12] = [30, 31, 32, 33, 40, 50, 52, 53, 54, 60, 61, 62];

/// An expression, its value for the sample, and its bounds.
#[derive(Clone)]
struct Sampled<T> {
    text: String,
    value: T,
    low: i128,
    high: i128,
}

type Amount = Sampled<i128>;
type Condition = Sampled<bool>;

impl Amount {
    fn new(text: String, value: i128, low: i128, high: i128) -> Self {
        Sampled { text, value, low, high }
    }

    /// The largest absolute value.
    fn size(&self) -> i128 {
        self.low.abs().max(self.high.abs())
    }

    fn times(&self, factor: i128) -> Self {
        let text = match factor {
            1 => self.text.clone(),
            _ => format!("{factor} * {}", self.text),
        };
        let (one, other) = (self.low * factor, self.high * factor);
        Amount::new(text, self.value * factor, one.min(other), one.max(other))
    }
}

fn condition(text: String, value: bool) -> Condition {
    Sampled { text, value, low: 0, high: 1 }
}

struct LargeGenerator {
    random: Random,
    text: String,
    conditions: Vec<Condition>,
    amounts: Vec<Amount>,
    /// The number of combinations left for further variables.
    left: u64,
    variables: usize,
}

/// Makes a model with large numbers that depends only on the random numbers.
pub(crate) fn model(random: Random) -> Generated {
    let mut generator = LargeGenerator {
        random,
        text: "language Essence 1.3\n".to_owned(),
        conditions: Vec::new(),
        amounts: Vec::new(),
        left: MOST_COMBINATIONS,
        variables: 0,
    };
    generator.finds();
    generator.statements();
    Generated { choice: generator.random.below(1 << 30) as u64, ..read(&generator.text) }
}

/// Parses a model.
pub(crate) fn read(text: &str) -> Generated {
    let mut diagnostics = Diagnostics::new();
    let file = syntax::parse_file(Sources::default().add("model", text.to_owned()), text, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{text}");
    Generated { file, parameters: String::new(), choice: 0 }
}

impl LargeGenerator {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn name(&mut self, prefix: &str) -> String {
        self.variables += 1;
        format!("{prefix}{}", self.variables)
    }

    /// A number from 2^30 to 2^62 with room for a few above it.
    fn large(&mut self) -> i64 {
        let power = 1i64 << *self.random.pick(&EXPONENTS);
        let number = match self.random.below(4) {
            0 => power + self.random.between(-3, 3),
            1 => power / 2 + self.random.between(0, power / 2 - 1),
            2 => 10i64.pow(self.random.between(9, 18) as u32) * self.random.between(1, 4),
            _ => power,
        };
        number.min(LARGEST - 8)
    }

    /// A number that may also be small or negative.
    fn number(&mut self) -> i64 {
        let number = if self.random.percent(25) { self.random.between(0, 9) } else { self.large() };
        if self.random.percent(25) { -number } else { number }
    }

    /// The text of a domain of integers, and its values.
    fn domain(&mut self, limit: u64) -> (String, Vec<i64>) {
        let count = self.random.between(1, limit.clamp(1, 6) as i64);
        let start = self.number();
        let mut ranges = vec![(start, start + count - 1)];
        match self.random.below(4) {
            // A value far from the others, such as 0 for "never".
            0 | 1 if count > 1 => {
                let far = if self.random.percent(50) { 0 } else { self.number() };
                ranges = vec![(far, far), (start, start + count - 2)];
            }
            2 => ranges = (0..count).map(|_| self.number()).map(|value| (value, value)).collect(),
            _ => {}
        }
        let written = ranges.iter().map(|(low, high)| match low == high {
            true => format!("{low}"),
            false => format!("{low}..{high}"),
        });
        let text = format!("int({})", written.collect::<Vec<_>>().join(", "));
        let mut values: Vec<i64> = ranges.into_iter().flat_map(|(low, high)| low..=high).collect();
        values.sort_unstable();
        values.dedup();
        (text, values)
    }

    /// The amount for a name with one of these values in the sample.
    fn one_of(&mut self, text: String, values: &[i64]) -> Amount {
        let value = i128::from(*self.random.pick(values));
        let low = values.iter().min().map_or(0, |low| i128::from(*low));
        let high = values.iter().max().map_or(0, |high| i128::from(*high));
        Amount::new(text, value, low, high)
    }

    fn spend(&mut self, values: usize, times: u32) {
        self.left /= (values as u64).saturating_pow(times).max(1);
    }

    fn finds(&mut self) {
        for _ in 0..self.random.between(2, 4) {
            if self.left < 2 {
                break;
            }
            match self.random.below(8) {
                0 | 1 => self.booleans(),
                2..=4 => {
                    let name = self.name("x");
                    let (domain, values) = self.domain(self.left);
                    self.line(&format!("find {name} : {domain}"));
                    self.spend(values.len(), 1);
                    let amount = self.one_of(name, &values);
                    self.amounts.push(amount);
                }
                5 => self.lookup(),
                6 => {
                    let (name, count) = (self.name("m"), self.random.between(2, 3) as u32);
                    // At least two elements share the remaining combinations.
                    let (domain, values) = self.domain(self.left.isqrt());
                    let function = self.random.percent(40);
                    self.line(&match function {
                        true => format!("find {name} : function (total) int(1..{count}) --> {domain}"),
                        false => format!("find {name} : matrix indexed by [int(1..{count})] of {domain}"),
                    });
                    self.spend(values.len(), count);
                    for place in 1..=count {
                        let part = if function { format!("{name}({place})") } else { format!("{name}[{place}]") };
                        let amount = self.one_of(part, &values);
                        self.amounts.push(amount);
                    }
                }
                _ => self.set(),
            }
        }
        if self.conditions.is_empty() {
            self.booleans();
        }
    }

    /// Booleans, and the weight of some of them as in a knapsack.
    fn booleans(&mut self) {
        let count = self.random.between(1, i64::from(self.left.max(2).ilog2()).min(6)) as usize;
        let name = self.name("b");
        self.spend(2, count as u32);
        let choices: Vec<bool> = (0..count).map(|_| self.random.percent(50)).collect();
        self.line(&format!("find {name} : matrix indexed by [int(1..{count})] of bool"));
        for (place, chosen) in (1..).zip(&choices) {
            let text = format!("{name}[{place}]");
            self.amounts.push(Amount::new(format!("toInt({text})"), i128::from(*chosen), 0, 1));
            self.conditions.push(condition(text, *chosen));
        }
        // The sum of all weights stays in the range.
        let weights: Vec<i64> = (0..count).map(|_| self.large() / count as i64).collect();
        if count > 2 && self.random.percent(60) {
            let letting = self.name("W");
            let shown: Vec<String> = weights.iter().map(i64::to_string).collect();
            self.line(&format!("letting {letting} be [{}; int(1..{count})]", shown.join(", ")));
            let chosen = weights.iter().zip(&choices).filter(|(_, chosen)| **chosen);
            let value = chosen.map(|(weight, _)| i128::from(*weight)).sum();
            let most = weights.iter().map(|weight| i128::from(*weight)).sum();
            let text = format!("(sum i : int(1..{count}) . {letting}[i] * toInt({name}[i]))");
            self.amounts.push(Amount::new(text, value, 0, most));
        }
    }

    /// An index into a list of numbers.
    fn lookup(&mut self) {
        let count = self.random.between(2, 5);
        let values: Vec<i64> = (0..count).map(|_| self.number()).collect();
        let (name, letting) = (self.name("x"), self.name("T"));
        let shown: Vec<String> = values.iter().map(i64::to_string).collect();
        self.line(&format!("letting {letting} be [{}; int(1..{count})]", shown.join(", ")));
        self.line(&format!("find {name} : int(1..{count})"));
        self.spend(values.len(), 1);
        let place = self.random.between(1, count);
        let mut amount = self.one_of(format!("{letting}[{name}]"), &values);
        amount.value = values[place as usize - 1].into();
        self.amounts.push(Amount::new(name, place.into(), 1, count.into()));
        self.amounts.push(amount);
    }

    fn set(&mut self) {
        // A set has two to the power of its candidates as many values.
        let (domain, values) = self.domain(u64::from(self.left.ilog2()));
        let name = self.name("s");
        self.line(&format!("find {name} : set of {domain}"));
        self.spend(2, values.len() as u32);
        let (mut sum, mut low, mut high, mut size) = (0, 0, 0, 0);
        for value in values.iter().map(|value| i128::from(*value)) {
            let member = self.random.percent(50);
            (low, high) = (low + value.min(0), high + value.max(0));
            if member {
                (sum, size) = (sum + value, size + 1);
            }
            self.conditions.push(condition(format!("{value} in {name}"), member));
        }
        self.amounts.push(Amount::new(format!("|{name}|"), size, 0, values.len() as i128));
        // Larger sums would overflow.
        if high - low <= LARGEST.into() {
            self.amounts.push(Amount::new(format!("sum({name})"), sum, low, high));
        }
    }

    /// An existing amount, or an operator on one or two of them.
    fn atom(&mut self) -> Amount {
        let one = self.random.pick(&self.amounts).clone();
        let other = self.random.pick(&self.amounts).clone();
        let (a, b) = (&one.text, &other.text);
        match self.random.below(16) {
            0 if one.size() * other.size() <= LARGEST.into() => {
                let ends = [one.low * other.low, one.low * other.high, one.high * other.low, one.high * other.high];
                let (low, high) = (ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0));
                Amount::new(format!("({a} * {b})"), one.value * other.value, low, high)
            }
            1 if one.size() + other.size() <= LARGEST.into() => {
                let (low, high) = (one.low - other.high, one.high - other.low);
                let value = one.value - other.value;
                Amount::new(format!("|{a} - {b}|"), value.abs(), 0, low.abs().max(high.abs()))
            }
            2 => {
                let text = format!("max([{a}, {b}])");
                Amount::new(text, one.value.max(other.value), one.low.max(other.low), one.high.max(other.high))
            }
            3 => {
                let text = format!("min([{a}, {b}])");
                Amount::new(text, one.value.min(other.value), one.low.min(other.low), one.high.min(other.high))
            }
            4 => {
                let divisor = i128::from(if self.random.percent(50) { self.large() } else { 7 });
                let (low, high) = (one.low.div_euclid(divisor), one.high.div_euclid(divisor));
                Amount::new(format!("({a} / {divisor})"), one.value.div_euclid(divisor), low, high)
            }
            5 => {
                let divisor = i128::from(if self.random.percent(50) { self.large() } else { 7 });
                Amount::new(format!("({a} % {divisor})"), one.value.rem_euclid(divisor), 0, divisor - 1)
            }
            6 => {
                let chosen = self.random.pick(&self.conditions).clone();
                Amount::new(format!("toInt({})", chosen.text), chosen.value.into(), 0, 1)
            }
            _ => one,
        }
    }

    /// A sum of products with constants. Its partial sums stay in the range of integers, except in one model of a
    /// hundred.
    fn sum(&mut self) -> Amount {
        let room = if self.random.percent(1) { 4 * i128::from(LARGEST) } else { LARGEST.into() };
        let mut sum = Amount::new(String::new(), 0, 0, 0);
        let mut used = 0;
        for _ in 0..self.random.weighted(&[(3, 1), (4, 2), (3, 3), (2, 5)]) {
            let atom = self.atom();
            let factor = i128::from(if self.random.percent(60) { self.number() } else { self.random.between(-2, 3) });
            let fits = |factor: i128| factor != 0 && used + atom.size() * factor.abs() <= room;
            // Prefer the large factor, but keep the sum in the range.
            let Some(factor) = [factor, factor.signum(), 1].into_iter().find(|factor| fits(*factor)) else { continue };
            let term = atom.times(factor);
            used += term.size();
            let joint = if sum.text.is_empty() { "" } else { " + " };
            let _ = write!(sum.text, "{joint}{}", term.text);
            (sum.value, sum.low, sum.high) = (sum.value + term.value, sum.low + term.low, sum.high + term.high);
        }
        if sum.text.is_empty() { self.random.pick(&self.amounts).clone() } else { sum }
    }

    /// A number near a value of an amount.
    fn near(&mut self, amount: &Amount) -> i128 {
        let reached = match self.random.below(6) {
            0 => amount.low,
            1 => amount.high,
            2 => (amount.low + amount.high) / 2,
            _ => amount.value,
        };
        let limit = i128::from(LARGEST);
        // One beside the value tests `<` against `<=`.
        (reached + i128::from(self.random.between(-2, 2))).clamp(-limit, limit)
    }

    fn comparison(&mut self) -> Condition {
        let left = self.sum();
        let right = match self.random.below(3) {
            0 => self.sum(),
            _ => {
                let bound = self.near(&left);
                Amount::new(bound.to_string(), bound, bound, bound)
            }
        };
        let (a, b) = (left.value, right.value);
        let (symbol, holds) = match self.random.below(8) {
            0 => ("=", a == b),
            1 => ("!=", a != b),
            2 => ("<", a < b),
            3 => (">", a > b),
            4 | 5 => (">=", a >= b),
            _ => ("<=", a <= b),
        };
        condition(format!("{} {symbol} {}", left.text, right.text), holds)
    }

    /// A comparison, which is usually required only under a condition.
    fn requirement(&mut self) -> Condition {
        let one = self.comparison();
        let other = match self.random.percent(60) {
            true => self.random.pick(&self.conditions).clone(),
            false => self.comparison(),
        };
        let (a, b) = (&one.text, &other.text);
        match self.random.below(10) {
            0 => condition(format!("({a}) \\/ ({b})"), one.value || other.value),
            1 => condition(format!("({b}) -> ({a})"), !other.value || one.value),
            2 => condition(format!("!({b}) -> ({a})"), other.value || one.value),
            3 => condition(format!("({b}) <-> ({a})"), one.value == other.value),
            4 => condition(format!("({a}) -> ({b})"), !one.value || other.value),
            5 if self.amounts.len() > 2 => {
                let at = self.random.below(self.amounts.len() - 2);
                let chosen = &self.amounts[at..at + 3];
                let different = (0..3).all(|place| chosen[place].value != chosen[(place + 1) % 3].value);
                let texts: Vec<&str> = chosen.iter().map(|one| one.text.as_str()).collect();
                condition(format!("allDiff([{}])", texts.join(", ")), different)
            }
            _ => one,
        }
    }

    fn statements(&mut self) {
        let satisfiable = self.random.percent(85);
        for _ in 0..self.random.weighted(&[(2, 1), (4, 2), (2, 3)]) {
            let Condition { text, value, .. } = self.requirement();
            // Negate a false requirement, so that the sample is a solution.
            let text = if value || !satisfiable { text } else { format!("!({text})") };
            self.line(&format!("such that {text}"));
        }
        if self.random.percent(35) {
            let sense = if self.random.percent(50) { "maximising" } else { "minimising" };
            let sum = self.sum();
            self.line(&format!("{sense} {}", sum.text));
        }
    }
}
