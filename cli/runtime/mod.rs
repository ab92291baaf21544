//! The process of the program: its streams and files, its messages, its limits and its end.
//!
//! All reading and writing happens through this room: standard output carries results alone, messages go to standard
//! error, and a file appears as a whole or not at all. Every command relies on it, and nothing here knows a command.

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

/// Help has lines of at most this many columns.
pub(crate) const WIDTH: usize = 100;

/// The version, with the solvers' own versions, so that an unexpected library is noticed. Their libraries are loaded
/// for it.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let versions: Vec<String> = conjure_like::solver_versions().collect();
    let with = if versions.is_empty() { String::new() } else { format!(" ({})", versions.join(", ")) };
    format!("{}{with}", env!("CARGO_PKG_VERSION"))
});
