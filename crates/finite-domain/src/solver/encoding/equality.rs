//! Equality of two terms: value by value, bound by bound, or bit by bit.

use super::*;
use crate::solver::tuning::encoding::BY_VALUE;

/// Adds "one of the literals `unless` (a few at most) holds, or the terms are equal".
pub(super) fn same<S: ClauseSink>(
    literals: &mut Literals<S>,
    unless: &[Literal],
    left: EncodedTerm,
    right: EncodedTerm,
) -> Result {
    let (of_left, of_right) = (literals.terms.domain(left), literals.terms.domain(right));
    for (one, domain, other) in [(left, &of_right, of_left.size()), (right, &of_left, of_right.size())] {
        if domain.size() == 1 {
            return fixed(literals, unless, one, domain.min(), other);
        }
    }
    if literals.terms.is_log_encoded(left) || literals.terms.is_log_encoded(right) {
        for (one, other) in aligned_bits(literals, left, right)? {
            literals.out.clause(unless.iter().copied().chain([!one, other]));
            literals.out.clause(unless.iter().copied().chain([one, !other]));
        }
        return Ok(());
    }
    literals.out.afford(of_left.size() + of_right.size())?;
    let by_value = |term: EncodedTerm, domain: &EncodedDomain| {
        domain.size() <= 2
            || literals.ints.has_direct(term)
            || domain.size() <= BY_VALUE && !literals.ints.has_order(term)
    };
    let by_value = by_value(left, &of_left) && by_value(right, &of_right);
    for (one, domain, other) in [(left, &of_left, right), (right, &of_right, left)] {
        for value in domain.values() {
            let (one, other) = if by_value {
                (literals.equals(one, value)?, literals.equals(other, value)?)
            } else {
                (literals.at_most(one, value)?, literals.at_most(other, value)?)
            };
            literals.out.clause(unless.iter().copied().chain([!one, other]));
        }
    }
    Ok(())
}

/// Adds "one of the literals `unless` holds, or the term, which has `size` values, has this value".
fn fixed<S: ClauseSink>(
    literals: &mut Literals<S>,
    unless: &[Literal],
    term: EncodedTerm,
    value: i64,
    size: u128,
) -> Result {
    // With two bounds, a large domain needs no direct encoding.
    if size > BY_VALUE
        && !literals.terms.is_log_encoded(term)
        && !literals.ints.has_direct(term)
        && literals.terms.domain(term).position(value).is_some()
    {
        let (at_most, below) = (literals.at_most(term, value)?, literals.at_most(term, value - 1)?);
        literals.out.clause(unless.iter().copied().chain([at_most]));
        literals.out.clause(unless.iter().copied().chain([!below]));
    } else {
        let equal = literals.equals(term, value)?;
        literals.out.clause(unless.iter().copied().chain([equal]));
    }
    Ok(())
}

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    pub(super) fn same(&mut self, left: EncodedTerm, right: EncodedTerm) -> Result {
        same(self.literals, &[!self.condition], left, right)
    }

    pub(super) fn different(&mut self, left: EncodedTerm, right: EncodedTerm) -> Result {
        let terms = &mut self.literals.terms;
        if terms.is_log_encoded(left) && terms.is_log_encoded(right) {
            return self.different_bits(left, right);
        }
        let (of_left, of_right) = (terms.domain(left), terms.domain(right));
        let (one, values, other, others) = if of_left.size() <= of_right.size() {
            (left, of_left, right, of_right)
        } else {
            (right, of_right, left, of_left)
        };
        self.literals.out.afford(values.size())?;
        // A value that only one of the terms can have cannot make them equal.
        for value in values.values().filter(|value| others.position(*value).is_some()) {
            let (one, other) = (self.literals.equals(one, value)?, self.literals.equals(other, value)?);
            self.clause([!one, !other]);
        }
        Ok(())
    }

    fn different_bits(&mut self, left: EncodedTerm, right: EncodedTerm) -> Result {
        let mut clause = Vec::new();
        // Only "some bit differs" is needed, so a half-reified exclusive or per bit is enough.
        for (one, other) in aligned_bits(self.literals, left, right)? {
            if one != other {
                let differs = self.literals.out.new_variable();
                self.literals.out.clause([!differs, one, other]);
                self.literals.out.clause([!differs, !one, !other]);
                clause.push(differs);
            }
        }
        self.clause(clause);
        Ok(())
    }
}

/// Returns the bits of both terms, sign-extended to the same number.
fn aligned_bits<S: ClauseSink>(
    literals: &mut Literals<S>,
    left: EncodedTerm,
    right: EncodedTerm,
) -> Result<Vec<(Literal, Literal)>> {
    let (left, right) = (literals.bits(left)?, literals.bits(right)?);
    let bit = |bits: &[Literal], position: usize| bits.get(position).or(bits.last()).copied().unwrap_or(Literal::FALSE);
    Ok((0..left.len().max(right.len())).map(|position| (bit(&left, position), bit(&right, position))).collect())
}
