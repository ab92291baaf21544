//! When to give up, and why that happened.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// Set from another thread (Ctrl-C).
    pub interrupted: Arc<AtomicBool>,
}

impl Limits {
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
