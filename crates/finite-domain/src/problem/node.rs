//! The nodes of terms, and the two traversals of all kinds of nodes: visiting the operands and replacing them.

use super::*;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoolNode {
    /// Node 0.
    True,
    Variable,
    /// A conjunction of at least two different operands in ascending order, without constants. A disjunction is a
    /// negated conjunction.
    And(Box<[Bool]>),
    /// True if both operands are equal; they are not negated, in ascending order.
    Equivalent(Bool, Bool),
    /// `x = value`; `x` can take this value and others.
    Equals(Int, i64),
    /// `x <= value`; neither always true nor always false.
    AtMost(Int, i64),
    /// Two different terms are equal.
    Same(Int, Int),
    /// `Σ coefficient · term <= bound` with at least two terms.
    LinearAtMost(Linear, i64),
    /// `Σ coefficient · term = bound` with at least two terms.
    LinearEquals(Linear, i64),
    Global(Global),
}

/// Coefficients other than 0 with terms; each term occurs once, in ascending order, and is not a constant.
pub type Linear = Box<[(i64, Int)]>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IntNode {
    Constant(i64),
    Variable,
    /// 1 if the operand is true, otherwise 0.
    FromBool(Bool),
    /// `Σ coefficient · term + constant`
    Linear(Linear, i64),
    Binary(Operation, Int, Int),
    Absolute(Int),
    Extreme(Extreme, Box<[Int]>),
    /// The value of the first alternative whose condition holds; the last condition is `TRUE`.
    Choice(Box<[(Bool, Int)]>),
}

/// A function of two terms other than a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Product,
    /// The quotient, rounded towards minus infinity; 0 if the divisor is 0.
    Quotient,
    /// The remainder, with the sign of the divisor; 0 if the divisor is 0.
    Remainder,
    /// The power; 0 if the exponent is negative.
    Power,
}

impl Operation {
    /// Returns the result; `None` if it is too large.
    pub fn apply(self, left: i128, right: i128) -> Option<i128> {
        match self {
            Operation::Product => left.checked_mul(right),
            Operation::Quotient => Some(floor_quotient(left, right)),
            Operation::Remainder => Some(floor_remainder(left, right)),
            Operation::Power => power(left, right),
        }
    }

    pub fn symbol(self) -> &'static str {
        match self {
            Operation::Product => "*",
            Operation::Quotient => "/",
            Operation::Remainder => "%",
            Operation::Power => "**",
        }
    }
}

/// The minimum or the maximum of some terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extreme {
    Minimum,
    Maximum,
}

impl Extreme {
    pub fn of(self, values: impl Iterator<Item = i128>) -> Option<i128> {
        match self {
            Extreme::Minimum => values.min(),
            Extreme::Maximum => values.max(),
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Extreme::Minimum => "min",
            Extreme::Maximum => "max",
        }
    }
}

/// The terms that replace a node's operands.
pub trait Images {
    fn bool(&mut self, term: Bool) -> Bool;
    fn int(&mut self, term: Int) -> Int;
}

