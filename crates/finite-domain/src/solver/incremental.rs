//! Assumption-based solving with several engines, which take turns at hard checks.

use super::{
    ClauseEngine, EngineOptions, SolverName,
    assumptions::{AssumptionEngine, Incremental, UnsatCore},
    claims::ConfirmationAccount,
    clauses::Clauses,
    encoding::{EncodingOptions, Refused},
};
use crate::solver::tuning::incremental::{CHECK_WORK, FACTOR, FIRST_TURN, INTEGERS_SHARE, LAST_TURN, TERMS_FOR_TWO};
use crate::{
    StopReason,
    problem::{Assignment, Bool, Problem},
};
use std::time::Instant;

/// Makes a solver under assumptions: with clauses, or with the integer theory if there are too many values for clauses.
/// A check that takes long with clauses is tried in the integer theory, too: it refutes row and column sums with
/// different totals at once, while clauses have to count.
pub fn incremental<'p>(problem: &'p Problem, options: &EngineOptions) -> Box<dyn Incremental + 'p> {
    incremental_within(problem, u64::MAX, options)
}

/// Like [`incremental`], but a problem that takes more than this many clauses has no answer, and only the engine for
/// clauses is used.
pub fn incremental_within<'p>(
    problem: &'p Problem,
    most_clauses: u64,
    options: &EngineOptions,
) -> Box<dyn Incremental + 'p> {
    let is_bounded = most_clauses < u64::MAX;
    let encoding = EncodingOptions { clauses: most_clauses, ..EncodingOptions::default() };
    let clauses = Clauses::with_options(problem, ClauseEngine::new(options), encoding);
    // With a bound on clauses, the caller expects an answer of the clauses or none, so Z3 does not join.
    let has_other = SolverName::Z3.is_installed() && !is_bounded && clauses.is_ok() && problem.size() <= TERMS_FOR_TWO;
    let first = match clauses {
        Ok(clauses) => Turn::of_clauses(clauses),
        Err(Refused::Stopped) => Turn::of_clauses(NoEngine),
        Err(Refused::Clauses) if is_bounded => Turn::of_clauses(NoEngine),
        Err(_) => Turn::of_integers(problem, options),
    };
    let (options, confirmations) = (options.clone(), ConfirmationAccount::default());
    let (other, allowed) = (None, None);
    Box::new(AssumptionSolver { problem, options, is_bounded, first, other, has_other, allowed, confirmations })
}

/// The engine of the integer theory for problems with too many values for clauses.
#[cfg(feature = "z3")]
fn with_integers<'p>(problem: &'p Problem, options: &EngineOptions) -> Box<dyn AssumptionEngine + 'p> {
    if !SolverName::Z3.is_installed() {
        return Box::new(NoEngine);
    }
    Box::new(super::z3::IncrementalIntegers::new(problem, options))
}

/// Without Z3, no engine supports problems with too many values for clauses.
#[cfg(not(feature = "z3"))]
fn with_integers<'p>(_: &'p Problem, _: &EngineOptions) -> Box<dyn AssumptionEngine + 'p> {
    Box::new(NoEngine)
}

/// A placeholder if no engine supports the problem.
struct NoEngine;

impl AssumptionEngine for NoEngine {
    fn refute_under(&mut self, _: &[Bool], _: Option<u64>) -> UnsatCore {
        Some(Err(StopReason::Unknown("the problem is too large for a SAT solver, and there is no other".into())))
    }

    fn found(&mut self) -> Option<Assignment> {
        None
    }

    fn conflicts(&self) -> u64 {
        0
    }
}

/// An engine that takes turns with another one.
struct Turn<'p> {
    engine: Box<dyn AssumptionEngine + 'p>,
    name: SolverName,
    /// The number of SAT conflicts that one conflict of this engine stands for.
    share: u64,
}

impl<'p> Turn<'p> {
    fn of_clauses(engine: impl AssumptionEngine + 'p) -> Self {
        Turn { engine: Box::new(engine), name: SolverName::OF_CLAUSES, share: 1 }
    }

