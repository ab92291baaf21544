//! Solves an instance with other solvers and representations, which must find the same solutions.

use super::{
    MOST_SOLUTIONS, Solved,
    result::{TestFinding, TestVerdict},
    tested::TestedInstance,
};
use crate::{
    api::{Instance, Solution, SolveOptions},
    diagnostic::{Code, counted},
    solver::SolverName,
};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

/// All values are tried if there are at most this many combinations of values. Chosen.
const MOST_COMBINATIONS: u128 = 5_000;

/// CP-SAT starts a new search for each solution, so it enumerates at most this many.
const MOST_SEARCHES: usize = 20;

/// The time limit for the usual way and all others together. Chosen.
const TIME: Duration = Duration::from_secs(1);

/// The codes of errors about problems that are too large for another representation or solver.
const REFUSALS: [Code; 2] = [Code::TOO_LARGE, Code::TOO_MANY_BITS];

/// The differences that other ways of solving show.
pub(super) fn differences(tested: &TestedInstance, solved: &Solved) -> Vec<TestFinding> {
    let started = Instant::now();
    let instance = tested.instance;
    let mut found = Vec::new();
    // The number of combinations limits the time, so a deadline is not needed.
    if instance.combinations().is_some_and(|combinations| combinations <= MOST_COMBINATIONS) {
        found.extend(difference_of_ways(tested, solved, SolveOptions::default().solver(SolverName::Brute), None));
    }
    let end = started.checked_add(TIME.saturating_sub(solved.time));
    let is_quick = |way: &SolveOptions| way.solver != SolverName::CpSat || solved.solutions.len() <= MOST_SEARCHES;
    let ways = other_ways(instance).into_iter().filter(is_quick);
    found.extend(ways.filter_map(|way| difference_of_ways(tested, solved, way, end)));
    found
}

/// Ways to solve an instance, such that each representation of each variable and each solver occurs.
fn other_ways(instance: &Instance) -> Vec<SolveOptions> {
    let possible = instance.possible_representations();
    let solvers: Vec<SolverName> =
        SolverName::all().filter(|solver| *solver != SolverName::Brute && solver.is_installed()).collect();
    let most = possible.iter().map(|(_, possible)| possible.len()).max().unwrap_or(0);
    let wanted = |round: usize| {
        let several = possible.iter().filter(|(_, possible)| possible.len() > 1);
        several.map(|(name, possible)| format!("{name}={}", possible[round % possible.len()])).collect()
    };
    let way =
        |round: usize| SolveOptions::default().solver(solvers[round % solvers.len()]).representations(wanted(round));
    // Round 0 is the usual way, unless variables are too large for it.
    (1..most.max(solvers.len())).map(way).collect()
}

/// The difference if an instance is solved in another way; none if that takes too long.
fn difference_of_ways(
    tested: &TestedInstance,
    solved: &Solved,
    way: SolveOptions,
    end: Option<Instant>,
) -> Option<TestFinding> {
    let way = way.search(tested.options.search.clone());
    // If there are too many best solutions to enumerate, only the optima are compared.
    let are_enough = |solved: &Solved| tested.model.has_objective() && solved.solutions.len() == MOST_SOLUTIONS;
    let says = match Solved::find(tested.instance, &way, solved.solutions.len().max(MOST_SOLUTIONS), end) {
        Ok(other) if other.status.was_interrupted() => return None,
        Err(_) if tested.options.search.reached().is_some() => return None,
        Err(report) if report.diagnostics.iter().all(|error| REFUSALS.contains(&error.code)) => return None,
        Err(report) => report.to_string(),
        Ok(other) if !other.is_complete() && !are_enough(&other) => format!("{:?}", other.status),
        Ok(other) => {
            let same = match are_enough(solved) {
                true => other.optimum() == solved.optimum(),
                false => {
                    other.solutions.len() == solved.solutions.len()
                        && printed_solutions(&other) == printed_solutions(solved)
                }
            };
            if same {
                return None;
            }
            let (own, others) = (printed_solutions(solved), printed_solutions(&other));
            let first = |one: &BTreeSet<String>, other| one.difference(other).next().cloned().unwrap_or_default();
            format!(
                "there {} {}; one that is missing:\n{}\none too many:\n{}",
                if other.solutions.len() == 1 { "is" } else { "are" },
                counted(other.solutions.len(), "solution"),
                first(&own, &others),
                first(&others, &own)
            )
        }
    };
    let with = match way.representations.as_slice() {
        [] => String::new(),
        wanted => format!(" and {}", wanted.join(", ")),
    };
    let says = format!("with the solver {}{with}, {says} (this is a bug in conjure-like)", way.solver.name());
    Some(TestFinding::new(TestVerdict::Failed, tested.case.line, says))
}

fn printed_solutions(solved: &Solved) -> BTreeSet<String> {
    solved.solutions.iter().map(Solution::to_string).collect()
}
