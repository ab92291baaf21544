//! How compound integer terms follow from their operands.

use super::*;

impl<S: Sink> Encoder<'_, S> {
    pub(super) fn define_operation(&mut self, term: Int) {
        match self.problem.int_node(term) {
            IntNode::Constant(_) | IntNode::Variable | IntNode::FromBool(_) => {}
            IntNode::Linear(terms, constant) => {
                let mut terms = terms.to_vec();
                terms.push((-1, term));
                self.require_sum(&terms, -constant, None);
            }
            IntNode::Product(left, right) => self.by_values(term, *left, *right, |a, b| a.checked_mul(b)),
            IntNode::Quotient(left, right) => self.by_values(term, *left, *right, |a, b| {
                Some(if b == 0 { 0 } else { a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0) })
            }),
            IntNode::Remainder(left, right) => self.by_values(term, *left, *right, |a, b| {
                let remainder = if b == 0 { 0 } else { a.rem_euclid(b) };
                Some(if b < 0 && remainder != 0 { remainder + b } else { remainder })
            }),
            IntNode::Power(base, exponent) => self.by_values(term, *base, *exponent, |a, b| {
                if b < 0 { Some(0) } else { a.checked_pow(u32::try_from(b).ok()?) }
            }),
            IntNode::Absolute(operand) => {
                for value in self.values(*operand) {
                    let (from, to) = (self.equals(*operand, value), self.equals(term, value.abs()));
                    self.clause(&[!from, to]);
                }
            }
            IntNode::Minimum(operands) => self.extreme(term, operands, false),
            IntNode::Maximum(operands) => self.extreme(term, operands, true),
            IntNode::Choice(alternatives) => self.choice(term, alternatives),
        }
    }

    /// A clause for each pair of operand values (support in one direction is enough: the result has one value).
    fn by_values(&mut self, term: Int, left: Int, right: Int, function: impl Fn(i64, i64) -> Option<i64>) {
        let (ones, others) = (self.values(left), self.values(right));
        for &a in &ones {
            for &b in &others {
                if left == right && a != b {
                    continue;
                }
                let (x, y) = (self.equals(left, a), self.equals(right, b));
                let result = function(a, b).map_or(Known::Constant(false), |value| self.equals(term, value));
                self.clause(&[!x, !y, result]);
            }
        }
    }

    /// A maximum is at most a value if all operands are; a minimum is above it if all are.
    fn extreme(&mut self, term: Int, operands: &[Int], largest: bool) {
        let mut bounds: Vec<i64> = self.values(term);
        for operand in operands {
            bounds.extend(self.values(*operand));
        }
        bounds.sort_unstable();
        bounds.dedup();
        for bound in bounds {
            let flip = |literal: Known| if largest { literal } else { !literal };
            let result = flip(self.at_most(term, bound));
            let mut clause = vec![result];
            for operand in operands {
                let within = flip(self.at_most(*operand, bound));
                self.clause(&[!result, within]);
                clause.push(!within);
            }
            self.clause(&clause);
        }
    }

    /// Under the first condition that holds, the term has the value of that alternative.
    fn choice(&mut self, term: Int, alternatives: &[(Bool, Int)]) {
        let exclusive = self.exclusive_conditions(alternatives);
        // Holds if no condition so far does.
        let mut none = Known::Constant(true);
        for (position, (condition, alternative)) in alternatives.iter().enumerate() {
            let active = match &exclusive {
                Some(conditions) => conditions[position],
                None => {
                    let condition = self.literal(*condition);
                    let active = self.both(none, condition);
                    none = self.both(none, !condition);
                    active
                }
            };
            for value in self.values(*alternative) {
                let (from, to) = (self.equals(*alternative, value), self.equals(term, value));
                self.clause(&[!active, !from, to]);
            }
        }
    }

    /// If the conditions are different values of one term, each excludes the others; the last one, which is
    /// true where the others are not, is what they leave over.
    fn exclusive_conditions(&mut self, alternatives: &[(Bool, Int)]) -> Option<Vec<Known>> {
        let mut index = None;
        let mut taken = Vec::new();
        for (condition, _) in &alternatives[..alternatives.len() - 1] {
            let (id, true) = split(*condition) else { return None };
            let BoolNode::Equals(term, value) = *self.problem.bool_node(id) else { return None };
            if *index.get_or_insert(term) != term || taken.contains(&value) {
                return None;
            }
            taken.push(value);
        }
        let index = index?;
        let mut conditions: Vec<Known> = taken.iter().map(|value| self.equals(index, *value)).collect();
        let mut rest = self.values(index).into_iter().filter(|value| !taken.contains(value));
        let last = match (rest.next(), rest.next()) {
            (None, _) => Known::Constant(false),
            (Some(value), None) => self.equals(index, value),
            _ => {
                let last = Known::Literal(self.sink.new_variable());
                let mut clause = conditions.clone();
                clause.push(last);
                self.clause(&clause);
                for condition in &conditions {
                    self.clause(&[!last, !*condition]);
                }
                last
            }
        };
        conditions.push(last);
        Some(conditions)
    }

    /// A literal equivalent to the conjunction of two.
    fn both(&mut self, left: Known, right: Known) -> Known {
        match (left, right) {
            (Known::Constant(true), other) | (other, Known::Constant(true)) => other,
            (Known::Constant(false), _) | (_, Known::Constant(false)) => Known::Constant(false),
            _ => {
                let both = Known::Literal(self.sink.new_variable());
                self.clause(&[!both, left]);
                self.clause(&[!both, right]);
                self.clause(&[both, !left, !right]);
                both
            }
        }
    }
}
