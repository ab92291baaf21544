//! Linear constraints and sums.
//!
//! Few values: partial sums of two terms at a time, each with an order encoding, down to a constraint on
//! three terms whose clauses are `a >= u ∧ b >= v → c <= k − u − v` (Tamura, Taga, Kitagawa, Banbara 2009; on
//! Booleans this is the totalizer of Bailleux and Boufkhad, "Efficient CNF encoding of Boolean cardinality
//! constraints", 2003; with weights, it is the totalizer of Joshi, Martins and Manquinho, "Generalized totalizer
//! encoding for pseudo-Boolean constraints", 2015). Many values: one pseudo-Boolean constraint over the bounds of the terms,
//! `x = min + Σ gap · [x > v]`.

use super::*;
use std::{cmp::Reverse, collections::BinaryHeap};

/// The divisor of the clause budget that gives the share of one constraint.
const SHARE: u64 = 60;

impl<S: Sink> Encoder<'_, S> {
    /// `sign · Σ coefficient · term <= bound` under a condition.
    pub(super) fn linear_at_most(&mut self, condition: Literal, terms: &[(i64, Int)], sign: i64, bound: i128) {
        let (terms, constant) = self.free_terms(terms, sign);
        self.sum_at_most(condition, terms, bound - constant);
    }

    pub(super) fn linear_equals(&mut self, condition: Literal, terms: &[(i64, Int)], bound: i128) {
        let (terms, constant) = self.free_terms(terms, 1);
        self.sum_equals(condition, terms, bound - constant);
    }

    pub(super) fn linear_differs(&mut self, condition: Literal, terms: &[(i64, Int)], bound: i128) {
        let (mut terms, constant) = self.free_terms(terms, 1);
        let bound = bound - constant;
        let (low, high) = self.sum_bounds(&terms);
        if bound < low || bound > high {
            return;
        }
        if self.any_wide(&terms) {
            return self.network_differs(condition, &terms, bound);
        }
        if terms.len() > 2 && self.partial_sums_cost(&terms, 2) <= self.share(self.style.partial_sums) {
            terms = self.partial_sums(terms, 2);
        }
        match *terms.as_slice() {
            [] => self.out.clause([!condition]),
            [term] => {
                let equal = self.equals(term, bound as i64);
                self.out.clause([!condition, !equal]);
            }
            [left, right] => {
                // left ≠ bound − right
                let right = self.opposite(right, bound);
                self.different(condition, left, right);
            }
            _ => {
                let (below, above) = (self.out.new_variable(), self.out.new_variable());
                self.out.clause([!condition, below, above]);
                let negated = terms.iter().map(|term| self.view(-1, *term, 0)).collect();
                self.sum_at_most(below, terms, bound - 1);
                self.sum_at_most(above, negated, -bound - 1);
            }
        }
    }

    fn any_wide(&mut self, terms: &[EncodedTerm]) -> bool {
        terms.iter().any(|term| self.is_wide(*term))
    }

    fn share(&self, most: u64) -> u128 {
        most.min(self.out.budget() / SHARE).into()
    }

    /// The terms with their coefficients, those with one value apart.
    fn free_terms(&mut self, terms: &[(i64, Int)], sign: i64) -> (Vec<EncodedTerm>, i128) {
        let mut constant = 0;
        let mut free = Vec::with_capacity(terms.len());
        for &(coefficient, term) in terms {
            let term = EncodedTerm::of(term);
            let domain = self.domain(term);
            if domain.size() == 1 {
                constant += i128::from(sign) * i128::from(coefficient) * i128::from(domain.min());
            } else {
                free.push(self.view(sign * coefficient, term, 0));
            }
        }
        (free, constant)
    }

    fn sum_bounds(&mut self, terms: &[EncodedTerm]) -> (i128, i128) {
        terms.iter().fold((0, 0), |(low, high), term| {
            let domain = self.domain(*term);
            (low + i128::from(domain.min()), high + i128::from(domain.max()))
        })
    }

    /// `constant − term`
    fn opposite(&mut self, term: EncodedTerm, constant: i128) -> EncodedTerm {
        match i64::try_from(constant) {
            Ok(constant) => self.view(-1, term, constant),
            Err(_) => {
                self.out.refuse();
                term
            }
        }
    }

    fn sum_at_most(&mut self, condition: Literal, mut terms: Vec<EncodedTerm>, bound: i128) {
        let (low, high) = self.sum_bounds(&terms);
        if high <= bound {
            return;
        }
        if low > bound {
            return self.out.clause([!condition]);
        }
        if self.any_wide(&terms) && terms.len() > 1 {
            return self.network_at_most(condition, &terms, bound);
        }
        if terms.len() > 2 && self.at_most_one_of(condition, &terms, bound - low) {
            return;
        }
        if terms.len() > 3 {
            if self.partial_sums_cost(&terms, 3) > self.share(self.style.partial_sums) {
                return self.pseudo_boolean(condition, &terms, bound - low);
            }
            terms = self.partial_sums(terms, 3);
        }
        match *terms.as_slice() {
            [] => {}
            [term] => {
                let at_most = self.at_most(term, bound as i64);
                self.out.clause([!condition, at_most]);
            }
            [left, right] => self.pair_at_most(condition, left, right, bound),
            [first, second, third] => {
                let mut terms = [first, second, third];
                terms.sort_by_key(|term| self.domain(*term).size());
                let sizes = terms.map(|term| self.domain(term).size());
                if sizes[0].saturating_mul(sizes[1]) > self.share(self.style.partial_sums) {
                    return self.pseudo_boolean(condition, &terms, bound - low);
                }
                self.triple_at_most(condition, terms, bound);
            }
            _ => {}
        }
    }

    fn sum_equals(&mut self, condition: Literal, mut terms: Vec<EncodedTerm>, bound: i128) {
        let (low, high) = self.sum_bounds(&terms);
        if bound < low || bound > high {
            return self.out.clause([!condition]);
        }
        if self.any_wide(&terms) && terms.len() > 1 {
            return self.network_equals(condition, &terms, bound);
        }
        if terms.len() > 3 && self.partial_sums_cost(&terms, 3) <= self.share(self.style.partial_sums) {
            terms = self.partial_sums(terms, 3);
        }
        match *terms.as_slice() {
            [] => {}
            [term] => {
                let equal = self.equals(term, bound as i64);
                self.out.clause([!condition, equal]);
            }
            [left, right] => {
                let right = self.opposite(right, bound);
                self.same(&[!condition], left, right);
            }
            _ => {
                let negated = terms.iter().map(|term| self.view(-1, *term, 0)).collect();
                self.sum_at_most(condition, terms, bound);
                self.sum_at_most(condition, negated, -bound);
            }
        }
    }

    /// At most one of the terms exceeds its minimum, if the bound on the excess means that: each has two values,
    /// and any two of the excesses are too much.
    fn at_most_one_of(&mut self, condition: Literal, terms: &[EncodedTerm], slack: i128) -> bool {
        let mut excesses = Vec::with_capacity(terms.len());
        for term in terms {
            let domain = self.domain(*term);
            if domain.size() != 2 {
                return false;
            }
            excesses.push(i128::from(domain.max()) - i128::from(domain.min()));
        }
        let mut smallest = excesses.clone();
        smallest.sort_unstable();
        if smallest[0] + smallest[1] <= slack {
            return false;
        }
        let mut literals = Vec::new();
        for (term, excess) in terms.iter().zip(excesses) {
            let max = self.domain(*term).max();
            let literal = self.equals(*term, max);
            if excess > slack {
                self.out.clause([!condition, !literal]);
            } else {
                literals.push(literal);
            }
        }
        self.out.at_most_one(condition, &literals);
        true
    }

    /// `left <= bound − right`, value by value of the term with fewer values.
    fn pair_at_most(&mut self, condition: Literal, left: EncodedTerm, right: EncodedTerm, bound: i128) {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let (one, domain, other) =
            if of_left.size() <= of_right.size() { (left, of_left, right) } else { (right, of_right, left) };
        if !self.out.afford(domain.size()) {
            return;
        }
        let mut last = Literal::TRUE;
        for value in domain.values() {
            let rest = self.at_most_wide(other, bound - i128::from(value));
            if rest != last {
                let below = self.at_most(one, value - 1);
                self.out.clause([!condition, below, rest]);
                last = rest;
            }
        }
    }

    fn triple_at_most(&mut self, condition: Literal, [a, b, c]: [EncodedTerm; 3], bound: i128) {
        let (of_a, of_b) = (self.domain(a), self.domain(b));
        if !self.out.afford(of_a.size().saturating_mul(of_b.size())) {
            return;
        }
        for u in of_a.values() {
            let below_u = self.at_most(a, u - 1);
            let mut last = Literal::TRUE;
            for v in of_b.values() {
                let rest = self.at_most_wide(c, bound - i128::from(u) - i128::from(v));
                if rest != last {
                    let below_v = self.at_most(b, v - 1);
                    self.out.clause([!condition, below_u, below_v, rest]);
                    last = rest;
                }
            }
        }
    }

    fn at_most_wide(&mut self, term: EncodedTerm, value: i128) -> Literal {
        let limit = i128::from(i64::MAX);
        self.at_most(term, value.clamp(-limit, limit) as i64)
    }

    /// The bound on the terms' excess over their minima as one pseudo-Boolean constraint on their bits and bounds.
    fn pseudo_boolean(&mut self, condition: Literal, terms: &[EncodedTerm], slack: i128) {
        let (low, high) = self.sum_bounds(terms);
        if !S::SUMS || high - low > i128::from(LARGEST_SUM) {
            if !self.diagram(condition, terms, slack, self.style.diagram.min(self.out.budget() / SHARE)) {
                self.network_at_most(condition, terms, low + slack);
            }
            return;
        }
        let mut weighted = Vec::new();
        for term in terms {
            let domain = self.domain(*term);
            if !self.out.afford(domain.size()) {
                return;
            }
            let order = self.order(*term);
            let mut values = domain.values();
            let Some(mut before) = values.next() else { continue };
            for (position, value) in values.enumerate() {
                // A weight above the slack means the same as `slack + 1`.
                let weight = (i128::from(value) - i128::from(before)).min(slack + 1);
                weighted.push((weight as i64, !self.get(order, position)));
                before = value;
            }
        }
        self.out.at_most(condition, &weighted, slack as i64);
    }

    /// The number of clauses for partial sums down to `keep` terms, the last constraint included.
    fn partial_sums_cost(&mut self, terms: &[EncodedTerm], keep: usize) -> u128 {
        let mut sizes: BinaryHeap<Reverse<(u128, u128)>> = BinaryHeap::new();
        for term in terms {
            let domain = self.domain(*term);
            sizes.push(Reverse((domain.size(), (i128::from(domain.max()) - i128::from(domain.min())) as u128)));
        }
        let mut cost = 0u128;
        while sizes.len() > keep {
            let (Some(Reverse(one)), Some(Reverse(other))) = (sizes.pop(), sizes.pop()) else { break };
            let pairs = one.0.saturating_mul(other.0);
            cost = cost.saturating_add(pairs.saturating_mul(2));
            let span = one.1.saturating_add(other.1);
            let values = pairs.min(span.saturating_add(1));
            if values > self.style.wide {
                return u128::MAX;
            }
            sizes.push(Reverse((values, span)));
        }
        let mut last = 1u128;
        for _ in 1..keep {
            last = last.saturating_mul(sizes.pop().map_or(1, |Reverse(size)| size.0));
        }
        cost.saturating_add(last)
    }

    /// Adds up the terms with the fewest values until `keep` are left.
    fn partial_sums(&mut self, terms: Vec<EncodedTerm>, keep: usize) -> Vec<EncodedTerm> {
        let mut heap: BinaryHeap<Reverse<(u128, EncodedTerm)>> = BinaryHeap::new();
        for term in terms {
            heap.push(Reverse((self.domain(term).size(), term)));
        }
        while heap.len() > keep {
            let (Some(Reverse((_, one))), Some(Reverse((_, other)))) = (heap.pop(), heap.pop()) else { break };
            let sum = self.sum(one, other);
            heap.push(Reverse((self.domain(sum).size(), sum)));
        }
        heap.into_iter().map(|Reverse((_, term))| term).collect()
    }

    fn sum(&mut self, left: EncodedTerm, right: EncodedTerm) -> EncodedTerm {
        let (left, right) = (left.min(right), left.max(right));
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        let mut values: Vec<i64> =
            of_left.values().flat_map(|one| of_right.values().map(move |other| one + other)).collect();
        values.sort_unstable();
        values.dedup();
        self.make(TermSource::Sum(left, right), EncodedDomain::of_values(&values))
    }

    pub(super) fn define_sum(&mut self, sum: EncodedTerm, left: EncodedTerm, right: EncodedTerm) {
        let (of_left, of_right) = (self.domain(left), self.domain(right));
        if !self.out.afford(of_left.size().saturating_mul(of_right.size()).saturating_mul(2)) {
            return;
        }
        for u in of_left.values() {
            let (below_u, above_u) = (self.at_most(left, u - 1), !self.at_most(left, u));
            for v in of_right.values() {
                let (below_v, above_v) = (self.at_most(right, v - 1), !self.at_most(right, v));
                let (below, at_most) = (self.at_most(sum, u + v - 1), self.at_most(sum, u + v));
                self.out.clause([below_u, below_v, !below]);
                self.out.clause([above_u, above_v, at_most]);
            }
        }
    }

    /// Defines a sum that is used as a number by partial sums, if they are not too many.
    pub(super) fn sum_of_node(&mut self, terms: &[(i64, Int)]) -> Option<(EncodedTerm, i128)> {
        let (terms, constant) = self.free_terms(terms, 1);
        if self.partial_sums_cost(&terms, 1) > self.share(self.style.number) {
            return None;
        }
        match self.partial_sums(terms, 1).as_slice() {
            [sum] => Some((*sum, constant)),
            _ => None,
        }
    }

    /// Defines a sum that is used as a number and has too many values for partial sums.
    pub(super) fn define_linear(&mut self, whole: EncodedTerm, terms: &[(i64, Int)], constant: i64) {
        let (mut terms, fixed) = self.free_terms(terms, 1);
        terms.push(self.view(-1, whole, 0));
        self.sum_equals(Literal::TRUE, terms, -i128::from(constant) - fixed);
    }
}
