//! Functions of terms with many values by their bits.

use super::*;

impl<S: ClauseSink> TermDefinition<'_, '_, S> {
    /// Defines `whole = left · right`.
    pub(super) fn product_of_bits(&mut self, left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.literals.bits(left)?, self.literals.bits(right)?);
        // The product of two bits needs 3 clauses, and a full adder needs 14.
        self.literals.out.afford(of_left.len() as u128 * of_right.len() as u128 * 17)?;
        let mut sum = self.literals.weighted([(-1, self.whole)])?;
        for (i, one) in of_left.iter().enumerate() {
            for (j, other) in of_right.iter().enumerate() {
                if i + j > 120 {
                    return Err(Refused::Values);
                }
                // Sign bits have negative weights, so the product of two of them is positive again.
                let negative = (i + 1 == of_left.len()) != (j + 1 == of_right.len());
                let both = self.literals.out.both_hold(*one, *other);
                sum.add(if negative { -(1i128 << (i + j)) } else { 1i128 << (i + j) }, both);
            }
        }
        let (weighted, constant) = sum.with_positive_weights();
        let sum = self.literals.out.add_up(weighted)?;
        match u128::try_from(-constant).ok().and_then(|value| self.literals.out.bits_equal(&sum, value)) {
            Some(digits) => digits.into_iter().for_each(|digit| self.literals.out.clause([digit])),
            None => self.literals.out.clause([]),
        }
        Ok(())
    }

    /// Defines `whole = ⌊left / right⌋` or the remainder of the division; both are 0 if the divisor is 0.
    pub(super) fn division_of_bits(&mut self, operation: Operation, left: EncodedTerm, right: EncodedTerm) -> Result {
        let Literals { terms, tasks, .. } = &mut *self.literals;
        let quotient = terms.division(left, right, Operation::Quotient)?;
        let rest = terms.division(left, right, Operation::Remainder)?;
        // The quotient and the remainder of a division share its definition.
        let is_new = tasks.claim(quotient);
        self.same(&[], if operation == Operation::Remainder { rest } else { quotient })?;
        if !is_new {
            return Ok(());
        }
        let literals = &mut *self.literals;
        let product = literals.terms.quotient_product(left, right, quotient)?;
        literals.definition(product).product_of_bits(quotient, right)?;
        let zero = literals.equals(right, 0)?;
        // The definition is left = quotient · right + rest.
        let minus_left = literals.terms.opposite(left, 0)?;
        literals.under(!zero).network_equals(&[product, rest, minus_left], 0)?;
        let (negative, at_most_zero) = literals.around(right, 0)?;
        let positive = !at_most_zero;
        for term in [quotient, rest] {
            let is_zero = literals.equals(term, 0)?;
            literals.under(zero).clause([is_zero]);
        }
        // A remainder is 0 or has the sign of the divisor; its absolute value is less than the divisor's.
        let above = !literals.at_most(rest, -1)?;
        literals.under(positive).clause([above]);
        let below = literals.at_most(rest, 0)?;
        literals.under(negative).clause([below]);
        let (minus_right, minus_rest) = (literals.terms.opposite(right, 0)?, literals.terms.opposite(rest, 0)?);
        literals.under(positive).network_at_most(&[rest, minus_right], -1)?;
        literals.under(negative).network_at_most(&[right, minus_rest], -1)
    }

    pub(super) fn absolute_of_bits(&mut self, inner: EncodedTerm) -> Result {
        let negative = self.literals.at_most(inner, -1)?;
        let opposite = self.literals.terms.opposite(inner, 0)?;
        self.same(&[negative], inner)?;
        self.same(&[!negative], opposite)
    }

    /// Defines the extreme of the terms: it bounds every term, and some term reaches it.
    pub(super) fn extreme_of_bits(&mut self, extreme: Extreme, terms: &[Int]) -> Result {
        let mut clause = Vec::with_capacity(terms.len());
        for term in terms {
            let (low, high) = match extreme {
                Extreme::Minimum => (self.whole, EncodedTerm::of(*term)),
                Extreme::Maximum => (EncodedTerm::of(*term), self.whole),
            };
            let (minus_low, minus_high) =
                (self.literals.terms.opposite(low, 0)?, self.literals.terms.opposite(high, 0)?);
            self.literals.under(Literal::TRUE).network_at_most(&[low, minus_high], 0)?;
            let reached = self.literals.out.new_variable();
            self.literals.under(reached).network_at_most(&[high, minus_low], 0)?;
            clause.push(reached);
        }
        self.literals.out.clause(clause);
        Ok(())
    }
}
