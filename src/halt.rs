//! What ends a phase before it has a result: something is wrong, or a limit is reached.
//!
//! A function that cannot go on returns a [`Halt`]. Where a function goes on in part, it returns a value; the caller's
//! `diagnostics` get what is wrong with parts of it, or its `warnings` what is suspicious. All phases do so.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use finite_domain::SolverError;
pub use finite_domain::{Limits, StopReason};

/// Why a phase cannot go on.
#[derive(Debug)]
pub(crate) enum Halt {
    /// What is wrong; warnings of the same phase are among it.
    Wrong(Diagnostics),
    Stopped(StopReason),
}

impl Halt {
    /// What is wrong. A limit is an error, too, where a phase before the search has reached it: there is no answer
    /// then.
    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        match self {
            Halt::Wrong(wrong) => wrong,
            Halt::Stopped(StopReason::Unknown(reason)) => {
                vec![Diagnostic::error(Code::SOLVER_FAILED, format!("the solver gave up: {reason}"))]
            }
            Halt::Stopped(_) => vec![Diagnostic::error(Code::TOO_LARGE, "a limit was reached")],
        }
    }
}

/// The value, if there is one, for a caller that goes on without it: what is wrong goes to its diagnostics.
pub(crate) fn reported<T>(made: Result<T, Halt>, diagnostics: &mut Diagnostics) -> Option<T> {
    made.map_err(|halt| diagnostics.extend(halt.into_diagnostics())).ok()
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

impl From<SolverError> for Halt {
    fn from(error: SolverError) -> Self {
        Halt::from(Box::<Diagnostic>::from(error))
    }
}

impl From<StopReason> for Halt {
    fn from(stopped: StopReason) -> Self {
        Halt::Stopped(stopped)
    }
}
