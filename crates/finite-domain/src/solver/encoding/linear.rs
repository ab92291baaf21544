//! Linear constraints and sums.
//!
//! With few values: partial sums of two terms at a time, each with an order encoding, down to a constraint on three
//! terms with the clauses `a >= u ∧ b >= v → c <= k − u − v` (Tamura, Taga, Kitagawa, Banbara 2009; on Booleans this is
//! the totalizer of Bailleux and Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", 2003; with
//! weights, the totalizer of Joshi, Martins and Manquinho, "Generalized totalizer encoding for pseudo-Boolean
//! constraints", 2015). With many values: one pseudo-Boolean constraint over the bounds of the terms, `x = min + Σ gap
//! · [x > v]`.

use super::*;

/// The values that partial sums distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartialSums {
    /// All sums beyond the bound are the same.
    UpToBound,
    /// All values, so that constraints with other bounds share the partial sums.
    Shared,
}

impl<S: ClauseSink> HalfReified<'_, '_, S> {
    /// Encodes `sign · Σ coefficient · term <= bound`.
    pub(super) fn linear_at_most(&mut self, terms: &[(i64, Int)], sign: i64, bound: i128, sums: PartialSums) -> Result {
        let (terms, constant) = self.literals.terms.free_terms(terms, sign)?;
        self.sum_at_most(terms, bound - constant, sums)
    }

    pub(super) fn linear_equals(&mut self, terms: &[(i64, Int)], bound: i128) -> Result {
        let (terms, constant) = self.literals.terms.free_terms(terms, 1)?;
        self.sum_equals(terms, bound - constant)
    }

    pub(super) fn linear_differs(&mut self, terms: &[(i64, Int)], bound: i128) -> Result {
        let (mut terms, constant) = self.literals.terms.free_terms(terms, 1)?;
        let bound = bound - constant;
        let (low, high) = self.literals.terms.sum_bounds(&terms);
        if bound < low || bound > high {
            return Ok(());
        }
        if self.literals.terms.any_wide(&terms) {
            return self.network_differs(&terms, bound);
        }
        // A disequality distinguishes both sides of the bound, so all values are needed.
        if terms.len() > 2 && self.has_few_partial_sums(&terms, 2, None) {
            terms = self.literals.terms.partial_sums(terms, 2, None);
        }
        match *terms.as_slice() {
            [] => self.clause([]),
            [term] => {
                let equal = self.literals.equals(term, bound as i64)?;
                self.clause([!equal]);
            }
            [left, right] => {
                // The disequality is left ≠ bound − right.
                let right = self.literals.terms.opposite(right, bound)?;
                self.different(left, right)?;
            }
            // A sum of three or more terms differs from the bound if it is below or above it.
            _ => {
                let (below, above) = (self.literals.out.new_variable(), self.literals.out.new_variable());
                self.clause([below, above]);
                let negated = self.literals.terms.opposites(&terms)?;
                self.literals.under(below).sum_at_most(terms, bound - 1, PartialSums::Shared)?;
                self.literals.under(above).sum_at_most(negated, -bound - 1, PartialSums::Shared)?;
            }
        }
        Ok(())
    }

    /// Returns true if partial sums down to this many terms are affordable.
    fn has_few_partial_sums(&mut self, terms: &[EncodedTerm], keep: usize, slack: Option<i128>) -> bool {
        self.literals.terms.partial_sums_cost(terms, keep, slack) <= self.most_for_partial_sums()
    }

    /// The maximum number of clauses for partial sums.
    fn most_for_partial_sums(&self) -> u128 {
        self.literals.out.share(self.literals.terms.options.partial_sums).into()
    }

