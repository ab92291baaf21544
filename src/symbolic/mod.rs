//! Values of Essence that depend on decisions: their shape is known, their leaves are terms of a problem.
//!
//! Every collection that is not constant is a list of *members with conditions*: what may be in it, and
//! when. Operators are written over these alone, whatever the representation of the decision variable that
//! the members come from. Constant parts stay values, so that an operator whose operands are all constant
//! is simply evaluated.

pub mod representation;

use crate::{
    language::{Collection, GroundDomain, Value},
    problem::{Bool, Int, Problem},
};
use rustc_hash::FxHashMap;
use std::{cell::OnceCell, rc::Rc};

/// A value of Essence that may depend on decisions.
#[derive(Clone, Debug)]
pub enum Term {
    Value(Value),
    Bool(Bool),
    /// An integer or the position of a member of an enumerated or unnamed type.
    Int(Int),
    /// Tuples, and records with their fields sorted by name.
    Tuple(Rc<[Term]>),
    /// Which alternative is active (0-based), and the value that each would have.
    Variant(Int, Rc<[Term]>),
    /// The index domain (`Bool` or `Int`) and the elements. A list whose length is fixed is a matrix indexed from 1.
    Matrix(Rc<GroundDomain>, Rc<[Term]>),
    /// A comprehension whose guards depend on decisions: the elements whose conditions hold, in order.
    List(Rc<[Member]>),
    Collection(Collection, Rc<Members>),
}

/// A possible element of a collection, and the condition under which it is in there.
#[derive(Clone, Debug)]
pub struct Member {
    pub condition: Bool,
    pub term: Term,
}

/// The possible members of a collection. What the terms are depends on the collection: elements of sets and
/// multisets; pairs of functions, sequences (index and value, by index) and permutations (every point that
/// can be moved, with its image); tuples of relations; sets that are the parts of a partition.
#[derive(Debug)]
pub struct Members {
    pub members: Vec<Member>,
    /// No two members that are present at the same time are equal (for multisets: this says nothing;
    /// for functions, sequences and permutations it always holds of the arguments).
    pub distinct: bool,
    /// Positions of the members by their constant keys (the argument of a pair, else the whole element), made
    /// on demand; `None` inside if some key is not constant.
    positions: OnceCell<Option<FxHashMap<Value, usize>>>,
}

/// A term with the condition under which it is defined.
#[derive(Clone, Debug)]
pub struct Partial {
    pub term: Term,
    pub defined: Bool,
}

impl From<Term> for Partial {
    fn from(term: Term) -> Self {
        Partial { term, defined: Bool::TRUE }
    }
}

/// Where operators are lowered: the problem under construction, and what is said about it.
pub struct Symbolic {
    pub problem: Problem,
    /// The first thing that could not be expressed, for the caller to report where it stands.
    pub refusal: Option<crate::diagnostic::Diagnostic>,
}
