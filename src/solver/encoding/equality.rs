//! Equality of two terms: value by value, bound by bound, or bit by bit.

use super::*;

/// Terms with at most this many values are compared value by value, others by bounds.
pub(super) const BY_VALUE: u128 = 128;

impl<S: ClauseSink> Encoder<'_, S> {
    /// The two terms are equal, or one of the first literals (at most a few) holds.
    pub(super) fn same(&mut self, unless: &[Literal], left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.terms.domain(left), self.terms.domain(right));
        for (one, domain, other) in [(left, &of_right, of_left.size()), (right, &of_left, of_right.size())] {
            if domain.size() == 1 {
                return self.fixed(unless, one, domain.min(), other);
            }
        }
        if self.terms.is_log_encoded(left) || self.terms.is_log_encoded(right) {
            return self.same_bits(unless, left, right);
        }
        self.out.afford(of_left.size() + of_right.size())?;
        let by_value = |encoder: &Self, term: EncodedTerm, domain: &EncodedDomain| {
            domain.size() <= 2
                || encoder.literals.has_direct(term)
                || domain.size() <= BY_VALUE && !encoder.literals.has_order(term)
        };
        let by_value = by_value(self, left, &of_left) && by_value(self, right, &of_right);
        for (one, domain, other) in [(left, &of_left, right), (right, &of_right, left)] {
            for value in domain.values() {
                let (one, other) = if by_value {
                    (self.equals(one, value)?, self.equals(other, value)?)
                } else {
                    (self.at_most(one, value)?, self.at_most(other, value)?)
                };
                self.out.clause(unless.iter().copied().chain([!one, other]));
            }
        }
        Ok(())
    }

    /// The term has this value, or one of the first literals holds.
    fn fixed(&mut self, unless: &[Literal], term: EncodedTerm, value: i64, size: u128) -> Result {
        if size > BY_VALUE
            && !self.terms.is_log_encoded(term)
            && !self.literals.has_direct(term)
            && self.terms.domain(term).position(value).is_some()
        {
            let (at_most, below) = (self.at_most(term, value)?, self.at_most(term, value - 1)?);
            self.out.clause(unless.iter().copied().chain([at_most]));
            self.out.clause(unless.iter().copied().chain([!below]));
        } else {
            let equal = self.equals(term, value)?;
            self.out.clause(unless.iter().copied().chain([equal]));
        }
        Ok(())
    }

    pub(super) fn different(&mut self, condition: Literal, left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.terms.domain(left), self.terms.domain(right));
        if self.terms.is_log_encoded(left) && self.terms.is_log_encoded(right) {
            return self.different_bits(condition, left, right);
        }
        let (shorter, other) = if of_left.size() <= of_right.size() { (of_left, right) } else { (of_right, left) };
        let one = if other == right { left } else { right };
        self.out.afford(shorter.size())?;
        for value in shorter.values() {
            if self.terms.domain(other).position(value).is_some() {
                let (one, other) = (self.equals(one, value)?, self.equals(other, value)?);
                self.out.clause([!condition, !one, !other]);
            }
        }
        Ok(())
    }
}
