//! Commands that answer other programs: `serve` and `session` with the protocol of the library, `lsp` for editors, and
//! `mcp` for assistants.
//!
//! These commands transport requests and replies. The meaning of a request belongs in `protocol` of the library.

pub(crate) mod lsp;
pub(crate) mod mcp;
pub(crate) mod request_lines;
pub(crate) mod serve;
pub(crate) mod session;
