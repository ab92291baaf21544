//! Solutions: checked against the instance, and printed.

pub mod json;
mod print;
mod validate;
mod verify;

pub use print::print;
#[cfg(test)]
pub use print::print_value;
pub use validate::with_finds_given;
pub use verify::{objective_value, verify, verify_with};
