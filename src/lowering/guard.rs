//! The conditions under which a binding of quantified names exists.

use crate::problem::{Bool, Builder};

/// A conjunction whose parts are put together only where something depends on it. Most bindings of several names over a
/// large collection have a constant body, and need no term.
#[derive(Clone, Copy)]
pub(super) struct Guard<'g> {
    condition: Bool,
    outer: Option<&'g Guard<'g>>,
}

impl Guard<'_> {
    /// The guard without a condition.
    pub(super) const ALWAYS: Guard<'static> = Guard { condition: Bool::TRUE, outer: None };

    /// This guard with one more condition; `None` if it never holds.
    pub(super) fn and(&self, condition: Bool) -> Option<Guard<'_>> {
        match condition {
            Bool::FALSE => None,
            Bool::TRUE => Some(*self),
            condition => Some(Guard { condition, outer: Some(self) }),
        }
    }

    /// The conjunction of the conditions and some more.
    pub(super) fn with(&self, problem: &mut Builder, more: &[Bool]) -> Bool {
        let mut conditions = more.to_vec();
        let mut at = Some(self);
        while let Some(guard) = at {
            conditions.push(guard.condition);
            at = guard.outer;
        }
        problem.and(conditions)
    }

    /// The guard as one condition.
    pub(super) fn condition(&self, problem: &mut Builder) -> Bool {
        self.with(problem, &[])
    }
}
