//! Integer terms and their possible values.

use super::*;
use crate::problem::tuning::terms::EXACT;

/// The bound of checked integers, −LARGEST to LARGEST: sums and differences of two values, and the integers next to
/// them, fit into 64 bits. Products and longer sums are computed in 128 bits; `exact` converts the numbers in nodes.
pub(crate) const LARGEST: i64 = (1 << 62) - 1;

impl Builder {
    pub fn constant(&mut self, value: i64) -> Int {
        self.intern_int(IntNode::Constant(value), IntSet::single(value))
    }

    pub fn int_of(&mut self, term: Bool) -> Int {
        match (term.constant(), term.node()) {
            (Some(value), _) => self.constant(i64::from(value)),
            (None, (id, false)) => self.intern_int(IntNode::FromBool(id.positive()), IntSet::range(0, 1)),
            // The negation is 1 − x, so sums of a term and its negation cancel out.
            (None, (id, true)) => {
                let positive = self.int_of(id.positive());
                self.linear([(-1, positive)], 1)
            }
        }
    }

    pub fn add(&mut self, left: Int, right: Int) -> Int {
        self.linear([(1, left), (1, right)], 0)
    }

    pub fn subtract(&mut self, left: Int, right: Int) -> Int {
        self.linear([(1, left), (-1, right)], 0)
    }

    pub fn negate(&mut self, term: Int) -> Int {
        self.linear([(-1, term)], 0)
    }

    pub fn multiply(&mut self, left: Int, right: Int) -> Int {
        // Products with a constant or a Boolean become sums and choices, which propagate better than products.
        for (one, other) in [(left, right), (right, left)] {
            if let Some(factor) = self.int_constant(one) {
                return self.linear([(factor, other)], 0);
            }
            if let IntNode::FromBool(condition) = self.ints[one.index()].node {
                let zero = self.constant(0);
                return self.choice([(condition, other), (Bool::TRUE, zero)]);
            }
        }
        // A fixed order of the factors makes `x * y` and `y * x` the same term.
        let (left, right) = (left.min(right), left.max(right));
        let values = self.combine(left, right, Operation::Product, |terms| {
            let ((a, b), (c, d)) = (terms.wide_bounds(left), terms.wide_bounds(right));
            let ends = [a * c, a * d, b * c, b * d];
            // A square is never negative.
            let low = if left == right && a <= 0 && b >= 0 { 0 } else { least(&ends) };
            (low, most(&ends))
        });
        self.intern_int(IntNode::Binary(Operation::Product, left, right), values)
    }

    /// Returns the quotient, rounded down; 0 if the divisor is 0.
    pub fn quotient(&mut self, left: Int, right: Int) -> Int {
        if let (Some(left), Some(right)) = (self.int_constant(left), self.int_constant(right)) {
            return self.constant(floor_quotient(left.into(), right.into()) as i64);
        }
        if self.int_constant(right) == Some(1) {
            return left;
        }
        let values = self.combine(left, right, Operation::Quotient, |terms| {
            let (a, b) = terms.wide_bounds(left);
            let largest = a.abs().max(b.abs());
            let (c, d) = terms.wide_bounds(right);
            // A quotient is negative only if its operands have different signs.
            let low = if a < 0 && d > 0 || b > 0 && c < 0 { -largest } else { 0 };
            // The absolute value of a divisor is at least 1, so no quotient exceeds the dividend in absolute value.
            let high = if b > 0 && d > 0 || a < 0 && c < 0 { largest } else { 0 };
            (low, high)
        });
        self.intern_int(IntNode::Binary(Operation::Quotient, left, right), values)
    }

    /// Returns the remainder with the sign of the divisor; 0 if the divisor is 0.
    pub fn remainder(&mut self, left: Int, right: Int) -> Int {
        if let (Some(left), Some(right)) = (self.int_constant(left), self.int_constant(right)) {
            return self.constant(floor_remainder(left.into(), right.into()) as i64);
        }
        let values = self.combine(left, right, Operation::Remainder, |terms| {
            let (c, d) = terms.wide_bounds(right);
            // The remainder has the sign of the divisor and is smaller than it in absolute value.
            ((c + 1).min(0), (d - 1).max(0))
        });
        self.intern_int(IntNode::Binary(Operation::Remainder, left, right), values)
    }

