//! The limits of a search, and the reasons why it stopped.

use std::{
    error::Error,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// The limits of a search.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// The time at which the search stops.
    pub deadline: Option<Instant>,
    /// Set by another thread to stop the search, for example at Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
}

impl Limits {
    /// Sets the deadline.
    #[must_use]
    pub fn deadline(self, deadline: Option<Instant>) -> Self {
        Limits { deadline, ..self }
    }

    /// Sets the flag for interrupts, which other searches may share.
    #[must_use]
    pub fn interrupted(self, interrupted: Arc<AtomicBool>) -> Self {
        Limits { interrupted, ..self }
    }

    /// Returns the limit that was reached; `None` if the search may continue.
    pub fn reached(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(StopReason::TimeLimit)
        } else {
            None
        }
    }

    /// Returns the limit that has stopped a search.
    pub fn at_stop(&self) -> StopReason {
        self.reached().unwrap_or(StopReason::Interrupted)
    }
}

impl From<Instant> for Limits {
    /// Makes limits with a deadline only.
    fn from(deadline: Instant) -> Self {
        Limits { deadline: Some(deadline), ..Limits::default() }
    }
}

/// The reason why there is no result although nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The deadline was reached.
    TimeLimit,
    /// Another thread has stopped the search.
    Interrupted,
    /// The solver gave up, for this reason.
    Unknown(String),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::TimeLimit => f.write_str("the time limit was reached"),
            StopReason::Interrupted => f.write_str("the search was interrupted"),
            StopReason::Unknown(reason) => write!(f, "the solver gave up: {reason}"),
        }
    }
}

impl Error for StopReason {}
