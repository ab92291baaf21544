//! Renders diagnostics on one line each, for editors: `file:line:column: error[E0301]: message`.

use super::{Diagnostic, Severity, visible};
use crate::source::Sources;

/// Renders a diagnostic as one line, without a line break.
pub(crate) fn render_short(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let source = diagnostic.span().map(|span| (sources.get(span.source), span));
    let place = source.map(|(source, span)| (&*source.name, source.line_and_column(span.start as usize)));
    let word = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    diagnostic_line(place, word, &diagnostic.code.to_string(), &diagnostic.message)
}

/// Renders the line of a diagnostic at a line and column of a file.
pub(crate) fn diagnostic_line(
    place: Option<(&str, (usize, usize))>,
    severity: &str,
    code: &str,
    message: &str,
) -> String {
    let place =
        place.map_or(String::new(), |(file, (line, column))| format!("{}:{line}:{column}: ", visible::line(file)));
    format!("{place}{severity}[{code}]: {}", visible::text(message).replace('\n', " "))
}
