//! The vocabulary of all phases: types, values, domains and their attributes.
//!
//! Each phase relies on these types. The order of values is a part of the language (it decides what `min` and the
//! first member of a set are); do not change it.

pub(crate) mod attributes;
mod collection;
pub(crate) mod differences;
pub(crate) mod document;
pub(crate) mod domain;
pub(crate) mod origin;
pub(crate) mod part_name;
pub(crate) mod print;
pub(crate) mod quotation;
pub(crate) mod types;
pub(crate) mod unit;
pub(crate) mod value;

use std::sync::Arc;

pub(crate) use collection::{Collection, MemberForm, cycles, subsets_of};
pub(crate) use domain::{Domain, GroundDomain};
pub(crate) use finite_domain::{IntSet, Sense};
pub(crate) use part_name::PartName;
pub(crate) use types::{IntType, NamedType, Type};
pub(crate) use value::Value;

/// The text of an identifier.
pub(crate) type Name = Arc<str>;

/// The maximum number of members that an unnamed type may have.
pub(crate) const LARGEST_TYPE: i64 = 1 << 32;

/// The reason why an evaluation has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The expression is undefined; the nearest enclosing Boolean becomes false.
    Undefined,
    /// An error that the user must see: an overflow, or a collection that is too large to build.
    Fault(Box<crate::diagnostic::Diagnostic>),
}

/// A value, or the reason why there is none.
pub(crate) type Evaluated<T = Value> = Result<T, Stop>;

impl From<crate::diagnostic::Diagnostic> for Stop {
    fn from(diagnostic: crate::diagnostic::Diagnostic) -> Self {
        Stop::Fault(Box::new(diagnostic))
    }
}
