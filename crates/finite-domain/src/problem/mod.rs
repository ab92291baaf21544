//! The finite-domain language between Essence and the solvers: Boolean and integer variables, terms over them,
//! constraints and an objective. It depends neither on Essence nor on any solver.
//!
//! Terms are nodes of a hash-consed graph. The methods of [`Builder`] fold constants and bring terms into normal form;
//! a term is an index, cheap to copy and to compare. Every integer term has a finite set of possible values
//! ([`Terms::values`]). All terms are total: if an Essence expression is undefined, a separate Boolean term from
//! lowering expresses that, and the value of the integer term does not matter.
//!
//! You may add kinds of terms; the compiler then requires their values, normal form and encodings. All backends rely on
//! the normal form and on [`Terms::values`].

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
mod tuning;

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
#[cfg(feature = "cpsat")]
pub(crate) use simplify::{DefinedSum, SeenThrough};

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

    /// Returns the node, and true if it is negated.
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
    /// The index of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
struct IntEntry {
    node: IntNode,
    values: IntSet,
}

/// Hash-consed terms, which problems are made of.
#[derive(Clone, Debug)]
pub struct Terms {
    bools: Vec<BoolNode>,
    ints: Vec<IntEntry>,
    bool_index: TermIndex,
    int_index: TermIndex,
    /// An estimate of the memory of the terms in bytes.
    memory: u64,
}

/// Terms, constraints on them and an objective. A problem is complete: a [`Builder`] that could not build a term
/// returns no problem.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    terms: Terms,
    constraints: Vec<Bool>,
    /// The variables that distinguish solutions, in the order of their creation; other variables are functions of them
    /// or do not matter.
    decisions: Vec<Variable>,
    /// Constraints that at least one of each class of symmetric solutions satisfies. A search for one solution or the
    /// best one may add them.
    symmetry_breaking: Vec<Bool>,
    /// See [`Problem::families`].
    families: Vec<Vec<Vec<Variable>>>,
    /// See [`Problem::sequences`].
    sequences: Vec<Vec<(Bool, Int)>>,
    objective: Option<Objective>,
}

/// A problem under construction. If a term cannot be built, the builder records that and returns another term in its
/// place, so that callers need not check each term; but then [`Builder::finish`] returns no problem.
#[derive(Debug, Default)]
pub struct Builder {
    problem: Problem,
    fault: Option<Fault>,
    limits: Limits,
    /// The maximum number of terms if it is lower than memory allows.
    most_terms: Option<usize>,
}

/// The reason why a problem cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There would be more terms than fit into memory.
    Terms,
    /// A term may exceed the range of checked integers.
    Numbers,
    /// A limit was reached.
    Stopped,
}

/// The terms that the best solution minimises or maximises.
#[derive(Clone, Debug)]
pub struct Objective {
    pub sense: Sense,
    /// The terms, compared lexicographically.
    pub terms: Vec<Int>,
}

/// The purpose of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The variable distinguishes solutions.
    Decision,
    /// The variable is a function of others, or does not matter.
    Auxiliary,
}

/// A variable of a problem, or any term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable {
    Bool(Bool),
    Int(Int),
}

impl Variable {
    /// Returns the term; for a negated Boolean, the Boolean that is negated.
    pub fn positive(self) -> Variable {
        match self {
            Variable::Bool(term) => Variable::Bool(term.node().0.positive()),
            Variable::Int(_) => self,
        }
    }
}
