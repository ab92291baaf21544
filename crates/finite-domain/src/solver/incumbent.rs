//! The incumbent and the dual bound that engines share while they optimise one problem, and where they begin.
//!
//! Incumbent and bound can only improve. The portfolio offers the assignments that engines find. The search of an
//! engine proves bounds, but only without further assumptions, because all engines may cut their range with them. Where
//! an objective has several terms, assignments are compared by all of them in order, but the bound is about the first
//! term only.

use super::Guidance;
use crate::{
    Sense,
    problem::{Assignment, Objective, Problem, Variable},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The best assignment that any engine has found, and the dual bound that any has proved.
#[derive(Debug, Default)]
pub(crate) struct Incumbent {
    known: Mutex<IncumbentState>,
}

#[derive(Debug, Default)]
struct IncumbentState {
    best: Option<Assignment>,
    /// The best value of the first term of the objective that has not been ruled out.
    bound: Option<i64>,
    /// The values with which a search begins as long as there is no assignment; they need not satisfy anything.
    hint: Vec<(Variable, i64)>,
}

impl Incumbent {
    fn known(&self) -> MutexGuard<'_, IncumbentState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets an earlier search. The next one begins with what the caller knows: an assignment, if it satisfies the
    /// constraints, a hint, and a dual bound.
    pub(crate) fn begin(&self, problem: &Problem, guidance: &Guidance) {
        *self.known() =
            IncumbentState { hint: guidance.hint.to_vec(), bound: guidance.bound, ..IncumbentState::default() };
        if let (Some(objective), Some(start)) = (problem.objective(), guidance.start)
            && problem.constraints().iter().all(|constraint| problem.bool_value(*constraint, start))
        {
            self.offer(problem, objective, start);
        }
    }

    /// The values with which a search without an assignment begins.
    pub(crate) fn hint(&self) -> Vec<(Variable, i64)> {
        self.known().hint.clone()
    }

    /// Takes an assignment if it is better than all before; returns whether it is.
    pub(crate) fn offer(&self, problem: &Problem, objective: &Objective, assignment: &Assignment) -> bool {
        let best = &mut self.known().best;
        let better = best.as_ref().is_none_or(|best| is_better(problem, objective, assignment, best));
        if better {
            *best = Some(assignment.clone());
        }
        better
    }

    /// The best assignment so far.
    pub(crate) fn best(&self) -> Option<Assignment> {
        self.known().best.clone()
    }

    /// The best assignment, if it is better than the best one that an engine has found by itself.
    pub(crate) fn better(&self, problem: &Problem, objective: &Objective, own: &Assignment) -> Option<Assignment> {
        let known = self.known();
        known.best.as_ref().filter(|best| is_better(problem, objective, best, own)).cloned()
    }

    /// Takes a dual bound.
    pub(crate) fn prove(&self, sense: Sense, bound: i64) {
        let known = &mut self.known().bound;
        *known = Some(match (*known, sense) {
            (None, _) => bound,
            (Some(known), Sense::Minimise) => known.max(bound),
            (Some(known), Sense::Maximise) => known.min(bound),
        });
    }

    /// The best value of the first term of the objective that has not been ruled out, if anything is known about it.
    pub(crate) fn bound(&self) -> Option<i64> {
        self.known().bound
    }
}

/// Whether an assignment is strictly better than another.
pub(crate) fn is_better(problem: &Problem, objective: &Objective, one: &Assignment, other: &Assignment) -> bool {
    let values = |assignment: &Assignment| {
        let values = objective.terms.iter().map(|term| problem.int_value(*term, assignment));
        values.collect::<Vec<i64>>()
    };
    objective.sense.is_better(&values(one), &values(other))
}
