//! Commands that make a text of a text: layouts, trees, parameter files of puzzles, models of parameters, values.

pub(crate) mod eval;
pub(crate) mod ide;
pub(crate) mod import;
pub(crate) mod parameter_generator;
pub(crate) mod pretty;
