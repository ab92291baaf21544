//! Look-ahead: what follows from assumptions by unit propagation alone, in the clauses of a problem.

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

/// The clauses of a problem, in which assumptions are propagated.
pub struct LookAhead<'p> {
    clauses: Clauses<'p, CadicalEngine>,
    options: EngineOptions,
}

/// The literals that follow from assumptions, as numbers.
#[derive(Clone, Debug, Default)]
pub struct ImpliedLiterals(Vec<i32>);

impl ImpliedLiterals {
    /// The number of literals; the assumptions are among them.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl Clauses<'_, CadicalEngine> {
    /// The literals that follow from assumptions by unit propagation; nothing if that refutes them.
    fn implied(&mut self, assumptions: &[Literal]) -> Option<Vec<i32>> {
        let assumptions: Vec<Literal> = self.breaking.iter().chain(assumptions).copied().collect();
        self.out().sink.implied(&assumptions)
    }

    /// Keeps simplification from eliminating the variables of literals, so that these can be implied.
    fn keep(&mut self, literals: &[Literal]) {
        self.out().sink.keep(literals);
    }

    /// The answer under assumptions, if it takes no more conflicts than these.
    fn solve_briefly(&mut self, assumptions: &[Literal], conflicts: u64) -> CheckResult {
        let assumptions: Vec<Literal> = self.breaking.iter().chain(assumptions).copied().collect();
        self.out().sink.allow(conflicts);
        self.out().sink.solve(&assumptions)
    }
}

impl<'p> LookAhead<'p> {
    /// The clauses of a problem. Whether the watched terms follow will be asked. An error says why there are no
    /// clauses.
    pub fn new(problem: &'p Problem, watched: &[Bool], options: &EngineOptions) -> Result<Self, StopReason> {
        let clauses =
            Clauses::new(problem, CadicalEngine::new(options)).map_err(|refused| status(&refused, options))?;
        let mut ahead = LookAhead { clauses, options: options.clone() };
        let literals = ahead.literals(watched)?;
        ahead.clauses.keep(&literals);
        Ok(ahead)
    }

    /// What follows from assumptions; nothing if they are refuted.
    pub fn propagate(&mut self, assumptions: &[Bool]) -> Result<Option<ImpliedLiterals>, StopReason> {
        let literals = self.literals(assumptions)?;
        Ok(self.clauses.implied(&literals).map(ImpliedLiterals))
    }

    /// Searches for a few conflicts; whether that refutes the assumptions, if it has an answer.
    pub fn probe(&mut self, assumptions: &[Bool], conflicts: u64) -> Result<Option<bool>, StopReason> {
        let literals = self.literals(assumptions)?;
        Ok(match self.clauses.solve_briefly(&literals, conflicts) {
            CheckResult::Satisfiable => Some(false),
            CheckResult::Unsatisfiable => Some(true),
            CheckResult::Unknown(_) => None,
        })
    }

    /// The conflicts of all probes.
    pub fn conflicts(&self) -> u64 {
        Engine::conflicts(&self.clauses)
    }

    /// For each of some watched terms or their negations, whether it is known to follow.
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

/// Why there are no clauses.
fn status(refused: &Refused, options: &EngineOptions) -> StopReason {
    match refused {
        Refused::Stopped => options.limits.at_stop(),
        Refused::Values | Refused::Clauses | Refused::Memory => {
            StopReason::Unknown("the instance is too large for a SAT solver".into())
        }
    }
}
