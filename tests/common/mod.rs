//! Converts texts to instances, for tests.

use conjure_like::{
    analysis,
    diagnostic::{Diagnostic, Diagnostics},
    instance::{self, GroundInstance},
    source::SourceId,
    syntax::{ast, parse_file},
};
use std::{env, fs, path::PathBuf, sync::Arc};

pub(crate) fn read(text: &str, source: u32, diagnostics: &mut Diagnostics) -> ast::File {
    parse_file(SourceId(source), text, diagnostics)
}

/// The instance of a model and a parameter file, or all diagnostics.
#[allow(dead_code)] // not by every runner
pub(crate) fn instantiate(model: &str, parameters: &str) -> Result<GroundInstance, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let (model, parameters) = (read(model, 0, &mut diagnostics), read(parameters, 1, &mut diagnostics));
    instantiate_files(&model, &[parameters], diagnostics)
}

pub(crate) fn instantiate_files(
    model: &ast::File,
    parameters: &[ast::File],
    mut diagnostics: Diagnostics,
) -> Result<GroundInstance, Diagnostics> {
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let model = analysis::analyse_file(model, &mut diagnostics);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let files = parameters;
    let parameters = analysis::parameters_of_files(&model, files, &mut diagnostics);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let instance = instance::instantiate(Arc::new(model), parameters, files, &mut diagnostics);
    instance.map_err(|halt| [diagnostics, halt.into_diagnostics()].concat())
}

/// The folder `tests` of a checkout of Conjure.
pub(crate) fn conjure_tests() -> PathBuf {
    env::var_os("CONJURE_TESTS").expect("CONJURE_TESTS names the folder `tests` of a checkout of Conjure").into()
}

/// Compares a generated file with the text that the tests of a module make now; with `UPDATE=1`, writes it.
pub(crate) fn up_to_date(path: &str, made: &str, module: &str) {
    if env::var_os("UPDATE").is_some() {
        fs::write(path, made).expect("room for the file");
    } else {
        let found = fs::read_to_string(path).unwrap_or_default();
        assert!(found == made, "UPDATE=1 cargo test --lib inside::{module} rewrites {path}");
    }
}

/// The diagnostics on one line: code, message, the first label, and notes in brackets.
pub(crate) fn words(diagnostics: &[Diagnostic]) -> String {
    let one = |diagnostic: &Diagnostic| {
        let label = diagnostic.labels.first().map(|label| format!(": {}", label.text)).unwrap_or_default();
        let notes: String = diagnostic.notes.iter().map(|note| format!(" [{note}]")).collect();
        format!("{} {}{label}{notes}", diagnostic.code, diagnostic.message)
    };
    diagnostics.iter().map(one).collect::<Vec<_>>().join("; ")
}
