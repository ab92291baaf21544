//! The finite-domain language between Essence and the solvers: Boolean and integer variables, terms over
//! them, constraints, an objective. No word of Essence above its level, no word of a solver below it.
//!
//! Terms are nodes of a hash-consed graph and are built through the methods of [`Problem`], which fold
//! constants and bring terms into normal form; a term is an index, cheap to copy and to compare. Every
//! integer term has a finite set of values that it can take ([`Problem::values`]). All terms are total:
//! where Essence is undefined, lowering has a separate Boolean term that says so, and the value of the
//! integer term is then of no consequence.

mod arithmetic;
mod build;
mod comparison;
mod evaluate;
mod index;
mod linear;
mod part;
mod print;
mod relaxation;
mod simplify;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub use arithmetic::LARGEST;
pub use arithmetic::{floor_quotient, floor_remainder, power};
pub use evaluate::Assignment;
pub use part::Part;
pub use relaxation::Relaxation;
pub use simplify::Facts;

use crate::language::IntSet;
use index::Index;
use rustc_hash::{FxHashMap, FxHashSet};

/// A Boolean term: a node, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bool(u32);

/// An integer term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Int(u32);

impl Bool {
    pub const TRUE: Bool = Bool(0);
    pub const FALSE: Bool = Bool(1);

    /// The node, and whether it is negated.
    pub fn node(self) -> (BoolId, bool) {
        (BoolId(self.0 >> 1), self.0 & 1 == 1)
    }

    pub fn constant(self) -> Option<bool> {
        match self {
            Bool::TRUE => Some(true),
            Bool::FALSE => Some(false),
            _ => None,
        }
    }
}

impl From<bool> for Bool {
    fn from(value: bool) -> Self {
        if value { Bool::TRUE } else { Bool::FALSE }
    }
}

impl std::ops::Not for Bool {
    type Output = Bool;
    fn not(self) -> Bool {
        Bool(self.0 ^ 1)
    }
}

/// An index into the Boolean nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoolId(pub u32);

impl BoolId {
    pub fn positive(self) -> Bool {
        Bool(self.0 << 1)
    }
}

impl Int {
    /// The index of its node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoolNode {
    /// Node 0.
    True,
    Variable,
    /// At least two different operands, ascending, no constants. A disjunction is a negated conjunction.
    And(Box<[Bool]>),
    /// True if both are equal; both positive, ascending.
    Equivalent(Bool, Bool),
    /// `x = value`; the value is one that `x` can take, and not the only one.
    Equals(Int, i64),
    /// `x <= value`; neither always true nor always false.
    AtMost(Int, i64),
    /// Two different terms are equal.
    Same(Int, Int),
    /// `Σ coefficient · term <= bound` with at least two terms.
    LinearAtMost(Linear, i64),
    /// `Σ coefficient · term = bound` with at least two terms.
    LinearEquals(Linear, i64),
    /// The terms differ pairwise.
    AllDifferent(Box<[Int]>),
    /// The terms, as a tuple, are one of the rows (each as long as the terms; ascending).
    Table(Box<[Int]>, Box<[Box<[i64]>]>),
}

/// Coefficients (not 0) with terms (no constants, ascending, each once).
pub type Linear = Box<[(i64, Int)]>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum IntNode {
    Constant(i64),
    Variable,
    /// 1 if true, else 0.
    FromBool(Bool),
    /// `Σ coefficient · term + constant`
    Linear(Linear, i64),
    Product(Int, Int),
    /// Rounded towards minus infinity; 0 if the divisor is 0.
    Quotient(Int, Int),
    /// With the sign of the divisor; 0 if the divisor is 0.
    Remainder(Int, Int),
    /// 0 if the exponent is negative.
    Power(Int, Int),
    Absolute(Int),
    Minimum(Box<[Int]>),
    Maximum(Box<[Int]>),
    /// The value of the first alternative whose condition holds; the last condition is `TRUE`.
    Choice(Box<[(Bool, Int)]>),
}

#[derive(Clone, Debug)]
struct IntEntry {
    node: IntNode,
    values: IntSet,
}

#[derive(Clone, Debug)]
pub struct Problem {
    bools: Vec<BoolNode>,
    ints: Vec<IntEntry>,
    bool_index: Index,
    int_index: Index,
    constraints: Vec<Bool>,
    /// The variables that tell solutions apart, in the order of their creation; other variables follow from them
    /// or do not matter.
    decisions: Vec<Variable>,
    /// Whether it is maximised, and what.
    objective: Option<(bool, Vec<Int>)>,
    /// A term built since the last [`Problem::take_overflow`] can leave the range of checked integers.
    overflow: bool,
    /// What the terms take of memory, about, in bytes.
    memory: u64,
    /// More memory was asked for than there may be.
    full: bool,
}

/// A variable of a problem, or any term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    Bool(Bool),
    Int(Int),
}

impl BoolNode {
    /// Visits the terms that the node is made of.
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
            BoolNode::AllDifferent(terms) | BoolNode::Table(terms, _) => {
                terms.iter().for_each(|term| visit(Variable::Int(*term)));
            }
        }
    }
}

impl IntNode {
    /// Visits the terms that the node is made of.
    pub fn operands(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            IntNode::Constant(_) | IntNode::Variable => {}
            IntNode::FromBool(condition) => visit(Variable::Bool(*condition)),
            IntNode::Linear(terms, _) => terms.iter().for_each(|(_, term)| visit(Variable::Int(*term))),
            IntNode::Product(left, right)
            | IntNode::Quotient(left, right)
            | IntNode::Remainder(left, right)
            | IntNode::Power(left, right) => [left, right].into_iter().for_each(|term| visit(Variable::Int(*term))),
            IntNode::Absolute(term) => visit(Variable::Int(*term)),
            IntNode::Minimum(terms) | IntNode::Maximum(terms) => {
                terms.iter().for_each(|term| visit(Variable::Int(*term)));
            }
            IntNode::Choice(alternatives) => {
                for (condition, term) in alternatives {
                    visit(Variable::Bool(*condition));
                    visit(Variable::Int(*term));
                }
            }
        }
    }
}
