//! conjure-like compiles Essence, the declarative constraint-modelling language, to finite-domain
//! problems and solves them.
//!
//! A model and its parameters pass through the phases in the order of the modules below; [`pipeline`]
//! tells the whole story. `syntax` turns text into a tree, `analysis` gives every name its declaration
//! and every expression its type, `instance` binds the parameters, `lowering` turns what is left into
//! finite-domain variables and constraints (a [`problem`]), `solver` finds assignments, and `solution`
//! reads them back as Essence values, checks them against the instance and prints them. Aside from all
//! this, `picture` draws solutions, `import` turns puzzles as people write them down into parameter files, and
//! [`search`] is a textbook solver that shows its work.

pub mod diagnostic;
pub mod import;
pub mod language;
pub mod memory;
pub mod source;

pub mod operators;
pub mod problem;
pub mod proof;
pub mod symbolic;

pub mod analysis;
pub mod explain;
pub mod instance;
pub mod lowering;
pub mod picture;
pub mod pipeline;
pub mod search;
pub mod solution;
pub mod solver;
pub mod syntax;
