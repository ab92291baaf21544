//! Tests of the library's internals. They are compiled into the library, because they use items that are not exported;
//! `cargo test --lib inside::generated` runs some of them. Tests of the program and of the exported API are separate
//! targets beside this file.

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
mod improvements;
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
mod streamliners;
#[path = "common/suite.rs"]
pub(crate) mod suite;
mod suites;
mod symmetry;
mod syntax;
