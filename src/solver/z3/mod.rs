//! Z3.

mod integers;

use super::{Limits, Outcome, Solver};
use crate::problem::{Assignment, Problem};
use ::z3::{SatResult, ast};
use std::{ops::ControlFlow, time::Instant};

/// Z3 as a backend.
#[derive(Default)]
pub struct Z3;

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
        let mut integers = integers::Integers::new(problem);
        loop {
            if let Some(deadline) = limits.deadline {
                let left = deadline.saturating_duration_since(Instant::now()).as_millis();
                if left == 0 {
                    return Outcome::TimeLimit;
                }
                let mut params = ::z3::Params::new();
                params.set_u32("timeout", u32::try_from(left).unwrap_or(u32::MAX));
                integers.solver().set_params(&params);
            }
            match integers.solver().check() {
                SatResult::Unsat => return Outcome::Complete,
                SatResult::Unknown => {
                    if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        return Outcome::TimeLimit;
                    }
                    return Outcome::Unknown(integers.solver().get_reason_unknown().unwrap_or_default());
                }
                SatResult::Sat => {}
            }
            let Some(model) = integers.solver().get_model() else { return Outcome::Unknown("no model".into()) };
            let assignment = integers.assignment(&model);
            if found(&assignment).is_break() {
                return Outcome::Stopped;
            }
            match problem.objective() {
                Some((maximising, value)) => {
                    let bound = ast::Int::from_i64(problem.int_value(value, &assignment));
                    let value = integers.int(value);
                    let better = if maximising { value.gt(bound) } else { value.lt(bound) };
                    integers.solver().assert(better);
                }
                None => integers.block(&assignment),
            }
        }
    }
}
