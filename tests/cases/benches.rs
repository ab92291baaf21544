//! The models and data of the benchmarks are legal. Nothing is timed here; only the small instances of
//! `benches/abstract` are solved, like fixtures.

use crate::{Verdict, comments, files, fixtures, model_of, name, text};
use conjure_like::check;
use libtest_mimic::Trial;
use std::path::{Path, PathBuf};

pub(crate) fn tests() -> Vec<Trial> {
    let files = files("benches", &["essence", "param"]).into_iter();
    let trial = |file: PathBuf| match file.ends_with("small.param") {
        true => fixtures::case(file),
        false => Trial::test(name(&file), move || is_legal(&file)),
    };
    files.map(trial).collect()
}

/// Checks a model, or data together with their model.
fn is_legal(file: &Path) -> Verdict {
    let report = match file.extension().is_some_and(|extension| extension == "param") {
        // The model gets its data when it is measured.
        false => check(&text(file), &[]),
        true => {
            let data = text(file);
            let model: Option<PathBuf> = comments(&data.text, "model").next().map(|name| model_of(file, name));
            check(&text(model.ok_or("there is no comment `$ model: …`")?), &[vec![data]])
        }
    };
    if report.diagnostics.is_empty() { Ok(()) } else { Err(report.into()) }
}
