//! Repeated search with the same SAT solver, which keeps its learnt clauses: the problem gets further constraints, and
//! each search assumes some Booleans.

use super::{
    ClauseEngine, EngineOptions, Guidance, SearchEnd, SolverName,
    claims::ConfirmationAccount,
    clauses::{Clauses, CoreSat, Frugal},
    encoding::{EncodingOptions, Literal},
    incumbent::Incumbent,
    search,
};
use crate::solver::tuning::kept::{MOST_CLAUSES, RESERVED};
use crate::{
    SolverError, StopReason,
    problem::{Assignment, Bool, Problem},
};
use std::{
    mem,
    ops::ControlFlow,
    sync::{Arc, LazyLock, atomic::AtomicBool},
    time::Instant,
};

/// The problem of the encoder between two searches.
static NOTHING: LazyLock<Problem> = LazyLock::new(Problem::default);

/// A SAT solver with the clauses of a problem that grows.
#[derive(Default)]
pub struct KeptSearch {
    clauses: KeptClauses,
    /// The number of constraints that are encoded.
    encoded: usize,
    confirmations: ConfirmationAccount,
}

#[derive(Default)]
enum KeptClauses {
    /// Not encoded yet, or to be encoded again.
    #[default]
    Missing,
    Made(Box<Clauses<'static, ClauseEngine>>),
    /// Refused, because there would be too many clauses.
    Refused,
}

impl KeptSearch {
    /// Streams assignments under assumptions like a backend; without an objective, a single one. The problem starts
    /// with the terms and constraints of the last search in the same order, and may have more. The search ends with
    /// [`StopReason::Unknown`] after this many conflicts or if there are too many clauses. If nothing is found, the
    /// answer includes the assumptions that were refuted.
    ///
    /// # Errors
    ///
    /// Returns an error if a second engine has found an assignment that the end of this search rules out.
    pub fn search(
        &mut self,
        problem: &Problem,
        assumed: &[Bool],
        guidance: &Guidance,
        conflicts: u64,
        options: &EngineOptions,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<(SearchEnd, Vec<Bool>), SolverError> {
        let start = Instant::now();
        let spent = Arc::new(AtomicBool::new(false));
        let options = &EngineOptions { spent: Some(spent.clone()), ..options.clone() };
        let made = self.made(problem, options).and_then(|mut clauses| {
            let literals = clauses.literals(assumed).ok()?;
            Some((clauses, literals))
        });
        let Some((mut clauses, literals)) = made else {
            let stopped = options.reached().unwrap_or(StopReason::Unknown("there are too many clauses".into()));
            return Ok((stopped.into(), Vec::new()));
        };
        let (incumbent, mut bound) = (Incumbent::default(), None);
        incumbent.prepare(problem, guidance);
        clauses.assumed.clone_from(&literals);
        // The budget covers all checks of this search; the engine counts them from its first search on.
        let mut engine = Frugal::new(&mut clauses, conflicts, &spent);
        let mut best = incumbent.best();
        let end = search::run_search(problem, &mut engine, options, &incumbent, &mut bound, &mut |assignment| {
            best = Some(assignment.clone());
            found(assignment)
        });
        let mut refuted = Vec::new();
        if end == SearchEnd::Complete && best.is_none() {
            let mut failed = |literal: Literal| clauses.out().sink.failed(literal);
            let pairs = assumed.iter().zip(literals);
            refuted = pairs.filter(|(_, literal)| failed(*literal)).map(|(term, _)| *term).collect();
        }
        // The problem lives only until the end of this call, so the clauses are kept without it.
        self.clauses = KeptClauses::Made(Box::new(clauses.onto(&NOTHING)));
        if end == SearchEnd::Complete {
            // If nothing was found, the unsat core itself must be contradictory, which is the stronger claim.
            let assumed = if best.is_none() { &refuted } else { assumed };
            self.confirmations.confirm(
                problem,
                assumed,
                best.as_ref(),
                SolverName::OF_CLAUSES.title(),
                options,
                start,
            )?;
        }
        Ok((end, refuted))
    }

    /// Takes the clauses out, extended by the new constraints, or encodes the problem again.
    fn made<'p>(&mut self, problem: &'p Problem, options: &EngineOptions) -> Option<Clauses<'p, ClauseEngine>> {
        if let KeptClauses::Refused = self.clauses {
            return None;
        }
        if let KeptClauses::Made(clauses) = mem::take(&mut self.clauses)
            && clauses.has_room_for(problem)
        {
            let mut clauses = clauses.onto(problem);
            clauses.out().sink.watch(options);
            // If encoding stops halfway, the literals are incomplete, so the clauses are dropped.
            if clauses.constraints(self.encoded).is_ok() {
                self.encoded = problem.constraints().len();
                return Some(clauses);
            }
        }
        self.encoded = problem.constraints().len();
        let encoding = EncodingOptions { clauses: MOST_CLAUSES, reserved: RESERVED, ..EncodingOptions::default() };
        let made = Clauses::with_options(problem, ClauseEngine::new(options), encoding).ok();
        // If a limit has stopped the encoding, it may be tried again.
        if made.is_none() && options.reached().is_none() {
            self.clauses = KeptClauses::Refused;
        }
        made
    }
}
