//! The choice between the backends: a SAT solver if the problem fits into clauses, else Z3, which has integers.

#[cfg(not(feature = "cadical"))]
use super::batsat::BatSat as Clausal;
#[cfg(feature = "cadical")]
use super::cadical::Cadical as Clausal;
use super::{Limits, Outcome, Solver, Statistics};
use crate::{
    diagnostic::Diagnostic,
    problem::{Assignment, Problem},
};
use std::ops::ControlFlow;

/// The SAT solver's name.
const CLAUSAL: &str = if cfg!(feature = "cadical") { "CaDiCaL" } else { "BatSat" };

/// Whichever backend suits the problem.
#[derive(Default)]
pub(crate) struct Auto {
    statistics: Statistics,
}

impl Solver for Auto {
    fn solve(
        &mut self,
        problem: &Problem,
        limits: &Limits,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<Outcome, Box<Diagnostic>> {
        let mut clausal = Clausal::default();
        match clausal.solve(problem, limits, found) {
            Ok(outcome) => {
                let method = format!("{CLAUSAL}, because the problem fits into clauses");
                self.statistics = Statistics { method, ..clausal.statistics().clone() };
                Ok(outcome)
            }
            Err(refused) => self.with_integers(problem, limits, found, refused),
        }
    }

    fn statistics(&self) -> &Statistics {
        &self.statistics
    }
}

#[cfg(feature = "z3")]
impl Auto {
    fn with_integers(
        &mut self,
        problem: &Problem,
        limits: &Limits,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
        _: Box<Diagnostic>,
    ) -> Result<Outcome, Box<Diagnostic>> {
        let mut z3 = super::z3::Z3::default();
        let outcome = z3.solve(problem, limits, found).map_err(|_| {
            let terms = problem.size();
            Diagnostic::error(crate::diagnostic::Code::TOO_LARGE, "the problem is too large for all solvers")
                .note(format!("its {terms} terms would take too much memory, as clauses and as integers"))
                .help("make the domains smaller, or bound the sizes of collections (`maxSize`)")
        })?;
        let method =
            format!("Z3, because the problem does not fit into clauses for {CLAUSAL}; {}", z3.statistics().method);
        self.statistics = Statistics { method, ..z3.statistics().clone() };
        Ok(outcome)
    }
}

#[cfg(not(feature = "z3"))]
impl Auto {
    /// No other backend could take the problem over.
    fn with_integers(
        &mut self,
        _: &Problem,
        _: &Limits,
        _: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
        refused: Box<Diagnostic>,
    ) -> Result<Outcome, Box<Diagnostic>> {
        Err(refused)
    }
}
