//! Fewer values before anything is encoded: bounds propagation of the constraints that hold outright, to a
//! fixed point. Only variables lose values, and only by what the constraints imply; all constraints stay.

use crate::{
    language::IntSet,
    problem::{Bool, BoolNode, Int, IntNode, Problem},
};

/// Passes over all constraints; those that still bring something after so many bring little.
const PASSES: usize = 30;

struct Domains<'p> {
    problem: &'p Problem,
    /// By term; `None` if unchanged.
    narrowed: Vec<Option<IntSet>>,
    changed: bool,
    failed: bool,
}

/// The variables that lost values, with those that are left; `None` if some variable has none.
pub fn domains(problem: &Problem) -> Option<Vec<(Int, IntSet)>> {
    let mut domains = Domains { problem, narrowed: vec![None; problem.int_count()], changed: false, failed: false };
    for constraint in problem.constraints() {
        domains.unary(*constraint);
    }
    for _ in 0..PASSES {
        domains.changed = false;
        for constraint in problem.constraints() {
            domains.propagate(*constraint);
            if domains.failed {
                return None;
            }
        }
        if !domains.changed {
            break;
        }
    }
    if domains.failed {
        return None;
    }
    let narrowed = domains.narrowed.into_iter().enumerate();
    Some(narrowed.filter_map(|(index, values)| Some((problem.int(index), values?))).collect())
}

impl Domains<'_> {
    fn values(&self, term: Int) -> &IntSet {
        self.narrowed[term.index()].as_ref().unwrap_or_else(|| self.problem.values(term))
    }

    /// The smallest and the largest value; of a view, those of its variable.
    fn bounds(&self, term: Int) -> (i64, i64) {
        let values = self.values(term);
        (values.min().unwrap_or(0), values.max().unwrap_or(0))
    }

    fn narrow(&mut self, term: Int, allowed: &IntSet) {
        if *self.problem.int_node(term) != IntNode::Variable {
            return;
        }
        let values = self.values(term);
        let left = values.intersect(allowed);
        if left != *values {
            self.failed |= left.is_empty();
            self.changed = true;
            self.narrowed[term.index()] = Some(left);
        }
    }

    fn remove(&mut self, term: Int, value: i64) {
        if self.values(term).contains(value) {
            let others = IntSet::from_ranges([(IntSet::LOWEST, value - 1), (value + 1, IntSet::HIGHEST)]);
            self.narrow(term, &others);
        }
    }

    fn unary(&mut self, constraint: Bool) {
        let (id, negated) = constraint.node();
        match self.problem.bool_node(id) {
            BoolNode::Equals(term, value) if negated => self.remove(*term, *value),
            BoolNode::Equals(term, value) => self.narrow(*term, &IntSet::single(*value)),
            BoolNode::AtMost(term, value) if negated => self.narrow(*term, &IntSet::range(value + 1, IntSet::HIGHEST)),
            BoolNode::AtMost(term, value) => self.narrow(*term, &IntSet::range(IntSet::LOWEST, *value)),
            _ => {}
        }
    }

    fn propagate(&mut self, constraint: Bool) {
        let problem = self.problem;
        let (id, negated) = constraint.node();
        match problem.bool_node(id) {
            BoolNode::AllDifferent(terms) if !negated => self.all_different(terms),
            BoolNode::Same(left, right) if !negated => {
                let common = self.values(*left).intersect(self.values(*right));
                self.failed |= common.is_empty();
                self.narrow(*left, &common);
                self.narrow(*right, &common);
            }
            BoolNode::Same(left, right) => {
                for (one, other) in [(*left, *right), (*right, *left)] {
                    if let (low, high) = self.bounds(one)
                        && low == high
                    {
                        self.remove(other, low);
                    }
                }
            }
            BoolNode::LinearAtMost(terms, bound) => {
                let bound = i128::from(*bound);
                if negated {
                    self.linear_at_most(terms, -1, -bound - 1);
                } else {
                    self.linear_at_most(terms, 1, bound);
                }
            }
            BoolNode::LinearEquals(terms, bound) if !negated => {
                self.linear_at_most(terms, 1, (*bound).into());
                self.linear_at_most(terms, -1, -i128::from(*bound));
            }
            _ => {}
        }
    }

    /// What one term has, the others have not.
    fn all_different(&mut self, terms: &[Int]) {
        let mut done = vec![false; terms.len()];
        while let Some(position) = (0..terms.len()).find(|position| {
            let (low, high) = self.bounds(terms[*position]);
            !done[*position] && low == high
        }) {
            done[position] = true;
            let (value, _) = self.bounds(terms[position]);
            for (other, term) in terms.iter().enumerate() {
                if other != position {
                    self.remove(*term, value);
                }
            }
            if self.failed {
                return;
            }
        }
    }

    fn linear_at_most(&mut self, terms: &[(i64, Int)], sign: i64, bound: i128) {
        let least = |domains: &Self, coefficient: i64, term: Int| {
            let (low, high) = domains.bounds(term);
            let coefficient = i128::from(sign) * i128::from(coefficient);
            coefficient * i128::from(if coefficient > 0 { low } else { high })
        };
        let total: i128 = terms.iter().map(|(coefficient, term)| least(self, *coefficient, *term)).sum();
        let slack = bound - total;
        if slack < 0 {
            self.failed = true;
            return;
        }
        for (coefficient, term) in terms {
            let (low, high) = self.bounds(*term);
            let coefficient = i128::from(sign) * i128::from(*coefficient);
            let most = slack / coefficient.abs();
            if most >= i128::from(high) - i128::from(low) {
                continue;
            }
            let allowed = if coefficient > 0 {
                IntSet::range(low, low + most as i64)
            } else {
                IntSet::range(high - most as i64, high)
            };
            self.narrow(*term, &allowed);
        }
    }
}
