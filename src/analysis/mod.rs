//! Names and types: from the syntax tree to the typed model.

pub mod model;

use crate::{language::Name, source::Span};
use model::{DeclarationId, Expr};

/// What a parameter file says, bound to the declarations of a model.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// The values of `given`s in the order of the file; each may mention parameters before it.
    pub values: Vec<(DeclarationId, Expr)>,
    /// The members of each `given E new type enum`.
    pub enums: Vec<(DeclarationId, Vec<Name>, Span)>,
}
