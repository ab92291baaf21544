//! Models and parameter files with test cases, run as by `conjure-like test` (`docs/testing.md`).
//!
//! A text in a suite of `tests/fixtures`, in `tests/conformance` or in `models`, and a text with parameters in `params`
//! or beside the fixtures, is a test if it contains cases, that is, comments such as
//!
//! - `$ model: NAME` (in a parameter file) the model, in the same folder or in `models`;
//! - `$ solutions: N` the number of solutions;
//! - `$ optimum: N` the optimum of the objective;
//! - `$ solution: letting x be 1 letting y be 2` a solution (repeated for further ones);
//! - `$ error: E0301` the codes of the errors, in the order of their positions, each with its line if written as
//!   `E0301:4`.
//!
//! Each instance is also solved in other ways, by `--cross-check`.
//!
//! `UPDATE=1` corrects the numbers and codes in fixtures. Examples are meant for readers, so they are corrected by
//! hand.

use crate::{Verdict, comments, conformance, files, is_updated, model_of, name, none, suite, text};
use conjure_like::{TestFile, TestFinding, TestOptions, Text};
use libtest_mimic::Trial;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// No case may take longer.
const TIME: Duration = Duration::from_secs(180);

pub(crate) fn tests() -> Vec<Trial> {
    let folders = ["tests/fixtures", conformance::FOLDER, "models", "params"];
    let files = folders.into_iter().flat_map(|folder| files(folder, &["essence", "param"]));
    // Cases that any implementation must reject are tests of `conformance`.
    let is_case =
        |text: &Text| comments(&text.text, "refused").next().is_none() && !TestFile::read(text).cases.is_empty();
    files.filter(|file| is_case(&text(file))).map(case).collect()
}

pub(crate) fn case(file: PathBuf) -> Trial {
    Trial::test(name(&file), move || check(&file))
}

fn check(path: &Path) -> Verdict {
    let file = TestFile::read(&text(path));
    let model = match &file.model {
        None => file.text.clone(),
        Some(named) => text(model_of(path, &named.name)),
    };
    let options = TestOptions::default().case_time(TIME).cross_check(true);
    let findings: Vec<TestFinding> = file
        .cases
        .iter()
        .flat_map(|case| {
            let data: Vec<_> = case.data.iter().map(|named| text(path.with_file_name(&named.name))).collect();
            file.run(case, &model, &data, &options).findings
        })
        .collect();
    // Examples are corrected by hand.
    if is_updated() && path.starts_with("tests") && update(path, &file, &findings) {
        return Ok(());
    }
    let place = suite::place(path);
    none(
        findings
            .iter()
            .map(|finding| format!("{place}, line {}: {}\n{}", finding.line, finding.says, finding.to_text(false)))
            .collect(),
    )
}

/// Writes the results into the text, if that corrects all findings.
fn update(path: &Path, file: &TestFile, findings: &[TestFinding]) -> bool {
    let Some(corrections) = findings.iter().map(|finding| finding.correction.as_ref()).collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let mut corrected = file.text.text.clone();
    for (place, value) in corrections.into_iter().rev() {
        corrected.replace_range(place.clone(), value);
    }
    if !findings.is_empty() {
        suite::write(path, &corrected);
    }
    true
}
