//! Names and types: from the syntax tree to the typed model.

pub mod model;