    fn of_integers(problem: &'p Problem, options: &EngineOptions) -> Self {
        Turn { engine: with_integers(problem, options), name: SolverName::Z3, share: INTEGERS_SHARE }
    }
}

struct AssumptionSolver<'p> {
    problem: &'p Problem,
    options: EngineOptions,
    /// True if assumptions that take too many clauses have no answer: the integer theory may take much longer.
    is_bounded: bool,
    /// The engine that has answered last.
    first: Turn<'p>,
    /// The engine of the next turn, made when it is first needed.
    other: Option<Turn<'p>>,
    /// True if there can be a second engine.
    has_other: bool,
    /// The rest of the budget; `None` if there is no budget.
    allowed: Option<u64>,
    confirmations: ConfirmationAccount,
}

impl AssumptionSolver<'_> {
    /// Runs the engines in turns of growing length until one has an answer or the budget is used up.
    fn refute_with_engines(&mut self, assumptions: &[Bool]) -> UnsatCore {
        let mut turn = if self.has_other { FIRST_TURN } else { LAST_TURN };
        loop {
            let work = self.allowed.map_or(turn, |allowed| allowed.min(turn));
            // The last turn is unlimited, so the engine need not count conflicts.
            let conflicts = Some((work / self.first.share).max(1)).filter(|_| work < LAST_TURN);
            let before = self.first.engine.conflicts();
            let answer = self.first.engine.refute_under(assumptions, conflicts);
            let done = CHECK_WORK + self.first.engine.conflicts().saturating_sub(before) * self.first.share;
            let is_known = !matches!(answer, Some(Err(StopReason::Unknown(_))));
            // A turn without an answer counts in full, even if the engine stopped early.
            let done = if is_known { done } else { done.max(work) };
            self.allowed = self.allowed.map(|allowed| allowed.saturating_sub(done));
            if is_known || turn >= LAST_TURN || self.allowed == Some(0) || self.options.reached().is_some() {
                return answer;
            }
            let (problem, options) = (self.problem, &self.options);
            std::mem::swap(&mut self.first, self.other.get_or_insert_with(|| Turn::of_integers(problem, options)));
            // When the clauses come round again, both engines have had a turn of this length.
            if self.first.share == 1 {
                turn *= FACTOR;
            }
        }
    }
}

impl Incremental for AssumptionSolver<'_> {
    fn refute(&mut self, assumptions: &[Bool]) -> Result<Option<Vec<Bool>>, StopReason> {
        if let Some(status) = self.options.reached() {
            return Err(status);
        }
        if assumptions.contains(&Bool::FALSE) {
            return Ok(Some(vec![Bool::FALSE]));
        }
        if self.allowed == Some(0) {
            return Err(StopReason::Unknown("the budget of conflicts is used up".into()));
        }
        let start = Instant::now();
        let answer = match self.refute_with_engines(assumptions) {
            Some(answer) => answer,
            None if self.is_bounded => Err(StopReason::Unknown("the assumptions take too many clauses".into())),
            None => {
                // For these assumptions, clauses would need too many values.
                self.first = Turn::of_integers(self.problem, &self.options);
                self.has_other = false;
                self.refute_with_engines(assumptions)
                    .unwrap_or(Err(StopReason::Unknown("the problem is too large".into())))
            }
        };
        if let Ok(Some(core)) = &answer {
            let by = self.first.name.title();
            let confirmed = self.confirmations.confirm(self.problem, core, None, by, &self.options, start);
            confirmed.map_err(|error| StopReason::Unknown(error.to_string()))?;
        }
        answer.map_err(|status| self.options.reached().unwrap_or(status))
    }

    fn found(&mut self) -> Result<Assignment, StopReason> {
        self.first.engine.found().ok_or(StopReason::Unknown("no model".into()))
    }

    fn allow(&mut self, work: Option<u64>) -> Option<u64> {
        std::mem::replace(&mut self.allowed, work)
    }
}
