//! The number of members of a domain, by formulas if combinatorics has them.

use super::{GroundDomain, Size};

/// The maximum length of a sum or recurrence: longer ones overflow, or are not worth their time.
pub(in crate::language) const LARGEST_TABLE: u128 = 4096;

impl GroundDomain {
    /// The number of members; `None` if it is infinite or unknown (usually above 10³⁸).
    pub(crate) fn size(&self) -> Option<u128> {
        match self {
            GroundDomain::Bool => Some(2),
            GroundDomain::Int(set) => set.size(),
            GroundDomain::Tuple(items) => product_of_factors(items.iter().map(GroundDomain::size)),
            GroundDomain::Record(fields) => product_of_factors(fields.iter().map(|(_, item)| item.size())),
            GroundDomain::Variant(alternatives) => {
                alternatives.iter().try_fold(0u128, |sum, (_, item)| sum.checked_add(item.size()?))
            }
            GroundDomain::Matrix(index, element) => match (index.size()?, element.size()) {
                // A matrix without elements has one value, even if its elements have none.
                (0, _) => Some(1),
                (_, Some(0)) => Some(0),
                (length, elements) => checked_power(elements?, length),
            },
            GroundDomain::Collection(kind, attributes, parts) => kind.row().size(attributes, parts),
        }
    }

    /// Returns true if the number of members is finite.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            GroundDomain::Bool => true,
            GroundDomain::Int(set) => set.is_finite(),
            GroundDomain::Tuple(items) => items.iter().all(GroundDomain::is_finite),
            GroundDomain::Record(fields) | GroundDomain::Variant(fields) => {
                fields.iter().all(|(_, item)| item.is_finite())
            }
            GroundDomain::Matrix(index, element) => index.is_finite() && element.is_finite(),
            GroundDomain::Collection(kind, attributes, parts) => kind.row().is_finite(attributes, parts),
        }
    }

    /// Returns true if a finite domain has no members.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        match self.size() {
            Some(size) => size == 0,
            None => self.is_finite() && self.members().next().is_none(),
        }
    }
}

pub(in crate::language) fn product_of_factors(factors: impl Iterator<Item = Option<u128>>) -> Option<u128> {
    // Each factor is counted once; otherwise the time would double with each level of nesting.
    let factors: Vec<Option<u128>> = factors.collect();
    // This comes before the product, because 0 times an uncountable factor is 0.
    if factors.contains(&Some(0)) {
        return Some(0);
    }
    factors.into_iter().try_fold(1u128, |product, factor| product.checked_mul(factor?))
}

pub(in crate::language) fn checked_power(base: u128, exponent: u128) -> Option<u128> {
    match base {
        // The powers of 0 and 1 never overflow, whatever the exponent is.
        0 => Some(u128::from(exponent == 0)),
        1 => Some(1),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

/// The range of sizes within bounds, given the largest possible size (`None`: no limit).
pub(in crate::language) fn size_range(bounds: &Size<i64>, most: Option<u128>) -> (u128, Option<u128>) {
    let min = bounds.min.unwrap_or(0).max(0) as u128;
    match bounds.max {
        // The largest size is negative, so the range is empty.
        Some(max) if max < 0 => (1, Some(0)),
        Some(max) => (min, Some(most.map_or(max as u128, |most| most.min(max as u128)))),
        None => (min, most),
    }
}

/// `Σ term(k)` for `k` in a range. The terms of long sums overflow early, so that no sum takes long.
pub(in crate::language) fn sum_of_terms(
    bounds: (u128, Option<u128>),
    mut term: impl FnMut(u128) -> Option<u128>,
) -> Option<u128> {
    // Both bounds are inclusive.
    let (min, max) = bounds;
    let mut total = 0u128;
    let mut at = min;
    while max.is_none_or(|max| at <= max) {
        if at - min > LARGEST_TABLE {
            return None;
        }
        total = total.checked_add(term(at)?)?;
        at += 1;
    }
    Some(total)
}

/// `n · (n - 1) ⋯ (n - k + 1)`
pub(in crate::language) fn falling(n: u128, k: u128) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut product = 1u128;
    for factor in (n - k + 1..=n).rev() {
        product = product.checked_mul(factor)?;
    }
    Some(product)
}

/// The binomial coefficient.
pub(in crate::language) fn binomial(n: u128, k: u128) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut result = 1u128;
    // `k` and `n - k` give the same number, but the smaller one needs fewer steps.
    for step in 0..k.min(n - k) {
        // The division is exact: the result is the binomial coefficient of `n` and `step + 1`.
        result = result.checked_mul(n - step)? / (step + 1);
    }
    Some(result)
}
