//! Commands about the program itself: the manual, completion for shells, and the solvers that it finds.

pub(crate) mod completion;
pub(crate) mod explain;
pub(crate) mod man;
pub(crate) mod solvers;
