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
mod global;
mod index;
mod linear;
mod node;
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
pub use global::{AllDifferent, Constraint, Global, Range, Table};
pub use node::{BoolNode, Extreme, Images, IntNode, Linear, Operation};
pub use part::Part;
pub use relaxation::Relaxation;
pub use simplify::Facts;

use crate::language::{IntSet, Sense};
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
    objective: Option<Objective>,
    /// A term built since the last [`Problem::take_overflow`] can leave the range of checked integers.
    overflow: bool,
    /// What the terms take of memory, about, in bytes.
    memory: u64,
    /// More memory was asked for than there may be.
    full: bool,
}

/// What is asked of the best solution.
#[derive(Clone, Debug)]
pub struct Objective {
    pub sense: Sense,
    /// They are compared lexicographically, the first one first.
    pub terms: Vec<Int>,
}

/// A variable of a problem, or any term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    Bool(Bool),
    Int(Int),
}
