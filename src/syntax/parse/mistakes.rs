//! Messages for text that the grammar does not match.

use super::{FileParser, Rule};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use pest::error::{Error, InputLocation};

impl FileParser<'_> {
    pub fn mistake(&self, start: usize, end: usize, error: &Error<Rule>) {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => start + at,
        };
        let span = Span::new(self.source, at, (at + 1).min(end));
        self.report(
            Diagnostic::error(Code::SYNTAX, format!("syntax error: {:?}", error.variant)).at(span, "unexpected"),
        );
    }
}
