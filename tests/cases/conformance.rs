//! The conformance suite: its runner accepts this program's answers, rejected models and data give the right kind of
//! error, and `docs/semantics.md` names every case. `fixtures` solves the cases in other ways, too.

use crate::{Verdict, comments, files, function, model_of, none, read, slashed, text};
use conjure_like::{Model, Report, Severity};
use libtest_mimic::Trial;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

pub(crate) const FOLDER: &str = "tests/conformance";

const PAGE: &str = "docs/semantics.md";

/// The prefixes of the codes of errors in models, and in data.
const KINDS: [(&str, &[&str]); 2] = [("model", &["E01", "E02", "E03"]), ("data", &["E04"])];

pub(crate) fn tests() -> Vec<Trial> {
    let has_python = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    let run = Trial::test("conformance::the runner accepts all answers", the_runner_accepts_all_answers);
    let refused = cases().into_iter().filter(|case| comments(&read(case), "refused").next().is_some());
    let refused = refused.map(|case| Trial::test(crate::name(&case), move || is_refused(&case)));
    let named: [(&str, fn()); 2] =
        [("every paragraph names a case", every_paragraph_names_a_case), ("every case is named", every_case_is_named)];
    let named = named.map(|(name, test)| function("conformance", name, test));
    // The runner is a Python script.
    refused.chain([run.with_ignored_flag(!has_python)]).chain(named).collect()
}

/// The files with an expected answer.
fn cases() -> Vec<PathBuf> {
    let files = files(FOLDER, &["essence", "param"]).into_iter();
    files
        .filter(|file| ["solutions", "refused"].iter().any(|key| comments(&read(file), key).next().is_some()))
        .collect()
}

fn the_runner_accepts_all_answers() -> Verdict {
    let mut runner = Command::new("python3");
    runner.arg(Path::new(FOLDER).join("run")).args([env!("CARGO_BIN_EXE_conjure-like"), "solve"]);
    let output = runner.output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let all = format!("{0} of {0} answers are right.", cases().len());
    if output.status.success() && said.trim() == all { Ok(()) } else { Err(format!("{said}{output:?}").into()) }
}

fn is_refused(case: &Path) -> Verdict {
    let expected = read(case);
    let answer = match comments(&expected, "model").next() {
        None => Model::read(&text(case)).err(),
        Some(model) => {
            let model = Model::read(&text(model_of(case, model))).expect("a model without errors");
            model.instance(&[text(case)]).err()
        }
    };
    let kind = comments(&expected, "refused").next();
    let (_, codes) = KINDS.iter().find(|(name, _)| kind == Some(*name)).ok_or("an unknown kind of error")?;
    let errors = |report: &Report| -> Vec<String> {
        let errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.map(|error| error.code.to_string()).collect()
    };
    let found = answer.as_ref().map(errors).unwrap_or_default();
    match found.first() {
        None => Err("it is accepted".into()),
        Some(_) => none(found.into_iter().filter(|code| !codes.iter().any(|kind| code.starts_with(kind))).collect()),
    }
}

/// The name of a case on the page: its path in the suite, without the extension.
fn name(case: &Path) -> String {
    slashed(&case.strip_prefix(FOLDER).expect("a file of the suite").with_extension(""))
}

/// The code spans of a text that look like names of cases.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let is_name = |code: &&str| code.contains('/') && code.chars().all(|c| c.is_alphanumeric() || "/-".contains(c));
    text.split('`').skip(1).step_by(2).filter(is_name)
}

/// The paragraphs of the page and the rows of its tables, after the first heading.
fn paragraphs() -> Vec<String> {
    let page = read(PAGE);
    let body = page.split_once("\n## ").expect("a heading").1;
    let blocks = body.split("\n\n").skip(1).filter(|block| !block.starts_with("## "));
    let rows = |block: &str| match block.starts_with('|') {
        true => block.lines().skip(2).map(str::to_owned).collect(),
        false => vec![block.to_owned()],
    };
    blocks.flat_map(rows).collect()
}

fn every_paragraph_names_a_case() {
    // A paragraph that introduces a table ends with a colon.
    let without = |text: &String| named(text).next().is_none() && !text.trim_end().ends_with(':');
    let wrong: Vec<String> = paragraphs().into_iter().filter(without).collect();
    assert_eq!(wrong, [""; 0], "paragraphs without a case");
}

fn every_case_is_named() {
    let page = paragraphs().join("\n");
    let named: BTreeSet<String> = named(&page).map(str::to_owned).collect();
    let cases: BTreeSet<String> = cases().iter().map(|case| name(case)).collect();
    assert_eq!(named, cases);
}
