//! Finite-domain constraint problems and their solvers: Boolean and integer variables, terms over them, constraints and
//! an objective; and backends that find assignments with Z3, CaDiCaL, CP-SAT and other solvers.
//!
//! This crate lies between Essence and the solvers. Nothing here may depend on the language's syntax, types or values,
//! and the layers above use no solver crate (`tests/architecture.rs` checks both). You may change a backend if every
//! term keeps its meaning. The layers above verify solutions, but not the answer "no solution".
//!
//! | module | contents |
//! |---|---|
//! | [`problem`] | terms, the builder that normalises them, simplification, dual bounds, symmetries |
//! | [`solver`] | the trait `Solver`, the table of backends, encodings as clauses, searches |
//! | [`memory`] | the caps on memory, and stacks that are large enough |

mod error;
mod int_set;
mod limits;
pub mod memory;
pub mod problem;
mod sense;
pub mod solver;

pub use error::{FalseClaim, SolverError};
pub use int_set::IntSet;
pub use limits::{Limits, StopReason};
pub use sense::Sense;
