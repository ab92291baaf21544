//! Z3 as a backend.
//!
//! Integers with few values become Booleans and clauses on its finite-domain solver; a problem with too
//! many values for that goes to its integer theory.

mod clauses;
mod integers;
mod search;
mod watch;

use super::{Limits, Outcome, Solver};
use crate::problem::{Assignment, Problem};
use ::z3::ast;
use std::ops::ControlFlow;

/// Z3 as a backend.
#[derive(Clone, Copy, Debug, Default)]
pub struct Z3 {
    /// The way to solve, instead of the one that fits the problem.
    pub theory: Option<Theory>,
}

/// How a problem is put to Z3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Clauses,
    Integers,
}

/// A problem as Z3 sees it.
trait Translation {
    fn solver(&self) -> &::z3::Solver;

    /// The variables' values under a model; `None` if Z3 was interrupted.
    fn assignment(&self, model: &::z3::Model) -> Option<Assignment>;

    /// From now on some decision variable differs from the assignment.
    fn block(&mut self, assignment: &Assignment);

    /// A term that implies that the objective is at least, or at most, a value.
    fn bounded(&mut self, at_least: bool, value: i64) -> ast::Bool;
}

impl Solver for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn solve(
        &mut self,
        problem: &Problem,
        limits: &Limits,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Outcome {
        if self.theory != Some(Theory::Integers) {
            if let Some(mut clauses) = clauses::Clauses::new(problem) {
                return search::run(problem, &mut clauses, limits, found);
            }
            if self.theory == Some(Theory::Clauses) {
                return Outcome::Unknown("the problem has too many values for clauses".into());
            }
        }
        search::run(problem, &mut integers::Integers::new(problem), limits, found)
    }
}
