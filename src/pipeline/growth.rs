//! Search for a collection by its size, with the smallest sizes first. With an objective, the search in each range
//! starts from the best solution of the previous ranges. If the sizes beyond some range are too large to search, the
//! result states this. A set whose constraints are on pairs of members is first searched as a clique of members; ranges
//! whose sizes do not exceed the clique are then skipped.

use super::{Search, WantedOptima};
use crate::{
    diagnostic::{Code, Diagnostic},
    halt::{Halt, StopReason},
    instance::SolutionValues,
    language::Value,
    lowering::{self, LargerSizes, MemberPairs},
    problem::Objective,
    solution,
    solver::{self, SearchEnd, Solver},
};
use std::{borrow::Cow, ops::ControlFlow};

/// A solution and the value of its objective.
type Valued = (i64, SolutionValues);

/// Searches the range that has been lowered, then the others.
pub(super) fn search_by_size(
    larger: &LargerSizes,
    first: Search,
    solver: &mut (dyn Solver + 'static),
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    match search_ranges(larger, first, solver, found) {
        Err(Halt::Stopped(reason)) => Ok(reason.into()),
        ended => ended,
    }
}

fn search_ranges(
    larger: &LargerSizes,
    first: Search,
    solver: &mut (dyn Solver + 'static),
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    let (instance, options) = (first.instance, first.options);
    if instance.model.objective.is_some() && first.optima == WantedOptima::All {
        return Err(too_large_for_one_problem(
            "all best solutions are wanted, and the instance is too large for one problem",
        )
        .into());
    }
    let pairs = MemberPairs::of(instance, &larger.wanted, options.limits.clone())?;
    let mut best = None;
    if let Some(start) = first.start {
        let value = solution::objective_value(instance, start)?;
        best = value.as_ref().and_then(first_number).map(|value| (value, start.clone()));
    }
    if let Some(pairs) = &pairs {
        match largest_clique(pairs, &first, best, found)? {
            ControlFlow::Continue(clique) => best = clique,
            ControlFlow::Break(()) => return Ok(SearchEnd::Enough),
        }
    }
    let mut any = best.is_some();
    let clique = best.as_ref().filter(|_| pairs.is_some()).map_or(0, |(size, _)| *size);
    let mut left = larger.clone();
    let mut lowered = Cow::Borrowed(first.lowered);
    loop {
        if left.searched() > clique {
            let known = best.clone();
            let search = Search { lowered: &lowered, start: known.as_ref().map(|(_, solution)| solution), ..first };
            let objective = lowered.problem.objective();
            let end = search.solutions(solver, &mut |solution, assignment| {
                any = true;
                if let Some(Objective { sense, terms }) = objective
                    && let [term, others @ ..] = &**terms
                {
                    let value = lowered.problem.int_value(*term, assignment);
                    // A solver may ignore the known solution and find a worse one.
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
            // A larger set would have subsets of all smaller sizes, and each of these would also be a solution.
            if pairs.is_some() && best.as_ref().is_none_or(|(size, _)| *size < left.searched()) {
                return Ok(SearchEnd::Complete);
            }
        }
        let searched = left.searched();
        let domains = loop {
            match left.next() {
                None => return Ok(SearchEnd::Complete),
                Some(domains) if left.searched() > clique => break domains,
                Some(_) => {}
            }
        };
        match lowering::lower_within(&instance.environment, &larger.wanted, &domains, options.limits.clone()) {
            Ok(range) => lowered = Cow::Owned(range),
            // A solution is known already, so the search ends without an error.
            Err(Halt::Wrong(wrong)) if wrong.iter().all(is_size) && any => {
                let most = searched.max(clique);
                let reason = format!("`{}` with more than {most} members is too large to be searched", larger.name);
                return Ok(StopReason::Unknown(reason).into());
            }
            Err(halt) => return Err(halt),
        }
    }
}

/// The first number of an objective's value. Values are compared by it first.
fn first_number(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        Value::Tuple(items) => items.first().and_then(first_number),
        _ => None,
    }
}

/// Searches for a set as a clique of its members, larger than the best one so far. Returns the largest one, or a break
/// if `found` wants no more.
fn largest_clique(
    pairs: &MemberPairs,
    search: &Search,
    known: Option<Valued>,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<ControlFlow<(), Option<Valued>>, Halt> {
    let (least, most) = (pairs.size.min.unwrap_or(0), pairs.size.max.unwrap_or(i64::MAX));
    let least = known.as_ref().map_or(least, |(size, _)| least.max(size + 1));
    let mut best = Ok(ControlFlow::Continue(known));
    solver::cliques(&pairs.problem, search.options, &mut |members| {
        let size = most.min(members.len() as i64);
        if size < least {
            return ControlFlow::Continue(());
        }
        // Each subset of a clique is a clique, so a clique that is too large is shortened.
        let solution = pairs.solution(&members[..size as usize]);
        best = match solution::verify(search.instance, &solution) {
            Ok(()) => Ok(found(&solution).map_continue(|()| Some((size, solution)))),
            Err(wrong) => Err(wrong.into()),
        };
        match best {
            Ok(ControlFlow::Continue(_)) if size < most => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    best
}

/// An error that one problem for all sizes would be too large.
pub(crate) fn too_large_for_one_problem(message: &str) -> Diagnostic {
    Diagnostic::error(Code::TOO_LARGE, message).help("bound the size of the collections in it with `maxSize`")
}

fn is_size(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == Code::TOO_LARGE
}
