//! CP-SAT of OR-tools as a backend: integers, global constraints and a linear relaxation in addition to clauses
//! (Perron, Didier, Gay, "The CP-SAT-LP solver", 2023).
//!
//! The C interface reports solutions only at the end of a search. So a search for the best assignment is cut into
//! slices of growing length, and each slice starts with the result of the last one. A search on one thread is cut into
//! slices, too: from the second slice on, the thread interleaves the strategies that several threads would follow.

mod messages;
mod path;
mod schedule;
mod tour;
mod translation;

use super::{
    CheckResult, EngineOptions, Guidance, SearchEnd, Solver, SolverName, Statistics,
    incumbent::{Incumbent, is_better},
    missing_library,
    search::{self, Engine, ObjectiveBound},
    watch::watched,
};
use crate::solver::tuning::cpsat::{FIRST_SLICE, HEAD_START, SLICE_GROWTH};
use crate::{
    Sense, SolverError, StopReason, memory,
    problem::{self, Assignment, Problem},
};
use conjure_like_system::{CpSatFault, CpSatSearch};
use messages::{ObjectiveProto, ParametersProto, Response, Status};
use prost::Message;
use std::{ops::ControlFlow, sync::Arc, time::Instant};
use translation::{Translation, Untranslatable};

/// CP-SAT as a backend.
#[derive(Default)]
pub(crate) struct CpSat {
    statistics: Statistics,
    incumbent: Arc<Incumbent>,
    /// The number of threads; `None` for as many as the options allow.
    threads: Option<usize>,
}

impl CpSat {
    /// A backend that shares its incumbent and bounds with other engines.
    pub(super) fn sharing(incumbent: Arc<Incumbent>, threads: usize) -> Self {
        CpSat { incumbent, threads: Some(threads), ..CpSat::default() }
    }

    /// Makes the options of the search, which ends a little sooner in a race for the best assignment.
    fn own_options(&self, problem: &Problem, options: &EngineOptions) -> EngineOptions {
        let mut own = options.clone();
        if self.threads.is_some() && problem.objective().is_some() {
            own.limits.deadline = options.limits.deadline.and_then(|deadline| {
                let left = deadline.saturating_duration_since(Instant::now());
                let (most, part) = HEAD_START;
                deadline.checked_sub(most.min(left / part))
            });
        }
        own
    }
}

