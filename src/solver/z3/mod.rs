//! Z3. Problems whose integers have few values go to its finite-domain solver as Booleans; the others, as they
//! are, to its integer theory.

mod finite;
mod integers;

use super::{
    Limits, Outcome, Solver,
    encoding::{self, Encoder},
};
use crate::problem::{Assignment, Int, Problem};
use ::z3::{Model, Params, SatResult};
use finite::Finite;
use integers::Integers;
use std::{ops::ControlFlow, time::Instant};

/// Z3 as a backend.
#[derive(Default)]
pub struct Z3;

/// A problem inside Z3, in one of the two forms.
trait Form {
    fn solver(&self) -> &::z3::Solver;
    fn assignment(&self, model: &Model) -> Assignment;
    fn block(&mut self, assignment: &Assignment);
    fn require_better(&mut self, maximising: bool, objective: Int, value: i64);
}

impl Form for Integers<'_> {
    fn solver(&self) -> &::z3::Solver {
        Integers::solver(self)
    }
    fn assignment(&self, model: &Model) -> Assignment {
        Integers::assignment(self, model)
    }
    fn block(&mut self, assignment: &Assignment) {
        Integers::block(self, assignment);
    }
    fn require_better(&mut self, maximising: bool, objective: Int, value: i64) {
        Integers::require_better(self, maximising, objective, value);
    }
}

impl Form for Encoder<'_, Finite> {
    fn solver(&self) -> &::z3::Solver {
        &self.sink.solver
    }
    fn assignment(&self, model: &Model) -> Assignment {
        Encoder::assignment(self, |literal| {
            model.eval(self.sink.term(literal), true).and_then(|value| value.as_bool()).unwrap_or(false)
        })
    }
    fn block(&mut self, assignment: &Assignment) {
        Encoder::block(self, assignment);
    }
    fn require_better(&mut self, maximising: bool, objective: Int, value: i64) {
        Encoder::require_better(self, maximising, objective, value);
    }
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
        solve_as(encoding::fits(problem), problem, limits, found)
    }
}

/// Solves a problem as Booleans (`finite`) or in the integer theory.
pub(super) fn solve_as(
    finite: bool,
    problem: &Problem,
    limits: &Limits,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Outcome {
    if finite {
        search(&mut Encoder::new(problem, Finite::new()), problem, limits, found)
    } else {
        search(&mut Integers::new(problem), problem, limits, found)
    }
}

/// Asks for one assignment after the other.
fn search(
    form: &mut impl Form,
    problem: &Problem,
    limits: &Limits,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Outcome {
    loop {
        if let Some(deadline) = limits.deadline {
            let left = deadline.saturating_duration_since(Instant::now()).as_millis();
            if left == 0 {
                return Outcome::TimeLimit;
            }
            let mut params = Params::new();
            params.set_u32("timeout", u32::try_from(left).unwrap_or(u32::MAX));
            form.solver().set_params(&params);
        }
        match form.solver().check() {
            SatResult::Unsat => return Outcome::Complete,
            SatResult::Unknown => {
                if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return Outcome::TimeLimit;
                }
                return Outcome::Unknown(form.solver().get_reason_unknown().unwrap_or_default());
            }
            SatResult::Sat => {}
        }
        let Some(model) = form.solver().get_model() else { return Outcome::Unknown("no model".into()) };
        let assignment = form.assignment(&model);
        if found(&assignment).is_break() {
            return Outcome::Stopped;
        }
        match problem.objective() {
            Some((maximising, objective)) => {
                let value = problem.int_value(objective, &assignment);
                form.require_better(maximising, objective, value);
            }
            None => form.block(&assignment),
        }
    }
}
