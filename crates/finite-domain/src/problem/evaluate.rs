//! Evaluation of terms in an assignment of the variables.

use super::*;
use crate::memory;
use std::cell::RefCell;

/// A value for each variable of a problem.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    bools: FxHashMap<BoolId, bool>,
    ints: FxHashMap<Int, i64>,
    /// The cached values of compound terms.
    known: RefCell<KnownValues>,
}

#[derive(Clone, Debug, Default)]
struct KnownValues {
    bools: FxHashMap<BoolId, bool>,
    ints: FxHashMap<Int, i64>,
}

impl Assignment {
    /// Sets a variable, even if it is given negated; 1 means true.
    pub fn set(&mut self, variable: Variable, value: i64) {
        match variable {
            Variable::Bool(term) => self.set_bool(term.node().0, (value == 1) != term.node().1),
            Variable::Int(term) => self.set_int(term, value),
        }
    }

    pub fn set_bool(&mut self, variable: BoolId, value: bool) {
        self.bools.insert(variable, value);
        // Any cached value may depend on the variable.
        *self.known.get_mut() = KnownValues::default();
    }

    pub fn set_int(&mut self, variable: Int, value: i64) {
        self.ints.insert(variable, value);
        *self.known.get_mut() = KnownValues::default();
    }

    /// Sets the value of a compound term, so that it is not evaluated.
    pub fn suppose(&mut self, term: Int, value: i64) {
        self.known.get_mut().ints.insert(term, value);
    }
}

impl Terms {
    /// Returns the value of a term, with 0 for false and 1 for true.
    pub fn value(&self, term: Variable, assignment: &Assignment) -> i64 {
        match term {
            Variable::Bool(term) => self.bool_value(term, assignment).into(),
            Variable::Int(term) => self.int_value(term, assignment),
        }
    }

    /// Returns the value of a Boolean term. Variables without a value are false or have their smallest value.
    pub fn bool_value(&self, term: Bool, assignment: &Assignment) -> bool {
        let (id, negated) = term.node();
        negated != self.node_value(id, assignment)
    }

    fn node_value(&self, id: BoolId, assignment: &Assignment) -> bool {
        let node = self.bool_node(id);
        match node {
            BoolNode::True => return true,
            BoolNode::Variable => return assignment.bools.get(&id).copied().unwrap_or(false),
            _ => {}
        }
        // Terms share operands, so without the cache, an evaluation could take exponential time.
        if let Some(value) = assignment.known.borrow().bools.get(&id) {
            return *value;
        }
        // Terms may be nested deeply, for example in chains of choices.
        let value = memory::with_more_stack(|| {
            let int = |term: &Int| self.int_value(*term, assignment);
            let sum = |terms: &Linear| {
                terms.iter().map(|(factor, term)| i128::from(*factor) * i128::from(int(term))).sum::<i128>()
            };
            match node {
                BoolNode::True | BoolNode::Variable => true,
                BoolNode::And(parts) => parts.iter().all(|part| self.bool_value(*part, assignment)),
                BoolNode::Equivalent(left, right) => {
                    self.bool_value(*left, assignment) == self.bool_value(*right, assignment)
                }
                BoolNode::Equals(term, value) => int(term) == *value,
                BoolNode::AtMost(term, value) => int(term) <= *value,
                BoolNode::Same(left, right) => int(left) == int(right),
                BoolNode::LinearAtMost(terms, bound) => sum(terms) <= i128::from(*bound),
                BoolNode::LinearEquals(terms, bound) => sum(terms) == i128::from(*bound),
                BoolNode::Global(global) => {
                    // If each term has a single value, entailment is the truth value of the constraint.
                    let mut range = |term: Int| {
                        let value = i128::from(int(&term));
                        (value, value)
                    };
                    global.entailed(&mut range) == Some(true)
                }
            }
        });
        assignment.known.borrow_mut().bools.insert(id, value);
        value
    }

    pub fn int_value(&self, term: Int, assignment: &Assignment) -> i64 {
        let node = self.int_node(term);
        match node {
            IntNode::Constant(value) => return *value,
            IntNode::Variable => {
                return assignment.ints.get(&term).copied().or(self.values(term).min()).unwrap_or(0);
            }
            _ => {}
        }
        if let Some(value) = assignment.known.borrow().ints.get(&term) {
            return *value;
        }
        let value = memory::with_more_stack(|| {
            let int = |term: &Int| i128::from(self.int_value(*term, assignment));
            match node {
                IntNode::Constant(value) => i128::from(*value),
                IntNode::Variable => 0,
                IntNode::FromBool(condition) => i128::from(self.bool_value(*condition, assignment)),
                IntNode::Linear(terms, constant) => {
                    terms.iter().map(|(factor, term)| i128::from(*factor) * int(term)).sum::<i128>()
                        + i128::from(*constant)
                }
                IntNode::Binary(operation, left, right) => operation.apply(int(left), int(right)).unwrap_or(i128::MAX),
                IntNode::Absolute(term) => int(term).abs(),
                IntNode::Extreme(extreme, terms) => extreme.of(terms.iter().map(int)).unwrap_or(0),
                IntNode::Choice(alternatives) => alternatives
                    .iter()
                    .find(|(condition, _)| self.bool_value(*condition, assignment))
                    .map_or(0, |(_, term)| int(term)),
            }
        });
        // Lowering ensures that no value leaves the range.
        let value = value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64;
        assignment.known.borrow_mut().ints.insert(term, value);
        value
    }
}
