//! Assumption-based solving in the integer theory.

use super::{Work, ask, counters, integers::Integers, integers_memory, watched_by_z3};
use crate::solver::tuning::z3::RESOURCES;
use crate::{
    StopReason, memory,
    problem::{Assignment, Bool, Problem},
    solver::{
        CheckResult, EngineOptions,
        assumptions::{AssumptionEngine, UnsatCore},
    },
};
use ::z3::{Params, ast};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) struct IncrementalIntegers<'p> {
    /// The problem in the integer theory; `None` if it is too large.
    integers: Option<Integers<'p>>,
    options: EngineOptions,
    /// The assumptions that already have a name.
    known: FxHashMap<Bool, ast::Bool>,
}

impl<'p> IncrementalIntegers<'p> {
    pub(crate) fn new(problem: &'p Problem, options: &EngineOptions) -> Self {
        let fits = integers_memory(problem) <= memory::for_clauses();
        let integers = fits.then(|| Integers::new(problem, options, Work::default()));
        IncrementalIntegers { integers, options: options.clone(), known: FxHashMap::default() }
    }
}

impl AssumptionEngine for IncrementalIntegers<'_> {
    fn refute_under(&mut self, assumptions: &[Bool], conflicts: Option<u64>) -> UnsatCore {
        let Some(integers) = &mut self.integers else {
            return Some(Err(StopReason::Unknown("the problem is too large for the solver".into())));
        };
        for term in assumptions {
            if !self.known.contains_key(term) {
                let made = integers.assumption(*term);
                self.known.insert(*term, made);
            }
        }
        let assumed: Vec<ast::Bool> = assumptions.iter().map(|term| self.known[term].clone()).collect();
        let solver = integers.solver();
        let mut allowance = Params::new();
        let number = |number: Option<u64>, unlimited: u32| {
            number.map_or(unlimited, |number| u32::try_from(number).unwrap_or(u32::MAX))
        };
        allowance.set_u32("max_conflicts", number(conflicts, u32::MAX));
        // For this parameter, 0 means that there is no limit.
        allowance.set_u32("rlimit", number(conflicts.map(|conflicts| conflicts.saturating_mul(RESOURCES)), 0));
        solver.set_params(&allowance);
        Some(match watched_by_z3(&self.options, || ask(solver, &mut Work::default(), &self.options, &assumed)) {
            CheckResult::Satisfiable => Ok(None),
            CheckResult::Unsatisfiable => {
                let core = solver.get_unsat_core();
                let core: FxHashSet<&ast::Bool> = core.iter().collect();
                let refuted = assumptions.iter().zip(&assumed).filter(|(_, assumed)| core.contains(assumed));
                Ok(Some(refuted.map(|(term, _)| *term).collect()))
            }
            CheckResult::Unknown(reason) => Err(StopReason::Unknown(reason)),
        })
    }

    fn found(&mut self) -> Option<Assignment> {
        self.integers.as_mut()?.assignment_found()
    }

    fn conflicts(&self) -> u64 {
        let all = self.integers.iter().flat_map(|integers| counters(integers.solver()));
        all.filter(|(name, _)| *name == "conflicts").map(|(_, count)| count).sum()
    }
}
