//! Binary encoding of terms with many values ("log encoding": Walsh, "SAT v CSP", 2000): the bits of their value
//! in two's complement. Sums of them are networks of adders, products are added up from the products of
//! their bits. Literals of single values and bounds are made when they are asked for, and cached.

use super::*;
use crate::problem::{floor_quotient, floor_remainder};

/// Terms with at most this many values take part in sums with their bounds as weighted literals.
const WEIGHTED: u128 = 12;

impl<S: Sink> Encoder<'_, S> {
    /// Whether the term has bits only (log encoding).
    pub(super) fn is_wide(&mut self, term: EncodedTerm) -> bool {
        match self.source(term) {
            Some(TermSource::View { term, .. }) => self.is_wide(term),
            _ => self.domain(term).size() > self.style.wide,
        }
    }

    /// The bits of the term's value, the lowest first; the last one is the sign.
    pub(super) fn bits(&mut self, term: EncodedTerm) -> Rc<[Literal]> {
        if let Some(bits) = self.bits.get(&term) {
            return bits.clone();
        }
        let domain = self.domain(term);
        let (min, max) = (i128::from(domain.min()), i128::from(domain.max()));
        let width = (0..64).find(|width| min >= -(1i128 << width) && max < 1i128 << width).unwrap_or(64);
        let bits: Rc<[Literal]> = if domain.size() == 1 {
            (0..=width).map(|bit| Literal::from(min >> bit & 1 == 1)).collect()
        } else if self.is_sum(term) {
            let (weighted, constant) = self.weighted([(1, term)]);
            self.add_up_to(weighted, constant, width)
        } else if domain.size() <= self.style.wide {
            self.bits_of_order(term, width)
        } else {
            if !self.out.afford(2 * width as u128 + 2 * domain.ranges().count() as u128) {
                return Rc::new([]);
            }
            let mut bits: Vec<Literal> = (0..width).map(|_| self.out.new_variable()).collect();
            bits.push(match (min >= 0, max < 0) {
                (true, _) => Literal::FALSE,
                (_, true) => Literal::TRUE,
                _ => self.out.new_variable(),
            });
            bits.into()
        };
        if self.bits.insert(term, bits.clone()).is_none() && domain.size() > self.style.wide && !self.is_sum(term) {
            let (unsigned, offset) = unsigned(&bits);
            self.out.bits_at_least(Literal::FALSE, &unsigned, (min + offset) as u128);
            self.out.bits_at_most(Literal::FALSE, &unsigned, (max + offset) as u128);
            // The values of other terms follow from what they are made of.
            if let Some(IntNode::Variable) = self.node(term) {
                let ranges: Vec<(i64, i64)> = domain.ranges().collect();
                for two in ranges.windows(2) {
                    let (below, above) = (self.at_most(term, two[0].1), !self.at_most(term, two[1].0 - 1));
                    self.out.clause([below, above]);
                }
            }
            self.put_off(term);
        }
        bits
    }

    /// Whether the bits of the term come out of adders: it is a view, or a sum without other literals.
    fn is_sum(&mut self, term: EncodedTerm) -> bool {
        match self.source(term) {
            Some(TermSource::View { .. }) => true,
            Some(TermSource::Sum(..)) => self.is_wide(term),
            Some(_) => false,
            None => self.is_wide(term) && matches!(self.node(term), Some(IntNode::Linear(..))),
        }
    }

    /// The bits of `Σ weight · literal + constant`, which fits into `width` bits and a sign.
    fn add_up_to(&mut self, mut weighted: Vec<(u128, Literal)>, constant: i128, width: usize) -> Rc<[Literal]> {
        // Above zero, and the sign is the negation of the highest bit.
        // Only the lowest bits are looked at.
        let shifted = (constant + (1i128 << width)).rem_euclid(1 << (width + 1));
        if shifted > 0 {
            weighted.push((shifted as u128, Literal::TRUE));
        }
        let sum = self.out.add_up(weighted);
        let digit = |bit: usize| sum.get(bit).copied().unwrap_or(Literal::FALSE);
        (0..width).map(digit).chain([!digit(width)]).collect()
    }

    /// The bits of a term that has literals for its bounds: between some of the bounds, each bit is constant.
    fn bits_of_order(&mut self, term: EncodedTerm, width: usize) -> Rc<[Literal]> {
        let domain = self.domain(term);
        if let Some(IntNode::FromBool(_)) = self.node(term) {
            let order = self.order(term);
            return Rc::new([!self.get(order, 0), Literal::FALSE]);
        }
        if !self.out.afford(domain.size().saturating_mul(2)) {
            return Rc::new([]);
        }
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
                let below = self.at_most(term, run[0] - 1);
                let above = !self.at_most(term, run[run.len() - 1]);
                self.out.clause([below, above, if digit(&run[0]) { literal } else { !literal }]);
            }
            bits.push(literal);
        }
        bits.into()
    }

    /// The sum of the terms as positive weights of literals, and a constant. Sums that have no bits are opened.
    fn weighted(&mut self, terms: impl IntoIterator<Item = (i128, EncodedTerm)>) -> (Vec<(u128, Literal)>, i128) {
        let mut open: Vec<(i128, EncodedTerm)> = terms.into_iter().collect();
        let mut weights: FxHashMap<Literal, i128> = FxHashMap::default();
        let mut constant = 0i128;
        let mut add = |constant: &mut i128, factor: i128, literal: Literal| match literal {
            Literal::FALSE => {}
            Literal::TRUE => *constant += factor,
            literal if literal.number() > 0 => *weights.entry(literal).or_default() += factor,
            literal => {
                *constant += factor;
                *weights.entry(!literal).or_default() -= factor;
            }
        };
        while let Some((factor, term)) = open.pop() {
            let domain = self.domain(term);
            if domain.size() == 1 {
                constant += factor * i128::from(domain.min());
                continue;
            }
            match self.source(term) {
                Some(TermSource::View { factor: inner, term, offset }) => {
                    constant += factor * i128::from(offset);
                    open.push((factor * i128::from(inner), term));
                    continue;
                }
                Some(TermSource::Sum(left, right)) if domain.size() > self.style.wide => {
                    open.extend([(factor, left), (factor, right)]);
                    continue;
                }
                _ => {}
            }
            let problem = self.problem;
            if domain.size() > self.style.wide
                && term.index() < problem.int_count()
                && let IntNode::Linear(terms, offset) = problem.int_node(problem.int(term.index()))
            {
                constant += factor * i128::from(*offset);
                open.extend(terms.iter().map(|(inner, term)| (factor * i128::from(*inner), EncodedTerm::of(*term))));
                continue;
            }
            if domain.size() <= WEIGHTED.min(self.style.wide) && !self.bits.contains_key(&term) {
                let order = self.order(term);
                constant += factor * i128::from(domain.min());
                let values: Vec<i64> = domain.values().collect();
                for (position, two) in values.windows(2).enumerate() {
                    let literal = !self.get(order, position);
                    add(&mut constant, factor * (i128::from(two[1]) - i128::from(two[0])), literal);
                }
                continue;
            }
            let bits = self.bits(term);
            if let Some((sign, low)) = bits.split_last() {
                for (bit, literal) in low.iter().enumerate() {
                    add(&mut constant, factor << bit, *literal);
                }
                add(&mut constant, -(factor << low.len()), *sign);
            }
        }
        let mut weighted = Vec::with_capacity(weights.len());
        for (literal, weight) in weights {
            match weight {
                0 => {}
                1.. => weighted.push((weight as u128, literal)),
                _ => {
                    constant += weight;
                    weighted.push((weight.unsigned_abs(), !literal));
                }
            }
        }
        weighted.sort_unstable_by_key(|(weight, literal)| (literal.number().abs(), *weight));
        (weighted, constant)
    }

    /// The bits of the sum of the terms above a constant, and whether the sum had to be negated: of a sum and its
    /// negation, only one is added up.
    fn network(&mut self, terms: &[EncodedTerm]) -> (Rc<[Literal]>, i128, bool) {
        let (mut weighted, mut constant) = self.weighted(terms.iter().map(|term| (1, *term)));
        let negate = weighted.first().is_some_and(|(_, literal)| literal.number() < 0);
        if negate {
            let total: i128 = weighted.iter().map(|(weight, _)| *weight as i128).sum();
            weighted.iter_mut().for_each(|(_, literal)| *literal = !*literal);
            constant = -constant - total;
        }
        (self.out.add_up(weighted), constant, negate)
    }

    pub(super) fn network_at_most(&mut self, condition: Literal, terms: &[EncodedTerm], bound: i128) {
        let (bits, constant, negated) = self.network(terms);
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
    }

    pub(super) fn network_equals(&mut self, condition: Literal, terms: &[EncodedTerm], bound: i128) {
        match self.network_digits(terms, bound) {
            Some(digits) => digits.into_iter().for_each(|digit| self.out.clause([!condition, digit])),
            None => self.out.clause([!condition]),
        }
    }

    pub(super) fn network_differs(&mut self, condition: Literal, terms: &[EncodedTerm], bound: i128) {
        if let Some(digits) = self.network_digits(terms, bound) {
            self.out.clause([!condition].into_iter().chain(digits.into_iter().map(|digit| !digit)));
        }
    }

    /// The literals all of which hold if and only if the sum is this number; `None` if it cannot be.
    fn network_digits(&mut self, terms: &[EncodedTerm], bound: i128) -> Option<Vec<Literal>> {
        let (bits, constant, negated) = self.network(terms);
        let bound = if negated { -bound } else { bound };
        self.out.bits_equal(&bits, u128::try_from(bound - constant).ok()?)
    }

    /// `term <= value` for a term with bits; neither always true nor always false.
    pub(super) fn bound_of_bits(&mut self, term: EncodedTerm, value: i64) -> Literal {
        if let Some(TermSource::View { factor, term, offset }) = self.source(term) {
            let value = i128::from(value) - i128::from(offset);
            return if factor > 0 {
                self.at_most(term, value.div_euclid(factor.into()) as i64)
            } else {
                !self.at_most(term, -value.div_euclid(-i128::from(factor)) as i64 - 1)
            };
        }
        if let Some(literal) = self.bounds.get(&(term, value)) {
            return *literal;
        }
        let bits = self.bits(term);
        if !self.out.afford(2 * bits.len() as u128) {
            return Literal::FALSE;
        }
        let (unsigned, offset) = unsigned(&bits);
        let bound = (i128::from(value) + offset) as u128;
        let literal = self.out.new_variable();
        self.bounds.insert((term, value), literal);
        self.out.bits_at_most(!literal, &unsigned, bound);
        self.out.bits_at_least(literal, &unsigned, bound + 1);
        literal
    }

    /// `term = value` for a term with bits and a value that it can take.
    pub(super) fn value_of_bits(&mut self, term: EncodedTerm, position: usize, value: i64) -> Literal {
        if let Some(literal) = self.equalities.get(&(term, position)) {
            return *literal;
        }
        let bits = self.bits(term);
        if !self.out.afford(bits.len() as u128) {
            return Literal::FALSE;
        }
        let literal = self.out.new_variable();
        self.equalities.insert((term, position), literal);
        let (unsigned, offset) = unsigned(&bits);
        let digits = self.out.bits_equal(&unsigned, (i128::from(value) + offset) as u128).unwrap_or_default();
        for digit in &digits {
            self.out.clause([!literal, *digit]);
        }
        self.out.clause([literal].into_iter().chain(digits.into_iter().map(|digit| !digit)));
        literal
    }

    /// The bits of both terms, equally many.
    fn aligned(&mut self, left: EncodedTerm, right: EncodedTerm) -> Vec<(Literal, Literal)> {
        let (left, right) = (self.bits(left), self.bits(right));
        let bit =
            |bits: &[Literal], position: usize| bits.get(position).or(bits.last()).copied().unwrap_or(Literal::FALSE);
        (0..left.len().max(right.len())).map(|position| (bit(&left, position), bit(&right, position))).collect()
    }

    pub(super) fn same_bits(&mut self, unless: &[Literal], left: EncodedTerm, right: EncodedTerm) {
        for (one, other) in self.aligned(left, right) {
            self.out.clause(unless.iter().copied().chain([!one, other]));
            self.out.clause(unless.iter().copied().chain([one, !other]));
        }
    }

    pub(super) fn different_bits(&mut self, condition: Literal, left: EncodedTerm, right: EncodedTerm) {
        let mut clause = vec![!condition];
        for (one, other) in self.aligned(left, right) {
            if one != other {
                let differs = self.out.new_variable();
                self.out.clause([!differs, one, other]);
                self.out.clause([!differs, !one, !other]);
                clause.push(differs);
            }
        }
        self.out.clause(clause);
    }

    // Functions.

    /// Whether a function of two terms takes too many pairs of values to be written down.
    pub(super) fn needs_bits(&mut self, whole: EncodedTerm, left: EncodedTerm, right: EncodedTerm) -> bool {
        if self.is_wide(left) || self.is_wide(right) {
            return true;
        }
        let (one, other) = (self.domain(left).size(), self.domain(right).size());
        let pairs = if left == right { one } else { one.saturating_mul(other) };
        // A literal for a value takes some clauses if it is made of bits.
        pairs.saturating_mul(if self.is_wide(whole) { 50 } else { 1 }) > self.style.by_pairs
    }

    /// `whole = left · right`
    pub(super) fn product_of_bits(&mut self, whole: EncodedTerm, left: EncodedTerm, right: EncodedTerm) {
        let (of_left, of_right) = (self.bits(left), self.bits(right));
        if !self.out.afford(of_left.len() as u128 * of_right.len() as u128 * 17) {
            return;
        }
        let (mut weighted, mut constant) = self.weighted([(-1, whole)]);
        let mut weights: FxHashMap<Literal, i128> = FxHashMap::default();
        for (i, one) in of_left.iter().enumerate() {
            for (j, other) in of_right.iter().enumerate() {
                if i + j > 120 {
                    self.out.refuse();
                    return;
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
        let sum = self.out.add_up(weighted);
        match u128::try_from(-constant).ok().and_then(|value| self.out.bits_equal(&sum, value)) {
            Some(digits) => digits.into_iter().for_each(|digit| self.out.clause([digit])),
            None if !self.out.is_refused() => self.out.clause([]),
            None => {}
        }
    }

    /// `whole = ⌊left / right⌋`, or the remainder of that division; both are 0 if the divisor is 0.
    pub(super) fn division_of_bits(
        &mut self,
        whole: EncodedTerm,
        operation: Operation,
        left: EncodedTerm,
        right: EncodedTerm,
    ) {
        let (quotient, rest) =
            match (self.division(left, right, Operation::Quotient), self.division(left, right, Operation::Remainder)) {
                (Some(quotient), Some(rest)) => (quotient, rest),
                _ => return self.out.refuse(),
            };
        self.same(&[], whole, if operation == Operation::Remainder { rest } else { quotient });
        if !self.divisions.insert((left, right)) {
            return;
        }
        let Some(product) = self.quotient_product(left, right, quotient) else { return self.out.refuse() };
        self.product_of_bits(product, quotient, right);
        let zero = self.equals(right, 0);
        // left = quotient · right + rest
        let minus_left = self.view(-1, left, 0);
        self.network_equals(!zero, &[product, rest, minus_left], 0);
        let (negative, positive) = (self.at_most(right, -1), !self.at_most(right, 0));
        for (term, value) in [(quotient, 0), (rest, 0)] {
            let is_zero = self.equals(term, value);
            self.out.clause([!zero, is_zero]);
        }
        let above = !self.at_most(rest, -1);
        self.out.clause([!positive, above]);
        let below = self.at_most(rest, 0);
        self.out.clause([!negative, below]);
        let (minus_right, minus_rest) = (self.view(-1, right, 0), self.view(-1, rest, 0));
        self.network_at_most(positive, &[rest, minus_right], -1);
        self.network_at_most(negative, &[right, minus_rest], -1);
    }

    /// The term for the quotient or the remainder of a division.
    fn division(&mut self, left: EncodedTerm, right: EncodedTerm, operation: Operation) -> Option<EncodedTerm> {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let (a, b) = (i128::from(of_left.min()), i128::from(of_left.max()));
        let (c, d) = (i128::from(of_right.min()), i128::from(of_right.max()));
        let mut values = vec![0];
        if operation == Operation::Remainder {
            values.extend([(c + 1).min(0), (d - 1).max(0)]);
            if c == d {
                values.retain(|value| floor_remainder(*value, c) == *value);
            }
        } else {
            let divisors = [c, d, 1, -1];
            for divisor in divisors.into_iter().filter(|divisor| (c..=d).contains(divisor)) {
                values.extend([floor_quotient(a, divisor), floor_quotient(b, divisor)]);
            }
        }
        let (low, high) = (values.iter().min()?, values.iter().max()?);
        let domain = EncodedDomain::new(&[(i64::try_from(*low).ok()?, i64::try_from(*high).ok()?)]);
        Some(self.make(TermSource::Division { operation, left, right }, domain))
    }

    /// The term for `quotient · right`, which is not further from `left` than the divisor is from zero.
    fn quotient_product(
        &mut self,
        left: EncodedTerm,
        right: EncodedTerm,
        quotient: EncodedTerm,
    ) -> Option<EncodedTerm> {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let most = i128::from(of_right.min()).abs().max(i128::from(of_right.max()).abs());
        let low = i64::try_from((i128::from(of_left.min()) - most).min(0)).ok()?;
        let high = i64::try_from((i128::from(of_left.max()) + most).max(0)).ok()?;
        Some(self.make(TermSource::Product(quotient, right), EncodedDomain::new(&[(low, high)])))
    }

    /// A term for the product of two others.
    pub(super) fn product_term(&mut self, left: EncodedTerm, right: EncodedTerm) -> EncodedTerm {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let ends = [of_left.min(), of_left.max()].map(i128::from);
        let products = ends
            .iter()
            .flat_map(|one| [of_right.min(), of_right.max()].map(|other| one.saturating_mul(i128::from(other))));
        let limit = i128::from(i64::MAX / 2);
        let (low, high) = products.fold((0, 0), |(low, high), product| (low.min(product), high.max(product)));
        if low < -limit || high > limit {
            self.out.refuse();
        }
        let domain = EncodedDomain::new(&[(low.max(-limit) as i64, high.min(limit) as i64)]);
        self.make(TermSource::Product(left, right), domain)
    }

    pub(super) fn absolute_of_bits(&mut self, whole: EncodedTerm, inner: EncodedTerm) {
        let negative = self.at_most(inner, -1);
        let opposite = self.view(-1, inner, 0);
        self.same(&[negative], whole, inner);
        self.same(&[!negative], whole, opposite);
    }

    /// The whole is the extreme of the terms.
    pub(super) fn extreme_of_bits(&mut self, whole: EncodedTerm, extreme: Extreme, terms: &[Int]) {
        let mut clause = Vec::with_capacity(terms.len());
        for term in terms {
            let (low, high) = match extreme {
                Extreme::Minimum => (whole, EncodedTerm::of(*term)),
                Extreme::Maximum => (EncodedTerm::of(*term), whole),
            };
            let (minus_low, minus_high) = (self.view(-1, low, 0), self.view(-1, high, 0));
            self.network_at_most(Literal::TRUE, &[low, minus_high], 0);
            let reached = self.out.new_variable();
            self.network_at_most(reached, &[high, minus_low], 0);
            clause.push(reached);
        }
        self.out.clause(clause);
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
