//! Z3 as a backend.
//!
//! Integers with few values become Booleans and clauses on its finite-domain solver; a problem with too many values for
//! that goes to its integer theory.

mod assumptions;
mod finite;
mod integers;

use super::{
    CheckResult, EngineOptions, Guidance, SearchEnd, Solver, SolverName, Statistics, clauses::Clauses,
    encoding::Refused, incumbent::Incumbent, missing_library, search, watch,
};
use crate::solver::tuning::z3::{
    FIRST_SLICE, INTEGERS_FOOTPRINT, LONGEST_SLICE, PAIR_FOOTPRINT, SLICE_GROWTH, TRIAL_CONFLICTS, TRIAL_TERMS,
    TRIAL_UNITS,
};
use crate::{
    SolverError, memory,
    problem::{Assignment, Bool, Objective, Problem},
};
use ::z3::{Params, SatResult, StatisticsValue, ast};
pub(crate) use assumptions::IncrementalIntegers;
use std::{
    ops::ControlFlow,
    sync::{
        Arc, Once,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

/// Z3 as a backend.
#[derive(Clone, Debug, Default)]
pub struct Z3 {
    /// The theory to use, instead of the one that suits the problem.
    pub theory: Option<Theory>,
    /// The budget of all checks together.
    work: Work,
    incumbent: Arc<Incumbent>,
    statistics: Statistics,
}

/// The theories in which Z3 can solve a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Clauses,
    Integers,
}

impl From<Theory> for Z3 {
    fn from(theory: Theory) -> Self {
        Z3 { theory: Some(theory), ..Z3::default() }
    }
}

impl Z3 {
    /// A backend that shares its incumbent and bounds with other engines.
    pub(super) fn sharing(incumbent: Arc<Incumbent>) -> Self {
        Z3 { incumbent, ..Z3::default() }
    }

    /// A backend that gives up soon, after the same amount of work on every machine; `None` for a problem that takes
    /// too long to translate.
    pub(super) fn for_trial(problem: &Problem) -> Option<Self> {
        (problem.size() <= TRIAL_TERMS).then(|| Z3 {
            work: Work::limited(Effort { units: TRIAL_UNITS, conflicts: TRIAL_CONFLICTS }),
            ..Z3::default()
        })
    }
}

/// A budget of work for Z3.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    /// The budget that was left before the last check; `None` if there is no budget.
    left: Option<Effort>,
    /// Z3's total work before the last check.
    done: Option<Effort>,
}

impl Work {
    fn limited(left: Effort) -> Self {
        Work { left: Some(left), done: None }
    }
}

#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Units that Z3 counts by itself ("rlimit").
    units: u32,
    conflicts: u32,
}

impl Effort {
    fn minus(self, done: Effort) -> Effort {
        Effort {
            units: self.units.saturating_sub(done.units),
            conflicts: self.conflicts.saturating_sub(done.conflicts),
        }
    }
}

