//! Sums and linear constraints: equal terms are merged, and coefficients divided by their common divisor.

use super::*;
use crate::problem::tuning::terms::{EXACT, MOST_OPENED};

/// The bound of constants, so that bounds can be added to them without overflow.
const LARGEST_CONSTANT: u128 = 1 << 100;

/// An addend `w · [x > v]` of a sum.
struct AddedStep {
    /// The position of the addend in the sum.
    position: usize,
    weight: i128,
    /// The constant that is left when `w · [x <= v]` is rewritten as `w − w · [x > v]`.
    rest: i128,
}

/// Adds up the coefficients of equal terms, and removes terms with the coefficient 0.
fn merge(terms: &mut Vec<(i128, Int)>) {
    terms.sort_unstable_by_key(|(_, term)| *term);
    terms.dedup_by(|later, earlier| {
        let same = later.1 == earlier.1;
        if same {
            earlier.0 = earlier.0.saturating_add(later.0);
        }
        same
    });
    terms.retain(|(coefficient, _)| *coefficient != 0);
}

/// Converts a coefficient, constant or bound for a node; `None` if it or its negation does not fit: backends negate
/// them.
fn exact(number: i128) -> Option<i64> {
    i64::try_from(number).ok().filter(|number| *number > i64::MIN)
}

/// Returns true if the coefficients fit into a node and bounds can be added to the constant.
fn is_exact(terms: &[(i128, Int)], constant: i128) -> bool {
    terms.iter().all(|(coefficient, _)| exact(*coefficient).is_some()) && constant.unsigned_abs() < LARGEST_CONSTANT
}

impl Builder {
    /// Returns `Σ coefficient · term + constant`.
    pub fn linear(&mut self, terms: impl IntoIterator<Item = (i64, Int)>, constant: i64) -> Int {
        // Sums above the limit stay separate terms, so the prefixes of a long sum share their nodes.
        let (terms, constant) = self.collect_terms(terms, i128::from(constant), MOST_OPENED);
        let Some(constant) = exact(constant) else {
            self.leaves_range();
            return self.constant(0);
        };
        match (terms.as_slice(), constant) {
            ([], _) => return self.constant(constant),
            ([(1, term)], 0) => return *term,
            _ => {}
        }
        // The number of possible sums is at most the product of the sizes of the domains.
        let combinations = terms.iter().try_fold(1u128, |product, (_, term)| {
            // The exact sums are computed only if this product is small.
            product.checked_mul(self.values(*term).size()?).filter(|product| *product <= EXACT)
        });
        let values = match combinations {
            Some(_) => {
                let mut sums = vec![i128::from(constant)];
                for (coefficient, term) in &terms {
                    let values = self.values(*term);
                    sums = sums
                        .iter()
                        .flat_map(|sum| {
                            values.iter().map(move |value| sum + i128::from(*coefficient) * i128::from(value))
                        })
                        .collect();
                    sums.sort_unstable();
                    sums.dedup();
                }
                self.exact(sums)
            }
            None => {
                let (low, high) = self.linear_bounds(&terms);
                self.hull(low + i128::from(constant), high + i128::from(constant))
            }
        };
        self.intern_int(IntNode::Linear(terms.into(), constant), values)
    }

    /// Flattens nested sums of at most this number of terms, and merges equal terms. Coefficients and the constant are
    /// exact; otherwise, the fault is recorded.
    pub(super) fn collect_terms(
        &mut self,
        terms: impl IntoIterator<Item = (i64, Int)>,
        mut constant: i128,
        most_opened: usize,
    ) -> (Vec<(i64, Int)>, i128) {
        let mut collected: Vec<(i128, Int)> = Vec::new();
        for (coefficient, term) in terms {
            let coefficient = i128::from(coefficient);
            match &self.ints[term.index()].node {
                IntNode::Constant(value) => constant = constant.saturating_add(coefficient * i128::from(*value)),
                IntNode::Linear(inner, offset) if inner.len() <= most_opened => {
                    constant = constant.saturating_add(coefficient * i128::from(*offset));
                    collected.extend(inner.iter().map(|(inner, term)| (coefficient * i128::from(*inner), *term)));
                }
                _ => collected.push((coefficient, term)),
            }
        }
        merge(&mut collected);
        // The weights of steps can be added up only if the sum cannot overflow.
        if is_exact(&collected, constant) {
            self.join_steps(&mut collected, &mut constant);
        }
        if !is_exact(&collected, constant) {
            self.leaves_range();
            return (Vec::new(), 0);
        }
        (collected.into_iter().map(|(coefficient, term)| (coefficient as i64, term)).collect(), constant)
    }

