//! When to give up, and why that happened.

use std::{
    error::Error,
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// When to give up.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// The time at which to give up.
    pub deadline: Option<Instant>,
    /// Another thread sets it to end the search, for example at Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
}

impl Limits {
    /// These limits with this deadline.
    #[must_use]
    pub fn deadline(self, deadline: Option<Instant>) -> Self {
        Limits { deadline, ..self }
    }

    /// These limits with this flag, which other searches may share.
    #[must_use]
    pub fn interrupted(self, interrupted: Arc<AtomicBool>) -> Self {
        Limits { interrupted, ..self }
    }

    /// The limit that has been reached; `None` if there is time left.
    pub fn reached(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(StopReason::TimeLimit)
        } else {
            None
        }
    }

    /// The limit that has ended something.
    pub fn at_stop(&self) -> StopReason {
        self.reached().unwrap_or(StopReason::Interrupted)
    }
}

impl From<Instant> for Limits {
    /// A deadline alone.
    fn from(deadline: Instant) -> Self {
        Limits { deadline: Some(deadline), ..Limits::default() }
    }
}

/// Why there is no result, although nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The deadline came first.
    TimeLimit,
    /// Another thread has ended it.
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