impl Solver for Z3 {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        // Starting Z3 takes a few milliseconds, which simple problems can avoid.
        if self.theory.is_none()
            && let Some(status) = without_solver(problem, found)
        {
            self.statistics = Statistics {
                method: "no solver, because simplification solved the problem".into(),
                ..Statistics::default()
            };
            return Ok(status);
        }
        if let Some(Err(reason)) = SolverName::Z3.library() {
            return Err(missing_library(SolverName::Z3, reason));
        }
        let mut why = "as asked for";
        if self.theory != Some(Theory::Integers) {
            why = match Clauses::new(problem, finite::Finite::new(options, self.work)) {
                Ok(clauses) => {
                    let (status, statistics) =
                        watched_by_z3(options, || clauses.search(options, &self.incumbent, found));
                    self.statistics = Statistics {
                        method: "clauses on the finite-domain solver".into(),
                        claimed_by: vec![SolverName::Z3.title()],
                        ..statistics
                    };
                    return Ok(status);
                }
                Err(Refused::Stopped) => return Ok(options.limits.at_stop().into()),
                Err(_) if self.theory == Some(Theory::Clauses) => {
                    return Err(SolverError::NoClauses);
                }
                Err(Refused::Values) => "because the numbers have too many values for a Boolean each",
                Err(Refused::Clauses) => "because there would be too many clauses",
                Err(Refused::Memory) => "because clauses would take too much memory",
            };
        }
        let needed = integers_memory(problem);
        if needed > memory::for_clauses() {
            let allowed = memory::for_clauses();
            return Err(SolverError::TheoryTooLarge { reason: why, terms: problem.size(), needed, allowed });
        }
        let start = Instant::now();
        let mut integers = integers::Integers::new(problem, options, self.work);
        let encoding = start.elapsed();
        let mut bound = None;
        let status = watched_by_z3(options, || {
            search::run_search(problem, &mut integers, options, &self.incumbent, &mut bound, found)
        });
        self.statistics = Statistics {
            method: format!("the integer theory, {why}"),
            encoding,
            sizes: integers.sizes(),
            clauses: Vec::new(),
            counters: integers.counters(),
            bound,
            claimed_by: vec![SolverName::Z3.title()],
            claim: None,
        };
        Ok(status)
    }

    fn prepare(&mut self, problem: &Problem, guidance: &Guidance) {
        self.incumbent.prepare(problem, guidance);
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// Returns the end of a search that needs no solver, because nothing is left to decide.
fn without_solver(problem: &Problem, found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>) -> Option<SearchEnd> {
    if problem.constraints().contains(&Bool::FALSE) {
        return Some(SearchEnd::Complete);
    }
    let fixed = |objective: &Objective| objective.terms.iter().all(|term| problem.int_constant(*term).is_some());
    let decided =
        problem.constraints().is_empty() && problem.decisions().is_empty() && problem.objective().is_none_or(fixed);
    decided.then(|| match found(&Assignment::default()) {
        ControlFlow::Break(()) => SearchEnd::Enough,
        ControlFlow::Continue(()) => SearchEnd::Complete,
    })
}

/// Estimates the memory of the integer theory for a problem, in bytes.
fn integers_memory(problem: &Problem) -> u64 {
    let sums = problem.sums().map(|terms| (terms.len() as f64).powi(2) * PAIR_FOOTPRINT).sum::<f64>();
    (problem.memory() * INTEGERS_FOOTPRINT).saturating_add(sums as u64)
}

/// Sets the parameters that all solvers share, and the additional ones of this solver.
fn set_up(solver: &::z3::Solver, seed: Option<u32>, own: impl FnOnce(&mut Params)) {
    // This parameter can only be set for the whole process. With thousands of variables, compacting a model takes seven
    // times as long as finding the next one.
    static MODELS: Once = Once::new();
    MODELS.call_once(|| ::z3::set_global_param("model.compact", "false"));
    let mut params = Params::new();
    // The program handles Ctrl-C itself, but Z3 would catch it during a search.
    params.set_bool("ctrl_c", false);
    if let Some(seed) = seed {
        params.set_u32("random_seed", seed);
    }
    own(&mut params);
    solver.set_params(&params);
}

/// Returns the memory limit of a search in megabytes.
fn megabytes() -> u32 {
    (memory::for_search() / 1_000_000).try_into().unwrap_or(u32::MAX)
}

/// Checks the constraints under assumptions. If engines take turns, the search is cut into slices, because Z3 has no
/// callback that asks whether it may continue.
fn ask(solver: &::z3::Solver, work: &mut Work, options: &EngineOptions, assumptions: &[ast::Bool]) -> CheckResult {
    if !options.takes_turns() {
        return ask_once(solver, work, options, assumptions);
    }
    let mut slice = FIRST_SLICE;
    loop {
        let mut params = Params::new();
        params.set_u32("rlimit", slice as u32);
        solver.set_params(&params);
        let answer = ask_once(solver, &mut Work::default(), options, assumptions);
        // Another slice is useful only if units have run out, not if memory has.
        let has_run_out = matches!(&answer, CheckResult::Unknown(reason) if !reason.contains("memory"));
        if !has_run_out || slice > LONGEST_SLICE || options.reached().is_some() {
            return answer;
        }
        slice *= SLICE_GROWTH;
    }
}

/// Checks the constraints under assumptions within the budget.
fn ask_once(solver: &::z3::Solver, work: &mut Work, options: &EngineOptions, assumptions: &[ast::Bool]) -> CheckResult {
    if let Some(left) = &mut work.left {
        // Z3's counters add up all checks on this thread, so the difference counts.
        let done = done(solver);
        if let Some(before) = work.done.replace(done) {
            *left = left.minus(done.minus(before));
        }
        let mut params = Params::new();
        // 0 would mean that there is no limit.
        params.set_u32("rlimit", left.units.max(1));
        params.set_u32("max_conflicts", left.conflicts.max(1));
        solver.set_params(&params);
    }
    let answer = if assumptions.is_empty() { solver.check() } else { solver.check_assumptions(assumptions) };
    // After an interrupt, Z3 may lose constraints that are asserted, so the answer does not count.
    if let Some(stopped) = options.limits.reached() {
        return CheckResult::Unknown(stopped.to_string());
    }
    match answer {
        SatResult::Sat => CheckResult::Satisfiable,
        SatResult::Unsat => CheckResult::Unsatisfiable,
        SatResult::Unknown => CheckResult::Unknown(match solver.get_reason_unknown().unwrap_or_default() {
            reason if reason.contains("memory") => "it ran out of memory".into(),
            reason => reason,
        }),
    }
}

/// Removes the limits on the work of a check.
fn allow_all(solver: &::z3::Solver) {
    let mut params = Params::new();
    params.set_u32("rlimit", 0);
    params.set_u32("max_conflicts", u32::MAX);
    solver.set_params(&params);
}

/// Returns Z3's total work on this thread.
fn done(solver: &::z3::Solver) -> Effort {
    let statistics = solver.get_statistics();
    let number = |key: &str| match statistics.value(key) {
        Some(StatisticsValue::UInt(count)) => count,
        Some(StatisticsValue::Double(count)) => count as u32,
        None => 0,
    };
    Effort { units: number("rlimit count"), conflicts: number("sat conflicts").max(number("conflicts")) }
}

/// Z3's statistics under the names of other solvers; its finite-domain solver uses other keys than the rest.
fn counters(solver: &::z3::Solver) -> Vec<(&'static str, u64)> {
    let statistics = solver.get_statistics();
    let number = |key: &str| match statistics.value(key) {
        Some(StatisticsValue::UInt(number)) => u64::from(number),
        Some(StatisticsValue::Double(number)) => number as u64,
        None => 0,
    };
    let sum = |keys: &[&str]| keys.iter().map(|key| number(key)).sum();
    vec![
        ("decisions", sum(&["sat decisions", "decisions"])),
        ("conflicts", sum(&["sat conflicts", "conflicts"])),
        ("propagations", sum(&["sat propagations 2ary", "sat propagations nary", "propagations"])),
        ("restarts", sum(&["sat restarts", "restarts"])),
    ]
}

/// Runs a search that Z3 ends with "unknown" soon after a limit is reached.
fn watched_by_z3<T>(options: &EngineOptions, search: impl FnOnce() -> T) -> T {
    let context = ::z3::Context::thread_local();
    let handle = context.handle();
    let is_interrupted = AtomicBool::new(false);
    let interrupt = || {
        is_interrupted.store(true, Ordering::Relaxed);
        handle.interrupt();
    };
    let result = watch::watched(options, interrupt, search);
    // An interrupt between two checks stays pending until the next check, and Z3 loses constraints that are asserted
    // before it.
    if is_interrupted.into_inner() {
        ::z3::Solver::new().check();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        IntSet,
        problem::{Builder, Role},
    };
    use std::{thread, time::Duration};

    /// Only the first coefficient of the sum is within the bound.
    #[test]
    fn an_interrupt_between_two_checks_leaves_the_next_search_alone() {
        if !SolverName::Z3.is_installed() {
            return eprintln!("skipped: Z3 is not installed");
        }
        let options = EngineOptions::default();
        let late = EngineOptions::default().limits(Instant::now());
        watched_by_z3(&late, || thread::sleep(Duration::from_millis(100)));
        let mut problem = Builder::new();
        let things: Vec<Bool> = (0..5).map(|_| problem.new_bool(Role::Decision)).collect();
        let weights = [75_000_000, 668_435_456, 700_000_000, 678_956_971, 1_073_741_824];
        let weighed = weights.into_iter().zip(&things).map(|(weight, thing)| (weight, problem.int_of(*thing)));
        let weighed: Vec<_> = weighed.collect();
        let sum = problem.linear(weighed, 0);
        let fits = problem.at_most_constant(sum, 632_044_750);
        problem.require(fits);
        // The term has too many values for clauses.
        let other = problem.new_int(IntSet::range(0, 1 << 40), Role::Auxiliary);
        let least = problem.at_most_constant(other, 5);
        problem.require(!least);
        let problem = problem.finish().expect("a small problem");
        let mut found = 0;
        let end = Z3::from(Theory::Integers).solve(&problem, &options, &mut |assignment| {
            assert!(problem.bool_value(fits, assignment), "{problem}");
            found += 1;
            ControlFlow::Continue(())
        });
        assert_eq!((end, found), (Ok(SearchEnd::Complete), 2));
    }
}
