//! Propagation between an integer term and its operands: by bounds, and value by value if that is cheap.

use super::*;
use crate::problem::tuning::simplify::MOST_VALUES;

impl RootPropagation<'_> {
    /// Runs the propagator of an integer node; returns the amount of work.
    pub(super) fn run_int(&mut self, term: Int, node: &IntNode) -> usize {
        match node {
            IntNode::Constant(_) | IntNode::Variable => 1,
            IntNode::FromBool(condition) => {
                match self.bool(*condition) {
                    Some(value) => self.narrow(term, &IntSet::single(value.into())),
                    None => match self.single(term) {
                        Some(1) => self.set(*condition),
                        Some(_) => self.set(!*condition),
                        None => {}
                    },
                }
                1
            }
            IntNode::Linear(terms, constant) => {
                self.linear(term, terms, *constant);
                terms.len()
            }
            IntNode::Binary(operation, left, right) => self.binary(*operation, term, *left, *right),
            IntNode::Absolute(inner) => {
                self.absolute(term, *inner);
                1
            }
            IntNode::Extreme(extreme, terms) => {
                self.extreme(term, terms, *extreme);
                terms.len()
            }
            IntNode::Choice(alternatives) => {
                self.choice(term, alternatives);
                2 * alternatives.len()
            }
        }
    }

    fn binary(&mut self, operation: Operation, term: Int, left: Int, right: Int) -> usize {
        match operation {
            Operation::Product if left == right => {
                self.square(term, left);
                1
            }
            Operation::Product => {
                self.product(term, left, right);
                2
            }
            Operation::Quotient => self.quotient(term, left, right),
            Operation::Remainder => self.remainder(term, left, right),
            Operation::Power => match self.single(right) {
                Some(exponent) => self.unary(term, left, |value| power(value, exponent.into())),
                // If the exponent is a variable, the bounds stay as the builder computed them.
                None => 1,
            },
        }
    }

    fn wide_bounds(&self, term: Int) -> (i128, i128) {
        let (low, high) = self.bounds(term);
        (low.into(), high.into())
    }

    fn within(&mut self, term: Int, low: i128, high: i128) {
        self.at_least(term, low);
        self.at_most(term, high);
    }

    /// Propagates a function of one operand, value by value if there are few.
    pub(super) fn unary(&mut self, term: Int, inner: Int, function: impl Fn(i128) -> Option<i128>) -> usize {
        let values = self.values(inner).clone();
        match values.size() {
            Some(size) if size <= MOST_VALUES => {
                let mut arguments = Vec::new();
                let mut results = Vec::new();
                for value in values.iter() {
                    let result = function(value.into()).and_then(|result| i64::try_from(result).ok());
                    if let Some(result) = result.filter(|result| self.values(term).contains(*result)) {
                        arguments.push(value);
                        results.push(result);
                    }
                }
                self.failed |= arguments.is_empty();
                // For domain consistency, an argument needs a possible result, and a result needs a possible argument.
                self.narrow(inner, &IntSet::from_values(arguments));
                self.narrow(term, &IntSet::from_values(results));
                size as usize
            }
            _ => 1,
        }
    }

    fn square(&mut self, term: Int, inner: Int) {
        // A square has two roots, one on each side of 0.
        let (low, high) = self.wide_bounds(inner);
        let least = if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) };
        let most = low.abs().max(high.abs());
        self.within(term, least * least, most * most);
        let (small, large) = self.wide_bounds(term);
        let root = large.max(0).isqrt();
        self.within(inner, -root, root);
        // The values between the two roots of the smallest square are too small.
        let root = if small > 0 { (small - 1).isqrt() as i64 } else { return };
        self.narrow(inner, &IntSet::from_ranges([(IntSet::MINUS_INFINITY, -root - 1), (root + 1, IntSet::INFINITY)]));
    }

    fn product(&mut self, term: Int, left: Int, right: Int) {
        let ((a, b), (c, d)) = (self.wide_bounds(left), self.wide_bounds(right));
        let ends = [a * c, a * d, b * c, b * d];
        let (least, most) = ends.iter().fold((ends[0], ends[0]), |(low, high), end| (low.min(*end), high.max(*end)));
        self.within(term, least, most);
        for (one, other) in [(left, right), (right, left)] {
            let ((low, high), (c, d)) = (self.wide_bounds(term), self.wide_bounds(other));
            // If a factor may be 0, the quotient is unbounded.
            if c <= 0 && d >= 0 {
                // If a product is not 0, its absolute value is at least the absolute value of each factor.
                if low > 0 || high < 0 {
                    let most = low.abs().max(high.abs());
                    self.within(one, -most, most);
                    self.remove(one, 0);
                }
                continue;
            }
            // The extreme quotients are at the ends; they are rounded inwards.
            let ends = [(low, c), (low, d), (high, c), (high, d)];
            let least = ends.iter().map(|(a, b)| -floor_quotient(-a, *b)).min().unwrap_or(0);
            let most = ends.iter().map(|(a, b)| floor_quotient(*a, *b)).max().unwrap_or(0);
            self.within(one, least, most);
        }
    }

    fn quotient(&mut self, term: Int, left: Int, right: Int) -> usize {
        if let Some(divisor) = self.single(right)
            && self.values(left).size().is_some_and(|size| size <= MOST_VALUES)
        {
            return self.unary(term, left, |value| Some(floor_quotient(value, divisor.into())));
        }
        let ((a, b), (c, d)) = (self.wide_bounds(left), self.wide_bounds(right));
        // If the divisor may be 0 or negative, the search has to handle it.
        if c > 0 {
            let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(a, b)| floor_quotient(a, b));
            self.within(term, ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0));
            // The definition is term · right <= left < (term + 1) · right.
            let (low, high) = self.wide_bounds(term);
            let least = if low >= 0 { low * c } else { low * d };
            let most = if high + 1 >= 0 { (high + 1) * d } else { (high + 1) * c };
            self.within(left, least, most - 1);
        }
        2
    }

    fn remainder(&mut self, term: Int, left: Int, right: Int) -> usize {
        if let Some(divisor) = self.single(right)
            && self.values(left).size().is_some_and(|size| size <= MOST_VALUES)
        {
            return self.unary(term, left, |value| Some(floor_remainder(value, divisor.into())));
        }
        let ((_, b), (c, d)) = (self.wide_bounds(left), self.wide_bounds(right));
        if c > 0 {
            let most = if self.bounds(left).0 >= 0 { b.min(d - 1) } else { d - 1 };
            self.within(term, 0, most);
            // The divisor must exceed the remainder.
            let (low, _) = self.wide_bounds(term);
            self.at_least(right, low + 1);
        }
        2
    }

    fn absolute(&mut self, term: Int, inner: Int) {
        let opposite = |set: &IntSet| IntSet::from_ranges(set.ranges().iter().map(|(low, high)| (-high, -low)));
        let values = self.values(inner);
        let both = values.union(&opposite(values)).intersect(&IntSet::range(0, IntSet::INFINITY));
        self.narrow(term, &both);
        let values = self.values(term);
        let both = values.union(&opposite(values));
        self.narrow(inner, &both);
    }

    fn extreme(&mut self, term: Int, terms: &[Int], extreme: Extreme) {
        let largest = extreme == Extreme::Maximum;
        // The maximum is the negated minimum of the negated terms.
        let bounds = |root: &Self, term: Int| {
            let (low, high) = root.wide_bounds(term);
            if largest { (-high, -low) } else { (low, high) }
        };
        let within = |root: &mut Self, term: Int, low: i128, high: i128| {
            if largest { root.within(term, -high, -low) } else { root.within(term, low, high) }
        };
        let all: Vec<(i128, i128)> = terms.iter().map(|term| bounds(self, *term)).collect();
        let least = all.iter().map(|bounds| bounds.0).min().unwrap_or(0);
        let most = all.iter().map(|bounds| bounds.1).min().unwrap_or(0);
        within(self, term, least, most);
        let (low, high) = bounds(self, term);
        // If only one term can reach the bound, that term is the extreme.
        let mut candidates = terms.iter().zip(&all).filter(|(_, bounds)| bounds.0 <= high);
        let only = candidates.next().filter(|_| candidates.next().is_none());
        if let Some((only, _)) = only {
            within(self, *only, low, high);
        }
        for inner in terms {
            // The shift keeps the negated bound from overflowing.
            within(self, *inner, low, i128::MAX >> 1);
        }
    }

    fn choice(&mut self, term: Int, alternatives: &[(Bool, Int)]) {
        let exclusive = self.problem.index_of_choice(alternatives).is_some();
        let mut ranges = Vec::new();
        let mut possible = None;
        let mut several = false;
        // True if all conditions so far are known to be false.
        let mut reached = true;
        for (position, (condition, inner)) in alternatives.iter().enumerate() {
            let known = self.bool(*condition);
            if known == Some(false) {
                continue;
            }
            if self.values(*inner).intersect(self.values(term)).is_empty() {
                // This alternative is not the chosen one. If the conditions exclude each other, the first alternative
                // with a given condition is chosen whenever the condition holds.
                let repeated = || alternatives[..position].iter().any(|earlier| earlier.0 == *condition);
                if reached || exclusive && *condition != Bool::TRUE && !repeated() {
                    self.set(!*condition);
                    continue;
                }
            }
            ranges.extend_from_slice(self.values(*inner).ranges());
            several |= possible.replace(*inner).is_some();
            if known == Some(true) {
                break;
            }
            reached = false;
        }
        self.narrow(term, &IntSet::from_ranges(ranges));
        if let (Some(only), false) = (possible, several) {
            let values = self.values(term).clone();
            self.narrow(only, &values);
        }
    }
}
