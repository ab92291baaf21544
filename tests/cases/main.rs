//! Tests that are data: every file, every text of a suite, and every row of a table is a test, named after its place.
//! `cargo test fixtures::sets::` runs the fixtures in `tests/fixtures/sets.essence`, `cargo test messages::` the
//! sessions in `tests/messages`.
//!
//! `UPDATE=1` writes the actual results into the files; review these changes like any others.

mod benches;
mod clients;
mod conformance;
mod conjure_options;
mod course;
mod documents;
mod fixtures;
mod lsp;
mod mcp;
mod mistakes;
mod pictures;
mod sessions;
#[path = "../common/suite.rs"]
mod suite;
mod syntax;
mod warnings;
mod workplace;

use conjure_like::Text;
use libtest_mimic::{Arguments, Failed, Trial};
use std::{
    borrow::Cow,
    env, fs,
    path::{Path, PathBuf},
};

/// The result of a test.
type Verdict = Result<(), Failed>;

fn main() {
    let tests = [
        documents::tests(),
        sessions::tests(),
        fixtures::tests(),
        conformance::tests(),
        pictures::tests(),
        mistakes::tests(),
        syntax::tests(),
        benches::tests(),
        clients::tests(),
        conjure_options::tests(),
        lsp::tests(),
        mcp::tests(),
        course::tests(),
        warnings::tests(),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests.into_iter().flatten().collect()).exit();
}

/// A test that runs a function, and fails if that panics.
fn function(module: &str, name: &str, run: fn()) -> Trial {
    Trial::test(format!("{module}::{name}"), move || {
        run();
        Ok(())
    })
}

/// The name of a test for a file, a text of a suite or a folder: `fixtures::sets::union.essence` for
/// `tests/fixtures/sets/union.essence`, which is a text of `tests/fixtures/sets.essence`.
fn name(path: &Path) -> String {
    slashed(path.strip_prefix("tests").unwrap_or(path)).replace('/', "::")
}

/// A path with slashes, also on Windows.
fn slashed(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}

/// All files and texts below a folder with one of these extensions, in the order of names.
fn files(folder: impl AsRef<Path>, extensions: &[&str]) -> Vec<PathBuf> {
    suite::files(folder.as_ref(), extensions)
}

/// The entries of a folder, in the order of names.
fn entries(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    suite::read(path).unwrap_or_else(|| panic!("{} cannot be read", path.display()))
}

/// A file as a named text, for messages.
fn text(path: impl AsRef<Path>) -> Text {
    Text::new(slashed(path.as_ref()), read(path))
}

/// The values of the comments `$ key: value`.
fn comments<'t>(text: &'t str, key: &str) -> impl Iterator<Item = &'t str> {
    text.lines().filter_map(move |line| line.strip_prefix("$ ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// The model that a comment in a parameter file names: in the same folder, or else in `models`.
fn model_of(parameters: &Path, name: &str) -> PathBuf {
    let beside = parameters.with_file_name(name);
    if suite::exists(&beside) { beside } else { Path::new("models").join(name) }
}

/// The program's output with slashes in paths. On Windows this changes `\/`, too, but on both sides of a comparison.
fn comparable(text: &str) -> Cow<'_, str> {
    if cfg!(windows) { text.replace('\\', "/").into() } else { text.into() }
}

/// True if `UPDATE=1` requests that expectations be rewritten.
fn is_updated() -> bool {
    env::var_os("UPDATE").is_some()
}

/// Compares the contents of a file with the actual result, or writes the result to the file.
fn compare(path: &Path, expected: &str, found: &str) -> Verdict {
    if comparable(found) == comparable(expected) {
        return Ok(());
    }
    if is_updated() {
        suite::write(path, found);
        return Ok(());
    }
    let (before, after) = different(expected, found);
    Err(format!("{} says\n{before}\nbut this was found, which UPDATE=1 accepts:\n{after}", suite::place(path)).into())
}

/// The differing part of two texts: the lines from the first difference to the last.
fn different<'a>(one: &'a str, other: &'a str) -> (String, String) {
    let (one, other): (Vec<&str>, Vec<&str>) = (one.lines().collect(), other.lines().collect());
    let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[same..], &other[same..]);
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    (one[..one.len() - same].join("\n"), other[..other.len() - same].join("\n"))
}

/// Fails if the list has entries.
fn none(wrong: Vec<String>) -> Verdict {
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}
