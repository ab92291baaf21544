//! Every file can be parsed, and printing it is idempotent.

use crate::files::{entries, suite, with_extension};
use conjure_like::{Rewriting, Text, format};
use std::{
    fs,
    path::{Path, PathBuf},
};

fn paths(name: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let found = with_extension(&suite(name), extensions);
    assert!(!found.is_empty(), "no tests in {name}");
    found
}

fn formatted(path: &Path, text: &str) -> Result<String, String> {
    format(&Text::new(path.display().to_string(), text), 120).map_err(|report| report.to_string())
}

/// The first syntax error of a file, or the change that printing makes.
fn trouble(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("a readable test");
    let printed = match formatted(path, &text) {
        Ok(printed) => printed,
        Err(error) => return Some(error),
    };
    match formatted(path, &printed) {
        Err(error) => Some(format!("printed, {error}\n{printed}")),
        Ok(again) if again != printed => {
            Some(format!("{}: printing twice differs\n{printed}\n---\n{again}", path.display()))
        }
        Ok(_) => None,
    }
}

#[test]
#[ignore = "needs the tests of a checkout of Conjure, which CONJURE_TESTS names"]
fn exhaustive_tests_parse_and_round_trip() {
    let paths = paths("exhaustive", &["essence", "param", "solution", "eprime", "eprime-param"]);
    let troubles: Vec<String> = paths.iter().filter_map(|path| trouble(path)).collect();
    println!("{} files, {} errors", paths.len(), troubles.len());
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}

#[test]
#[ignore = "needs the tests of a checkout of Conjure, which CONJURE_TESTS names"]
fn parse_print_tests_round_trip_unless_meant_to_fail() {
    let paths = paths("parse_print", &["essence"]);
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

#[test]
#[ignore = "needs the tests of a checkout of Conjure, which CONJURE_TESTS names"]
fn trees_are_those_of_conjure() {
    let mut troubles = Vec::new();
    let expectations = with_extension(&suite("parse_print"), &["json"]);
    for expected in &expectations {
        let beside = entries(expected.parent().expect("a folder"));
        let path = beside.iter().find(|path| path.extension().is_some_and(|extension| extension == "essence"));
        let path = path.expect("a model beside its tree");
        let text = Text::new(path.display().to_string(), fs::read_to_string(path).expect("a readable test"));
        let tree = Rewriting::default().to_conjure_tree(&text).expect("a text that parses");
        let value = |text: &str| -> serde_json::Value { serde_json::from_str(text).expect("JSON") };
        let expected = value(&fs::read_to_string(expected).expect("a readable expectation"));
        if value(&tree) != expected {
            troubles.push(format!("{}: another tree", path.display()));
        }
    }
    println!("{} trees, {} of them different", expectations.len(), troubles.len());
    assert!(troubles.is_empty(), "{}", troubles.join("\n"));
}
