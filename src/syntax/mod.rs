//! Text to tree and back.

pub mod ast;
pub mod parse;

pub use parse::parse;
