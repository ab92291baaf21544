//! Assumption-based solving: a problem is checked repeatedly under different assumptions. This file has the traits;
//! `incremental.rs` and the engines implement them.

use crate::{
    StopReason,
    problem::{Assignment, Bool},
};

/// The answer to a check under assumptions.
#[derive(Clone, Debug)]
pub enum AssumptionResult {
    Satisfiable(Assignment),
    /// The unsat core: a refuted subset of the assumptions as they were given, not always a minimal one.
    Refuted(Vec<Bool>),
}

/// A problem that is solved repeatedly under different assumptions. Its objective is ignored.
pub trait Incremental {
    /// Returns an unsat core, that is a subset of the assumptions, as they were given, that the constraints refute;
    /// `None` if all assumptions can hold together. The error is the reason why there is no answer.
    fn refute(&mut self, assumptions: &[Bool]) -> Result<Option<Vec<Bool>>, StopReason>;

    /// Returns an assignment for the last assumptions, which were not refuted.
    fn found(&mut self) -> Result<Assignment, StopReason>;

    /// Refutes the assumptions or finds an assignment. [`Incremental::refute`] alone takes less time.
    fn check(&mut self, assumptions: &[Bool]) -> Result<AssumptionResult, StopReason> {
        Ok(match self.refute(assumptions)? {
            Some(core) => AssumptionResult::Refuted(core),
            None => AssumptionResult::Satisfiable(self.found()?),
        })
    }

    /// Sets a budget of work for all later checks together, or removes it with `None`; returns the rest of the previous
    /// budget. A conflict is a unit of work, and each check costs a few more units. A check beyond the budget ends with
    /// [`StopReason::Unknown`]: unlike a time limit, the budget has the same effect on every machine.
    fn allow(&mut self, work: Option<u64>) -> Option<u64>;
}

/// An unsat core, if the assumptions are refuted; the outer `None` means that the engine does not support them.
pub(super) type UnsatCore = Option<Result<Option<Vec<Bool>>, StopReason>>;

/// An engine for assumption-based solving.
pub(super) trait AssumptionEngine {
    /// Checks the assumptions with a budget of conflicts.
    fn refute_under(&mut self, assumptions: &[Bool], conflicts: Option<u64>) -> UnsatCore;

    /// Returns an assignment for the last assumptions, which were not refuted.
    fn found(&mut self) -> Option<Assignment>;

    /// The total number of conflicts.
    fn conflicts(&self) -> u64;
}
