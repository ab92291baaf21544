//! Diagnostics as JSON, one object a line:
//! `{"severity", "code", "message", "labels": [{"file", "line", "column", "end_line", "end_column",
//! "text"}], "help": [], "notes": [], "edits": []}`. Lines and columns count from 1, columns in characters; the end
//! is the place after the last character; the first label is where the mistake is. Each edit has the form of a label: the
//! `text` replaces what stands there, and all of them together mend the mistake.

use super::{Diagnostic, Label, Severity, visible::is_hidden};
use crate::source::Sources;
use std::fmt::Write;

/// One line, without a line break.
pub fn render(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!(
        r#"{{"severity":"{severity}","code":"{}","message":{},"labels":{},"help":{},"notes":{},"edits":{}}}"#,
        diagnostic.code,
        quoted(&diagnostic.message),
        array(diagnostic.labels.iter().map(|label| place(label, sources))),
        texts(&diagnostic.help),
        texts(&diagnostic.notes),
        array(diagnostic.edits.iter().map(|edit| place(&Label { span: edit.span, text: edit.text.clone() }, sources))),
    )
}

/// A label as an object.
pub fn place(label: &Label, sources: &Sources) -> String {
    let source = sources.get(label.span.source);
    let (line, column) = source.line_and_column(label.span.start as usize);
    let (end_line, end_column) = source.line_and_column(label.span.end as usize);
    format!(
        r#"{{"file":{},"line":{line},"column":{column},"end_line":{end_line},"end_column":{end_column},"text":{}}}"#,
        quoted(&source.name),
        quoted(&label.text),
    )
}

/// An array of strings.
pub fn texts(texts: &[String]) -> String {
    array(texts.iter().map(|text| quoted(text)))
}

/// An array of what is JSON already.
pub fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

/// A JSON string. What is not seen, or obeyed by terminals, is escaped.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\t' => quoted += "\\t",
            hidden if is_hidden(hidden) => {
                let mut units = [0; 2];
                for unit in hidden.encode_utf16(&mut units) {
                    let _ = write!(quoted, "\\u{unit:04x}");
                }
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Code, source::Span};

    #[test]
    fn what_is_not_seen_is_escaped() {
        assert_eq!(quoted("\u{1b}\u{9b}\u{202e}\u{e0001}"), r#""\u001b\u009b\u202e\udb40\udc01""#);
    }

    #[test]
    fn one_object_with_places_counted_from_one() {
        let mut sources = Sources::default();
        let id = sources.add("a \"b\".essence", "letting x\n  be ä\n");
        let diagnostic = Diagnostic::error(Code::SYNTAX, "tab\tand \\").at(Span::new(id, 12, 17), "ä").help("none");
        assert_eq!(
            render(&diagnostic, &sources),
            concat!(
                r#"{"severity":"error","code":"E0101","message":"tab\tand \\","labels":[{"file":"a \"b\".essence","#,
                r#""line":2,"column":3,"end_line":2,"end_column":7,"text":"ä"}],"help":["none"],"notes":[],"edits":[]}"#
            )
        );
    }
}