    fn sum_at_most(&mut self, mut terms: Vec<EncodedTerm>, bound: i128, sums: PartialSums) -> Result {
        let (low, high) = self.literals.terms.sum_bounds(&terms);
        if high <= bound {
            return Ok(());
        }
        if low > bound {
            self.clause([]);
            return Ok(());
        }
        if self.literals.terms.any_wide(&terms) && terms.len() > 1 {
            return self.network_at_most(&terms, bound);
        }
        // A sum of two-valued terms may be a cardinality constraint, which needs shorter clauses.
        if terms.len() > 2 && (self.at_most_one_of(&terms, bound - low)? || self.one_less_of(&terms, high - bound)?) {
            return Ok(());
        }
        if terms.len() > 3 {
            let slack = useful_slack(bound - low, high - low).filter(|_| sums == PartialSums::UpToBound);
            if !self.has_few_partial_sums(&terms, 3, slack) {
                return self.pseudo_boolean(&terms, bound - low);
            }
            terms = self.literals.terms.partial_sums(terms, 3, slack);
        }
        match *terms.as_slice() {
            [] => {}
            [term] => {
                let at_most = self.literals.at_most(term, bound as i64)?;
                self.clause([at_most]);
            }
            [left, right] => self.pair_at_most(left, right, bound)?,
            [first, second, third] => {
                let mut terms = [first, second, third];
                // The two smaller domains are enumerated; the largest one needs only bounds.
                terms.sort_by_key(|term| self.literals.terms.domain(*term).size());
                let sizes = terms.map(|term| self.literals.terms.domain(term).size());
                if sizes[0].saturating_mul(sizes[1]) > self.most_for_partial_sums() {
                    return self.pseudo_boolean(&terms, bound - low);
                }
                self.triple_at_most(terms, bound)?;
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn sum_equals(&mut self, mut terms: Vec<EncodedTerm>, bound: i128) -> Result {
        let (low, high) = self.literals.terms.sum_bounds(&terms);
        if bound < low || bound > high {
            self.clause([]);
            return Ok(());
        }
        if self.literals.terms.any_wide(&terms) && terms.len() > 1 {
            return self.network_equals(&terms, bound);
        }
        if terms.len() > 3 && high - bound < bound - low {
            // The negated constraint has less slack, so its partial sums have fewer values.
            let negated = self.literals.terms.opposites(&terms)?;
            return self.sum_equals(negated, -bound);
        }
        if terms.len() > 2 && self.at_most_one_of(&terms, bound - low)? {
            // `at_most_one_of` has written `<=`; the remaining `>=` becomes a clause.
            let negated = self.literals.terms.opposites(&terms)?;
            return self.sum_at_most(negated, -bound, PartialSums::UpToBound);
        }
        let slack = useful_slack(bound - low, high - low);
        if terms.len() > 3 && self.has_few_partial_sums(&terms, 3, slack) {
            terms = self.literals.terms.partial_sums(terms, 3, slack);
        }
        match *terms.as_slice() {
            [] => {}
            [term] => {
                let equal = self.literals.equals(term, bound as i64)?;
                self.clause([equal]);
            }
            [left, right] => {
                let right = self.literals.terms.opposite(right, bound)?;
                self.same(left, right)?;
            }
            _ => {
                let negated = self.literals.terms.opposites(&terms)?;
                self.sum_at_most(terms, bound, PartialSums::UpToBound)?;
                self.sum_at_most(negated, -bound, PartialSums::UpToBound)?;
            }
        }
        Ok(())
    }

    /// Adds the clauses of "at most one of the terms exceeds its minimum" if the constraint means that: each term has
    /// two values, and any two excesses together are beyond the slack. Returns false otherwise.
    fn at_most_one_of(&mut self, terms: &[EncodedTerm], slack: i128) -> Result<bool> {
        let mut excesses = Vec::with_capacity(terms.len());
        for term in terms {
            let domain = self.literals.terms.domain(*term);
            if domain.size() != 2 {
                return Ok(false);
            }
            excesses.push(i128::from(domain.max()) - i128::from(domain.min()));
        }
        let mut smallest = excesses.clone();
        smallest.sort_unstable();
        if smallest[0] + smallest[1] <= slack {
            return Ok(false);
        }
        let mut literals = Vec::new();
        for (term, excess) in terms.iter().zip(excesses) {
            let max = self.literals.terms.domain(*term).max();
            let literal = self.literals.equals(*term, max)?;
            // If the excess of a term alone exceeds the slack, the term is at its minimum.
            if excess > slack {
                self.clause([!literal]);
            } else {
                literals.push(literal);
            }
        }
        self.literals.out.at_most_one(self.condition, &literals);
        Ok(true)
    }

    /// Adds the clause of "at least one of the terms falls short of its maximum" if the constraint means that: each
    /// term has two values, and any of the differences is at least the excess of the greatest sum over the bound.
    /// Returns false otherwise.
    fn one_less_of(&mut self, terms: &[EncodedTerm], excess: i128) -> Result<bool> {
        for term in terms {
            let domain = self.literals.terms.domain(*term);
            if domain.size() != 2 || i128::from(domain.max()) - i128::from(domain.min()) < excess {
                return Ok(false);
            }
        }
        let mut clause = Vec::with_capacity(terms.len());
        for term in terms {
            let min = self.literals.terms.domain(*term).min();
            clause.push(self.literals.equals(*term, min)?);
        }
        self.clause(clause);
        Ok(true)
    }

    /// Adds `left <= bound − right` value by value of the term with fewer values.
    fn pair_at_most(&mut self, left: EncodedTerm, right: EncodedTerm, bound: i128) -> Result {
        let (of_left, of_right) = (self.literals.terms.domain(left), self.literals.terms.domain(right));
        let (one, domain, other) =
            if of_left.size() <= of_right.size() { (left, of_left, right) } else { (right, of_right, left) };
        self.literals.out.afford(domain.size())?;
        let mut last = Literal::TRUE;
        for value in domain.values() {
            let rest = self.at_most_wide(other, bound - i128::from(value))?;
            // Several values may leave the same bound for the other term; the smallest one has the strongest clause.
            if rest != last {
                let below = self.literals.at_most(one, value - 1)?;
                self.clause([below, rest]);
                last = rest;
            }
        }
        Ok(())
    }

    fn triple_at_most(&mut self, [a, b, c]: [EncodedTerm; 3], bound: i128) -> Result {
        let (of_a, of_b) = (self.literals.terms.domain(a), self.literals.terms.domain(b));
        self.literals.out.afford(of_a.size().saturating_mul(of_b.size()))?;
        for u in of_a.values() {
            let below_u = self.literals.at_most(a, u - 1)?;
            let mut last = Literal::TRUE;
            for v in of_b.values() {
                let rest = self.at_most_wide(c, bound - i128::from(u) - i128::from(v))?;
                if rest != last {
                    let below_v = self.literals.at_most(b, v - 1)?;
                    self.clause([below_u, below_v, rest]);
                    last = rest;
                }
            }
        }
        Ok(())
    }

    fn at_most_wide(&mut self, term: EncodedTerm, value: i128) -> Result<Literal> {
        let limit = i128::from(i64::MAX);
        self.literals.at_most(term, value.clamp(-limit, limit) as i64)
    }

    /// Adds a bound on the terms' excess over their minima as a pseudo-Boolean constraint over their bounds.
    fn pseudo_boolean(&mut self, terms: &[EncodedTerm], slack: i128) -> Result {
        let (low, high) = self.literals.terms.sum_bounds(terms);
        if !self.literals.out.sink.takes_sums() || high - low > i128::from(LARGEST_SUM) {
            if !self.diagram(terms, slack, self.literals.out.share(self.literals.terms.options.diagram))? {
                self.network_at_most(terms, low + slack)?;
            }
            return Ok(());
        }
        let mut weighted = Vec::new();
        for term in terms {
            let domain = self.literals.terms.domain(*term);
            self.literals.out.afford(domain.size())?;
            let order = self.literals.order(*term)?;
            let mut values = domain.values();
            let Some(mut before) = values.next() else { continue };
            for (position, value) in values.enumerate() {
                // All weights above the slack are equivalent to `slack + 1`.
                let weight = (i128::from(value) - i128::from(before)).min(slack + 1);
                weighted.push((weight as i64, !self.literals.ints.get(order, position)));
                before = value;
            }
        }
        self.literals.out.at_most(self.condition, &weighted, slack as i64);
        Ok(())
    }
}

/// Returns the slack up to which partial sums are distinguished, if this leaves out at least half of their values.
fn useful_slack(slack: i128, span: i128) -> Option<i128> {
    (slack < span / 2).then_some(slack)
}
