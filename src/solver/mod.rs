//! Backends: from a problem to its assignments.
//!
//! A backend sees nothing but the [`Problem`], and streams assignments of its decision variables.

pub mod encoding;
pub mod z3;

#[cfg(test)]
mod tests;

use crate::problem::{Assignment, Problem};
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// When to stop searching, and how to search.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// Set from another thread (Ctrl-C).
    pub interrupted: Arc<AtomicBool>,
    pub seed: Option<u32>,
}

impl Limits {
    /// How a search ends that has run into one of them.
    pub fn reached(&self) -> Option<Outcome> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(Outcome::Interrupted)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Outcome::TimeLimit)
        } else {
            None
        }
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There are no further assignments; with an objective, the last one is optimal.
    Complete,
    /// The receiver of assignments wanted no more.
    Stopped,
    TimeLimit,
    Interrupted,
    /// The solver gave up; its reason.
    Unknown(String),
}

/// A backend.
pub trait Solver {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// Streams assignments of the decision variables that satisfy all constraints, none twice. With an
    /// objective, each one is strictly better than the one before, and the search ends with the best.
    fn solve(
        &mut self,
        problem: &Problem,
        limits: &Limits,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Outcome;
}

/// The names of the backends; the first is the default.
pub const NAMES: [&str; 1] = ["z3"];

/// What the backends are made of, with the versions of the libraries as they say themselves.
pub fn versions() -> String {
    format!("Z3 {}", ::z3::full_version())
}

/// The backend of this name.
pub fn by_name(name: &str) -> Option<Box<dyn Solver>> {
    match name {
        "z3" => Some(Box::new(z3::Z3::default())),
        _ => None,
    }
}
