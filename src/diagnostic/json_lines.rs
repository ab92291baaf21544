//! Writes diagnostics as JSON, one object per line: `{"severity", "code", "message", "labels": [{"file", "line",
//! "column", "end_line", "end_column", "text"}], "help": [], "notes": [], "edits": [], "rendered"}`. Lines and columns
//! are counted from 1, columns in characters; the end is exclusive; the first label, if any, is the position of the
//! mistake. An edit has the form of a label, and its `text` replaces its span; all edits together mend the mistake.
//! `rendered` is the text for people.
//!
//! You may add members. Do not rename members or change their units: the Python package, the engine of the web pages,
//! the MCP server and users of `--error-format=json` read them, and a wrong span makes an editor change the wrong text.

use super::{Diagnostic, Label, Severity, terminal};
use crate::{json::compact, source::Sources};
use serde_json::{Value, json};

/// Renders a diagnostic as one line, without a line break.
pub(crate) fn render_json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    compact(&diagnostic_object(diagnostic, sources))
}

/// Returns a diagnostic as an object.
pub(crate) fn diagnostic_object(diagnostic: &Diagnostic, sources: &Sources) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let edits = diagnostic.edits.iter().map(|edit| Label { span: edit.span, text: edit.text.clone() });
    json!({
        "severity": severity,
        "code": diagnostic.code.to_string(),
        "message": diagnostic.message,
        "labels": diagnostic.labels.iter().map(|label| label_object(label, sources)).collect::<Value>(),
        "help": diagnostic.help,
        "notes": diagnostic.notes,
        "edits": edits.map(|edit| label_object(&edit, sources)).collect::<Value>(),
        "rendered": terminal::render_terminal(diagnostic, sources, false),
    })
}

/// Returns a label as an object.
pub(crate) fn label_object(label: &Label, sources: &Sources) -> Value {
    let source = sources.get(label.span.source);
    let (line, column) = source.line_and_column(label.span.start as usize);
    let (end_line, end_column) = source.line_and_column(label.span.end as usize);
    json!({
        "file": &*source.name,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "text": label.text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Code, source::Span};

    #[test]
    fn one_object_with_places_counted_from_one() {
        let mut sources = Sources::default();
        let id = sources.add("a \"b\".essence", "letting x\n  be ä\n");
        let diagnostic = Diagnostic::error(Code::SYNTAX, "tab\tand \\").at(Span::new(id, 12, 17), "ä").help("none");
        let text = terminal::render_terminal(&diagnostic, &sources, false);
        assert_eq!(
            render_json(&diagnostic, &sources),
            [
                r#"{"severity":"error","code":"E0101","message":"tab\tand \\","labels":[{"file":"a \"b\".essence","#,
                r#""line":2,"column":3,"end_line":2,"end_column":7,"text":"ä"}],"#,
                r#""help":["none"],"notes":[],"edits":[],"rendered":"#,
                &compact(&text.into()),
                "}"
            ]
            .concat()
        );
    }
}
