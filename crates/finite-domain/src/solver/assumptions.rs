//! Assumption-based solving: one problem is checked again and again, each time under other assumptions. These are the
//! traits; `incremental.rs` and the engines implement them.

use crate::{
    StopReason,
    problem::{Assignment, Bool},
};

/// The answer about some assumptions.
#[derive(Clone, Debug)]
pub enum AssumptionResult {
    Satisfiable(Assignment),
    /// A subset of the assumptions, as they were given, that is refuted (an unsat core); not always a smallest one.
    Refuted(Vec<Bool>),
}

/// A problem that is solved repeatedly under different assumptions. Its objective is ignored.
pub trait Incremental {
    /// A subset of the assumptions, as they were given, that the constraints refute; `None` if all can hold together.
    /// The error says why this is not known.
    fn refute(&mut self, assumptions: &[Bool]) -> Result<Option<Vec<Bool>>, StopReason>;

    /// The values with which the assumptions hold that were not refuted just now.
    fn found(&mut self) -> Result<Assignment, StopReason>;

    /// Refutes the assumptions, or finds values with which they hold. To know whether there are any takes less time.
    fn check(&mut self, assumptions: &[Bool]) -> Result<AssumptionResult, StopReason> {
        Ok(match self.refute(assumptions)? {
            Some(core) => AssumptionResult::Refuted(core),
            None => AssumptionResult::Satisfiable(self.found()?),
        })
    }

    /// Allows the later checks this much work in all, or any amount, and returns what was left of the allowance before.
    /// A conflict is a unit of work, and each check takes some units besides. A check beyond the allowance
    /// ends with [`StopReason::Unknown`]: unlike a time limit, this is the same on every machine.
    fn allow(&mut self, work: Option<u64>) -> Option<u64>;
}

/// The refuted assumptions, if they are; `None` if an engine cannot take the assumptions.
pub(super) type UnsatCore = Option<Result<Option<Vec<Bool>>, StopReason>>;

/// An engine for assumption-based solving.
pub(super) trait AssumptionEngine {
    /// Gives up after this many conflicts.
    fn refute_under(&mut self, assumptions: &[Bool], conflicts: Option<u64>) -> UnsatCore;

    /// The values with which the last assumptions hold, which were not refuted.
    fn found(&mut self) -> Option<Assignment>;

    /// The number of conflicts in all checks.
    fn conflicts(&self) -> u64;
}
