//! The search of a collection by its size, the smallest sizes first. With an objective, the search in each range begins
//! with the best solution of the ranges before it. If the sizes beyond some range cannot be searched, the end says so.

use super::{Search, WantedOptima};
use crate::{
    diagnostic::{Code, Diagnostic},
    halt::{Halt, StopReason},
    instance::SolutionValues,
    lowering::{self, LargerSizes, Lowered},
    problem::Objective,
    solver::{SearchEnd, Solver},
};
use std::ops::ControlFlow;

/// Searches the range that has been lowered, then the others.
pub(super) fn search(
    larger: &LargerSizes,
    first: Search,
    solver: &mut (dyn Solver + 'static),
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    let (instance, options) = (first.instance, first.options);
    if instance.model.objective.is_some() && first.optima == WantedOptima::All {
        return Err(too_large("all best solutions are wanted, and the instance is too large for one problem").into());
    }
    let mut left = larger.clone();
    let mut next: Option<Lowered> = None;
    let mut best: Option<(i64, SolutionValues)> = None;
    let mut any = false;
    loop {
        let lowered = next.as_ref().unwrap_or(first.lowered);
        let known = best.clone();
        let search = Search { lowered, start: known.as_ref().map(|(_, solution)| solution), ..first };
        let objective = lowered.problem.objective();
        let end = search.solutions(solver, &mut |solution, assignment| {
            any = true;
            if let Some(Objective { sense, terms }) = objective
                && let [term, others @ ..] = &**terms
            {
                let value = lowered.problem.int_value(*term, assignment);
                // Not every solver begins with what is known.
                let is_worse = |best: i64| !sense.is_better(&value, &best) && (others.is_empty() || value != best);
                if best.as_ref().is_some_and(|(best, _)| is_worse(*best)) {
                    return ControlFlow::Continue(());
                }
                best = Some((value, solution.clone()));
            }
            found(solution)
        })?;
        if end != SearchEnd::Complete {
            return Ok(end);
        }
        let Some(domains) = left.next() else { return Ok(end) };
        match lowering::lower_within(&instance.environment, &larger.wanted, &domains, options.limits.clone()) {
            Ok(lowered) => next = Some(lowered),
            Err(Halt::Wrong(wrong)) if wrong.iter().all(is_size) && any => {
                let (name, most) = (&larger.name, left.searched());
                let reason = format!("`{name}` with more than {most} members is too large to be searched");
                return Ok(StopReason::Unknown(reason).into());
            }
            Err(halt) => return Err(halt),
        }
    }
}

/// The refusal of what needs one problem for all sizes.
pub(crate) fn too_large(message: &str) -> Diagnostic {
    Diagnostic::error(Code::TOO_LARGE, message).help("bound the size of the collections in it with `maxSize`")
}

fn is_size(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == Code::TOO_LARGE
}