    /// Replaces `Σ w · [x > v]` over all values `v` of a term `x` but the largest by `w · (x - least value)`. A sum
    /// over a multiset has such an addend for each possible occurrence of an element.
    fn join_steps(&self, terms: &mut Vec<(i128, Int)>, constant: &mut i128) {
        let mut by_term: FxHashMap<Int, Vec<AddedStep>> = FxHashMap::default();
        for (position, (coefficient, term)) in terms.iter().enumerate() {
            let Some((term, above)) = self.step(*term) else { continue };
            // In this case, `[x <= v] = 1 - [x > v]`.
            let (weight, rest) = if above { (*coefficient, 0) } else { (-coefficient, *coefficient) };
            by_term.entry(term).or_default().push(AddedStep { position, weight, rest });
        }
        let is_whole = |term: &Int, steps: &[AddedStep]| {
            let (low, high) = self.bounds(*term);
            steps.len() > 1
                // If there is a step with the same weight for each value but the largest, the steps add up to the term.
                && steps.len() as i128 == i128::from(high) - i128::from(low)
                && steps.iter().all(|step| step.weight == steps[0].weight)
        };
        by_term.retain(|term, steps| is_whole(term, steps));
        if by_term.is_empty() {
            return;
        }
        for (term, steps) in by_term {
            let weight = steps[0].weight;
            *constant += steps.iter().map(|step| step.rest).sum::<i128>() - weight * i128::from(self.bounds(term).0);
            steps.iter().for_each(|step| terms[step.position].0 = 0);
            terms.push((weight, term));
        }
        merge(terms);
    }

    /// Returns the term `x`, and true for a step `[x > v]`, if a term is 1 if `x` is on one side of a value, and 0
    /// otherwise. Comparisons with the values at the ends are equations, as equal meanings are equal nodes.
    fn step(&self, term: Int) -> Option<(Int, bool)> {
        let IntNode::FromBool(condition) = self.ints[term.index()].node else { return None };
        let (id, negated) = condition.node();
        match *self.bool_node(id) {
            BoolNode::AtMost(term, _) => Some((term, negated)),
            BoolNode::Equals(term, value) => {
                let (low, high) = self.bounds(term);
                (value == low || value == high).then_some((term, (value == high) != negated))
            }
            _ => None,
        }
    }

    pub(super) fn linear_bounds(&self, terms: &[(i64, Int)]) -> (i128, i128) {
        let (mut low, mut high) = (0i128, 0i128);
        for (coefficient, term) in terms {
            let (least, most) = self.bounds(*term);
            let ends = [i128::from(*coefficient) * i128::from(least), i128::from(*coefficient) * i128::from(most)];
            low = low.saturating_add(ends[0].min(ends[1]));
            high = high.saturating_add(ends[0].max(ends[1]));
        }
        (low, high)
    }

    pub(super) fn difference_at_most(&mut self, left: Int, right: Int, bound: i128) -> Bool {
        let (terms, constant) = self.collect_terms([(1, left), (-1, right)], 0, usize::MAX);
        self.linear_at_most(terms, bound - constant)
    }

