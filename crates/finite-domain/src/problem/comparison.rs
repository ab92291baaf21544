//! Comparisons of integer terms.

use super::*;
use crate::problem::tuning::terms::MOST_NUMBERS;

impl Builder {
    pub fn equals_constant(&mut self, term: Int, value: i64) -> Bool {
        if !self.values(term).contains(value) {
            return Bool::FALSE;
        }
        if self.int_constant(term).is_some() {
            return Bool::TRUE;
        }
        match &self.ints[term.index()].node {
            IntNode::FromBool(operand) => {
                if value == 1 {
                    *operand
                // For a Boolean as a number, `x = 1` is the Boolean and `x = 0` is its negation.
                } else {
                    !*operand
                }
            }
            IntNode::Linear(terms, constant) => {
                let (terms, constant) = (terms.to_vec(), *constant);
                self.linear_equals(terms, i128::from(value) - i128::from(constant))
            }
            IntNode::Choice(alternatives)
                if alternatives.iter().all(|(_, term)| self.int_constant(*term).is_some()) =>
            {
                let alternatives = alternatives.to_vec();
                self.choice_holds(&alternatives, |constant| constant == value)
            }
            _ => self.intern_bool(BoolNode::Equals(term, value)),
        }
    }

    /// Returns the condition that a variable has a value; a Boolean counts as 0 or 1.
    pub fn has_value(&mut self, variable: Variable, value: i64) -> Bool {
        match variable {
            Variable::Bool(term) if value == 1 => term,
            Variable::Bool(term) => !term,
            Variable::Int(term) => self.equals_constant(term, value),
        }
    }

    /// Returns the condition that a term is at least as good as a value.
    pub fn at_least_as_good(&mut self, sense: Sense, term: Int, value: i64) -> Bool {
        match sense {
            Sense::Minimise => self.at_most_constant(term, value),
            Sense::Maximise => !self.at_most_constant(term, value.saturating_sub(1)),
        }
    }

    pub fn at_most_constant(&mut self, term: Int, value: i64) -> Bool {
        let (low, high) = self.bounds(term);
        if high <= value {
            return Bool::TRUE;
        }
        if low > value {
            return Bool::FALSE;
        }
        match &self.ints[term.index()].node {
            IntNode::FromBool(operand) => !*operand,
            IntNode::Choice(alternatives)
                if alternatives.iter().all(|(_, term)| self.int_constant(*term).is_some()) =>
            {
                let alternatives = alternatives.to_vec();
                // A comparison of a lookup among constants depends only on the index, so the value needs no variable.
                self.choice_holds(&alternatives, |constant| constant <= value)
            }
            IntNode::Linear(terms, constant) => {
                let (terms, constant) = (terms.to_vec(), *constant);
                self.linear_at_most(terms, i128::from(value) - i128::from(constant))
            }
            // `|x| <= v` is `-v <= x <= v`, so `|x|` needs no variable; `!v` is `-v - 1`.
            &IntNode::Absolute(inner) => {
                let (below, above) = (self.at_most_constant(inner, !value), self.at_most_constant(inner, value));
                self.and([!below, above])
            }
            _ => {
                // The bound is rounded down to a value of the term, so that equivalent comparisons are the same node.
                let below = self.values(term).intersect(&IntSet::range(low, value));
                let value = IntSet::max(&below).unwrap_or(value);
                if value == low {
                    return self.equals_constant(term, low);
                }
                if self.values(term).intersect(&IntSet::range(value + 1, high)).size() == Some(1) {
                    return !self.equals_constant(term, high);
                }
                self.intern_bool(BoolNode::AtMost(term, value))
            }
        }
    }

    /// Returns the condition that the value of a choice between constants fulfils a predicate.
    fn choice_holds(&mut self, alternatives: &[(Bool, Int)], holds: impl Fn(i64) -> bool) -> Bool {
        let holds = |terms: &Terms, term: Int| terms.int_constant(term).is_some_and(&holds);
        let Some(((_, last), earlier)) = alternatives.split_last() else { return Bool::FALSE };
        if let Some(index) = self.index_of_choice(alternatives) {
            // Each value of the index selects the first alternative with this value; all other values select the last
            // one.
            let mut others = self.values(index).clone();
            let mut accepted = Vec::new();
            for (condition, term) in earlier {
                if let BoolNode::Equals(_, value) = *self.bool_node(condition.node().0) {
                    if others.contains(value) && holds(self, *term) {
                        accepted.push((value, value));
                    }
                    let rest =
                        IntSet::from_ranges([(IntSet::MINUS_INFINITY, value - 1), (value + 1, IntSet::INFINITY)]);
                    others = others.intersect(&rest);
                }
            }
            if holds(self, *last) {
                accepted.extend(others.ranges());
            }
            return self.member(index, &IntSet::from_ranges(accepted));
        }
        let mut cases = Vec::new();
        let mut none_earlier = Bool::TRUE;
        for (condition, term) in alternatives {
            if holds(self, *term) {
                cases.push(self.and([none_earlier, *condition]));
            }
            none_earlier = self.and([none_earlier, !*condition]);
        }
        self.or(cases)
    }

