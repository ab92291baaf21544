//! Errors for problems that a solver does not support.

use std::{error::Error, fmt};

/// The reason why a solver does not support a problem. `solver` is its name, as in
/// [`SolverName`](crate::solver::SolverName).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// The solver needs about one Boolean for each value of a number, and there are too many values.
    TooManyValues { solver: String },
    /// The problem has numbers that the solver cannot represent.
    NumbersTooLarge { solver: String },
    /// The problem would become more than this number of clauses.
    TooManyClauses { solver: String, most: u64 },
    /// The clauses for this number of terms would take more memory than allowed, in bytes.
    ClausesTooLarge { solver: String, terms: usize, allowed: u64 },
    /// The model of the solver for this number of terms would take too much memory.
    TranslationTooLarge { solver: String, terms: usize },
    /// Z3 would need its integer theory (for this `reason`), which would take too much memory; both amounts are in
    /// bytes.
    TheoryTooLarge { reason: &'static str, terms: usize, needed: u64, allowed: u64 },
    /// An enumeration would take too much memory.
    EnumerationTooLarge,
    /// No solver supports the problem, which has this number of terms.
    TooLargeForAll { terms: usize },
    /// Z3 was to use clauses, but the numbers have too many values.
    NoClauses,
    /// The library of a solver cannot be loaded, for this `reason`. A program in a Python package looks for it in
    /// Python packages.
    LibraryMissing { solver: String, reason: String, in_python: bool },
    /// An assignment that was read from a text does not satisfy the constraints.
    WrongAnswer,
    /// An assignment of one engine refutes the claim of others.
    FalseClaim { claimed_by: String, claim: FalseClaim, refuted_by: String },
}

/// The kinds of false claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FalseClaim {
    /// There is no assignment.
    NoAssignment,
    /// There are no assignments other than those that were found.
    NoFurther,
    /// No value of a term of the objective is better than the first number; the second one was found.
    NoBetter(i64, i64),
}

impl fmt::Display for SolverError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SolverError::TooManyValues { solver } | SolverError::NumbersTooLarge { solver } => {
                write!(formatter, "the numbers are too large for the solver `{solver}`")
            }
            SolverError::TooManyClauses { solver, .. }
            | SolverError::ClausesTooLarge { solver, .. }
            | SolverError::TranslationTooLarge { solver, .. } => {
                write!(formatter, "the problem is too large for the solver `{solver}`")
            }
            SolverError::TheoryTooLarge { .. } => formatter.write_str("the problem is too large for the solver `z3`"),
            SolverError::EnumerationTooLarge => {
                formatter.write_str("the problem is too large to enumerate its solutions")
            }
            SolverError::TooLargeForAll { .. } => formatter.write_str("the problem is too large for all solvers"),
            SolverError::NoClauses => formatter.write_str("the numbers are too large for clauses"),
            SolverError::LibraryMissing { solver, .. } => {
                write!(formatter, "the library of the solver `{solver}` cannot be loaded")
            }
            SolverError::WrongAnswer => formatter.write_str("the answer's assignment does not satisfy the constraints"),
            SolverError::FalseClaim { claimed_by, claim, refuted_by } => match claim {
                FalseClaim::NoAssignment => {
                    write!(formatter, "{claimed_by} claims that there is no solution, but {refuted_by} has found one")
                }
                FalseClaim::NoFurther => {
                    write!(
                        formatter,
                        "{claimed_by} claims that all solutions are found, but {refuted_by} has found another one"
                    )
                }
                FalseClaim::NoBetter(claimed, found) => write!(
                    formatter,
                    "{claimed_by} claims that no value is better than {claimed}, but {refuted_by} has found {found}"
                ),
            },
        }
    }
}

impl Error for SolverError {}
