//! Commands about the program itself: the manual, shell completion, and the installed solvers.

pub(crate) mod completion;
pub(crate) mod explain;
pub(crate) mod man;
pub(crate) mod solvers;
