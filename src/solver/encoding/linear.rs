//! Linear constraints: comparisons of two terms by clauses over the order encoding, small sums by clauses, and the
//! others as pseudo-Boolean constraints over the terms' bounds.

use super::*;

/// A sum of few terms becomes clauses if those would be at most this many.
const MOST_CLAUSES: usize = 300;

impl<S: Sink> Encoder<'_, S> {
    /// `Σ = bound`, if the condition holds.
    pub(super) fn require_sum(&mut self, terms: &[(i64, Int)], bound: i64, condition: Option<Known>) {
        self.require_linear(terms, i128::from(bound), condition);
        let negated: Vec<(i64, Int)> = terms.iter().map(|(factor, term)| (-factor, *term)).collect();
        self.require_linear(&negated, -i128::from(bound), condition);
    }

    /// `Σ <= bound`, if the condition holds.
    pub(super) fn require_linear(&mut self, terms: &[(i64, Int)], bound: i128, condition: Option<Known>) {
        let unless = condition.map_or(Known::Constant(false), |condition| !condition);
        if unless == Known::Constant(true) {
            return;
        }
        let is_bool = |term: Int| matches!(self.problem.int_node(term), IntNode::FromBool(_));
        let sizes: Vec<usize> = terms.iter().map(|(_, term)| self.values(*term).len()).collect();
        let largest = sizes.iter().copied().max().unwrap_or(1);
        // One clause for each combination of bounds of all terms but the largest.
        let combinations =
            sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size)).map(|product| product / largest);
        let few = terms.len() <= 3 && !terms.iter().all(|(_, term)| is_bool(*term));
        if few && combinations.is_some_and(|combinations| combinations <= MOST_CLAUSES) || terms.len() <= 2 {
            let mut sorted: Vec<(i64, Int)> = terms.to_vec();
            sorted.sort_by_key(|(_, term)| self.values(*term).len());
            return self.by_bounds(&sorted, bound, &mut vec![unless]);
        }
        self.pseudo_boolean(terms, bound, condition);
    }

    /// If all terms but the last are at least some values (in the direction of their coefficients), the last one is
    /// small enough: the clauses of the order encoding (Tamura et al. 2009).
    fn by_bounds(&mut self, terms: &[(i64, Int)], bound: i128, clause: &mut Vec<Known>) {
        let Some((&(factor, term), rest)) = terms.split_first() else {
            if bound < 0 {
                self.clause(clause);
            }
            return;
        };
        if rest.is_empty() {
            // factor · term <= bound
            let limit =
                if factor > 0 { bound.div_euclid(factor.into()) } else { -(bound.div_euclid((-factor).into())) };
            let limit = limit.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            clause.push(if factor > 0 {
                self.at_most(term, limit)
            } else {
                !self.at_most(term, limit.saturating_sub(1))
            });
            self.clause(clause);
            clause.pop();
            return;
        }
        let mut values = self.values(term);
        if factor < 0 {
            values.reverse();
        }
        // In ascending order of the product: "at least this value" has nothing to say for the first one.
        for (position, value) in values.iter().enumerate() {
            let beyond = match position {
                0 => Known::Constant(true),
                _ if factor > 0 => !self.at_most(term, value - 1),
                _ => self.at_most(term, *value),
            };
            clause.push(!beyond);
            self.by_bounds(rest, bound - i128::from(factor) * i128::from(*value), clause);
            clause.pop();
        }
    }

    /// Each term is its smallest contribution and a step for each bound that it exceeds.
    fn pseudo_boolean(&mut self, terms: &[(i64, Int)], mut bound: i128, condition: Option<Known>) {
        let mut weighted: Vec<(i64, Literal)> = Vec::new();
        let mut add = |bound: &mut i128, weight: i64, literal: Known| match literal {
            Known::Constant(true) => *bound -= i128::from(weight),
            Known::Constant(false) => {}
            Known::Literal(literal) if weight > 0 => weighted.push((weight, literal)),
            // −w·x = w·¬x − w
            Known::Literal(literal) => {
                *bound += i128::from(-weight);
                weighted.push((-weight, -literal));
            }
        };
        for &(factor, term) in terms {
            let values = self.values(term);
            bound -= i128::from(factor) * i128::from(values[0]);
            for two in values.windows(2) {
                let above = !self.at_most(term, two[0]);
                add(&mut bound, factor * (two[1] - two[0]), above);
            }
        }
        let unless = condition.map_or(Known::Constant(false), |condition| !condition);
        let total: i128 = weighted.iter().map(|(weight, _)| i128::from(*weight)).sum();
        if total <= bound {
            return;
        }
        if bound < 0 {
            return self.clause(&[unless]);
        }
        if bound == 0 {
            for (_, literal) in weighted {
                self.clause(&[unless, Known::Literal(-literal)]);
            }
            return;
        }
        // All but the smallest fit: a clause.
        let smallest = weighted.iter().map(|(weight, _)| i128::from(*weight)).min().unwrap_or(0);
        if total - smallest <= bound {
            let mut clause: Vec<Known> = weighted.iter().map(|(_, literal)| Known::Literal(-literal)).collect();
            clause.push(unless);
            return self.clause(&clause);
        }
        let condition = match condition {
            Some(Known::Literal(literal)) => Some(literal),
            _ => None,
        };
        self.sink.at_most(&weighted, bound as i64, condition);
    }
}
