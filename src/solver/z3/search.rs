//! The search over a translated problem: all assignments by excluding each one found, or the best by asking
//! for better ones.

use super::{Translation, watch::watched};
use crate::{
    problem::{Assignment, Problem},
    solver::{Limits, Outcome},
};
use ::z3::{SatResult, ast};
use std::{ops::ControlFlow, sync::atomic::Ordering, time::Instant};

/// Runs the search to its end.
pub fn run(
    problem: &Problem,
    translation: &mut dyn Translation,
    limits: &Limits,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Outcome {
    let mut params = ::z3::Params::new();
    // Ctrl-C is the program's business; Z3 would catch it for the time of its search.
    params.set_bool("ctrl_c", false);
    if let Some(seed) = limits.seed {
        params.set_u32("random_seed", seed);
    }
    translation.solver().set_params(&params);
    let outcome = watched(limits, || match problem.objective() {
        Some((maximising, objective)) => best(problem, objective, maximising, translation, limits, found),
        None => all(problem, translation, limits, found),
    });
    match outcome {
        Ok(outcome) | Err(outcome) => outcome,
    }
}

fn all(
    problem: &Problem,
    translation: &mut dyn Translation,
    limits: &Limits,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<Outcome, Outcome> {
    while let Some(assignment) = check(translation, &[], limits)? {
        if found(&assignment).is_break() {
            return Ok(Outcome::Stopped);
        }
        if problem.decisions().is_empty() {
            break;
        }
        translation.block(&assignment);
    }
    Ok(Outcome::Complete)
}

/// Each improvement is asked for with a larger step than the last, until the step is too large; then with the
/// smallest step again.
fn best(
    problem: &Problem,
    objective: crate::problem::Int,
    maximising: bool,
    translation: &mut dyn Translation,
    limits: &Limits,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<Outcome, Outcome> {
    let values = problem.values(objective);
    let (mut low, mut high) = (values.min().unwrap_or(0), values.max().unwrap_or(0));
    let Some(mut assignment) = check(translation, &[], limits)? else { return Ok(Outcome::Complete) };
    let mut step = 1i64;
    loop {
        let value = problem.int_value(objective, &assignment);
        if found(&assignment).is_break() {
            return Ok(Outcome::Stopped);
        }
        if maximising {
            low = value;
        } else {
            high = value;
        }
        // What is looked for lies strictly beyond the best one found, up to the bound that is known.
        assignment = loop {
            if low >= high {
                return Ok(Outcome::Complete);
            }
            let aim = if maximising { low.saturating_add(step).min(high) } else { high.saturating_sub(step).max(low) };
            let better = translation.bounded(maximising, aim);
            match check(translation, &[better], limits)? {
                Some(assignment) => {
                    step = step.saturating_mul(2);
                    break assignment;
                }
                None if maximising => high = aim - 1,
                None => low = aim + 1,
            }
            step = 1;
        };
    }
}

/// An assignment, or why there is none to be had.
fn check(
    translation: &mut dyn Translation,
    assumptions: &[ast::Bool],
    limits: &Limits,
) -> Result<Option<Assignment>, Outcome> {
    let stopped = || {
        if limits.interrupted.load(Ordering::Relaxed) {
            Some(Outcome::Interrupted)
        } else if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Outcome::TimeLimit)
        } else {
            None
        }
    };
    if let Some(outcome) = stopped() {
        return Err(outcome);
    }
    let solver = translation.solver();
    match if assumptions.is_empty() { solver.check() } else { solver.check_assumptions(assumptions) } {
        SatResult::Unsat => Ok(None),
        SatResult::Sat => match solver.get_model().and_then(|model| translation.assignment(&model)) {
            Some(assignment) => Ok(Some(assignment)),
            None => Err(stopped().unwrap_or(Outcome::Unknown("no model".into()))),
        },
        SatResult::Unknown => {
            Err(stopped().unwrap_or_else(|| Outcome::Unknown(solver.get_reason_unknown().unwrap_or_default())))
        }
    }
}
