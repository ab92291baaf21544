//! Commands that search: `solve`, `search`, `profile`, `cubes`, `campaign` and `instances`.
//!
//! How to search is in `SolveOptions` and `EngineOptions` of the library; the commands fill them in.

pub(crate) mod campaign;
pub(crate) mod cubes;
pub(crate) mod external;
pub(crate) mod instances;
pub(crate) mod profile;
pub(crate) mod search;
pub(crate) mod solve;
