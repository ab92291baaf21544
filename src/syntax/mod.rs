//! Text to tree and back.

pub mod ast;
pub mod json;
pub mod parse;
pub mod parts;
pub mod print;

pub use parse::parse;
