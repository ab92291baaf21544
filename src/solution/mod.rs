//! Solutions: checked against the instance, and printed.
//!
//! All answers rely on this room: no solution is printed or returned that [`mod@verify`] has not checked. You may
//! change the formats; programs read JSON and Essence.

mod fit;
pub(crate) mod json_values;
mod print;
mod validate;
mod value;
mod verify;

pub(crate) use fit::Fitting;
#[cfg(test)]
pub(crate) use print::print_value;
pub(crate) use print::{print, print_some};
pub(crate) use validate::with_finds_given;
pub use value::{JsonShape, Value};
pub(crate) use verify::{Verifier, objective_value, verify};
