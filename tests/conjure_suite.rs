//! Conjure's own tests through the parser.
//!
//! They are not part of this repository: the environment variable `CONJURE_TESTS` names the folder `tests`
//! of a checkout of Conjure. Without it these tests say so and pass.

use conjure_like::{diagnostic::Diagnostics, source::SourceId, syntax};
use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// Every file below a folder with one of the extensions.
fn files(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder of tests").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extensions, found);
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted)) {
            found.push(path);
        }
    }
}

fn suite(name: &str, extensions: &[&str]) -> Option<Vec<PathBuf>> {
    let Some(root) = env::var_os("CONJURE_TESTS") else {
        eprintln!("skipped: CONJURE_TESTS is not set");
        return None;
    };
    let mut found = Vec::new();
    files(&Path::new(&root).join(name), extensions, &mut found);
    assert!(!found.is_empty(), "no tests in {name}");
    Some(found)
}

/// What is wrong with one file: its syntax errors.
fn trouble(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a readable test");
    let mut diagnostics = Diagnostics::new();
    let _tree = syntax::parse(SourceId(0), &text, &mut diagnostics);
    diagnostics
        .iter()
        .map(|diagnostic| {
            let at = diagnostic.span().map_or(0, |span| span.start as usize);
            let line = text[..at].matches('\n').count() + 1;
            format!("{}:{line}: {}", path.display(), diagnostic.message)
        })
        .collect()
}

#[test]
fn exhaustive_tests_parse() {
    let Some(paths) = suite("exhaustive", &["essence", "param", "solution", "eprime", "eprime-param"]) else { return };
    let troubles: Vec<String> = paths.iter().flat_map(|path| trouble(path)).collect();
    println!("{} files, {} errors", paths.len(), troubles.len());
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}

#[test]
fn parse_print_tests_parse_unless_meant_to_fail() {
    let Some(paths) = suite("parse_print", &["essence"]) else { return };
    let (fail, pass): (Vec<_>, Vec<_>) = paths.iter().partition(|path| path.with_file_name("stderr.expected").exists());
    let troubles: Vec<String> = pass.iter().flat_map(|path| trouble(path)).collect();
    let refused = fail.iter().filter(|path| !trouble(path).is_empty()).count();
    println!(
        "{} files meant to pass, {} errors; {} meant to fail, {refused} of them for their syntax",
        pass.len(),
        troubles.len(),
        fail.len()
    );
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}
