//! The reasons why a phase ends without a result: errors, or a limit.
//!
//! A function that cannot continue returns a [`Halt`]. A function that continues despite errors returns a value; the
//! caller's `diagnostics` get the errors in parts of it, or its `warnings` the suspicious parts. All phases do so.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use finite_domain::SolverError;
pub use finite_domain::{Limits, StopReason};

/// The reason why a phase cannot continue.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The errors, with warnings of the same phase.
    Wrong(Diagnostics),
    Stopped(StopReason),
}

impl Halt {
    /// The errors. A limit that a phase before the search reaches is also an error, because there is no answer then.
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

/// The value, if there is one, for a caller that continues without it; the errors go to its diagnostics.
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
