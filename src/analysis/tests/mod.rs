//! Models with their expected messages, and the tests of the reference implementation.
//!
//! A comment with a code expects a message: `$ E0301 words; other words`. The message must start on this line and
//! contain all the words. Lines without such a comment must get no message.

mod corpus;
mod expressions;
mod names;
mod parameters;

use super::{analyse_file, model::TypedModel, parameters_of_files};
use crate::{diagnostic::Diagnostics, source::Sources, syntax};

/// Checks the messages that a model gets.
fn check(model: &str) -> TypedModel {
    let (_, model) = check_files(model, None);
    model
}

/// Checks the messages that a model and a parameter file get.
fn check_with(model: &str, parameters: &str) -> super::Parameters {
    check_files(model, Some(parameters)).0
}

fn check_files(model: &str, parameters: Option<&str>) -> (super::Parameters, TypedModel) {
    let mut sources = Sources::default();
    let mut diagnostics = Diagnostics::new();
    let mut read = |text: &str, diagnostics: &mut Diagnostics| {
        let id = sources.add("", text);
        syntax::parse_file(id, text, diagnostics)
    };
    let file = read(model, &mut diagnostics);
    let analysed = analyse_file(&file, &mut diagnostics);
    let mut values = super::Parameters::default();
    if let Some(parameters) = parameters {
        let file = read(parameters, &mut diagnostics);
        values = parameters_of_files(&analysed, &[file], &mut diagnostics);
    }
    let texts = [Some(model), parameters];
    let mut expected = Vec::new();
    for (source, text) in texts.into_iter().flatten().enumerate() {
        for (line, text) in text.lines().enumerate() {
            for comment in
                text.split("$ ").skip(1).filter(|comment| comment.starts_with("E0") || comment.starts_with("W0"))
            {
                expected.push(((source as u32, line + 1), comment));
            }
        }
    }
    let mut unexpected = Vec::new();
    for diagnostic in &diagnostics {
        let span = diagnostic.span().unwrap_or_default();
        let line = sources.get(span.source).line_and_column(span.start as usize).0;
        let labels = diagnostic.labels.iter().map(|label| &label.text);
        let said: Vec<&String> = std::iter::once(&diagnostic.message)
            .chain(labels)
            .chain(&diagnostic.help)
            .chain(&diagnostic.notes)
            .collect();
        let said = format!("{} {said:?}", diagnostic.code).replace("\\\\", "\\").replace("\\\"", "\"");
        let found = expected.iter().position(|(position, comment)| {
            *position == (span.source.0, line)
                && comment[5..].split(';').all(|words| said.contains(words.trim()))
                && said.starts_with(&comment[..5])
        });
        match found {
            Some(found) => drop(expected.swap_remove(found)),
            None => unexpected.push(format!("line {line}: {said}")),
        }
    }
    assert!(
        expected.is_empty() && unexpected.is_empty(),
        "\nexpected:\n  {expected:?}\nunexpected:\n  {}\n",
        unexpected.join("\n  ")
    );
    (values, analysed)
}

#[test]
fn unrelated_mistakes_are_all_reported_and_each_once() {
    check(
        r"
        given n : int(1..10)
        find s : set of int(1..n)
        find b : bool
        letting wrong be n + true      $ E0302
        such that wrong + 1 = wrnog    $ E0201 did you mean `wrong`?
        such that s + 1 = 2            $ E0302
        such that s(1) = n             $ E0301 `x in S`
        such that b /\ n               $ E0302 `/\` does not accept an integer
        such that forAll i in n . i = missing    $ E0304     $ E0201
        ",
    );
}