    /// Returns the power; 0 if the exponent is negative.
    pub fn power(&mut self, base: Int, exponent: Int) -> Int {
        match self.int_constant(exponent) {
            Some(0) => return self.constant(1),
            Some(1) => return base,
            _ => {}
        }
        let values = self.combine(base, exponent, Operation::Power, |terms| {
            let ((a, b), (_, d)) = (terms.wide_bounds(base), terms.wide_bounds(exponent));
            // The largest exponent gives the largest result, and a negative exponent gives 0.
            let largest = power(a.abs().max(b.abs()), d.max(0)).unwrap_or(i128::MAX);
            (if a < 0 { -largest } else { 0 }, largest.max(1))
        });
        if let (Some(_), Some(_)) = (self.int_constant(base), self.int_constant(exponent)) {
            let value = IntSet::min(&values).unwrap_or(0);
            return self.constant(value);
        }
        self.intern_int(IntNode::Binary(Operation::Power, base, exponent), values)
    }

    pub fn absolute(&mut self, term: Int) -> Int {
        let (low, high) = self.bounds(term);
        if low >= 0 {
            return term;
        }
        if high <= 0 {
            return self.negate(term);
        }
        let values = self.values(term).ranges().iter().flat_map(|&(low, high)| {
            if low >= 0 {
                vec![(low, high)]
            } else if high <= 0 {
                vec![(-high, -low)]
            } else {
                vec![(0, high.max(-low))]
            }
        });
        let values = IntSet::from_ranges(values);
        self.intern_int(IntNode::Absolute(term), values)
    }

    /// Returns the minimum or maximum of at least one term.
    pub fn extreme(&mut self, extreme: Extreme, terms: impl IntoIterator<Item = Int>) -> Int {
        let mut terms: Vec<Int> = terms.into_iter().collect();
        terms.sort_unstable();
        terms.dedup();
        // If some term always reaches a bound, all terms that never exceed it are redundant.
        let bounds = |problem: &Terms, term: Int| {
            // `min(x, y)` is `-max(-x, -y)`, so it is enough to handle one of the two.
            let (low, high) = problem.bounds(term);
            match extreme {
                Extreme::Minimum => (-high, -low),
                Extreme::Maximum => (low, high),
            }
        };
        let sure = terms.iter().map(|term| bounds(self, *term).0).max().unwrap_or(0);
        let mut constant = None;
        terms.retain(|term| {
            let (low, high) = bounds(self, *term);
            if low == high && low == sure {
                constant = Some(*term);
                return false;
            }
            high > sure || (high == sure && low < high)
        });
        terms.extend(constant);
        terms.sort_unstable();
        if let [single] = terms.as_slice() {
            return *single;
        }
        // The extreme is at least the sure bound, because some term always reaches it.
        let kept = match extreme {
            Extreme::Minimum => IntSet::range(IntSet::MINUS_INFINITY, -sure),
            Extreme::Maximum => IntSet::range(sure, IntSet::INFINITY),
        };
        let ranges = terms.iter().flat_map(|term| self.values(*term).ranges().to_vec()).collect::<Vec<_>>();
        let values = IntSet::from_ranges(ranges).intersect(&kept);
        self.intern_int(IntNode::Extreme(extreme, terms.into()), values)
    }

    /// Returns the value of the first alternative whose condition holds. If none holds, the value is any of the values:
    /// the caller ensures that one holds, or that the value does not matter. There must be at least one alternative.
    pub fn choice(&mut self, alternatives: impl IntoIterator<Item = (Bool, Int)>) -> Int {
        let mut kept: Vec<(Bool, Int)> = Vec::new();
        for (condition, term) in alternatives {
            // A choice needs at least one alternative, so an alternative that never holds is kept only if it is the
            // first.
            if condition == Bool::FALSE && !kept.is_empty() {
                continue;
            }
            // Adjacent alternatives with the same term become one, whose condition is the disjunction.
            match kept.last() {
                Some(&(before, last)) if last == term => {
                    let either = self.or([before, condition]);
                    kept.pop();
                    kept.push((either, term));
                }
                Some(&(Bool::FALSE, _)) => {
                    kept.pop();
                    kept.push((condition, term));
                }
                _ => kept.push((condition, term)),
            }
            // If an alternative always holds, the ones after it are never reached.
            if kept.last().is_some_and(|(condition, _)| *condition == Bool::TRUE) {
                break;
            }
        }
        let Some(last) = kept.last_mut() else { return self.constant(0) };
        // The caller ensures that some condition holds, so the last alternative needs none.
        last.0 = Bool::TRUE;
        match kept.as_slice() {
            [(_, term)] => return *term,
            [(condition, yes), (_, no)] => {
                // A choice between two constants is linear in its condition.
                if let (Some(yes), Some(no)) = (self.int_constant(*yes), self.int_constant(*no)) {
                    let condition = self.int_of(*condition);
                    return self.linear([(yes - no, condition)], no);
                }
            }
            _ => {}
        }
        let ranges = kept.iter().flat_map(|(_, term)| self.values(*term).ranges().to_vec()).collect::<Vec<_>>();
        let values = IntSet::from_ranges(ranges);
        self.intern_int(IntNode::Choice(kept.into()), values)
    }

