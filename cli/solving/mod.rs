//! Commands that search: `solve`, `search`, `profile`, `cubes` and `campaign`.
//!
//! How to search is in `SolveOptions` and `EngineOptions` of the library; the commands fill them in.

pub(crate) mod campaign;
pub(crate) mod cubes;
pub(crate) mod external;
pub(crate) mod profile;
pub(crate) mod search;
pub(crate) mod solve;
