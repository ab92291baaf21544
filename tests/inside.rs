//! The tests that look inside the library. They are compiled into it, since what they look at is not for others; `cargo test --lib
//! inside::generated` runs some of them. Tests of the program and of what the library exports stand beside this file as targets of
//! their own.

mod cliques;
mod comments;
pub(crate) mod common;
mod conjure_solutions;
mod errors_reference;
mod evaluation;
#[path = "common/explained.rs"]
mod explained;
mod explanations;
#[path = "generated/main.rs"]
pub(crate) mod generated;
mod import;
mod laboratory;
mod language_server;
mod manual;
mod protocol;
mod pruning;
mod regressions;
mod shapes;
mod sizes;
mod solution_files;
#[path = "statements/main.rs"]
mod statements;
#[path = "common/suite.rs"]
pub(crate) mod suite;
mod suites;
mod symmetry;
mod syntax;
