//! The search with whatever answers one question at a time: all assignments by excluding each one found, or the best
//! one by asking for better ones.

use super::{Limits, Outcome};
use crate::problem::{Assignment, Int, Problem};
use std::ops::ControlFlow;

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Satisfiable,
    Unsatisfiable,
    /// Why there is no answer, in the solver's words.
    Unknown(String),
}

/// What the objective shall be.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// At least the value, or at most.
    pub at_least: bool,
    pub value: i64,
}

/// A problem as a solver sees it.
pub trait Engine {
    /// Whether there is an assignment, with the objective within a bound.
    fn check(&mut self, bound: Option<Bound>) -> Answer;

    /// The assignment that was found by the last question; `None` if the solver was interrupted.
    fn assignment(&mut self) -> Option<Assignment>;

    /// From now on some decision variable differs from the assignment.
    fn block(&mut self, assignment: &Assignment);
}

/// Runs the search to its end. With an objective, `bound` is kept at the best value that has not been ruled out.
pub fn run(
    problem: &Problem,
    engine: &mut dyn Engine,
    limits: &Limits,
    bound: &mut Option<i64>,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Outcome {
    let outcome = match problem.objective() {
        Some((maximising, objective)) => best(problem, objective, maximising, engine, limits, bound, found),
        None => all(problem, engine, limits, found),
    };
    match outcome {
        Ok(outcome) | Err(outcome) => outcome,
    }
}

fn all(
    problem: &Problem,
    engine: &mut dyn Engine,
    limits: &Limits,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<Outcome, Outcome> {
    while let Some(assignment) = check(engine, None, limits)? {
        if found(&assignment).is_break() {
            return Ok(Outcome::Stopped);
        }
        if problem.decisions().is_empty() {
            break;
        }
        engine.block(&assignment);
    }
    Ok(Outcome::Complete)
}

/// Each improvement is asked for with a larger step than the last, until the step is too large; then with the
/// smallest step again.
fn best(
    problem: &Problem,
    objective: Int,
    maximising: bool,
    engine: &mut dyn Engine,
    limits: &Limits,
    bound: &mut Option<i64>,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<Outcome, Outcome> {
    let values = problem.values(objective);
    let (mut low, mut high) = (values.min().unwrap_or(0), values.max().unwrap_or(0));
    *bound = Some(if maximising { high } else { low });
    let Some(mut assignment) = check(engine, None, limits)? else { return Ok(Outcome::Complete) };
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
            match check(engine, Some(Bound { at_least: maximising, value: aim }), limits)? {
                Some(assignment) => {
                    step = step.saturating_mul(2);
                    break assignment;
                }
                None if maximising => high = aim - 1,
                None => low = aim + 1,
            }
            *bound = Some(if maximising { high } else { low });
            step = 1;
        };
    }
}

/// An assignment, or why there is none to be had.
fn check(engine: &mut dyn Engine, bound: Option<Bound>, limits: &Limits) -> Result<Option<Assignment>, Outcome> {
    if let Some(outcome) = limits.reached() {
        return Err(outcome);
    }
    match engine.check(bound) {
        Answer::Unsatisfiable => Ok(None),
        Answer::Satisfiable => match engine.assignment() {
            Some(assignment) => Ok(Some(assignment)),
            None => Err(limits.reached().unwrap_or(Outcome::Unknown("no model".into()))),
        },
        Answer::Unknown(reason) => Err(limits.reached().unwrap_or(Outcome::Unknown(reason))),
    }
}
