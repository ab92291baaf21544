//! What ends a phase before it has a result: something is wrong, or a limit is reached.

use crate::diagnostic::{Diagnostic, Diagnostics};
pub use finite_domain::{Limits, StopReason};

/// Why a phase cannot go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// What is wrong.
    Wrong(Diagnostics),
    Stopped(StopReason),
}

impl From<Diagnostic> for Halt {
    fn from(wrong: Diagnostic) -> Self {
        Halt::Wrong(vec![wrong])
    }
}

impl From<Box<Diagnostic>> for Halt {
    fn from(wrong: Box<Diagnostic>) -> Self {
        Halt::from(*wrong)
    }
}

impl From<StopReason> for Halt {
    fn from(stopped: StopReason) -> Self {
        Halt::Stopped(stopped)
    }
}
