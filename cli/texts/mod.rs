//! Commands that turn one text into another: layouts, trees, parameter files of puzzles, generators of parameters,
//! values.

pub(crate) mod eval;
pub(crate) mod ide;
pub(crate) mod import;
pub(crate) mod parameter_generator;
pub(crate) mod pretty;
