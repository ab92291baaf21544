//! The finite-domain language between Essence and the solvers: Boolean and integer variables, terms over
//! them, constraints, an objective. No word of Essence above its level, no word of a solver below it.
//!
//! Terms are nodes of a hash-consed graph and are built through the methods of [`Builder`], which fold
//! constants and bring terms into normal form; a term is an index, cheap to copy and to compare. Every
//! integer term has a finite set of values that it can take ([`Terms::values`]). All terms are total:
//! where Essence is undefined, lowering has a separate Boolean term that says so, and the value of the
//! integer term is then of no consequence.
//!
//! You may add kinds of terms; the compiler then asks for their values, normal form and encodings. All backends rely
//! on the normal form and on [`Terms::values`].

mod arithmetic;
mod automorphism;
mod build;
mod comparison;
#[cfg(feature = "cpsat")]
mod differences;
mod entries;
mod evaluate;
pub mod global;
mod index;
mod linear;
mod neighbours;
mod node;
mod part;
mod print;
mod relaxation;
#[cfg(feature = "cpsat")]
mod residual;
mod simplify;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use arithmetic::LARGEST;
pub(crate) use arithmetic::{floor_quotient, floor_remainder, power};
pub use automorphism::{Automorphisms, Exchange, OutOfWork};
#[cfg(feature = "cpsat")]
pub(crate) use differences::DifferenceBounds;
pub(crate) use entries::Entries;
pub use evaluate::Assignment;
pub(crate) use global::GlobalConstraint;
pub use global::{Global, ValueRange};
#[cfg(feature = "cpsat")]
pub(crate) use linear::common_divisor;
pub use neighbours::{Neighbours, PairProblem, Walk};
pub use node::{BoolNode, Extreme, Images, IntNode, Linear, Operation};
pub use part::SubProblem;
pub(crate) use relaxation::Relaxation;
#[cfg(feature = "cpsat")]
pub(crate) use residual::Residuals;
pub(crate) use simplify::RootPropagation;
pub use simplify::Simplified;

use crate::{IntSet, Limits, Sense};
use index::TermIndex;
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

/// Hash-consed terms: what problems are made of.
#[derive(Clone, Debug)]
pub struct Terms {
    bools: Vec<BoolNode>,
    ints: Vec<IntEntry>,
    bool_index: TermIndex,
    int_index: TermIndex,
    /// The approximate memory of the terms in bytes.
    memory: u64,
}

/// Terms, constraints on them and an objective. A problem is complete: no term that a [`Builder`] was asked for is
/// missing.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    terms: Terms,
    constraints: Vec<Bool>,
    /// The variables that tell solutions apart, in the order of their creation; other variables follow from them
    /// or do not matter.
    decisions: Vec<Variable>,
    /// Constraints that at least one of each class of symmetric solutions satisfies. Whoever looks for one solution or
    /// the best one may add them.
    symmetry_breaking: Vec<Bool>,
    /// See [`Problem::families`].
    families: Vec<Vec<Vec<Variable>>>,
    /// See [`Problem::sequences`].
    sequences: Vec<Vec<(Bool, Int)>>,
    objective: Option<Objective>,
}

/// A problem under construction. A term that cannot be built is noted, and another one stands in for it, so that
/// building goes on without a look at each term; but nobody gets the problem then ([`Builder::finish`]).
#[derive(Debug, Default)]
pub struct Builder {
    problem: Problem,
    fault: Option<Fault>,
    limits: Limits,
    /// The most terms, where fewer are wanted than fit into memory.
    most_terms: Option<usize>,
}

/// Why a problem cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There would be more terms than fit into memory.
    Terms,
    /// A term can leave the range of checked integers.
    Numbers,
    /// The construction was given up.
    Stopped,
}

/// The terms that the best solution minimises or maximises.
#[derive(Clone, Debug)]
pub struct Objective {
    pub sense: Sense,
    /// The terms, compared lexicographically, the first one first.
    pub terms: Vec<Int>,
}

/// The purpose of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The variable tells solutions apart.
    Decision,
    /// The variable's value follows from others, or does not matter.
    Auxiliary,
}

/// A variable of a problem, or any term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    Bool(Bool),
    Int(Int),
}

impl Variable {
    /// The term; for a negated Boolean, the Boolean that it negates.
    pub fn positive(self) -> Variable {
        match self {
            Variable::Bool(term) => Variable::Bool(term.node().0.positive()),
            Variable::Int(_) => self,
        }
    }
}
