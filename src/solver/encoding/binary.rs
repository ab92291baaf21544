//! Binary encoding of terms with many values ("log encoding": Walsh, "SAT v CSP", 2000): the bits of their value
//! in two's complement. Sums of them are networks of adders, products are added up from the products of
//! their bits. Literals of single values and bounds are made when they are asked for, and cached.

use super::{adder::WeightedSum, *};

/// Terms with at most this many values take part in sums with their bounds as weighted literals.
const WEIGHTED: u128 = 12;

impl<S: ClauseSink> Encoder<'_, S> {
    /// The bits of the term's value, the lowest first; the last one is the sign.
    pub(super) fn bits(&mut self, term: EncodedTerm) -> Result<Rc<[Literal]>> {
        if let Some(bits) = self.literals.bits.get(&term) {
            return Ok(bits.clone());
        }
        let domain = self.terms.domain(term);
        let (min, max) = (i128::from(domain.min()), i128::from(domain.max()));
        let width = (0..64).find(|width| min >= -(1i128 << width) && max < 1i128 << width).unwrap_or(64);
        let bits: Rc<[Literal]> = if domain.size() == 1 {
            (0..=width).map(|bit| Literal::from(min >> bit & 1 == 1)).collect()
        } else if self.terms.is_sum(term) {
            let (weighted, constant) = self.weighted([(1, term)])?;
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
        if self.literals.bits.insert(term, bits.clone()).is_none()
            && domain.size() > self.terms.options.log_above
            && !self.terms.is_sum(term)
        {
            let (unsigned, offset) = unsigned(&bits);
            self.out.bits_at_least(Literal::FALSE, &unsigned, (min + offset) as u128);
            self.out.bits_at_most(Literal::FALSE, &unsigned, (max + offset) as u128);
            // The values of other terms follow from what they are made of.
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

    /// The bits of a term that has literals for its bounds: between some of the bounds, each bit is constant.
    fn bits_of_order(&mut self, term: EncodedTerm, width: usize) -> Result<Rc<[Literal]>> {
        let domain = self.terms.domain(term);
        if let Some(IntNode::FromBool(_)) = self.terms.node(term) {
            let order = self.order(term)?;
            return Ok(Rc::new([!self.literals.get(order, 0), Literal::FALSE]));
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

    /// The sum of the terms as positive weights of literals, and a constant. Sums that have no bits are opened.
    fn weighted(
        &mut self,
        terms: impl IntoIterator<Item = (i128, EncodedTerm)>,
    ) -> Result<(Vec<(u128, Literal)>, i128)> {
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
            if domain.size() <= WEIGHTED.min(self.terms.options.log_above) && !self.literals.bits.contains_key(&term) {
                let order = self.order(term)?;
                sum.constant += factor * i128::from(domain.min());
                let values: Vec<i64> = domain.values().collect();
                for (position, two) in values.windows(2).enumerate() {
                    let literal = !self.literals.get(order, position);
                    sum.add(factor * (i128::from(two[1]) - i128::from(two[0])), literal);
                }
                continue;
            }
            sum.add_number(factor, &self.bits(term)?);
        }
        Ok(sum.with_positive_weights())
    }

    /// The bits of the sum of the terms above a constant, and whether the sum had to be negated: of a sum and its
    /// negation, only one is added up.
    fn network(&mut self, terms: &[EncodedTerm]) -> Result<(Rc<[Literal]>, i128, bool)> {
        let (mut weighted, mut constant) = self.weighted(terms.iter().map(|term| (1, *term)))?;
        let negate = weighted.first().is_some_and(|(_, literal)| literal.number() < 0);
        if negate {
            let total: i128 = weighted.iter().map(|(weight, _)| *weight as i128).sum();
            weighted.iter_mut().for_each(|(_, literal)| *literal = !*literal);
            constant = -constant - total;
        }
        Ok((self.out.add_up(weighted)?, constant, negate))
    }

    pub(super) fn network_at_most(&mut self, condition: Literal, terms: &[EncodedTerm], bound: i128) -> Result {
        let (bits, constant, negated) = self.network(terms)?;
        if negated {
            if let Ok(least) = u128::try_from(-bound - constant) {
                self.out.bits_at_least(!condition, &bits, least);
            }
        } else {
            match u128::try_from(bound - constant) {
                Ok(most) => self.out.bits_at_most(!condition, &bits, most),
                Err(_) => self.out.clause([!condition]),
            }
        }
        Ok(())
    }

    pub(super) fn network_equals(&mut self, condition: Literal, terms: &[EncodedTerm], bound: i128) -> Result {
        match self.network_digits(terms, bound)? {
            Some(digits) => digits.into_iter().for_each(|digit| self.out.clause([!condition, digit])),
            None => self.out.clause([!condition]),
        }
        Ok(())
    }

    pub(super) fn network_differs(&mut self, condition: Literal, terms: &[EncodedTerm], bound: i128) -> Result {
        if let Some(digits) = self.network_digits(terms, bound)? {
            self.out.clause([!condition].into_iter().chain(digits.into_iter().map(|digit| !digit)));
        }
        Ok(())
    }

    /// The literals all of which hold if and only if the sum is this number; `None` if it cannot be.
    fn network_digits(&mut self, terms: &[EncodedTerm], bound: i128) -> Result<Option<Vec<Literal>>> {
        let (bits, constant, negated) = self.network(terms)?;
        let bound = if negated { -bound } else { bound };
        Ok(u128::try_from(bound - constant).ok().and_then(|value| self.out.bits_equal(&bits, value)))
    }

    /// `term <= value` for a term with bits; neither always true nor always false.
    pub(super) fn bound_of_bits(&mut self, term: EncodedTerm, value: i64) -> Result<Literal> {
        if let Some(TermSource::View { factor, term, offset }) = self.terms.source(term) {
            return self.at_most_view(term, factor, offset, value);
        }
        if let Some(literal) = self.literals.bounds.get(&(term, value)) {
            return Ok(*literal);
        }
        let bits = self.bits(term)?;
        self.out.afford(2 * bits.len() as u128)?;
        let (unsigned, offset) = unsigned(&bits);
        let bound = (i128::from(value) + offset) as u128;
        let literal = self.out.new_variable();
        self.literals.bounds.insert((term, value), literal);
        self.out.bits_at_most(!literal, &unsigned, bound);
        self.out.bits_at_least(literal, &unsigned, bound + 1);
        Ok(literal)
    }

    /// `term = value` for a term with bits and a value that it can take.
    pub(super) fn value_of_bits(&mut self, term: EncodedTerm, position: usize, value: i64) -> Result<Literal> {
        if let Some(literal) = self.literals.equalities.get(&(term, position)) {
            return Ok(*literal);
        }
        let bits = self.bits(term)?;
        self.out.afford(bits.len() as u128)?;
        let literal = self.out.new_variable();
        self.literals.equalities.insert((term, position), literal);
        let (unsigned, offset) = unsigned(&bits);
        let digits = self.out.bits_equal(&unsigned, (i128::from(value) + offset) as u128).unwrap_or_default();
        for digit in &digits {
            self.out.clause([!literal, *digit]);
        }
        self.out.clause([literal].into_iter().chain(digits.into_iter().map(|digit| !digit)));
        Ok(literal)
    }

    /// The bits of both terms, equally many.
    fn aligned(&mut self, left: EncodedTerm, right: EncodedTerm) -> Result<Vec<(Literal, Literal)>> {
        let (left, right) = (self.bits(left)?, self.bits(right)?);
        let bit =
            |bits: &[Literal], position: usize| bits.get(position).or(bits.last()).copied().unwrap_or(Literal::FALSE);
        Ok((0..left.len().max(right.len())).map(|position| (bit(&left, position), bit(&right, position))).collect())
    }

    pub(super) fn same_bits(&mut self, unless: &[Literal], left: EncodedTerm, right: EncodedTerm) -> Result {
        for (one, other) in self.aligned(left, right)? {
            self.out.clause(unless.iter().copied().chain([!one, other]));
            self.out.clause(unless.iter().copied().chain([one, !other]));
        }
        Ok(())
    }

    pub(super) fn different_bits(&mut self, condition: Literal, left: EncodedTerm, right: EncodedTerm) -> Result {
        let mut clause = vec![!condition];
        for (one, other) in self.aligned(left, right)? {
            if one != other {
                let differs = self.out.new_variable();
                self.out.clause([!differs, one, other]);
                self.out.clause([!differs, !one, !other]);
                clause.push(differs);
            }
        }
        self.out.clause(clause);
        Ok(())
    }

    // Functions.

    /// `whole = left · right`
    pub(super) fn product_of_bits(&mut self, whole: EncodedTerm, left: EncodedTerm, right: EncodedTerm) -> Result {
        let (of_left, of_right) = (self.bits(left)?, self.bits(right)?);
        self.out.afford(of_left.len() as u128 * of_right.len() as u128 * 17)?;
        let (mut weighted, mut constant) = self.weighted([(-1, whole)])?;
        let mut weights: FxHashMap<Literal, i128> = FxHashMap::default();
        for (i, one) in of_left.iter().enumerate() {
            for (j, other) in of_right.iter().enumerate() {
                if i + j > 120 {
                    return Err(Refused::Values);
                }
                let negative = (i + 1 == of_left.len()) != (j + 1 == of_right.len());
                let weight = if negative { -(1i128 << (i + j)) } else { 1i128 << (i + j) };
                match self.out.both_hold(*one, *other) {
                    Literal::TRUE => constant += weight,
                    Literal::FALSE => {}
                    both => *weights.entry(both).or_default() += weight,
                }
            }
        }
        for (literal, weight) in weights {
            if weight < 0 {
                constant += weight;
                weighted.push((weight.unsigned_abs(), !literal));
            } else if weight > 0 {
                weighted.push((weight as u128, literal));
            }
        }
        let sum = self.out.add_up(weighted)?;
        match u128::try_from(-constant).ok().and_then(|value| self.out.bits_equal(&sum, value)) {
            Some(digits) => digits.into_iter().for_each(|digit| self.out.clause([digit])),
            None => self.out.clause([]),
        }
        Ok(())
    }

    /// `whole = ⌊left / right⌋`, or the remainder of that division; both are 0 if the divisor is 0.
    pub(super) fn division_of_bits(
        &mut self,
        whole: EncodedTerm,
        operation: Operation,
        left: EncodedTerm,
        right: EncodedTerm,
    ) -> Result {
        let quotient = self.terms.division(left, right, Operation::Quotient)?;
        let rest = self.terms.division(left, right, Operation::Remainder)?;
        self.same(&[], whole, if operation == Operation::Remainder { rest } else { quotient })?;
        if !self.divisions.insert((left, right)) {
            return Ok(());
        }
        let product = self.terms.quotient_product(left, right, quotient)?;
        self.product_of_bits(product, quotient, right)?;
        let zero = self.equals(right, 0)?;
        // left = quotient · right + rest
        let minus_left = self.terms.opposite(left, 0)?;
        self.network_equals(!zero, &[product, rest, minus_left], 0)?;
        let (negative, positive) = (self.at_most(right, -1)?, !self.at_most(right, 0)?);
        for (term, value) in [(quotient, 0), (rest, 0)] {
            let is_zero = self.equals(term, value)?;
            self.out.clause([!zero, is_zero]);
        }
        let above = !self.at_most(rest, -1)?;
        self.out.clause([!positive, above]);
        let below = self.at_most(rest, 0)?;
        self.out.clause([!negative, below]);
        let (minus_right, minus_rest) = (self.terms.opposite(right, 0)?, self.terms.opposite(rest, 0)?);
        self.network_at_most(positive, &[rest, minus_right], -1)?;
        self.network_at_most(negative, &[right, minus_rest], -1)
    }

    pub(super) fn absolute_of_bits(&mut self, whole: EncodedTerm, inner: EncodedTerm) -> Result {
        let negative = self.at_most(inner, -1)?;
        let opposite = self.terms.opposite(inner, 0)?;
        self.same(&[negative], whole, inner)?;
        self.same(&[!negative], whole, opposite)
    }

    /// The whole is the extreme of the terms.
    pub(super) fn extreme_of_bits(&mut self, whole: EncodedTerm, extreme: Extreme, terms: &[Int]) -> Result {
        let mut clause = Vec::with_capacity(terms.len());
        for term in terms {
            let (low, high) = match extreme {
                Extreme::Minimum => (whole, EncodedTerm::of(*term)),
                Extreme::Maximum => (EncodedTerm::of(*term), whole),
            };
            let (minus_low, minus_high) = (self.terms.opposite(low, 0)?, self.terms.opposite(high, 0)?);
            self.network_at_most(Literal::TRUE, &[low, minus_high], 0)?;
            let reached = self.out.new_variable();
            self.network_at_most(reached, &[high, minus_low], 0)?;
            clause.push(reached);
        }
        self.out.clause(clause);
        Ok(())
    }
}

/// The bits of a number in two's complement as the bits of a number from 0 upwards, and the difference between the two.
fn unsigned(bits: &[Literal]) -> (Vec<Literal>, i128) {
    let mut unsigned = bits.to_vec();
    if let Some(sign) = unsigned.last_mut() {
        *sign = !*sign;
    }
    (unsigned, 1i128 << bits.len().saturating_sub(1))
}
