//! Text to tree and back.

pub mod ast;
pub mod parse;
pub mod print;

pub use parse::parse;
