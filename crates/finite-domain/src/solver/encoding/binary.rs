//! Log encoding of terms with many values (Walsh, "SAT v CSP", 2000): the bits of their value in two's complement. Sums
//! are networks of adders, and products add up the products of bits. Literals of single values and bounds are made on
//! demand and cached.

use super::{adder::WeightedSum, *};
use crate::solver::tuning::encoding::WEIGHTED;

impl<S: ClauseSink> Literals<'_, S> {
    /// Returns the bits of the term's value, the lowest first; the last one is the sign.
    pub(super) fn bits(&mut self, term: EncodedTerm) -> Result<Arc<[Literal]>> {
        if let Some(bits) = self.ints.bits.get(&term) {
            return Ok(bits.clone());
        }
        let domain = self.terms.domain(term);
        let (min, max) = (i128::from(domain.min()), i128::from(domain.max()));
        // The smallest number of bits with which both bounds can be written in two's complement.
        let width = (0..64).find(|width| min >= -(1i128 << width) && max < 1i128 << width).unwrap_or(64);
        let bits: Arc<[Literal]> = if domain.size() == 1 {
            (0..=width).map(|bit| Literal::from(min >> bit & 1 == 1)).collect()
        } else if self.terms.is_sum(term) {
            let (weighted, constant) = self.weighted([(1, term)])?.with_positive_weights();
            self.out.add_up_to(weighted, constant, width)?
        } else if domain.size() <= self.terms.options.log_above {
            self.bits_of_order(term, width)?
        } else {
            self.out.afford(2 * width as u128 + 2 * domain.ranges().count() as u128)?;
            let mut bits: Vec<Literal> = (0..width).map(|_| self.out.new_variable()).collect();
            bits.push(match (min >= 0, max < 0) {
                (true, _) => Literal::FALSE,
                (_, true) => Literal::TRUE,
                _ => self.out.new_variable(),
            });
            bits.into()
        };
        // The bounds below use the bits, so these are registered before their clauses.
        if self.ints.bits.insert(term, bits.clone()).is_none()
            && domain.size() > self.terms.options.log_above
            && !self.terms.is_sum(term)
        {
            let (unsigned, offset) = unsigned(&bits);
            self.out.bits_at_least(Literal::FALSE, &unsigned, (min + offset) as u128);
            self.out.bits_at_most(Literal::FALSE, &unsigned, (max + offset) as u128);
            // Gaps in the domains of other terms follow from the terms' definitions.
            if let Some(IntNode::Variable) = self.terms.node(term) {
                let ranges: Vec<(i64, i64)> = domain.ranges().collect();
                for two in ranges.windows(2) {
                    let (below, above) = (self.at_most(term, two[0].1)?, !self.at_most(term, two[1].0 - 1)?);
                    self.out.clause([below, above]);
                }
            }
            self.tasks.define(term);
        }
        Ok(bits)
    }

    /// Returns the bits of a term with order literals: each bit is constant over runs of values.
    fn bits_of_order(&mut self, term: EncodedTerm, width: usize) -> Result<Arc<[Literal]>> {
        let domain = self.terms.domain(term);
        if let Some(IntNode::FromBool(_)) = self.terms.node(term) {
            let order = self.order(term)?;
            return Ok(Arc::new([!self.ints.get(order, 0), Literal::FALSE]));
        }
        self.out.afford(domain.size().saturating_mul(2))?;
        let values: Vec<i64> = domain.values().collect();
        let mut bits = Vec::with_capacity(width + 1);
        for bit in 0..=width {
            let digit = |value: &i64| value >> bit.min(63) & 1 == 1;
            if values.iter().all(digit) || !values.iter().any(digit) {
                bits.push(Literal::from(digit(&values[0])));
                continue;
            }
            let literal = self.out.new_variable();
            for run in values.chunk_by(|one, other| digit(one) == digit(other)) {
                let below = self.at_most(term, run[0] - 1)?;
                let above = !self.at_most(term, run[run.len() - 1])?;
                self.out.clause([below, above, if digit(&run[0]) { literal } else { !literal }]);
            }
            bits.push(literal);
        }
        Ok(bits.into())
    }

    /// Returns the sum of the terms over their literals. Sums without bits are replaced by their addends.
    pub(super) fn weighted(&mut self, terms: impl IntoIterator<Item = (i128, EncodedTerm)>) -> Result<WeightedSum> {
        let mut open: Vec<(i128, EncodedTerm)> = terms.into_iter().collect();
        let mut sum = WeightedSum::default();
        while let Some((factor, term)) = open.pop() {
            let domain = self.terms.domain(term);
            if domain.size() == 1 {
                sum.constant += factor * i128::from(domain.min());
                continue;
            }
            match self.terms.source(term) {
                Some(TermSource::View { factor: inner, term, offset }) => {
                    sum.constant += factor * i128::from(offset);
                    open.push((factor * i128::from(inner), term));
                    continue;
                }
                Some(TermSource::Sum { left, right, most: i64::MAX })
                    if domain.size() > self.terms.options.log_above =>
                {
                    open.extend([(factor, left), (factor, right)]);
                    continue;
                }
                _ => {}
            }
            let problem = self.terms.problem;
            if domain.size() > self.terms.options.log_above
                && term.index() < problem.int_count()
                && let IntNode::Linear(terms, offset) = problem.int_node(problem.int(term.index()))
            {
                sum.constant += factor * i128::from(*offset);
                open.extend(terms.iter().map(|(inner, term)| (factor * i128::from(*inner), EncodedTerm::of(*term))));
                continue;
            }
            if domain.size() <= WEIGHTED.min(self.terms.options.log_above) && !self.ints.bits.contains_key(&term) {
                let order = self.order(term)?;
                sum.constant += factor * i128::from(domain.min());
                let values: Vec<i64> = domain.values().collect();
                for (position, two) in values.windows(2).enumerate() {
                    let literal = !self.ints.get(order, position);
                    sum.add(factor * (i128::from(two[1]) - i128::from(two[0])), literal);
                }
                continue;
            }
            sum.add_number(factor, &self.bits(term)?);
        }
        Ok(sum)
    }

    /// Returns the literal of `term <= value` for a term with bits; the bound is neither always true nor always false.
    pub(super) fn bound_of_bits(&mut self, term: EncodedTerm, value: i64) -> Result<Literal> {
        if let Some(TermSource::View { factor, term, offset }) = self.terms.source(term) {
            return self.at_most_view(term, factor, offset, value);
        }
        if let Some(literal) = self.ints.bounds.get(&(term, value)) {
            return Ok(*literal);
        }
        let bits = self.bits(term)?;
        self.out.afford(2 * bits.len() as u128)?;
        let (unsigned, offset) = unsigned(&bits);
        let bound = (i128::from(value) + offset) as u128;
        let literal = self.out.new_variable();
        self.ints.bounds.insert((term, value), literal);
        self.out.bits_at_most(!literal, &unsigned, bound);
        self.out.bits_at_least(literal, &unsigned, bound + 1);
        Ok(literal)
    }

    /// Returns the literal of `term = value` for a term with bits and a value in its domain.
    pub(super) fn value_of_bits(&mut self, term: EncodedTerm, position: usize, value: i64) -> Result<Literal> {
        if let Some(literal) = self.ints.equalities.get(&(term, position)) {
            return Ok(*literal);
        }
        let bits = self.bits(term)?;
        self.out.afford(bits.len() as u128)?;
        let literal = self.out.new_variable();
        self.ints.equalities.insert((term, position), literal);
        let (unsigned, offset) = unsigned(&bits);
        let digits = self.out.bits_equal(&unsigned, (i128::from(value) + offset) as u128).unwrap_or_default();
        for digit in &digits {
            self.out.clause([!literal, *digit]);
        }
        self.out.clause([literal].into_iter().chain(digits.into_iter().map(|digit| !digit)));
        Ok(literal)
    }
}

/// Converts the bits of a number in two's complement to a number from 0 upwards; returns its bits and the offset.
fn unsigned(bits: &[Literal]) -> (Vec<Literal>, i128) {
    let mut unsigned = bits.to_vec();
    if let Some(sign) = unsigned.last_mut() {
        // Adding 2^width inverts the sign bit.
        *sign = !*sign;
    }
    (unsigned, 1i128 << bits.len().saturating_sub(1))
}
