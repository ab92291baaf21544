//! A budget of conflicts for an engine with clauses, which is the same on every machine.

use super::{
    CheckResult,
    clauses::{Clauses, Sat},
    search::{Engine, ObjectiveBound},
};
use crate::{
    Sense,
    problem::{Assignment, Int, Variable},
};
use std::sync::atomic::{AtomicBool, Ordering};

/// An engine with a budget of conflicts.
pub(super) struct Frugal<'e, 'p, S: Sat> {
    clauses: &'e mut Clauses<'p, S>,
    /// The number of conflicts at which the engine gives up.
    most: u64,
    spent: &'e AtomicBool,
}

impl<'e, 'p, S: Sat> Frugal<'e, 'p, S> {
    /// An engine that gives up after this many further conflicts, and then sets `spent`.
    pub(super) fn new(clauses: &'e mut Clauses<'p, S>, conflicts: u64, spent: &'e AtomicBool) -> Self {
        let most = clauses.conflicts().saturating_add(conflicts);
        Frugal { clauses, most, spent }
    }

    fn left(&self) -> u64 {
        let left = self.most.saturating_sub(self.clauses.conflicts());
        if left == 0 {
            self.spent.store(true, Ordering::Relaxed);
        }
        left
    }

    fn spend(&self, result: CheckResult) -> CheckResult {
        self.left();
        result
    }
}

impl<S: Sat> Engine for Frugal<'_, '_, S> {
    fn check(&mut self, bounds: &[ObjectiveBound]) -> CheckResult {
        let left = self.left();
        self.clauses.out().sink.allow(left);
        let result = self.clauses.check(bounds);
        // The answer is unknown only because the budget is used up or a limit is reached, and the search ends in both
        // cases.
        if let CheckResult::Unknown(_) = result {
            self.spent.store(true, Ordering::Relaxed);
        }
        result
    }

    fn check_near(
        &mut self,
        bounds: &[ObjectiveBound],
        values: &[(Variable, i64)],
        conflicts: u64,
    ) -> Option<CheckResult> {
        let left = self.left();
        let result = self.clauses.check_near(bounds, values, conflicts.min(left))?;
        Some(self.spend(result))
    }

    fn conflicts(&self) -> u64 {
        self.clauses.conflicts()
    }

    fn dual_bound(&mut self, term: Int, sense: Sense) -> Option<i64> {
        self.clauses.dual_bound(term, sense)
    }

    fn settles(&mut self, bound: ObjectiveBound) -> bool {
        self.clauses.settles(bound)
    }

    fn assignment(&mut self) -> Option<Assignment> {
        self.clauses.assignment()
    }

    fn block(&mut self, assignment: &Assignment) -> Result<(), String> {
        self.clauses.block(assignment)
    }
}
