//! Text to tree and back.

pub mod ast;
pub mod parse;
mod symbols;

pub use parse::parse;
