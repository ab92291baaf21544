//! Diagnostics in the form of the editor protocol, and diagnostics from the lines of `protocol`.

use super::{
    ranges::{Location, TextRange},
    without_nulls,
    workspace::Subject,
};
use crate::{
    Diagnostic, Label, Severity, Span, Text,
    diagnostic::short,
    protocol::{Encoding, Positions, read_diagnostic},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Converts a diagnostic; `range` is the range of the label if there is one.
fn shown_diagnostic(diagnostic: &Diagnostic, label: Option<&Label>, range: TextRange, related: Vec<Value>) -> Value {
    let mut message = diagnostic.message.clone();
    // A label often repeats the message in fewer words.
    if let Some(label) = label.filter(|label| !message.contains(&label.text)) {
        message += &format!(": {}", label.text);
    }
    message.extend(diagnostic.help.iter().map(|help| format!("\nhelp: {help}")));
    message.extend(diagnostic.notes.iter().map(|note| format!("\nnote: {note}")));
    without_nulls(json!({
        "range": range,
        "severity": match diagnostic.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
        },
        "code": diagnostic.code.to_string(),
        "source": "conjure-like",
        "message": message,
        // In the protocol, the tag 1 means "unnecessary".
        "tags": diagnostic.code.is_about_what_is_unneeded().then_some([1]),
        "relatedInformation": (!related.is_empty()).then_some(related),
    }))
}

/// Returns the location of a span in any of the texts of a document.
pub(super) fn location(subject: &Subject, span: Span, encoding: Encoding) -> Location {
    let positions = Positions::new(&subject.document.sources().get(span.source).text, encoding);
    Location { uri: subject.uri(span.source).to_owned(), range: TextRange::of(&positions, span) }
}

/// Returns a diagnostic of a text for publication, with its range.
pub(super) fn published(
    diagnostic: &Diagnostic,
    subject: &Subject,
    positions: &Positions,
    encoding: Encoding,
) -> (TextRange, Value) {
    let own = subject.document.source();
    // If a mistake is in another text or in none, it is shown at the start of this text.
    let label = diagnostic.labels.first().filter(|label| label.span.source == own);
    let range = label.map_or(TextRange::default(), |label| TextRange::of(positions, label.span));
    let others = diagnostic.labels.iter().skip(usize::from(label.is_some()));
    let related =
        others.map(|other| json!({ "location": location(subject, other.span, encoding), "message": other.text }));
    (range, shown_diagnostic(diagnostic, label, range, related.collect()))
}

/// Returns the diagnostics about tables, grouped by file; the files have the given URIs. A workbook or a database has
/// no lines, so its diagnostics are at the start.
pub(super) fn of_tables(lines: &Value, tables: &[(Text, String)], encoding: Encoding) -> Value {
    let mut found: BTreeMap<&str, Vec<Value>> = tables.iter().map(|(_, uri)| (uri.as_str(), vec![])).collect();
    for value in lines.as_array().into_iter().flatten() {
        let file = value["labels"][0]["file"].as_str();
        let Some((text, uri)) = tables.iter().find(|(text, _)| Some(text.name.as_str()) == file) else { continue };
        let Some(diagnostic) = read_diagnostic(value, &text.text) else { continue };
        let positions = Positions::new(&text.text, encoding);
        let label = diagnostic.labels.first();
        // The name `book.xlsx#Sheet` denotes a sheet that was converted to text, so its positions mean nothing in the
        // file.
        let place = label.filter(|_| !text.name.contains('#')).map_or(Span::default(), |label| label.span);
        let shown = shown_diagnostic(&diagnostic, label, TextRange::of(&positions, place), Vec::new());
        found.entry(uri).or_default().push(shown);
    }
    found.iter().map(|(uri, diagnostics)| json!({ "uri": uri, "diagnostics": diagnostics })).collect()
}

/// Renders the diagnostics of a failure, one per line.
pub(super) fn on_lines(diagnostics: &Value) -> String {
    let line = |diagnostic: &Value| {
        let text = |member: &str| diagnostic[member].as_str().unwrap_or_default();
        let place = diagnostic["labels"].get(0).and_then(|label| {
            let number = |member: &str| label[member].as_u64().map(|number| number as usize);
            Some((label["file"].as_str()?, (number("line")?, number("column")?)))
        });
        short::diagnostic_line(place, text("severity"), text("code"), text("message"))
    };
    diagnostics.as_array().into_iter().flatten().map(line).collect::<Vec<_>>().join("\n")
}
