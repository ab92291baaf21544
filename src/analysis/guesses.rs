//! Handles the consequences of mending a syntax error: drops the errors that only a guess causes, and completes the
//! help if the mended text has a wrong type as well.

use super::analysed;
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    source::{SourceId, Span},
    syntax::{
        self, KnownStatements,
        ast::{File, Identifier},
        declared::declared,
    },
};
use std::ops::Range;

/// Drops the errors that disappear if nothing is assumed about the names whose declarations were guessed.
pub(super) fn drop_consequences(file: &File, diagnostics: &mut Diagnostics, before: usize) {
    if diagnostics.len() == before || file.guessed.is_empty() {
        return;
    }
    let guessed = |name: &Identifier| file.guessed.iter().any(|guessed| guessed.contains(name.span));
    // In this copy of the file, the names of guessed declarations are known but have no type.
    let mut doubted = File { statements: Vec::new(), ..file.clone() };
    for statement in &file.statements {
        match declared(statement).any(|declared| guessed(declared.name)) {
            true => doubted.broken.extend(declared(statement).map(|declared| declared.name.clone())),
            false => doubted.statements.push(statement.clone()),
        }
    }
    if doubted.statements.len() == file.statements.len() {
        return;
    }
    let mut left = Diagnostics::new();
    analysed(&doubted, &mut left);
    let left: Vec<(Code, Option<Span>)> = left.iter().map(|other| (other.code, other.span())).collect();
    let mut reports = diagnostics.split_off(before);
    reports.retain(|report| {
        // `complete_help` still needs errors inside a corrected statement.
        let span = report.span().unwrap_or_default();
        left.contains(&(report.code, report.span())) || file.mended.iter().any(|mended| mended.contains(span))
    });
    diagnostics.append(&mut reports);
}

/// Completes the help of syntax errors. The mended text is type-checked; if its types are wrong, the help shows its
/// likely meaning instead.
pub(super) fn complete_help(
    source: SourceId,
    text: &str,
    file: &File,
    known: Option<&mut KnownStatements>,
    syntax_errors: &mut [Diagnostic],
) {
    let mut edits: Vec<Edit> = syntax_errors.iter().flat_map(|error| error.edits.clone()).collect();
    if edits.is_empty() || file.mended.is_empty() {
        return;
    }
    // `edited` applies edits from left to right, so they are sorted.
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mended_text = edited(text, 0..text.len(), &edits);
    let mut mistakes = Diagnostics::new();
    let mended_file = syntax::parse_with(source, &mended_text, known, &mut mistakes);
    if !mistakes.is_empty() {
        return;
    }
    analysed(&mended_file, &mut mistakes);
    for place in &file.mended {
        // The constraint or declaration has another position in the corrected text.
        let range = place.start as usize..place.end as usize;
        let before: Vec<Edit> = edits.iter().filter(|edit| edit.span.start < place.start).cloned().collect();
        let start = edited(text, 0..range.start, &before).len();
        let within = edited(text, range, &edits);
        let moved = Span::new(source, start, start + within.len());
        let unknown = |mistake: &Diagnostic| {
            mistake.code == Code::UNKNOWN_NAME && mistake.span().is_some_and(|span| moved.contains(span))
        };
        // The guess may have caused an unknown name in the corrected text, and wrong help would be worse than none.
        if mistakes
            .iter()
            .any(|mistake| unknown(mistake) && mistake.help.iter().all(|help| !help.starts_with("write `")))
        {
            continue;
        }
        // An error inside the corrected statement helps only if its help is a complete text: "write `…`".
        let Some(mistake) = mistakes.iter().find(|mistake| {
            mistake.span().is_some_and(|span| moved.contains(span))
                && !mistake.edits.is_empty()
                && mistake.edits.iter().all(|edit| moved.contains(edit.span))
                && mistake.help.first().is_some_and(|help| help.starts_with("write `") && help.ends_with('`'))
        }) else {
            continue;
        };
        let mut errors = syntax_errors
            .iter_mut()
            .filter(|error| !error.edits.is_empty() && error.edits.iter().all(|edit| place.contains(edit.span)));
        // If a statement has several syntax errors, the help may belong to any of them.
        let (Some(error), None) = (errors.next(), errors.next()) else { continue };
        error.help.splice(..error.help.len().min(1), mistake.help.first().cloned());
        let mut last = mistake.edits.clone();
        last.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let text = edited(&mended_text, start..start + within.len(), &last);
        error.edits = vec![Edit { span: *place, text }];
    }
}

/// Returns a part of a text after the edits inside it, which are sorted by position.
fn edited(text: &str, range: Range<usize>, edits: &[Edit]) -> String {
    let mut result = String::new();
    let mut at = range.start;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        if at <= start && end <= range.end {
            result.push_str(&text[at..start]);
            result.push_str(&edit.text);
            at = end;
        }
    }
    result.push_str(&text[at..range.end]);
    result
}
