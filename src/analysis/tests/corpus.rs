//! The tests of the reference implementation, if they are available: the environment variable `CONJURE_TESTS` names
//! their folder.

use crate::{
    analysis::analyse_file,
    diagnostic::{Diagnostics, Severity},
    source::SourceId,
    syntax,
};
use std::path::{Path, PathBuf};

fn folder() -> Option<PathBuf> {
    std::env::var_os("CONJURE_TESTS").map(PathBuf::from)
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            models(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "essence") {
            found.push(entry);
        }
    }
}

/// The errors of a text, or `None` if it is not a text.
fn errors(path: &Path) -> Option<(String, Vec<String>)> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut diagnostics = Diagnostics::new();
    let file = syntax::parse_file(SourceId(0), &text, &mut diagnostics);
    analyse_file(&file, &mut diagnostics);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let shown = errors.map(|diagnostic| {
        let source = crate::source::Source {
            name: "".into(),
            text: text.as_str().into(),
            part: None,
            table: None,
            sheets: Vec::new(),
        };
        let place = diagnostic.span().map(|span| source.line_and_column(span.start as usize));
        format!("{} {} {place:?} {:?}", diagnostic.code, diagnostic.message, diagnostic.help)
    });
    let shown = shown.collect();
    Some((text, shown))
}

#[test]
fn every_specification_of_the_exhaustive_tests_is_accepted() {
    let Some(folder) = folder() else { return };
    let mut paths = Vec::new();
    models(&folder.join("exhaustive"), &mut paths);
    let mut rejected = 0;
    for path in &paths {
        let (_, errors) = errors(path).expect("a text");
        if !errors.is_empty() {
            rejected += 1;
            println!("{}\n    {}", path.display(), errors.join("\n    "));
        }
    }
    println!("{rejected} of {} are rejected", paths.len());
    assert_eq!(rejected, 0);
}

/// Prints how often both implementations agree that a text is wrong. It fails only if no texts are found.
#[test]
fn verdicts_on_the_parsing_tests() {
    let Some(folder) = folder() else { return };
    let mut paths = Vec::new();
    models(&folder.join("parse_print"), &mut paths);
    let (mut agreed, mut too_strict, mut too_lax) = (0, 0, 0);
    for path in &paths {
        let Some((text, errors)) = errors(path) else { continue };
        if text.to_lowercase().contains("essence'") {
            continue;
        }
        let expected = |name: &str| {
            let file = path.parent().expect("a folder").join(name);
            std::fs::read_to_string(file).is_ok_and(|text| !text.trim().is_empty())
        };
        let valid = !expected("stderr.expected") && !expected("typecheck.expected");
        match (valid, errors.is_empty()) {
            (true, false) => {
                too_strict += 1;
                println!("REJECTED {}\n    {}", path.display(), errors.join("\n    "));
            }
            (false, true) => {
                too_lax += 1;
                println!("ACCEPTED {}", path.display());
            }
            _ => agreed += 1,
        }
    }
    println!("{agreed} agreed, {too_strict} rejected here alone, {too_lax} accepted here alone");
    assert!(agreed > 0);
}
