//! Finite-domain constraint problems and their solvers: Boolean and integer variables, terms over them, constraints
//! and an objective, and the ways to an assignment through Z3, CaDiCaL, CP-SAT and other solvers.
//!
//! This is the waist of conjure-like: nothing here knows Essence, and nothing above it knows a solver.
//!
//! | module | what it holds |
//! |---|---|
//! | [`problem`] | terms, the builder that keeps them normal, simplification, dual bounds, symmetries |
//! | [`solver`] | the trait `Solver`, the table of backends, encodings into clauses, searches |
//! | [`memory`] | the caps on memory, and stacks that are large enough |

mod error;
mod int_set;
mod limits;
pub mod memory;
pub mod problem;
mod sense;
pub mod solver;

pub use error::SolverError;
pub use int_set::IntSet;
pub use limits::{Limits, StopReason};
pub use sense::Sense;
