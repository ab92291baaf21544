//! Sums of terms with many values by networks of adders.

use super::*;

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    /// Returns the bits of the sum of the terms minus a constant, the constant, and true if the sum was negated: a sum
    /// and its negation share a network.
    fn network(&mut self, terms: &[EncodedTerm]) -> Result<(Arc<[Literal]>, i128, bool)> {
        let (mut weighted, mut constant) =
            self.literals.weighted(terms.iter().map(|term| (1, *term)))?.with_positive_weights();
        let negate = weighted.first().is_some_and(|(_, literal)| literal.number() < 0);
        if negate {
            let total: i128 = weighted.iter().map(|(weight, _)| *weight as i128).sum();
            weighted.iter_mut().for_each(|(_, literal)| *literal = !*literal);
            constant = -constant - total;
        }
        Ok((self.literals.out.add_up(weighted)?, constant, negate))
    }

    pub(super) fn network_at_most(&mut self, terms: &[EncodedTerm], bound: i128) -> Result {
        let (bits, constant, negated) = self.network(terms)?;
        if negated {
            if let Ok(least) = u128::try_from(-bound - constant) {
                self.literals.out.bits_at_least(!self.condition, &bits, least);
            }
        } else {
            match u128::try_from(bound - constant) {
                Ok(most) => self.literals.out.bits_at_most(!self.condition, &bits, most),
                Err(_) => self.clause([]),
            }
        }
        Ok(())
    }

    pub(super) fn network_equals(&mut self, terms: &[EncodedTerm], bound: i128) -> Result {
        match self.network_digits(terms, bound)? {
            Some(digits) => digits.into_iter().for_each(|digit| self.clause([digit])),
            None => self.clause([]),
        }
        Ok(())
    }

    pub(super) fn network_differs(&mut self, terms: &[EncodedTerm], bound: i128) -> Result {
        if let Some(digits) = self.network_digits(terms, bound)? {
            self.clause(digits.into_iter().map(|digit| !digit));
        }
        Ok(())
    }

    /// Returns literals that all hold if and only if the sum is this number; `None` if it cannot be.
    fn network_digits(&mut self, terms: &[EncodedTerm], bound: i128) -> Result<Option<Vec<Literal>>> {
        let (bits, constant, negated) = self.network(terms)?;
        let bound = if negated { -bound } else { bound };
        Ok(u128::try_from(bound - constant).ok().and_then(|value| self.literals.out.bits_equal(&bits, value)))
    }
}
