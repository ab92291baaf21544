//! Every file can be parsed, and printing it does not change it.

use crate::files::{suite, with_extension};
use conjure_like::{
    diagnostic::Diagnostics,
    source::SourceId,
    syntax::{self, ast::File},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn paths(name: &str, extensions: &[&str]) -> Option<Vec<PathBuf>> {
    let found = with_extension(&suite(name)?, extensions);
    assert!(!found.is_empty(), "no tests in {name}");
    Some(found)
}

fn parse(path: &Path, text: &str) -> Result<File, String> {
    let mut diagnostics = Diagnostics::new();
    let tree = syntax::parse(SourceId(0), text, &mut diagnostics);
    let Some(first) = diagnostics.first() else { return Ok(tree) };
    let line = first.span().map_or(0, |span| text[..span.start as usize].matches('\n').count() + 1);
    Err(format!("{}:{line}: {}", path.display(), first.message))
}

/// What is wrong with one file: its first syntax error, or that printing it changes its tree.
fn trouble(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("a readable test");
    let tree = match parse(path, &text) {
        Ok(tree) => tree,
        Err(error) => return Some(error),
    };
    let printed = syntax::print::file(&tree, 120);
    match parse(path, &printed) {
        Err(error) => Some(format!("printed, {error}\n{printed}")),
        Ok(again) if again != tree => Some(format!("{}: printing changes the tree\n{printed}", path.display())),
        Ok(again) if syntax::print::file(&again, 120) != printed => Some(format!(
            "{}: printing twice differs\n{printed}\n---\n{}",
            path.display(),
            syntax::print::file(&again, 120)
        )),
        Ok(_) => None,
    }
}

#[test]
fn exhaustive_tests_parse_and_round_trip() {
    let Some(paths) = paths("exhaustive", &["essence", "param", "solution", "eprime", "eprime-param"]) else { return };
    let troubles: Vec<String> = paths.iter().filter_map(|path| trouble(path)).collect();
    println!("{} files, {} errors", paths.len(), troubles.len());
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}

#[test]
fn parse_print_tests_round_trip_unless_meant_to_fail() {
    let Some(paths) = paths("parse_print", &["essence"]) else { return };
    let (fail, pass): (Vec<_>, Vec<_>) = paths.iter().partition(|path| path.with_file_name("stderr.expected").exists());
    let troubles: Vec<String> = pass.iter().filter_map(|path| trouble(path)).collect();
    let refused = fail.iter().filter(|path| trouble(path).is_some()).count();
    println!(
        "{} files meant to pass, {} errors; {} meant to fail, {refused} of them for their syntax",
        pass.len(),
        troubles.len(),
        fail.len()
    );
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}
