//! Diagnostics on one line each, for editors: `file:line:column: error[E0301]: message`.

use super::{Diagnostic, Severity, visible};
use crate::source::Sources;

/// Renders a diagnostic on one line, without a line break.
pub(crate) fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let place = diagnostic.span().map_or(String::new(), |span| {
        let source = sources.get(span.source);
        let (line, column) = source.line_and_column(span.start as usize);
        format!("{}:{line}:{column}: ", visible::line(&source.name))
    });
    let word = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{place}{word}[{}]: {}", diagnostic.code, visible::text(&diagnostic.message).replace('\n', " "))
}
