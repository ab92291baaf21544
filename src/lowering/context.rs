//! The context of an expression: what lowering it depends on besides the expression itself.

use crate::{
    operators::{Operator, Polarity},
    problem::{Bool, Builder},
};

/// The polarity of an expression, and the conditions under which it is reached: the conditions of the bindings around
/// it, and the left sides of implications. The conditions are put together only where something depends on them: most
/// bindings of several names over a large collection have a constant body, and need no term.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub polarity: Polarity,
    /// Whether names of comprehensions around the expression are Skolem variables.
    pub skolemised: bool,
    condition: Bool,
    outer: Option<&'c Context<'c>>,
    /// Whether a list begins here, whose members have no conditions from further out.
    begins_list: bool,
}

impl<'c> Context<'c> {
    /// The context of a constraint of the model.
    pub(super) const CONSTRAINT: Context<'static> = Context {
        polarity: Polarity::Positive,
        skolemised: false,
        condition: Bool::TRUE,
        outer: None,
        begins_list: false,
    };

    /// The same context with another polarity.
    pub(super) fn with(&self, polarity: Polarity) -> Context<'c> {
        Context { polarity, ..*self }
    }

    /// The same context for a part that is not a Boolean, or whose polarity is unknown.
    pub(super) fn mixed(&self) -> Context<'c> {
        self.with(Polarity::Mixed)
    }

    /// The context of an operand.
    pub(super) fn of_operand(&self, operator: &Operator, position: usize) -> Context<'c> {
        self.with(self.polarity.of_operand(operator, position))
    }

    /// This context where one more condition holds; `None` if it never does.
    pub(super) fn and(&self, condition: Bool) -> Option<Context<'_>> {
        match condition {
            Bool::FALSE => None,
            Bool::TRUE => Some(*self),
            condition => Some(self.assuming(condition)),
        }
    }

    /// This context where one more condition holds.
    pub(super) fn assuming(&self, condition: Bool) -> Context<'_> {
        Context { condition, outer: Some(self), begins_list: false, ..*self }
    }

    /// The context of the members of a list.
    pub(super) fn list(&self) -> Context<'_> {
        Context { begins_list: true, ..self.assuming(Bool::TRUE) }
    }

    /// The condition under which a member is in its list, or a requirement applies, and some more conditions.
    pub(super) fn guard_and(&self, problem: &mut Builder, more: &[Bool]) -> Bool {
        let mut conditions = more.to_vec();
        let mut at = Some(self).filter(|context| !context.begins_list);
        while let Some(context) = at {
            conditions.push(context.condition);
            at = context.outer.filter(|outer| !outer.begins_list);
        }
        problem.and(conditions)
    }

    /// The condition under which a member is in its list, or a requirement applies.
    pub(super) fn guard(&self, problem: &mut Builder) -> Bool {
        self.guard_and(problem, &[])
    }

    /// The condition under which the expression is reached.
    pub(super) fn reached(&self, problem: &mut Builder) -> Bool {
        problem.and(std::iter::successors(Some(self), |context| context.outer).map(|context| context.condition))
    }
}
