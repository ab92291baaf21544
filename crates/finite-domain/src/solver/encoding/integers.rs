//! The literals of integer terms.
//!
//! Direct encoding: a literal per value, exactly one of which holds. Order encoding: a literal `x <= v` for every value
//! but the last, each implying the next (Tamura, Taga, Kitagawa, Banbara, "Compiling finite linear CSP into SAT",
//! 2009). Both are made on demand; a second one is channelled to the first. Up to [`PAIRWISE`] values, the direct
//! encoding has a clause per pair of values; up to [`LADDER`], it is channelled to an order encoding (Gent and
//! Nightingale, "A new encoding of AllDifferent into SAT", 2004); beyond that, it has an at-most-one constraint by
//! products, unless there is an order encoding.

use super::*;
use crate::solver::tuning::encoding::{LADDER, PAIRWISE, SPARSE};

/// Returns true if the direct encoding of this number of values uses an order encoding.
fn is_ordered(size: usize) -> bool {
    size > PAIRWISE && size <= LADDER || size > SPARSE
}

impl<S: ClauseSink> Literals<'_, S> {
    /// Makes literals for a term that has none.
    pub(super) fn touch(&mut self, term: EncodedTerm) -> Result {
        if self.ints.has_direct(term) || self.ints.has_order(term) {
            return Ok(());
        }
        if self.terms.is_log_encoded(term) {
            self.bits(term)?;
        } else if self.terms.domain(term).size() <= PAIRWISE as u128 {
            self.direct(term)?;
        } else {
            self.order(term)?;
        }
        Ok(())
    }

    /// Returns a literal for each value.
    pub(super) fn direct(&mut self, term: EncodedTerm) -> Result<LiteralRange> {
        if let Some(direct) = self.ints.direct(term) {
            return Ok(direct);
        }
        let domain = self.terms.domain(term);
        self.out.afford(domain.size())?;
        let size = domain.len();
        let literals: Vec<Literal> = if size == 1 {
            vec![Literal::TRUE]
        } else if let Some(TermSource::View { factor, term: inner, offset }) = self.terms.source(term) {
            self.direct(inner)?;
            domain.values().map(|value| self.equals_view(inner, factor, offset, value)).collect::<Result<_>>()?
        // With two values, one literal is the negation of the other.
        } else if size == 2 {
            let order = self.order(term)?;
            let first = self.ints.get(order, 0);
            vec![first, !first]
        // The first and last values share the literals of the bounds beside them.
        } else if self.ints.has_order(term) || is_ordered(size) {
            let order = self.order(term)?;
            let mut literals = vec![self.ints.get(order, 0)];
            literals.extend((2..size).map(|_| self.out.new_variable()));
            literals.push(!self.ints.get(order, size - 2));
            let direct = self.ints.add_direct(term, &literals);
            self.channel(direct, order, size);
            return Ok(direct);
        } else {
            let literals: Vec<Literal> = (0..size).map(|_| self.out.new_variable()).collect();
            self.out.at_most_one(Literal::TRUE, &literals);
            self.out.clause(literals.iter().copied());
            self.tasks.define(term);
            literals
        };
        Ok(self.ints.add_direct(term, &literals))
    }

    /// Returns a literal `term <= value` for each value but the last.
    pub(super) fn order(&mut self, term: EncodedTerm) -> Result<LiteralRange> {
        if let Some(order) = self.ints.order(term) {
            return Ok(order);
        }
        let domain = self.terms.domain(term);
        self.out.afford(domain.size())?;
        let size = domain.len();
        let literals: Vec<Literal> = if size == 1 {
            Vec::new()
        } else if let Some(TermSource::View { factor, term: inner, offset }) = self.terms.source(term) {
            let bounds = domain.values().take(size - 1);
            bounds.map(|value| self.at_most_view(inner, factor, offset, value)).collect::<Result<_>>()?
        } else if let Some(IntNode::FromBool(condition)) = self.terms.node(term) {
            let condition = *condition;
            vec![!self.both(condition)?]
        } else {
            self.tasks.define(term);
            match self.ints.direct(term) {
                Some(direct) => {
                    let mut literals = vec![self.ints.get(direct, 0)];
                    literals.extend((2..size - 1).map(|_| self.out.new_variable()));
                    literals.push(!self.ints.get(direct, size - 1));
                    let order = self.ints.add_order(term, &literals);
                    self.channel(direct, order, size);
                    return Ok(order);
                }
                None => {
                    let literals: Vec<Literal> = (1..size).map(|_| self.out.new_variable()).collect();
                    for two in literals.windows(2) {
                        self.out.clause([!two[0], two[1]]);
                    }
                    literals
                }
            }
        };
        Ok(self.ints.add_order(term, &literals))
    }

    /// Adds `x = vᵢ ↔ x <= vᵢ ∧ ¬(x <= vᵢ₋₁)` for a domain of at least 3 values; the literals of the first and the last
    /// value are shared.
    fn channel(&mut self, direct: LiteralRange, order: LiteralRange, size: usize) {
        for position in 1..size - 1 {
            let equal = self.ints.get(direct, position);
            let (below, at_most) = (self.ints.get(order, position - 1), self.ints.get(order, position));
            self.out.clause([!equal, at_most]);
            self.out.clause([!equal, !below]);
            self.out.clause([equal, below, !at_most]);
            self.out.clause([!below, at_most]);
        }
    }

    /// Returns the literal of `term = value`.
    pub(super) fn equals(&mut self, term: EncodedTerm, value: i64) -> Result<Literal> {
        let domain = self.terms.domain(term);
        let Some(position) = domain.position(value) else { return Ok(Literal::FALSE) };
        if domain.size() == 1 {
            return Ok(Literal::TRUE);
        }
        if !self.ints.has_direct(term) {
            if self.terms.is_log_encoded(term) {
                return match self.terms.source(term) {
                    Some(TermSource::View { factor, term, offset }) => self.equals_view(term, factor, offset, value),
                    _ => self.value_of_bits(term, position, value),
                };
            }
            // The first and last values are bounds, so they need no direct encoding.
            let last = domain.len() - 1;
            if (position == 0 || position == last) && (self.ints.has_order(term) || is_ordered(domain.len())) {
                let order = self.order(term)?;
                let literal = if position == 0 { self.ints.get(order, 0) } else { !self.ints.get(order, last - 1) };
                return Ok(literal);
            }
            if let Some(TermSource::View { factor, term, offset }) = self.terms.source(term) {
                return self.equals_view(term, factor, offset, value);
            }
            if domain.len() > SPARSE {
                return self.sparse(term, position, last);
            }
        }
        let direct = self.direct(term)?;
        Ok(self.ints.get(direct, position))
    }

    /// Returns the literal of `factor · term + offset = value`.
    fn equals_view(&mut self, term: EncodedTerm, factor: i64, offset: i64, value: i64) -> Result<Literal> {
        let scaled = i128::from(value) - i128::from(offset);
        if scaled % i128::from(factor) != 0 {
            return Ok(Literal::FALSE);
        }
        self.equals(term, (scaled / i128::from(factor)) as i64)
    }

    /// Returns the literal of `factor · term + offset <= value`.
    pub(super) fn at_most_view(&mut self, term: EncodedTerm, factor: i64, offset: i64, value: i64) -> Result<Literal> {
        let value = i128::from(value) - i128::from(offset);
        if factor > 0 {
            self.at_most(term, value.div_euclid(factor.into()) as i64)
        } else {
            // factor · x <= v is equivalent to x >= ⌈v / factor⌉ for a negative factor.
            Ok(!self.at_most(term, -value.div_euclid(-i128::from(factor)) as i64 - 1)?)
        }
    }

    /// Returns the literal of one value of a term with many values.
    fn sparse(&mut self, term: EncodedTerm, position: usize, last: usize) -> Result<Literal> {
        if let Some(literal) = self.ints.equalities.get(&(term, position)) {
            return Ok(*literal);
        }
        let order = self.order(term)?;
        let equal = match position {
            0 => self.ints.get(order, 0),
            position if position == last => !self.ints.get(order, last - 1),
            position => {
                let equal = self.out.new_variable();
                let (below, at_most) = (self.ints.get(order, position - 1), self.ints.get(order, position));
                self.out.clause([!equal, at_most]);
                self.out.clause([!equal, !below]);
                self.out.clause([equal, below, !at_most]);
                equal
            }
        };
        self.ints.equalities.insert((term, position), equal);
        Ok(equal)
    }

    /// Returns the literal of `term <= value`.
    pub(super) fn at_most(&mut self, term: EncodedTerm, value: i64) -> Result<Literal> {
        let domain = self.terms.domain(term);
        if value < domain.min() {
            return Ok(Literal::FALSE);
        }
        if value >= domain.max() {
            return Ok(Literal::TRUE);
        }
        if let Some(order) = self.ints.order(term) {
            return Ok(self.ints.get(order, domain.rank(value) - 1));
        }
        if self.terms.is_log_encoded(term) {
            return self.bound_of_bits(term, value);
        }
        let rank = domain.rank(value);
        // Beside the first and last values, the direct encoding already has the literal.
        if let Some(direct) = self.ints.direct(term) {
            if rank == 1 {
                return Ok(self.ints.get(direct, 0));
            }
            if rank == domain.len() - 1 {
                return Ok(!self.ints.get(direct, rank));
            }
        }
        let order = self.order(term)?;
        Ok(self.ints.get(order, rank - 1))
    }

    /// Returns the literals of `term < value` and `term <= value`.
    pub(super) fn around(&mut self, term: EncodedTerm, value: i64) -> Result<(Literal, Literal)> {
        Ok((self.at_most(term, value - 1)?, self.at_most(term, value)?))
    }

    /// Returns literals of which at least one holds if and only if the term differs from the value.
    pub(crate) fn differs(&mut self, term: Int, value: i64) -> Result<[Literal; 2]> {
        let term = EncodedTerm::of(term);
        // With two literals of bounds, no direct encoding is needed.
        if self.ints.has_direct(term) || !self.ints.has_order(term) || self.terms.is_log_encoded(term) {
            return Ok([!self.equals(term, value)?, Literal::FALSE]);
        }
        let (below, at_most) = self.around(term, value)?;
        Ok([below, !at_most])
    }

    /// Returns the value of a variable in a model, if the variable has been encoded.
    pub(crate) fn value(&self, term: Int, holds: &mut dyn FnMut(Literal) -> bool) -> Option<i64> {
        let term = EncodedTerm::of(term);
        self.ints.value(term, self.terms.known_domain(term)?, holds)
    }
}