    /// Returns `Σ <= bound` for merged terms.
    pub(super) fn linear_at_most(&mut self, mut terms: Vec<(i64, Int)>, mut bound: i128) -> Bool {
        let (low, high) = self.linear_bounds(&terms);
        if high <= bound {
            return Bool::TRUE;
        }
        if low > bound {
            return Bool::FALSE;
        }
        // Division by the common divisor gives the normal form and tightens the bound: `2x <= 5` becomes `x <= 2`.
        let divisor = i128::from(common_divisor(terms.iter().map(|(coefficient, _)| *coefficient)));
        terms.iter_mut().for_each(|term| term.0 /= divisor as i64);
        bound = bound.div_euclid(divisor);
        // If only the smallest sum satisfies the bound, or only the largest one violates it, all terms are at an end.
        let (low, high) = (low / divisor, high / divisor);
        if bound == low && terms.len() > 1 {
            return self.all_at_an_end(&terms, Extreme::Minimum);
        }
        if bound == high - 1 && terms.len() > 1 {
            return !self.all_at_an_end(&terms, Extreme::Maximum);
        }
        // The first coefficient becomes positive, so a constraint and its negation share a node.
        if terms[0].0 < 0 {
            terms.iter_mut().for_each(|term| term.0 = -term.0);
            // `Σ <= b` is the negation of `-Σ <= -b - 1`.
            return !self.normal_at_most(terms, -bound - 1);
        }
        self.normal_at_most(terms, bound)
    }

    /// Returns the condition that every product of a coefficient and its term is minimal (or maximal).
    fn all_at_an_end(&mut self, terms: &[(i64, Int)], extreme: Extreme) -> Bool {
        let mut parts = Vec::with_capacity(terms.len());
        for (coefficient, term) in terms {
            let (low, high) = self.bounds(*term);
            let end = if (*coefficient > 0) == (extreme == Extreme::Maximum) { high } else { low };
            parts.push(self.equals_constant(*term, end));
        }
        self.and(parts)
    }

    fn normal_at_most(&mut self, terms: Vec<(i64, Int)>, bound: i128) -> Bool {
        let Some(bound) = exact(bound) else {
            self.leaves_range();
            return Bool::FALSE;
        };
        match terms.as_slice() {
            [(1, term)] => self.at_most_constant(*term, bound),
            _ => self.intern_bool(BoolNode::LinearAtMost(terms.into(), bound)),
        }
    }

    /// Returns `Σ = bound` for merged terms.
    pub(super) fn linear_equals(&mut self, mut terms: Vec<(i64, Int)>, bound: i128) -> Bool {
        let (low, high) = self.linear_bounds(&terms);
        if bound < low || bound > high {
            return Bool::FALSE;
        }
        if terms.is_empty() {
            return Bool::from(bound == 0);
        }
        // Every value of the left side is a multiple of the divisor.
        let mut divisor = common_divisor(terms.iter().map(|(coefficient, _)| *coefficient));
        // If the bound is not a multiple of the divisor, no sum reaches it.
        if bound % i128::from(divisor) != 0 {
            return Bool::FALSE;
        }
        if terms[0].0 < 0 {
            divisor = -divisor;
        }
        // Only one assignment of the terms gives an extreme sum.
        if terms.len() > 1 && (bound == low || bound == high) {
            let extreme = if bound == low { Extreme::Minimum } else { Extreme::Maximum };
            return self.all_at_an_end(&terms, extreme);
        }
        terms.iter_mut().for_each(|term| term.0 /= divisor);
        let Some(bound) = exact(bound / i128::from(divisor)) else {
            self.leaves_range();
            return Bool::FALSE;
        };
        match (terms.as_slice(), bound) {
            ([(1, term)], _) => self.equals_constant(*term, bound),
            ([(1, left), (-1, right)], 0) => self.equal(*left, *right),
            _ => self.intern_bool(BoolNode::LinearEquals(terms.into(), bound)),
        }
    }
}

/// Returns the greatest common divisor of the coefficients, which is positive.
pub(crate) fn common_divisor(coefficients: impl Iterator<Item = i64>) -> i64 {
    let divisor = coefficients.fold(0u64, |divisor, coefficient| {
        let (mut a, mut b) = (divisor, coefficient.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    });
    i64::try_from(divisor.max(1)).unwrap_or(1)
}
