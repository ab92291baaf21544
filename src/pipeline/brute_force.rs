//! Search by exhaustive enumeration, without a problem and a solver.

use super::{
    dominance::dominates,
    front::{dominates_or_equals, in_order},
    search::WantedOptima,
};
use crate::{
    analysis::model::DominanceExpr,
    diagnostic::{Code, Diagnostic},
    halt::Halt,
    instance::{
        GroundInstance, SolutionValues, oracle,
        symmetry::{self, Symmetry},
    },
    language::{Evaluated, Sense, Stop, Value},
    solver::{EngineOptions, SearchEnd},
};
use std::ops::ControlFlow;

/// The largest number of combinations of values that are tried. Chosen.
const MOST_COMBINATIONS: u128 = 1_000_000_000;

/// Tries all values of the decision variables.
pub(crate) fn try_all(
    instance: &GroundInstance,
    symmetries: &[Symmetry],
    optima: WantedOptima,
    options: &EngineOptions,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    // The combinations are counted first, so that a search that would not end is refused at once.
    match oracle::combinations(instance) {
        Some(combinations) if combinations <= MOST_COMBINATIONS => {}
        combinations => {
            let combinations = combinations.map_or("more than 10^38".to_owned(), |count| count.to_string());
            let message = format!("there are too many combinations of values to try them all: {combinations}");
            let error = Diagnostic::error(Code::TOO_LARGE, message)
                .note(format!("`--solver=brute` tries up to {MOST_COMBINATIONS} of them"))
                .help("use another solver, or smaller domains");
            return Err(error.into());
        }
    }
    let objective = instance.model.objective.as_ref();
    // If there is an objective, all best solutions are known only at the end.
    let wanted = if objective.is_some() { optima } else { WantedOptima::One };
    if let (Some(objective), WantedOptima::Undominated) = (objective, optima) {
        return all_undominated(instance, symmetries, objective.sense, options, found);
    }
    if let Some(dominance) = &instance.model.dominance {
        return all_kept(instance, dominance, options, found);
    }
    let mut best: Option<Value> = None;
    let mut best_ones: Vec<SolutionValues> = Vec::new();
    let end = oracle::try_all_values(
        instance,
        || within_limits(options),
        |solution, value| {
            let is_better = |best: &Value| match (objective, value) {
                (Some(objective), Some(value)) => {
                    objective.sense.is_better(value, best) || wanted == WantedOptima::All && value == best
                }
                _ => false,
            };
            // Among symmetric solutions, the least one represents the others.
            if !best.as_ref().is_none_or(is_better) || !symmetry::is_least(instance, symmetries, solution)? {
                return Ok(ControlFlow::Continue(()));
            }
            if wanted == WantedOptima::All {
                // A better value makes the solutions so far suboptimal.
                if best.as_ref() != value {
                    best_ones.clear();
                }
                best_ones.push(solution.clone());
            }
            best = value.cloned();
            Ok(match wanted {
                WantedOptima::One => found(solution).map_break(|()| SearchEnd::Enough),
                WantedOptima::All | WantedOptima::Undominated => ControlFlow::Continue(()),
            })
        },
    );
    if best_ones.iter().any(|solution| found(solution).is_break()) {
        return Ok(SearchEnd::Enough);
    }
    ended(end)
}

/// Passes a solution for each undominated combination of values to `found`, in lexicographic order.
fn all_undominated(
    instance: &GroundInstance,
    symmetries: &[Symmetry],
    sense: Sense,
    options: &EngineOptions,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    let mut front: Vec<(Value, SolutionValues)> = Vec::new();
    let end = oracle::try_all_values(
        instance,
        || within_limits(options),
        |solution, value| {
            let is_beaten = |value: &Value, by: &Value| dominates_or_equals(sense, by.components(), value.components());
            if let Some(value) = value
                && !front.iter().any(|(other, _)| is_beaten(value, other))
                && symmetry::is_least(instance, symmetries, solution)?
            {
                // The new solution may dominate some solutions on the front.
                front.retain(|(other, _)| !is_beaten(other, value));
                front.push((value.clone(), solution.clone()));
            }
            Ok(ControlFlow::Continue(()))
        },
    );
    front.sort_by(|(one, _), (other, _)| in_order(sense, one, other));
    match ended(end)? {
        SearchEnd::Complete if front.iter().any(|(_, solution)| found(solution).is_break()) => Ok(SearchEnd::Enough),
        // Before the end of the search, the solutions found may still be dominated.
        end => Ok(end),
    }
}

/// Passes the solutions that no other one dominates to `found`, after comparing every pair.
fn all_kept(
    instance: &GroundInstance,
    dominance: &DominanceExpr,
    options: &EngineOptions,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    let mut all: Vec<SolutionValues> = Vec::new();
    let end = oracle::try_all_values(
        instance,
        || within_limits(options),
        |solution, _| {
            all.push(solution.clone());
            Ok(ControlFlow::Continue(()))
        },
    );
    match ended(end)? {
        SearchEnd::Complete => {}
        end => return Ok(end),
    }
    // Dominance is evaluated for each ordered pair of solutions, with one as the decisions and the other as
    // `fromSolution`.
    let mut env = instance.environment.clone();
    for (position, solution) in all.iter().enumerate() {
        if let ControlFlow::Break(end) = within_limits(options) {
            return Ok(end);
        }
        let mut is_kept = true;
        // A solution is not compared with itself: a relation such as `<=` would drop every solution.
        for (_, other) in all.iter().enumerate().filter(|(at, _)| *at != position) {
            if dominates(&mut env, dominance, other, solution)? {
                is_kept = false;
                break;
            }
        }
        if is_kept && found(solution).is_break() {
            return Ok(SearchEnd::Enough);
        }
    }
    Ok(SearchEnd::Complete)
}

fn within_limits(options: &EngineOptions) -> ControlFlow<SearchEnd> {
    match options.reached() {
        Some(stopped) => ControlFlow::Break(stopped.into()),
        None => ControlFlow::Continue(()),
    }
}

fn ended(end: Evaluated<ControlFlow<SearchEnd>>) -> Result<SearchEnd, Halt> {
    match end {
        Ok(ControlFlow::Break(status)) => Ok(status),
        Ok(ControlFlow::Continue(())) => Ok(SearchEnd::Complete),
        Err(Stop::Fault(fault)) => Err(fault.into()),
        // An undefined constraint does not hold, so there are no solutions.
        Err(Stop::Undefined) => Ok(SearchEnd::Complete),
    }
}
