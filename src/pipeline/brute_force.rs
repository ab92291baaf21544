//! The way without a problem and a solver: all values are tried.

use super::Search;
use crate::{
    diagnostic::{Code, Diagnostic},
    instance::{
        oracle,
        symmetry::{self, Symmetry},
    },
    language::{Stop, Value},
    solver::SolverStatus,
};
use std::ops::ControlFlow;

/// The most combinations of values that are tried: an hour's work or so.
const MOST_COMBINATIONS: u128 = 1_000_000_000;

impl Search<'_> {
    /// Tries all values of the decision variables. With an objective, each solution is better than the one before.
    pub(super) fn try_all(self, symmetries: &[Symmetry]) -> Option<SolverStatus> {
        let Search { instance, options, diagnostics, found, .. } = self;
        match oracle::combinations(instance) {
            Some(combinations) if combinations <= MOST_COMBINATIONS => {}
            combinations => {
                let combinations = combinations.map_or("more than 10^38".to_owned(), |count| count.to_string());
                let message = format!("there are too many combinations of values to try them all: {combinations}");
                let error = Diagnostic::error(Code::TOO_LARGE, message)
                    .note(format!("`--solver=brute` tries up to {MOST_COMBINATIONS} of them"))
                    .help("use another solver, or smaller domains");
                diagnostics.push(error);
                return None;
            }
        }
        let objective = instance.model.objective.as_ref();
        let mut best: Option<Value> = None;
        let step = || match options.reached() {
            Some(status) => ControlFlow::Break(status),
            None => ControlFlow::Continue(()),
        };
        let end = oracle::search(instance, step, |solution, value| {
            let is_better = |best: &Value| match (objective, value) {
                (Some(objective), Some(value)) => objective.sense.is_better(value, best),
                _ => false,
            };
            if !best.as_ref().is_none_or(is_better) || !symmetry::is_least(instance, symmetries, solution)? {
                return Ok(ControlFlow::Continue(()));
            }
            best = value.cloned();
            Ok(found(solution).map_break(|()| SolverStatus::Stopped))
        });
        match end {
            Ok(ControlFlow::Break(status)) => Some(status),
            Ok(ControlFlow::Continue(())) => Some(SolverStatus::Complete),
            Err(Stop::Fault(fault)) => {
                diagnostics.push(*fault);
                None
            }
            // A constraint that is undefined is false.
            Err(Stop::Undefined) => Some(SolverStatus::Complete),
        }
    }
}
