//! The context of an expression: its polarity and the conditions under which it is reached.

use crate::{
    operators::{Operator, Polarity},
    problem::{Bool, Builder},
};

/// The polarity of an expression, and the conditions under which it is reached: the guards of the bindings around it,
/// and the left sides of implications. The conditions are combined only on demand: if several names range over a large
/// collection, most bindings have a constant body and need no guard.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub polarity: Polarity,
    /// True if names of enclosing comprehensions are Skolem variables.
    pub skolemised: bool,
    condition: Bool,
    outer: Option<&'c Context<'c>>,
    /// True at the start of a list, whose members do not repeat the conditions around the list.
    starts_list: bool,
}

impl<'c> Context<'c> {
    /// The context of a constraint of the model.
    pub(super) const CONSTRAINT: Context<'static> = Context {
        polarity: Polarity::Positive,
        skolemised: false,
        condition: Bool::TRUE,
        outer: None,
        starts_list: false,
    };

    /// Returns this context with another polarity.
    pub(super) fn with(&self, polarity: Polarity) -> Context<'c> {
        Context { polarity, ..*self }
    }

    /// Returns this context for a part that is not a Boolean or has an unknown polarity.
    pub(super) fn mixed(&self) -> Context<'c> {
        self.with(Polarity::Mixed)
    }

    /// Returns the context of an operand.
    pub(super) fn of_operand(&self, operator: &Operator, position: usize) -> Context<'c> {
        self.with(self.polarity.of_operand(operator, position))
    }

    /// Returns this context under a further condition; `None` if the condition is false.
    pub(super) fn and(&self, condition: Bool) -> Option<Context<'_>> {
        match condition {
            Bool::FALSE => None,
            Bool::TRUE => Some(*self),
            condition => Some(self.assuming(condition)),
        }
    }

    /// Returns this context under a further condition.
    pub(super) fn assuming(&self, condition: Bool) -> Context<'_> {
        Context { condition, outer: Some(self), starts_list: false, ..*self }
    }

    /// Returns the context of the members of a list.
    pub(super) fn list(&self) -> Context<'_> {
        Context { starts_list: true, ..self.assuming(Bool::TRUE) }
    }

    /// Returns the conjunction of the [`guard`](Context::guard) and further conditions.
    pub(super) fn guard_and(&self, problem: &mut Builder, more: &[Bool]) -> Bool {
        let mut conditions = more.to_vec();
        // Conditions outside the list guard the list as a whole. The flag is on the first context inside the list, so
        // the loop ends before it reaches them.
        let mut at = Some(self).filter(|context| !context.starts_list);
        while let Some(context) = at {
            conditions.push(context.condition);
            at = context.outer.filter(|outer| !outer.starts_list);
        }
        problem.and(conditions)
    }

    /// Returns the condition under which a member is in its list, or under which a requirement applies. Conditions
    /// outside the innermost list are left out.
    pub(super) fn guard(&self, problem: &mut Builder) -> Bool {
        self.guard_and(problem, &[])
    }

    /// Returns the condition under which the expression is reached, including the conditions outside all lists.
    pub(super) fn reached(&self, problem: &mut Builder) -> Bool {
        problem.and(std::iter::successors(Some(self), |context| context.outer).map(|context| context.condition))
    }
}
