//! Numbers of members that are too large to count, as powers of two.

use super::{GroundDomain, Size};
use std::fmt;

/// The maximum number of terms of a sum that is computed; longer ones are estimated by their bound. Chosen.
const LONGEST_SUM: f64 = 10_000.0;
/// The maximum number of members that are counted one by one, and the estimate above which counting is not tried.
/// Chosen.
const MOST_GONE_THROUGH: usize = 500_000;
const MOST_GONE_THROUGH_LOG2: f64 = 64.0;
/// Numbers up to this one are printed in full. Chosen.
const LARGEST_PRINTED: u128 = 1_000_000_000_000;

/// An amount, counted or about a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Amount {
    /// `u128::MAX` if it cannot be counted.
    pub number: u128,
    pub log2: f64,
}

impl Amount {
    pub(crate) fn exactly(number: u128) -> Self {
        Amount { number, log2: (number as f64).log2() }
    }

    pub(crate) fn times(self, factor: u128) -> Self {
        Amount { number: self.number.saturating_mul(factor), log2: self.log2 + (factor as f64).log2() }
    }

    /// The smaller of two amounts.
    pub(crate) fn at_most(self, other: Amount) -> Self {
        if (other.number, other.log2) < (self.number, self.log2) { other } else { self }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.number <= LARGEST_PRINTED {
            write!(formatter, "{}", self.number)
        } else if self.log2 < 1e6 {
            write!(formatter, "about 2^{:.0}", self.log2)
        } else if self.log2.is_finite() {
            write!(formatter, "about 2^(2^{:.0})", self.log2.log2())
        } else {
            write!(formatter, "more than 2^(2^1000)")
        }
    }
}

impl GroundDomain {
    /// The number of members. Without a formula, it is counted by enumeration unless there are too many members; then
    /// it is the estimate of [`GroundDomain::amount`].
    pub(crate) fn amount_gone_through(&self) -> Amount {
        let amount = self.amount();
        if amount.number < u128::MAX || amount.log2 > MOST_GONE_THROUGH_LOG2 {
            return amount;
        }
        match self.members().take(MOST_GONE_THROUGH + 1).count() {
            count if count <= MOST_GONE_THROUGH => Amount::exactly(count as u128),
            _ => amount,
        }
    }

    /// The number of members: counted if possible, estimated otherwise.
    pub(crate) fn amount(&self) -> Amount {
        match self.size() {
            Some(number) => Amount::exactly(number),
            None => Amount { number: u128::MAX, log2: self.log2_bound() },
        }
    }

    /// The binary logarithm of the amount.
    pub(in crate::language) fn log2(&self) -> f64 {
        self.amount().log2
    }

    /// The binary logarithm of an upper bound on the number of members. The bound is close if no attribute but a size
    /// is given; other attributes are ignored if they make no great difference.
    pub(super) fn log2_bound(&self) -> f64 {
        match self {
            GroundDomain::Bool => 1.0,
            GroundDomain::Int(set) => set.size().map_or(f64::INFINITY, |size| (size as f64).log2()),
            GroundDomain::Tuple(items) => items.iter().map(GroundDomain::log2).sum(),
            GroundDomain::Record(fields) => fields.iter().map(|(_, field)| field.log2()).sum(),
            GroundDomain::Variant(alternatives) => {
                alternatives.iter().map(|(_, item)| item.log2()).fold(f64::NEG_INFINITY, log2_sum)
            }
            GroundDomain::Matrix(index, element) => times(index.log2().exp2(), element.log2()),
            GroundDomain::Collection(kind, attributes, parts) => kind.row().log2_bound(attributes, parts),
        }
    }
}

/// The product, with 0 times infinity as 0.
pub(in crate::language) fn times(left: f64, right: f64) -> f64 {
    if left == 0.0 || right == 0.0 { 0.0 } else { left * right }
}

/// `log2(2^a + 2^b)`
pub(in crate::language) fn log2_sum(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY || high == f64::INFINITY { high } else { high + (1.0 + (low - high).exp2()).log2() }
}

/// The logarithm of the number of subsets of `2^log2_values` values in which each member has one of `2^log2_images`
/// images.
pub(in crate::language) fn log2_subsets(log2_values: f64, size: &Size<i64>, log2_images: f64) -> f64 {
    let values = log2_values.exp2();
    let all = times(values, log2_sum(log2_images, 0.0));
    // If the size is not small, the number of all subsets is a good bound.
    let Some(max) = size.max.map(|max| (max.max(0) as f64).min(values)).filter(|max| *max <= LONGEST_SUM) else {
        return all;
    };
    let (mut sum, mut term) = (f64::NEG_INFINITY, 0.0);
    for count in 0..=max as i64 {
        if size.min.is_none_or(|min| count >= min) {
            sum = log2_sum(sum, term);
        }
        let left = if values.is_finite() { (values - count as f64).max(0.0).log2() } else { log2_values };
        term += left - (count as f64 + 1.0).log2() + log2_images;
    }
    sum.min(all)
}
