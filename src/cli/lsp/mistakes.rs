//! Mistakes in the types of the protocol.

use super::positions::{Encoding, LineOffsets};
use conjure_like::{Diagnostic, Label, Model, Severity, Text};
use lsp_types::{DiagnosticSeverity, DiagnosticTag, NumberOrString, Range};
use serde::Serialize;
use std::collections::BTreeMap;

/// A diagnostic at a range, which is the place of the label if there is one.
pub(super) fn shown(diagnostic: &Diagnostic, place: Option<&Label>, range: Range) -> lsp_types::Diagnostic {
    let mut message = diagnostic.message.clone();
    // A label often repeats the message in fewer words.
    if let Some(label) = place.filter(|label| !message.contains(&label.text)) {
        message += &format!(": {}", label.text);
    }
    message.extend(diagnostic.help.iter().map(|help| format!("\nhelp: {help}")));
    message.extend(diagnostic.notes.iter().map(|note| format!("\nnote: {note}")));
    lsp_types::Diagnostic {
        range,
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(diagnostic.code.to_string())),
        source: Some("conjure-like".to_owned()),
        message,
        tags: diagnostic.code.is_about_what_is_unneeded().then(|| vec![DiagnosticTag::UNNECESSARY]),
        ..Default::default()
    }
}

/// What is wrong with a file.
#[derive(Serialize)]
pub(super) struct FileMistakes {
    uri: String,
    diagnostics: Vec<lsp_types::Diagnostic>,
}

/// What is wrong with the tables among the data of a model; tables have URIs. A mistake in a workbook or a database,
/// which have no lines, is shown where the file begins.
pub(super) fn of_tables(model: &Text, data: &[(Text, Option<String>)], encoding: Encoding) -> Vec<FileMistakes> {
    let texts: Vec<Text> = data.iter().map(|(text, _)| text.clone()).collect();
    let report = match Model::read(model).and_then(|model| model.instance(&texts)) {
        Ok(instance) => instance.warnings(),
        Err(report) => report,
    };
    let tables = data.iter().filter_map(|(text, uri)| Some((text, uri.as_ref()?)));
    let mut found: BTreeMap<&String, Vec<lsp_types::Diagnostic>> =
        tables.clone().map(|(_, uri)| (uri, vec![])).collect();
    for diagnostic in &report.diagnostics {
        let Some(label) = diagnostic.labels.first() else { continue };
        let name = &report.sources.get(label.span.source).name;
        let Some((text, uri)) = tables.clone().find(|(text, _)| *text.name == **name) else { continue };
        let lines = LineOffsets::new(&text.text, encoding);
        let range = match text.name.contains('#') {
            true => lines.range(0, 0),
            false => lines.range(label.span.start as usize, label.span.end as usize),
        };
        found.entry(uri).or_default().push(shown(diagnostic, Some(label), range));
    }
    found.into_iter().map(|(uri, diagnostics)| FileMistakes { uri: uri.clone(), diagnostics }).collect()
}