    /// Returns the condition that the term's value is in the set.
    pub fn member(&mut self, term: Int, set: &IntSet) -> Bool {
        let values = self.values(term);
        let inside = values.intersect(set);
        let outside = IntSet::from_ranges(set.gaps()).intersect(values);
        // The set with fewer ranges needs fewer comparisons.
        if outside.ranges().len() < inside.ranges().len() {
            return !self.in_ranges(term, &outside);
        }
        self.in_ranges(term, &inside)
    }

    /// Returns the condition that the term's value is in a subset of its values.
    fn in_ranges(&mut self, term: Int, set: &IntSet) -> Bool {
        let mut cases = Vec::new();
        for &(low, high) in set.ranges() {
            // One or two values are compared by equations, and longer ranges by their bounds.
            if high - low < 2 {
                cases.extend((low..=high).map(|value| self.equals_constant(term, value)).collect::<Vec<_>>());
            } else {
                let (above, below) = (!self.at_most_constant(term, low - 1), self.at_most_constant(term, high));
                cases.push(self.and([above, below]));
            }
        }
        self.or(cases)
    }

    pub fn equal(&mut self, left: Int, right: Int) -> Bool {
        if left == right {
            return Bool::TRUE;
        }
        if let Some(value) = self.int_constant(left) {
            return self.equals_constant(right, value);
        }
        if let Some(value) = self.int_constant(right) {
            return self.equals_constant(left, value);
        }
        if self.values(left).intersect(self.values(right)).is_empty() {
            return Bool::FALSE;
        }
        match (&self.ints[left.index()].node, &self.ints[right.index()].node) {
            (IntNode::FromBool(left), IntNode::FromBool(right)) => {
                let (left, right) = (*left, *right);
                self.equivalent(left, right)
            }
            (IntNode::Linear(..), _) | (_, IntNode::Linear(..)) => {
                let (terms, constant) = self.collect_terms([(1, left), (-1, right)], 0, usize::MAX);
                self.linear_equals(terms, -constant)
            }
            _ => self.intern_bool(BoolNode::Same(left.min(right), left.max(right))),
        }
    }

    pub fn at_most(&mut self, left: Int, right: Int) -> Bool {
        self.difference_at_most(left, right, 0)
    }

    pub fn less(&mut self, left: Int, right: Int) -> Bool {
        self.difference_at_most(left, right, -1)
    }
}

impl Terms {
    /// Returns the term `x` if all conditions of a choice but the last are `x = c`.
    pub fn index_of_choice(&self, alternatives: &[(Bool, Int)]) -> Option<Int> {
        let mut index = None;
        for (condition, _) in alternatives.split_last()?.1 {
            match (condition.node(), self.bool_node(condition.node().0)) {
                ((_, false), BoolNode::Equals(term, _)) if index.is_none_or(|index| index == *term) => {
                    index = Some(*term);
                }
                _ => return None,
            }
        }
        index
    }

    /// Returns the position of the alternative that is chosen for each integer between the bounds of the index
    /// ([`Self::index_of_choice`]); `None` if there are more than 100,000 integers.
    pub fn chosen_by_index(&self, alternatives: &[(Bool, Int)], index: Int) -> Option<Vec<usize>> {
        let (low, high) = self.bounds(index);
        if high.abs_diff(low) >= MOST_NUMBERS {
            return None;
        }
        let mut positions: FxHashMap<i64, usize> = FxHashMap::default();
        for (position, (condition, _)) in alternatives.iter().enumerate() {
            if let BoolNode::Equals(_, value) = self.bool_node(condition.node().0) {
                positions.entry(*value).or_insert(position);
            }
        }
        let last = alternatives.len().saturating_sub(1);
        Some((low..=high).map(|value| positions.get(&value).copied().unwrap_or(last)).collect())
    }
}
