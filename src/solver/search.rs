//! The search with any engine that finds one assignment at a time: all assignments, by blocking each one found, or the
//! best one, by tightening a bound on the objective.

use super::{SolverOptions, SolverStatus, incumbent::Incumbent};
use crate::{
    language::Sense,
    problem::{Assignment, Int, Objective, Problem},
};
use std::ops::ControlFlow;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CheckResult {
    Satisfiable,
    Unsatisfiable,
    /// The check has no result, for this reason, in the solver's words.
    Unknown(String),
}

/// A bound that a term of the objective should meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectiveBound {
    pub term: Int,
    /// The side of the bound: at least the value if maximising, else at most.
    pub sense: Sense,
    pub value: i64,
}

/// A problem as a solver sees it.
pub(crate) trait Engine {
    /// Whether there is an assignment, with the objective within the bounds.
    fn check(&mut self, bounds: &[ObjectiveBound]) -> CheckResult;

    /// A dual bound for a term of the objective: the best value that the engine does not rule out by itself.
    fn dual_bound(&mut self, _term: Int, _sense: Sense) -> Option<i64> {
        None
    }

    /// Whether this bound fixes most of the search, so that the next answer is easy.
    fn settles(&mut self, _bound: ObjectiveBound) -> bool {
        false
    }

    /// The assignment that was found by the last check; `None` if the solver was interrupted.
    fn assignment(&mut self) -> Option<Assignment>;

    /// Adds a blocking clause: from now on some decision variable differs from the assignment. The error says why this is
    /// not possible.
    fn block(&mut self, assignment: &Assignment) -> Result<(), String>;

    /// Requires that all bounds of some alternative hold, which is known to be impossible: the last contradiction for a
    /// proof.
    fn contradict(&mut self, _alternatives: &[Vec<ObjectiveBound>]) {}
}

/// Runs the search to its end. With an objective, `bound` is kept at the best value of its first term that has not been
/// ruled out.
pub(crate) fn run(
    problem: &Problem,
    engine: &mut dyn Engine,
    options: &SolverOptions,
    incumbent: &Incumbent,
    bound: &mut Option<i64>,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> SolverStatus {
    let status = match problem.objective() {
        Some(objective) => best(problem, objective, engine, options, incumbent, bound, found),
        None => all(engine, options, found),
    };
    match status {
        Ok(status) | Err(status) => status,
    }
}

fn all(
    engine: &mut dyn Engine,
    options: &SolverOptions,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<SolverStatus, SolverStatus> {
    while let Some(assignment) = check(engine, &[], options)? {
        if found(&assignment).is_break() {
            return Ok(SolverStatus::Stopped);
        }
        engine.block(&assignment).map_err(|reason| options.reached().unwrap_or(SolverStatus::Unknown(reason)))?;
    }
    Ok(SolverStatus::Complete)
}

/// The best value of the first term of the objective, with that the best one of the second, and so on. Each
/// improvement is asked for with a larger step than the last, until the step is too large; then with the smallest
/// step again.
fn best(
    problem: &Problem,
    objective: &Objective,
    engine: &mut dyn Engine,
    options: &SolverOptions,
    incumbent: &Incumbent,
    bound: &mut Option<i64>,
    found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
) -> Result<SolverStatus, SolverStatus> {
    let Objective { sense, ref terms } = *objective;
    let ends = |engine: &mut dyn Engine, term: Int| {
        let values = problem.values(term);
        let (low, high) = (values.min().unwrap_or(0), values.max().unwrap_or(0));
        match (engine.dual_bound(term, sense), sense) {
            (Some(bound), Sense::Maximise) => (low, high.min(bound)),
            (Some(bound), Sense::Minimise) => (low.max(bound), high),
            (None, _) => (low, high),
        }
    };
    *bound = terms.first().map(|first| sense.end(ends(engine, *first)));
    let mut assignment = match incumbent.best() {
        Some(best) => best,
        None => {
            let Some(first) = check(engine, &[], options)? else { return Ok(SolverStatus::Complete) };
            if found(&first).is_break() {
                return Ok(SolverStatus::Stopped);
            }
            first
        }
    };
    // The terms that have their best values keep them; the last bound is about the term at hand.
    let mut bounds: Vec<ObjectiveBound> = Vec::with_capacity(terms.len());
    for &term in terms {
        let (mut low, mut high) = ends(engine, term);
        let mut step = 1i64;
        loop {
            // Another engine may have found a better one.
            if let Some(better) = incumbent.better(problem, objective, &assignment) {
                assignment = better;
            }
            let value = problem.int_value(term, &assignment);
            match sense {
                Sense::Maximise => low = value,
                Sense::Minimise => high = value,
            }
            if bounds.is_empty()
                && let Some(proved) = incumbent.bound()
            {
                match sense {
                    Sense::Maximise => high = high.min(proved),
                    Sense::Minimise => low = low.max(proved),
                }
                *bound = Some(sense.end((low, high)));
            }
            // A better solution lies strictly beyond the incumbent, up to the dual bound.
            let better = loop {
                if low >= high {
                    break None;
                }
                let wanted = |value| ObjectiveBound { term, sense, value };
                let best = sense.end((low, high));
                let aim = match sense {
                    _ if engine.settles(wanted(best)) => best,
                    Sense::Maximise => low.saturating_add(step).min(high),
                    Sense::Minimise => high.saturating_sub(step).max(low),
                };
                bounds.push(wanted(aim));
                let answer = check(engine, &bounds, options)?;
                bounds.pop();
                match answer {
                    Some(assignment) => {
                        step = step.saturating_mul(2);
                        break Some(assignment);
                    }
                    None => match sense {
                        Sense::Maximise => high = aim - 1,
                        Sense::Minimise => low = aim + 1,
                    },
                }
                if bounds.is_empty() {
                    let proved = sense.end((low, high));
                    *bound = Some(proved);
                    incumbent.prove(sense, proved);
                }
                step = 1;
            };
            match better {
                Some(better) => assignment = better,
                None => break,
            }
            if found(&assignment).is_break() {
                return Ok(SolverStatus::Stopped);
            }
        }
        bounds.push(ObjectiveBound { term, sense, value: problem.int_value(term, &assignment) });
    }
    // Better means: for some term the ones before it are as good, and it is better.
    let better = |place: usize| {
        let ObjectiveBound { term, value, .. } = bounds[place];
        let value = match sense {
            Sense::Maximise => value.saturating_add(1),
            Sense::Minimise => value.saturating_sub(1),
        };
        [&bounds[..place], &[ObjectiveBound { term, sense, value }]].concat()
    };
    engine.contradict(&(0..bounds.len()).map(better).collect::<Vec<_>>());
    Ok(SolverStatus::Complete)
}

/// An assignment, or why there is none to be had.
fn check(
    engine: &mut dyn Engine,
    bounds: &[ObjectiveBound],
    options: &SolverOptions,
) -> Result<Option<Assignment>, SolverStatus> {
    if let Some(status) = options.reached() {
        return Err(status);
    }
    match engine.check(bounds) {
        CheckResult::Unsatisfiable => Ok(None),
        CheckResult::Satisfiable => match engine.assignment() {
            Some(assignment) => Ok(Some(assignment)),
            None => Err(options.reached().unwrap_or(SolverStatus::Unknown("no model".into()))),
        },
        CheckResult::Unknown(reason) => Err(options.reached().unwrap_or(SolverStatus::Unknown(reason))),
    }
}
