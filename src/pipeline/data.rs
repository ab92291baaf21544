//! The texts of parameter files and solutions, in Essence or JSON.

use super::{bound, phase};
use crate::{
    analysis::{self, model::Model},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity},
    source::{SourceId, Sources},
    syntax::{self, ast, json},
};
use std::rc::Rc;

/// The texts of parameters to trees.
pub(crate) fn parameters(
    model: &Model,
    sources: &Sources,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Option<Vec<ast::File>> {
    data.iter().map(|file| values(sources, model, *file, diagnostics)).collect()
}

/// The tree of a parameter file or a solution; the meaning of JSON depends on the model.
pub(crate) fn values(
    sources: &Sources,
    model: &Model,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<ast::File> {
    phase(diagnostics, |diagnostics| readable_values(sources, model, source, diagnostics))?
}

/// The readable parts of such a text, whatever is wrong with it.
pub(super) fn readable_values(
    sources: &Sources,
    model: &Model,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<ast::File> {
    let text = &sources.get(source).text;
    if !json::is_json(text) {
        return Some(syntax::parse(source, text, diagnostics));
    }
    json::parse(source, text, diagnostics).map(|document| analysis::json::file(model, &document, diagnostics))
}

/// The mistakes in the data of a model that has mistakes itself. If its declarations are intact, the data are checked
/// against them; otherwise the text is checked, and the types of the parameters whose declarations can be read.
pub(crate) fn data_of_broken_model(
    sources: &Sources,
    model: SourceId,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) {
    let mut reported = Diagnostics::new();
    let file = syntax::parse(model, &sources.get(model).text, &mut reported);
    let declares = |statement: &&ast::Statement| {
        use ast::StatementKind::*;
        matches!(statement.kind, Given { .. } | GivenEnum { .. } | Find { .. } | Letting { .. })
    };
    let statements = file.statements.iter().filter(declares).cloned().collect();
    let declarations = ast::File { statements, ..file.clone() };
    let mut mistakes = Diagnostics::new();
    let typed = Rc::new(analysis::analyse(&declarations, &mut mistakes));
    let spans = declarations.statements.iter().map(|statement| statement.span);
    let intact = file.broken.is_empty()
        && mistakes.iter().all(|mistake| mistake.severity != Severity::Error)
        && spans.into_iter().all(|span| !file.mended.iter().any(|mended| span.contains(*mended)));
    let mut found = Diagnostics::new();
    let files: Option<Vec<ast::File>> =
        data.iter().map(|data| readable_values(sources, &typed, *data, &mut found)).collect();
    match files {
        Some(files) if intact => drop(bound(&typed, &files, &mut found)),
        Some(files) => {
            let mut about_values = Diagnostics::new();
            analysis::parameters(&typed, &files, &mut about_values);
            // These errors may come from the mistakes in the model.
            let unsure = [Code::UNEXPECTED_PARAMETER, Code::MISSING_PARAMETER, Code::UNKNOWN_NAME];
            let guessed = |mistake: &Diagnostic| {
                mistake.labels.iter().any(|label| file.mended.iter().any(|mended| mended.contains(label.span)))
            };
            about_values.retain(|mistake| !unsure.contains(&mistake.code) && !guessed(mistake));
            found.append(&mut about_values);
        }
        None => {}
    }
    found.retain(|mistake| !diagnostics.contains(mistake));
    diagnostics.append(&mut found);
}
