//! Look-ahead: unit propagation of assumptions in the clauses of a problem.

use super::{
    CheckResult, EngineOptions,
    cadical::CadicalEngine,
    clauses::{Clauses, Sat},
    encoding::{Literal, Refused},
    search::Engine,
};
use crate::StopReason;
use crate::problem::{Bool, Problem};
use rustc_hash::FxHashSet;

/// The clauses of a problem in which assumptions are propagated.
pub struct LookAhead<'p> {
    clauses: Clauses<'p, CadicalEngine>,
    options: EngineOptions,
}

/// The numbers of the literals that follow from assumptions.
#[derive(Clone, Debug, Default)]
pub struct ImpliedLiterals(Vec<i32>);

impl ImpliedLiterals {
    /// The number of literals, including the assumptions.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl Clauses<'_, CadicalEngine> {
    /// Returns the literals that follow from assumptions by unit propagation; `None` if it refutes the assumptions.
    fn implied(&mut self, assumptions: &[Literal]) -> Option<Vec<i32>> {
        let assumptions: Vec<Literal> = self.breaking.iter().chain(assumptions).copied().collect();
        self.out().sink.implied(&assumptions)
    }

    /// Keeps simplification from eliminating the variables of literals, so that they can be implied.
    fn keep(&mut self, literals: &[Literal]) {
        self.out().sink.keep(literals);
    }

    /// Searches under assumptions with a budget of conflicts.
    fn solve_briefly(&mut self, assumptions: &[Literal], conflicts: u64) -> CheckResult {
        let assumptions: Vec<Literal> = self.breaking.iter().chain(assumptions).copied().collect();
        self.out().sink.allow(conflicts);
        self.out().sink.solve(&assumptions)
    }
}

impl<'p> LookAhead<'p> {
    /// Encodes the clauses of a problem. The watched terms are those that [`LookAhead::follow`] may get later. The
    /// error is the reason why there are no clauses.
    pub fn new(problem: &'p Problem, watched: &[Bool], options: &EngineOptions) -> Result<Self, StopReason> {
        let clauses =
            Clauses::new(problem, CadicalEngine::new(options)).map_err(|refused| status(&refused, options))?;
        let mut ahead = LookAhead { clauses, options: options.clone() };
        let literals = ahead.literals(watched)?;
        // A search may eliminate variables, so the watched ones are protected before the first search.
        ahead.clauses.keep(&literals);
        Ok(ahead)
    }

    /// Returns the literals that follow from assumptions; `None` if the assumptions are refuted.
    pub fn propagate(&mut self, assumptions: &[Bool]) -> Result<Option<ImpliedLiterals>, StopReason> {
        let literals = self.literals(assumptions)?;
        Ok(self.clauses.implied(&literals).map(ImpliedLiterals))
    }

    /// Searches with a budget of conflicts; returns true if the assumptions are refuted, `None` if there is no answer.
    pub fn probe(&mut self, assumptions: &[Bool], conflicts: u64) -> Result<Option<bool>, StopReason> {
        let literals = self.literals(assumptions)?;
        Ok(match self.clauses.solve_briefly(&literals, conflicts) {
            CheckResult::Satisfiable => Some(false),
            CheckResult::Unsatisfiable => Some(true),
            CheckResult::Unknown(_) => None,
        })
    }

    /// The number of conflicts of all probes.
    pub fn conflicts(&self) -> u64 {
        Engine::conflicts(&self.clauses)
    }

    /// Returns true for each term that is known to follow. The terms are watched ones or their negations.
    pub fn follow(&mut self, terms: &[Bool], implied: &ImpliedLiterals) -> Result<Vec<bool>, StopReason> {
        let implied: FxHashSet<i32> = implied.0.iter().copied().collect();
        let literals = self.literals(terms)?;
        let follows = |literal: &Literal| *literal == Literal::TRUE || implied.contains(&literal.number());
        Ok(literals.iter().map(follows).collect())
    }

    fn literals(&mut self, terms: &[Bool]) -> Result<Vec<Literal>, StopReason> {
        self.clauses.literals(terms).map_err(|refused| status(&refused, &self.options))
    }
}

/// Returns the reason why there are no clauses.
fn status(refused: &Refused, options: &EngineOptions) -> StopReason {
    match refused {
        Refused::Stopped => options.limits.at_stop(),
        Refused::Values | Refused::Clauses | Refused::Memory => {
            StopReason::Unknown("the instance is too large for a SAT solver".into())
        }
    }
}
