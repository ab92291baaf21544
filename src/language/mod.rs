//! The vocabulary of all phases: types, values, domains and their attributes.

pub mod attributes;
pub mod document;
pub mod domain;
pub mod int_set;
pub mod part_name;
pub mod print;
pub mod sense;
pub mod types;
pub mod value;

use std::rc::Rc;

pub use domain::{Domain, GroundDomain};
pub use int_set::IntSet;
pub use part_name::PartName;
pub use sense::Sense;
pub use types::{NamedType, Type};
pub use value::Value;

/// The text of an identifier.
pub type Name = Rc<str>;

/// A collection constructor: what kind of collection a literal, a value or a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Collection {
    Set,
    MSet,
    Function,
    Sequence,
    Relation,
    Partition,
    Permutation,
}

impl Collection {
    /// The word that begins a literal and a domain of this kind.
    pub fn keyword(self) -> &'static str {
        match self {
            Collection::Set => "set",
            Collection::MSet => "mset",
            Collection::Function => "function",
            Collection::Sequence => "sequence",
            Collection::Relation => "relation",
            Collection::Partition => "partition",
            Collection::Permutation => "permutation",
        }
    }
}

/// Why an evaluation has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The expression is undefined; the nearest enclosing Boolean becomes false.
    Undefined,
    /// Something that the user must be told: overflow, a collection too large to build.
    Fault(Box<crate::diagnostic::Diagnostic>),
}

/// A value, or the reason why there is none.
pub type Evaluated<T = Value> = Result<T, Stop>;

impl From<crate::diagnostic::Diagnostic> for Stop {
    fn from(diagnostic: crate::diagnostic::Diagnostic) -> Self {
        Stop::Fault(Box::new(diagnostic))
    }
}