impl Solver for CpSat {
    fn solve(
        &mut self,
        problem: &Problem,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, SolverError> {
        CpSatSearch::new().map_err(|reason| missing_library(SolverName::CpSat, reason))?;
        let options = &self.own_options(problem, options);
        let start = Instant::now();
        let translation = match Translation::new(problem, options) {
            Ok(translation) => translation,
            Err(refused) => return end_of_untranslatable(refused, problem, options),
        };
        let encoding = start.elapsed();
        let mut engine = CpSatEngine {
            problem,
            translation,
            options,
            threads: self.threads.unwrap_or_else(|| options.thread_count()),
            last: None,
            refused: None,
            counters: Response::default(),
        };
        let mut bound = None;
        let status = match problem.objective() {
            Some(objective) => engine.best(objective, &self.incumbent, &mut bound, found),
            None => {
                engine.translation.model.solution_hint = engine.translation.partial_hint(&self.incumbent.hint());
                let end = search::run_search(problem, &mut engine, options, &self.incumbent, &mut bound, found);
                engine.refused.map_or(Ok(end), Err)
            }
        };
        let (model, counters) = (&engine.translation.model, &engine.counters);
        let number = |count: i64| u64::try_from(count).unwrap_or(0);
        self.statistics = Statistics {
            method: "CP-SAT".into(),
            encoding,
            sizes: [("variables", model.variables.len() as u64), ("constraints", model.constraints.len() as u64)]
                .into_iter()
                .chain(translation::globals(model))
                .chain(super::symmetries(problem))
                .collect(),
            clauses: Vec::new(),
            counters: vec![
                ("decisions", number(counters.num_branches)),
                ("conflicts", number(counters.num_conflicts)),
                ("propagations", number(counters.num_binary_propagations + counters.num_integer_propagations)),
                ("restarts", number(counters.num_restarts)),
                ("LP iterations", number(counters.num_lp_iterations)),
            ],
            bound,
            claimed_by: vec![SolverName::CpSat.title()],
            claim: None,
        };
        match status {
            Ok(end) => Ok(end),
            Err(refused) => end_of_untranslatable(refused, problem, options),
        }
    }

    fn prepare(&mut self, problem: &Problem, guidance: &Guidance) {
        self.incumbent.prepare(problem, guidance);
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

/// The constraints over many variables at once that CP-SAT would get, each with its number; `None` if it does not
/// support the problem. This does not need the library.
pub(super) fn recognised_constraints(problem: &Problem, options: &EngineOptions) -> Option<Vec<(&'static str, u64)>> {
    let mut translation = Translation::new(problem, options).ok()?;
    for term in problem.objective().into_iter().flat_map(|objective| &objective.terms) {
        translation.objective(*term).ok()?;
    }
    Some(translation::globals(&translation.model))
}

/// Returns the end of a search, or the error, after the translation has failed.
fn end_of_untranslatable(
    refused: Untranslatable,
    problem: &Problem,
    options: &EngineOptions,
) -> Result<SearchEnd, SolverError> {
    Err(match refused {
        Untranslatable::Stopped => return Ok(options.limits.at_stop().into()),
        Untranslatable::Numbers => SolverError::NumbersTooLarge { solver: "cp-sat".into() },
        Untranslatable::Memory => SolverError::TranslationTooLarge { solver: "cp-sat".into(), terms: problem.size() },
    })
}

struct CpSatEngine<'p> {
    problem: &'p Problem,
    translation: Translation<'p>,
    options: &'p EngineOptions,
    threads: usize,
    /// The values of the model's variables in the last solution.
    last: Option<Vec<i64>>,
    /// The reason why CP-SAT has not accepted the model.
    refused: Option<Untranslatable>,
    /// The sums of the counters over all searches.
    counters: Response,
}

impl CpSatEngine<'_> {
    /// Runs one search on the current model for at most this number of deterministic seconds. The error is the reason
    /// why CP-SAT gave up.
    fn ask(&mut self, slice: Option<f64>) -> Result<(Status, Response), String> {
        // With numbers beyond 32 bits, CP-SAT 9.15 drops conditions of sums in the first of these presolve steps, and
        // loses solutions in the second one (`docs/decisions/faults-of-engines.md`).
        let exceeds_32_bits = translation::exceeds_32_bits(&self.translation.model);
        let parameters = ParametersProto {
            random_seed: self.options.seed.and_then(|seed| i32::try_from(seed).ok()),
            max_memory_in_mb: Some((memory::for_search() / 1_000_000) as i64),
            max_deterministic_time: slice,
            catch_sigint_signal: Some(false),
            num_workers: i32::try_from(self.threads).ok(),
            // If a short slice did not settle the search, it needs all strategies, such as neighbourhoods and
            // relaxations.
            interleave_search: Some(self.threads == 1 && slice.is_some_and(|slice| slice > FIRST_SLICE)),
            // CP-SAT computes the gap with floating-point numbers, so with a tolerance, a value that is off by one
            // could count as optimal.
            absolute_gap_limit: Some(0.0),
            presolve_inclusion_work_limit: exceeds_32_bits.then_some(0),
            auto_detect_greater_than_at_least_one_of: exceeds_32_bits.then_some(false),
        };
        let parameters = parameters.encode_to_vec();
        let search = CpSatSearch::new()?;
        let bytes = loop {
            let model = self.translation.model.encode_to_vec();
            match watched(self.options, || search.stop(), || search.solve(&model, &parameters)) {
                Ok(bytes) => break bytes,
                Err(CpSatFault::TooLarge) => return Err("the model takes more than 2 GB".into()),
                // Some faults of CP-SAT come from its handling of hints, so the search is repeated without the hint.
                Err(CpSatFault::Thrown) if self.translation.model.solution_hint.take().is_some() => {}
                Err(CpSatFault::Thrown) => return Err("CP-SAT ended with an exception".into()),
            }
        };
        let response = Response::decode(bytes.as_slice()).unwrap_or_default();
        self.counters.num_branches += response.num_branches;
        self.counters.num_conflicts += response.num_conflicts;
        self.counters.num_binary_propagations += response.num_binary_propagations;
        self.counters.num_integer_propagations += response.num_integer_propagations;
        self.counters.num_restarts += response.num_restarts;
        self.counters.num_lp_iterations += response.num_lp_iterations;
        let status = Status::try_from(response.status).unwrap_or(Status::Unknown);
        if matches!(status, Status::Feasible | Status::Optimal) {
            self.last = Some(response.solution.clone());
        }
        Ok((status, response))
    }

    /// Streams better and better assignments; the terms of the objective are optimised lexicographically.
    fn best(
        &mut self,
        objective: &problem::Objective,
        incumbent: &Incumbent,
        bound: &mut Option<i64>,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, Untranslatable> {
        let sense = objective.sense;
        let mut best: Option<Assignment> = None;
        for (position, term) in objective.terms.iter().copied().enumerate() {
            let sum = self.translation.objective(term)?;
            // CP-SAT minimises a multiple of the term without its constant.
            let (sign, offset) = (if sense == Sense::Minimise { 1 } else { -1 }, sum.offset);
            let coeffs = sum.coeffs.iter().map(|factor| sign * factor).collect();
            self.translation.model.objective = Some(ObjectiveProto { coeffs, vars: sum.vars, domain: Vec::new() });
            let mut slice = FIRST_SLICE;
            loop {
                if let Some(stopped) = self.options.reached() {
                    return Ok(stopped.into());
                }
                // Each slice starts with a search for a first solution, unless it has a hint from another engine.
                let shared = match &best {
                    Some(own) => incumbent.better(self.problem, objective, own),
                    None => incumbent.best(),
                };
                best = shared.or(best);
                self.translation.model.solution_hint = match &best {
                    Some(best) => Some(self.translation.hint(best)),
                    None => self.translation.partial_hint(&incumbent.hint()),
                };
                // The bounds of other engines apply to the first term only.
                let proved = incumbent.bound().filter(|_| position == 0);
                let least = proved.and_then(|proved| proved.checked_sub(offset)?.checked_mul(sign));
                if let Some((least, objective)) = least.zip(self.translation.model.objective.as_mut()) {
                    objective.domain = vec![least, i64::MAX];
                }
                let (status, response) = match self.ask(Some(slice)) {
                    Ok(answer) => answer,
                    Err(reason) => return Ok(StopReason::Unknown(reason).into()),
                };
                // If there is no bound, the floating-point number is infinite and the integer has no meaning.
                let proved = response.best_objective_bound.is_finite().then_some(response.inner_objective_lower_bound);
                let proved = proved.and_then(|proved| proved.checked_mul(sign)?.checked_add(offset));
                if position == 0
                    && status == Status::Feasible
                    && let Some(proved) = proved
                {
                    *bound = Some(proved);
                    incumbent.prove(sense, proved);
                }
                if matches!(status, Status::Feasible | Status::Optimal) {
                    let assignment = self.translation.assignment(&response.solution);
                    // CP-SAT may return the hint itself, which is not an improvement.
                    if best.as_ref().is_none_or(|best| is_better(self.problem, objective, &assignment, best)) {
                        if found(&assignment).is_break() {
                            return Ok(SearchEnd::Enough);
                        }
                        best = Some(assignment);
                    }
                }
                match status {
                    Status::Optimal => break,
                    Status::Infeasible => return Ok(SearchEnd::Complete),
                    Status::ModelInvalid => return Err(Untranslatable::Numbers),
                    Status::Feasible | Status::Unknown => slice *= SLICE_GROWTH,
                }
            }
            if let Some(best) = &best {
                let value = self.problem.int_value(term, best);
                if position == 0 {
                    *bound = Some(value);
                    incumbent.prove(sense, value);
                }
                // Later terms are optimised among the assignments that are optimal for this one.
                self.translation.bound(term, value, value)?;
            }
        }
        Ok(SearchEnd::Complete)
    }
}

impl Engine for CpSatEngine<'_> {
    fn check(&mut self, _: &[ObjectiveBound]) -> CheckResult {
        // With one thread, CP-SAT uses only one strategy in the first slice.
        let mut slice = (self.threads == 1).then_some(FIRST_SLICE);
        loop {
            let status = match self.ask(slice) {
                Ok((status, _)) => status,
                Err(reason) => return CheckResult::Unknown(reason),
            };
            match status {
                Status::Optimal | Status::Feasible => return CheckResult::Satisfiable,
                Status::Infeasible => return CheckResult::Unsatisfiable,
                Status::ModelInvalid => {
                    self.refused = Some(Untranslatable::Numbers);
                    return CheckResult::Unknown("the numbers are too large".into());
                }
                Status::Unknown if slice.is_some() && self.options.reached().is_none() => {
                    slice = slice.map(|slice| slice * SLICE_GROWTH);
                }
                Status::Unknown => return CheckResult::Unknown("the search was stopped".into()),
            }
        }
    }

    fn assignment(&mut self) -> Option<Assignment> {
        self.last.as_ref().map(|solution| self.translation.assignment(solution))
    }

    fn block(&mut self, assignment: &Assignment) -> Result<(), String> {
        let blocked = self.translation.block(assignment);
        blocked.map_err(|refused| match refused {
            Untranslatable::Numbers => {
                self.refused = Some(refused);
                "the numbers are too large".into()
            }
            _ => "the search for further solutions takes too much memory".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{problem::Builder, solver::test_problems::random_tour};
    use std::time::Duration;

    #[test]
    fn a_race_for_the_best_assignment_ends_sooner_for_cp_sat() {
        let (best, any) = (random_tour(0).0, Builder::new().finish().expect("nothing"));
        let deadline = Instant::now() + Duration::from_secs(60);
        let options = EngineOptions::default().limits(deadline);
        let racing = CpSat::sharing(Arc::default(), 2);
        let own = |engine: &CpSat, problem: &Problem| engine.own_options(problem, &options).limits.deadline;
        assert_eq!(own(&racing, &best), Some(deadline - HEAD_START.0));
        assert_eq!(own(&racing, &any), Some(deadline));
        assert_eq!(own(&CpSat::default(), &best), Some(deadline));
        let no_limit = racing.own_options(&best, &EngineOptions::default());
        assert_eq!(no_limit.limits.deadline, None);
    }
}
