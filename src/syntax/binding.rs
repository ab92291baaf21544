//! A uniform view of the expressions that bind names: quantifiers, comprehensions, and `{ e @ find … }`. Each of them
//! is a list of steps with a body, in which the names of all steps are visible.

use super::ast::{
    DomainTree, ExprTree, ExprTreeKind, GeneratorSource, Identifier, PatternKind, PatternTree, QualifierTree,
    Statement, StatementKind,
};
use crate::{language::Name, source::Span};

/// An expression that binds names. Its steps are in the order in which the names become visible.
pub(crate) struct NameBinding<'t> {
    pub steps: Vec<NameStep<'t>>,
    pub body: &'t ExprTree,
}

/// A step of a binding. In the range of a generator, the value of a `letting` and the domain of a `find`, the names of
/// earlier steps are visible, but not its own names.
#[derive(Clone, Copy)]
pub(crate) enum NameStep<'t> {
    Generator(&'t [PatternTree], &'t GeneratorSource),
    Letting(&'t PatternTree, &'t ExprTree),
    Find(&'t [Identifier], &'t DomainTree),
    /// A condition on the names, with a noun for messages.
    Condition(&'t ExprTree, &'static str),
    /// A statement that is not allowed in an expression.
    Misplaced(&'t Statement),
}

impl<'t> NameBinding<'t> {
    /// Returns the binding of an expression, if it binds names.
    pub(crate) fn of(expr: &'t ExprTree) -> Option<Self> {
        let condition = |guard| NameStep::Condition(guard, "a condition");
        let constraint = |constraint| NameStep::Condition(constraint, "a constraint");
        let (steps, body) = match &expr.kind {
            ExprTreeKind::Quantified(quantified) => {
                let generator = NameStep::Generator(&quantified.patterns, &quantified.over);
                let guard = quantified.guard.iter().map(condition);
                (std::iter::once(generator).chain(guard).collect(), &quantified.body)
            }
            ExprTreeKind::Comprehension(body, qualifiers) => {
                let steps = qualifiers.iter().map(|qualifier| match qualifier {
                    QualifierTree::Generator(patterns, over) => NameStep::Generator(patterns, over),
                    QualifierTree::Condition(guard) => condition(guard),
                    QualifierTree::Letting(pattern, value) => NameStep::Letting(pattern, value),
                });
                (steps.collect(), &**body)
            }
            ExprTreeKind::Bubble(value, statements) => {
                let steps = statements.iter().flat_map(|statement| match &statement.kind {
                    // Only `find` and `such that` may occur in an expression; analysis reports other statements.
                    StatementKind::Find { names, domain } => vec![NameStep::Find(names, domain)],
                    StatementKind::SuchThat(constraints) => constraints.iter().map(constraint).collect(),
                    _ => vec![NameStep::Misplaced(statement)],
                });
                (steps.collect(), &**value)
            }
            _ => return None,
        };
        Some(NameBinding { steps, body })
    }
}

impl<'t> NameStep<'t> {
    /// Calls `visit` for each name that is visible after the step.
    pub(crate) fn for_each_name(self, visit: &mut dyn FnMut(&'t Name, Span)) {
        fn in_pattern<'t>(pattern: &'t PatternTree, visit: &mut dyn FnMut(&'t Name, Span)) {
            match &pattern.kind {
                PatternKind::Wildcard => {}
                PatternKind::Name(name) => visit(name, pattern.span),
                PatternKind::Parts(_, parts) => parts.iter().for_each(|part| in_pattern(part, visit)),
            }
        }
        match self {
            NameStep::Generator(patterns, _) => patterns.iter().for_each(|pattern| in_pattern(pattern, visit)),
            NameStep::Letting(pattern, _) => in_pattern(pattern, visit),
            NameStep::Find(names, _) => names.iter().for_each(|name| visit(&name.text, name.span)),
            NameStep::Condition(..) | NameStep::Misplaced(_) => {}
        }
    }
}