    /// Returns the number of terms that hold.
    pub fn count(&mut self, terms: impl IntoIterator<Item = Bool>) -> Int {
        let terms: Vec<(i64, Int)> = terms.into_iter().map(|term| (1, self.int_of(term))).collect();
        self.linear(terms, 0)
    }

    /// Removes values beyond the range of checked integers, and records that.
    pub(super) fn checked(&mut self, values: IntSet) -> IntSet {
        let range = IntSet::range(-LARGEST, LARGEST);
        if values.is_subset(&range) {
            return values;
        }
        self.leaves_range();
        let inside = values.intersect(&range);
        // The caller needs a term with a nonempty set of values; `finish` will refuse the problem.
        if inside.is_empty() { IntSet::single(0) } else { inside }
    }

    /// Returns a range of values that were computed without overflow.
    pub(super) fn hull(&mut self, low: i128, high: i128) -> IntSet {
        let limit = i128::from(LARGEST);
        if low < -limit || high > limit {
            self.leaves_range();
        }
        IntSet::range(low.clamp(-limit, limit) as i64, high.clamp(-limit, limit) as i64)
    }

    /// Returns the values of a function of two terms: exactly if there are few combinations, otherwise as a range.
    fn combine(
        &mut self,
        left: Int,
        right: Int,
        operation: Operation,
        bounds: impl Fn(&Terms) -> (i128, i128),
    ) -> IntSet {
        let sizes = (self.values(left).size(), self.values(right).size());
        if let (Some(one), Some(other)) = sizes
            && one.saturating_mul(other) <= EXACT
        {
            let mut results = Vec::new();
            for a in self.values(left).iter() {
                for b in self.values(right).iter() {
                    // If both operands are the same term, their values are equal.
                    if left == right && a != b {
                        continue;
                    }
                    results.push(operation.apply(i128::from(a), i128::from(b)).unwrap_or(i128::MAX));
                }
            }
            return self.exact(results);
        }
        let (low, high) = bounds(self);
        self.hull(low, high)
    }

    pub(super) fn exact(&mut self, values: Vec<i128>) -> IntSet {
        let limit = i128::from(LARGEST);
        if values.iter().any(|value| value.abs() > limit) {
            self.leaves_range();
        }
        IntSet::from_values(values.into_iter().map(|value| value.clamp(-limit, limit) as i64))
    }
}

impl Terms {
    /// Returns the smallest and the largest value.
    pub fn bounds(&self, term: Int) -> (i64, i64) {
        let values = self.values(term);
        (values.min().unwrap_or(0), values.max().unwrap_or(0))
    }

    fn wide_bounds(&self, term: Int) -> (i128, i128) {
        let (low, high) = self.bounds(term);
        (i128::from(low), i128::from(high))
    }
}

fn least(values: &[i128]) -> i128 {
    values.iter().copied().min().unwrap_or(0)
}

fn most(values: &[i128]) -> i128 {
    values.iter().copied().max().unwrap_or(0)
}

/// Returns the quotient, rounded down; 0 if the divisor is 0.
pub(crate) fn floor_quotient(left: i128, right: i128) -> i128 {
    if right == 0 {
        return 0;
    }
    let quotient = left / right;
    if left % right != 0 && (left < 0) != (right < 0) { quotient - 1 } else { quotient }
}

/// Returns the remainder with the sign of the divisor; 0 if the divisor is 0.
pub(crate) fn floor_remainder(left: i128, right: i128) -> i128 {
    if right == 0 { 0 } else { left - right * floor_quotient(left, right) }
}

/// Returns the power, 0 if the exponent is negative; `None` if the result is too large.
pub(crate) fn power(base: i128, exponent: i128) -> Option<i128> {
    match (base, exponent) {
        (_, ..0) => Some(0),
        (_, 0) | (1, _) => Some(1),
        (0, _) => Some(0),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}
