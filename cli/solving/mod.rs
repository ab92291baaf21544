//! Commands that search: `solve`, `search`, `profile`, `cubes` and `campaign`.
//!
//! The library's `SolveOptions` and `EngineOptions` determine the search; the commands fill these in.

pub(crate) mod campaign;
pub(crate) mod cubes;
pub(crate) mod external;
pub(crate) mod profile;
pub(crate) mod search;
pub(crate) mod solve;
