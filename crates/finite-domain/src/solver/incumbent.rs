//! The incumbent and the dual bound that engines share while they optimise one problem, and the starting points of
//! their searches.
//!
//! Incumbent and bound can only improve. The portfolio offers the assignments that engines find. The search of an
//! engine proves bounds, but only without further assumptions, because all engines may cut their range with them. If an
//! objective has several terms, assignments are compared by all of them in order, but the bound is about the first term
//! only. An incumbent that is better than a bound shows that the bound is false; the first such pair is kept.

use super::Guidance;
use crate::{
    FalseClaim, Sense, SolverError,
    problem::{Assignment, Objective, Problem, Variable},
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The best assignment that any engine has found and the dual bound that any has proved, as one engine sees them.
#[derive(Debug, Default)]
pub(crate) struct Incumbent {
    /// The name of the engine; empty for an engine that searches alone.
    engine: &'static str,
    known: Arc<Mutex<IncumbentState>>,
}

#[derive(Debug, Default)]
struct IncumbentState {
    best: Option<Assignment>,
    /// The value of the first term of the objective in the incumbent, and the engine that found it.
    found: Option<(i64, &'static str)>,
    /// The best value of the first term of the objective that has not been ruled out.
    bound: Option<i64>,
    /// The engines that have improved the bound.
    provers: Vec<&'static str>,
    /// The error of the first bound that an assignment has refuted.
    false_bound: Option<SolverError>,
    /// The values that a search starts with if there is no assignment; they need not satisfy the constraints.
    hint: Vec<(Variable, i64)>,
}

impl IncumbentState {
    /// Stores a dual bound if it rules out more than the known one; returns true if it does.
    fn improve(&mut self, sense: Sense, bound: i64) -> bool {
        let improves = self.bound.is_none_or(|known| sense.is_better(&known, &bound));
        if improves {
            self.bound = Some(bound);
        }
        improves
    }

    /// Compares the value of the incumbent with the bound; stores the error of a false bound.
    fn compare(&mut self, sense: Sense) {
        if let (Some((found, finder)), Some(bound), None) = (self.found, self.bound, &self.false_bound)
            && sense.is_better(&found, &bound)
        {
            let claimed_by = self.provers.join(", ");
            let (claim, refuted_by) = (FalseClaim::NoBetter(bound, found), finder.to_owned());
            self.false_bound = Some(SolverError::FalseClaim { claimed_by, claim, refuted_by });
        }
    }
}

impl Incumbent {
    /// The same incumbent as the engine of this name sees it.
    pub(crate) fn seen_by(&self, engine: &'static str) -> Arc<Incumbent> {
        Arc::new(Incumbent { engine, known: Arc::clone(&self.known) })
    }

    fn known(&self) -> MutexGuard<'_, IncumbentState> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets an earlier search and stores the caller's guidance: an assignment, if it satisfies the constraints, a
    /// hint, and a dual bound.
    pub(crate) fn prepare(&self, problem: &Problem, guidance: &Guidance) {
        *self.known() =
            IncumbentState { hint: guidance.hint.to_vec(), bound: guidance.bound, ..IncumbentState::default() };
        if let (Some(objective), Some(start)) = (problem.objective(), guidance.start)
            && problem.is_satisfied_by(start)
        {
            self.offer(problem, objective, start, "the plan to start with");
        }
    }

    /// The values that a search without an assignment starts with.
    pub(crate) fn hint(&self) -> Vec<(Variable, i64)> {
        self.known().hint.clone()
    }

    /// Stores an assignment if it is better than all before; returns true if it is. `finder` is the name of the engine.
    pub(crate) fn offer(
        &self,
        problem: &Problem,
        objective: &Objective,
        assignment: &Assignment,
        finder: &'static str,
    ) -> bool {
        let mut known = self.known();
        let better = known.best.as_ref().is_none_or(|best| is_better(problem, objective, assignment, best));
        if better {
            known.best = Some(assignment.clone());
            known.found = objective.terms.first().map(|term| (problem.int_value(*term, assignment), finder));
            known.compare(objective.sense);
        }
        better
    }

    /// The best assignment so far.
    pub(crate) fn best(&self) -> Option<Assignment> {
        self.known().best.clone()
    }

    /// The best assignment, if it is better than the best one of this engine.
    pub(crate) fn better(&self, problem: &Problem, objective: &Objective, own: &Assignment) -> Option<Assignment> {
        let known = self.known();
        known.best.as_ref().filter(|best| is_better(problem, objective, best, own)).cloned()
    }

    /// Stores a dual bound that this engine has proved.
    pub(crate) fn prove(&self, sense: Sense, bound: i64) {
        let mut known = self.known();
        // Engines cut their range with earlier bounds, so a bound depends on every engine that has ever improved it.
        if known.improve(sense, bound) && !known.provers.contains(&self.engine) {
            known.provers.push(self.engine);
        }
        known.compare(sense);
    }

    /// Stores a dual bound that follows from the domains and the linear relaxation, so that it rests on no engine's
    /// word.
    pub(crate) fn derive(&self, sense: Sense, bound: i64) {
        self.known().improve(sense, bound);
    }

    /// The engines on whose word the bound rests.
    pub(crate) fn provers(&self) -> Vec<&'static str> {
        self.known().provers.clone()
    }

    /// The error of the first bound that an assignment has refuted.
    pub(crate) fn false_bound(&self) -> Option<SolverError> {
        self.known().false_bound.clone()
    }

    /// The best value of the first term of the objective that has not been ruled out, if it is known.
    pub(crate) fn bound(&self) -> Option<i64> {
        self.known().bound
    }
}

/// Returns true if an assignment is strictly better than another.
pub(crate) fn is_better(problem: &Problem, objective: &Objective, one: &Assignment, other: &Assignment) -> bool {
    let values = |assignment: &Assignment| {
        let values = objective.terms.iter().map(|term| problem.int_value(*term, assignment));
        values.collect::<Vec<i64>>()
    };
    objective.sense.is_better(&values(one), &values(other))
}

/// The claim that is false if this assignment is found in addition to the known one.
pub(super) fn false_claim(problem: &Problem, known: Option<&Assignment>, found: &Assignment) -> FalseClaim {
    let (Some(objective), Some(known)) = (problem.objective(), known) else {
        return if known.is_some() { FalseClaim::NoFurther } else { FalseClaim::NoAssignment };
    };
    let values = |term| (problem.int_value(term, known), problem.int_value(term, found));
    let different = objective.terms.iter().map(|term| values(*term)).find(|(known, found)| known != found);
    different.map_or(FalseClaim::NoFurther, |(known, found)| FalseClaim::NoBetter(known, found))
}
