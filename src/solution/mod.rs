//! Solutions: checked against the instance, and printed.

pub mod json;
mod print;
mod verify;

pub use print::{print, print_value};
pub use verify::{objective_value, verify};
