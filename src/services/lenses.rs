//! The commands that an editor offers beside a text.

use super::AnalysedText;
use crate::source::Span;
use std::fmt;

/// A command about a model with its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelCommand {
    /// Finds a solution.
    Solve,
    /// Explains why there is no solution.
    Why,
    /// Shows the next step towards the solution.
    Hint,
    /// Draws a solution.
    Picture,
}

impl ModelCommand {
    /// All commands.
    pub const ALL: [ModelCommand; 4] =
        [ModelCommand::Solve, ModelCommand::Why, ModelCommand::Hint, ModelCommand::Picture];
}

/// The word of the command.
impl fmt::Display for ModelCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ModelCommand::Solve => "solve",
            ModelCommand::Why => "why",
            ModelCommand::Hint => "hint",
            ModelCommand::Picture => "picture",
        })
    }
}

/// A command with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeLens {
    /// The statement beside which the command is shown.
    pub span: Span,
    /// The command.
    pub command: ModelCommand,
}

/// Returns the commands for a text without errors: beside the first decision variable of a model, or the first
/// statement of its data.
pub(crate) fn lenses(document: &AnalysedText) -> Vec<CodeLens> {
    use crate::{diagnostic::Severity, syntax::ast::StatementKind};
    // If the text has mistakes, no command can run it.
    if document.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Vec::new();
    }
    let mut statements = document.file.statements.iter();
    let place = match document.is_model() {
        true => statements.find(|statement| matches!(statement.kind, StatementKind::Find { .. })),
        false => statements.next(),
    };
    let lenses = |span| ModelCommand::ALL.into_iter().map(move |command| CodeLens { span, command });
    place.map(|statement| lenses(statement.span).collect()).unwrap_or_default()
}
