//! Other models and texts that are derived from a model: the model of its parameters, and the same text with other
//! names or with fewer statements.
//!
//! You may add rewritings. Their callers rely on texts that parse, with the comments and the layout of everything that
//! did not change.

pub(crate) mod parameter_generator;
mod shortened;

/// The constraint that an expression, such as an objective, has a value.
pub(crate) fn value_required(expression: &str) -> String {
    format!("such that ({expression}) = ({expression})")
}
