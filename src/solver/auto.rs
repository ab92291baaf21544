//! The choice between the backends: CaDiCaL if the problem fits into clauses, else Z3, which has integers.

use super::{Limits, Outcome, Report, Solver, cadical::Cadical, z3::Z3};
use crate::{
    diagnostic::{Code, Diagnostic},
    problem::{Assignment, Problem},
};
use std::ops::ControlFlow;

/// Whichever backend suits the problem.
#[derive(Default)]
pub struct Auto {
    report: Report,
}

impl Solver for Auto {
    fn solve(
        &mut self,
        problem: &Problem,
        limits: &Limits,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<Outcome, Box<Diagnostic>> {
        let mut cadical = Cadical::default();
        if let Ok(outcome) = cadical.solve(problem, limits, found) {
            let method = "CaDiCaL, because the problem fits into clauses".into();
            self.report = Report { method, ..cadical.report().clone() };
            return Ok(outcome);
        }
        let mut z3 = Z3::default();
        let outcome = z3.solve(problem, limits, found).map_err(|_| {
            let terms = problem.size();
            Diagnostic::error(Code::TOO_LARGE, "the problem is too large for all solvers")
                .note(format!("its {terms} terms would take too much memory, as clauses and as integers"))
                .help("make the domains smaller, or bound the sizes of collections (`maxSize`)")
        })?;
        let method = format!("Z3, because the problem does not fit into clauses for CaDiCaL; {}", z3.report().method);
        self.report = Report { method, ..z3.report().clone() };
        Ok(outcome)
    }

    fn report(&self) -> &Report {
        &self.report
    }
}