impl BoolNode {
    /// Visits the operands of the node.
    pub fn operands(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            BoolNode::True | BoolNode::Variable => {}
            BoolNode::And(parts) => parts.iter().for_each(|part| visit(Variable::Bool(*part))),
            BoolNode::Equivalent(left, right) => {
                [left, right].into_iter().for_each(|part| visit(Variable::Bool(*part)))
            }
            BoolNode::Equals(term, _) | BoolNode::AtMost(term, _) => visit(Variable::Int(*term)),
            BoolNode::Same(left, right) => [left, right].into_iter().for_each(|term| visit(Variable::Int(*term))),
            BoolNode::LinearAtMost(terms, _) | BoolNode::LinearEquals(terms, _) => {
                terms.iter().for_each(|(_, term)| visit(Variable::Int(*term)));
            }
            BoolNode::Global(global) => global.operands(visit),
        }
    }

    /// Replaces the operands; the result need not be in normal form.
    pub(super) fn map(&self, images: &mut impl Images) -> BoolNode {
        match self {
            BoolNode::True => BoolNode::True,
            BoolNode::Variable => BoolNode::Variable,
            BoolNode::And(parts) => BoolNode::And(parts.iter().map(|part| images.bool(*part)).collect()),
            BoolNode::Equivalent(left, right) => BoolNode::Equivalent(images.bool(*left), images.bool(*right)),
            BoolNode::Equals(term, value) => BoolNode::Equals(images.int(*term), *value),
            BoolNode::AtMost(term, value) => BoolNode::AtMost(images.int(*term), *value),
            BoolNode::Same(left, right) => BoolNode::Same(images.int(*left), images.int(*right)),
            BoolNode::LinearAtMost(terms, bound) => BoolNode::LinearAtMost(map_sum(terms, images), *bound),
            BoolNode::LinearEquals(terms, bound) => BoolNode::LinearEquals(map_sum(terms, images), *bound),
            BoolNode::Global(global) => BoolNode::Global(global.map(images)),
        }
    }

    /// Returns the memory of the operands in bytes.
    pub(super) fn memory(&self) -> usize {
        match self {
            BoolNode::And(parts) => size_of_val(&**parts),
            BoolNode::LinearAtMost(terms, _) | BoolNode::LinearEquals(terms, _) => size_of_val(&**terms),
            BoolNode::Global(global) => global.memory(),
            _ => 0,
        }
    }
}

impl IntNode {
    /// Visits the operands of the node.
    pub fn operands(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            IntNode::Constant(_) | IntNode::Variable => {}
            IntNode::FromBool(condition) => visit(Variable::Bool(*condition)),
            IntNode::Linear(terms, _) => terms.iter().for_each(|(_, term)| visit(Variable::Int(*term))),
            IntNode::Binary(_, left, right) => [left, right].into_iter().for_each(|term| visit(Variable::Int(*term))),
            IntNode::Absolute(term) => visit(Variable::Int(*term)),
            IntNode::Extreme(_, terms) => terms.iter().for_each(|term| visit(Variable::Int(*term))),
            IntNode::Choice(alternatives) => {
                for (condition, term) in alternatives {
                    visit(Variable::Bool(*condition));
                    visit(Variable::Int(*term));
                }
            }
        }
    }

    /// Replaces the operands; the result need not be in normal form.
    pub(super) fn map(&self, images: &mut impl Images) -> IntNode {
        match self {
            IntNode::Constant(value) => IntNode::Constant(*value),
            IntNode::Variable => IntNode::Variable,
            IntNode::FromBool(condition) => IntNode::FromBool(images.bool(*condition)),
            IntNode::Linear(terms, constant) => IntNode::Linear(map_sum(terms, images), *constant),
            IntNode::Binary(operation, left, right) => {
                IntNode::Binary(*operation, images.int(*left), images.int(*right))
            }
            IntNode::Absolute(term) => IntNode::Absolute(images.int(*term)),
            IntNode::Extreme(extreme, terms) => {
                IntNode::Extreme(*extreme, terms.iter().map(|term| images.int(*term)).collect())
            }
            IntNode::Choice(alternatives) => IntNode::Choice(
                alternatives.iter().map(|(condition, term)| (images.bool(*condition), images.int(*term))).collect(),
            ),
        }
    }

    /// Returns the memory of the operands in bytes.
    pub(super) fn memory(&self) -> usize {
        match self {
            IntNode::Linear(terms, _) => size_of_val(&**terms),
            IntNode::Extreme(_, terms) => size_of_val(&**terms),
            IntNode::Choice(alternatives) => size_of_val(&**alternatives),
            _ => 0,
        }
    }
}

fn map_sum(terms: &Linear, images: &mut impl Images) -> Linear {
    terms.iter().map(|(factor, term)| (*factor, images.int(*term))).collect()
}
