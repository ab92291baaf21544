//! Solutions: checked against the instance, and printed.

pub(crate) mod json;
mod print;
mod validate;
mod value;
mod verify;

pub(crate) use print::print;
#[cfg(test)]
pub(crate) use print::print_value;
pub(crate) use validate::with_finds_given;
pub use value::Value;
pub(crate) use verify::{objective_value, verify, verify_with};
