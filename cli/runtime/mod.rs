//! The process of the program: its streams and files, its messages, its limits and its end.
//!
//! All reading and writing happens in this room: standard output carries results only, messages go to standard error,
//! and a file appears as a whole or not at all. Every command relies on that; nothing here depends on a command.

mod allocator;
mod exit;
pub(crate) mod files;
pub(crate) mod interrupt;
pub(crate) mod limits;
pub(crate) mod memory;
pub(crate) mod numbers;
pub(crate) mod processes;
pub(crate) mod report;
pub(crate) mod stdin;
pub(crate) mod stdout;

pub(crate) use exit::Exit;
use std::sync::LazyLock;

/// The name of the program.
pub(crate) const NAME: &str = "conjure-like";

/// The maximum width of lines in the help. Chosen.
pub(crate) const WIDTH: usize = 100;

/// The version of the program and of the solvers, which shows an unexpected library. The libraries are loaded to ask
/// for their versions.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let versions: Vec<String> = conjure_like::solver_versions().collect();
    let with = if versions.is_empty() { String::new() } else { format!(" ({})", versions.join(", ")) };
    format!("{}{with}", env!("CARGO_PKG_VERSION"))
});
