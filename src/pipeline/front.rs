//! Competing goals: a solution for each combination of their values that no other one dominates.
//!
//! The combinations are found in lexicographic order: each is the best remaining one if the goals are ordered by
//! importance as written, and then everything that it dominates is excluded. So each combination is proved when it is
//! passed on, and the end of the search proves that there are no others.

use super::Search;
use crate::{
    halt::Halt,
    instance::SolutionValues,
    language::Sense,
    lowering,
    problem::{Assignment, Problem},
    solver::{SearchEnd, Solver},
};
use std::ops::ControlFlow;

/// The values of the goals in a solution.
type GoalValues = Vec<i64>;

/// Passes a solution for each undominated combination of values to `found`.
pub(super) fn search_front(
    search: Search,
    solver: &mut dyn Solver,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    // If only a part of the space is searched, this part has its own front.
    let whole = search.part.unwrap_or(&search.lowered.problem);
    let Some(sense) = whole.objective().map(|objective| objective.sense) else { return Ok(SearchEnd::Complete) };
    let mut front: Vec<GoalValues> = Vec::new();
    // These solutions were found on the way and may still be on the front.
    let mut known: Vec<(GoalValues, SolutionValues)> = Vec::new();
    loop {
        // Each step searches for the best solution that no known one dominates.
        let part = whole.beyond(&front).map_err(|fault| lowering::refused_lowering(fault.into()))?;
        // If earlier steps found solutions that are not dominated, the next step starts from one of them.
        let start = known.iter().min_by(|one, other| in_order(sense, &one.0, &other.0)).cloned();
        let mut best = start.clone();
        let step = Search { part: Some(&part), start: start.as_ref().map(|(_, solution)| solution), ..search };
        let end = step.solutions(solver, &mut |solution, assignment| {
            let values = goal_values(whole, assignment);
            // A solver may ignore the known solution, so the values are compared here.
            if best.as_ref().is_none_or(|(best, _)| sense.is_better(&values, best)) {
                best = Some((values.clone(), solution.clone()));
            }
            // Every solution may be on the front, even if it is not the best one of this step.
            known.push((values, solution.clone()));
            ControlFlow::Continue(())
        })?;
        if end != SearchEnd::Complete {
            return Ok(end);
        }
        let Some((values, solution)) = best else { return Ok(SearchEnd::Complete) };
        // One solution for the same values is enough, so the others are dropped as well.
        known.retain(|(other, _)| !dominates_or_equals(sense, &values, other));
        front.push(values);
        if found(&solution).is_break() {
            return Ok(SearchEnd::Enough);
        }
    }
}

fn goal_values(problem: &Problem, assignment: &Assignment) -> GoalValues {
    let terms = problem.objective().map_or(&[][..], |objective| &objective.terms);
    terms.iter().map(|term| problem.int_value(*term, assignment)).collect()
}

/// Compares values so that the better one comes first.
pub(super) fn in_order<T: Ord + ?Sized>(sense: Sense, one: &T, other: &T) -> std::cmp::Ordering {
    match sense {
        Sense::Minimise => one.cmp(other),
        Sense::Maximise => other.cmp(one),
    }
}

/// Returns true if no value is worse.
pub(super) fn dominates_or_equals<T: Ord>(sense: Sense, one: &[T], other: &[T]) -> bool {
    one.iter().zip(other).all(|(one, other)| !sense.is_better(other, one))
}
