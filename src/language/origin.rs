//! The origins of values that were not written in Essence, such as the values in tables.

use super::{Value, domain::ValueStep};
use crate::source::Span;
use std::fmt::Debug;

/// Finds the places of the parts of a value.
pub(crate) trait ValueOrigin: Debug + Send + Sync {
    /// The place of the part of a value that a path leads to, as far as it is known.
    fn place(&self, value: &Value, path: &[ValueStep]) -> Option<ValuePlace>;
}

/// The place of a part of a value.
#[derive(Clone, Debug)]
pub(crate) struct ValuePlace {
    pub span: Span,
    /// The words by which people find the place: `row 14, column hours`.
    pub words: String,
    /// The text that holds the value: `staff.csv`.
    pub text: String,
}
