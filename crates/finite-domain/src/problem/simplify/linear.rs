//! Propagation of sums: the bounds of each term from the bounds of the others (Harvey and Schimpf, "Bounds consistency
//! techniques for long linear constraints", 2002). Equations of two terms propagate holes, too.

use super::*;
use crate::problem::tuning::simplify::MOST_RANGES;

impl RootPropagation<'_> {
    fn sum_bounds(&self, terms: &[(i64, Int)]) -> (i128, i128) {
        let (mut least, mut most) = (0i128, 0i128);
        for (factor, term) in terms {
            let (low, high) = self.bounds(*term);
            let ends = [low, high].map(|end| i128::from(*factor) * i128::from(end));
            least += ends[0].min(ends[1]);
            most += ends[0].max(ends[1]);
        }
        (least, most)
    }

    pub(super) fn linear_at_most(&mut self, node: Bool, known: Option<bool>, terms: &[(i64, Int)], bound: i128) {
        match known {
            Some(true) => self.sum_at_most(terms, 1, bound),
            // `Σ >= b + 1` is the negation of `Σ <= b`.
            Some(false) => self.sum_at_most(terms, -1, -bound - 1),
            None => {
                let (least, most) = self.sum_bounds(terms);
                if most <= bound {
                    self.set(node);
                } else if least > bound {
                    self.set(!node);
                }
            }
        }
    }

    pub(super) fn linear_equals(&mut self, node: Bool, known: Option<bool>, terms: &[(i64, Int)], bound: i128) {
        match known {
            Some(true) => {
                // If both coefficients are 1 or -1, each value of one term has one value of the other, so holes carry
                // over.
                match *terms {
                    [(a, left), (b, right)] if a.abs() == 1 && b.abs() == 1 => {
                        self.matched(left, -a * b, right, i128::from(a) * bound);
                        self.matched(right, -a * b, left, i128::from(b) * bound);
                    }
                    // Solved for the first term: left = a · bound − a · b · right.
                    [(a @ (1 | -1), left), (b, right)] | [(b, right), (a @ (1 | -1), left)] => {
                        let (a, b) = (i128::from(a), i128::from(b));
                        self.unary(left, right, |value| Some(a * bound - a * b * value));
                    }
                    _ => {}
                }
                self.sum_at_most(terms, 1, bound);
                self.sum_at_most(terms, -1, -bound);
            }
            Some(false) => {
                // If only one term is open, it must not have the value that completes the sum.
                let mut open = None;
                let mut missing = bound;
                for (factor, term) in terms {
                    match (self.single(*term), open) {
                        (Some(value), _) => missing -= i128::from(*factor) * i128::from(value),
                        (None, None) => open = Some((*factor, *term)),
                        (None, Some(_)) => return,
                    }
                }
                match open {
                    None => self.failed |= missing == 0,
                    Some((factor, term)) if missing % i128::from(factor) == 0 => {
                        if let Ok(value) = i64::try_from(missing / i128::from(factor)) {
                            self.remove(term, value);
                        }
                    }
                    Some(_) => {}
                }
            }
            None => {
                let (least, most) = self.sum_bounds(terms);
                if bound < least || bound > most {
                    self.set(!node);
                } else if least == most {
                    self.set(node);
                }
            }
        }
    }

    /// Propagates `term = Σ factor · operand + constant`.
    pub(super) fn linear(&mut self, term: Int, terms: &[(i64, Int)], constant: i64) {
        let constant = i128::from(constant);
        if let [(factor, inner)] = *terms
            && factor.abs() == 1
        {
            self.matched(term, factor, inner, constant);
            self.matched(inner, factor, term, -i128::from(factor) * constant);
            return;
        }
        let (least, most) = self.sum_bounds(terms);
        self.at_least(term, least + constant);
        self.at_most(term, most + constant);
        let (low, high) = self.bounds(term);
        self.sum_at_most(terms, 1, i128::from(high) - constant);
        self.sum_at_most(terms, -1, constant - i128::from(low));
    }

    /// Propagates `term = factor · other + offset` with a factor of 1 or −1: the term has only images of the other's
    /// values.
    fn matched(&mut self, term: Int, factor: i64, other: Int, offset: i128) {
        // If the offset does not fit, nothing can be concluded about the domains.
        let Ok(offset) = i64::try_from(offset) else { return };
        let image = |value: i64| factor.checked_mul(value)?.checked_add(offset);
        let ranges = self.values(other).ranges();
        let (ends, few) = ([ranges[0].0, ranges[ranges.len() - 1].1], ranges.len() <= MOST_RANGES);
        let ranges = if few { ranges.to_vec() } else { vec![(ends[0], ends[1])] };
        let mut images = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            let (Some(one), Some(two)) = (image(low), image(high)) else { return };
            images.push((one.min(two), one.max(two)));
        }
        self.narrow(term, &IntSet::from_ranges(images));
    }

    /// Propagates `sign · Σ factor · term <= bound`.
    fn sum_at_most(&mut self, terms: &[(i64, Int)], sign: i128, bound: i128) {
        let least = |root: &Self, factor: i128, term: Int| {
            let (low, high) = root.bounds(term);
            factor * i128::from(if factor > 0 { low } else { high })
        };
        let total: i128 = terms.iter().map(|(factor, term)| least(self, sign * i128::from(*factor), *term)).sum();
        let slack = bound - total;
        if slack < 0 {
            self.failed = true;
            return;
        }
        // One term alone may use up the whole slack, but no more.
        for (factor, term) in terms {
            let (low, high) = self.bounds(*term);
            let factor = sign * i128::from(*factor);
            let most = slack / factor.abs();
            // If the domain is within the slack, as usual, the division of sets can be skipped.
            if most >= i128::from(high) - i128::from(low) {
                continue;
            }
            if factor > 0 {
                self.at_most(*term, i128::from(low) + most);
            } else {
                self.at_least(*term, i128::from(high) - most);
            }
        }
    }
}
