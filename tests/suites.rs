//! Suites of tests: reading them, and the errors for malformed ones.

use super::suite::{self, Suite};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

#[test]
fn a_suite_is_written_as_it_was_read() {
    for text in [
        "",
        "$ a suite\n\n$ ==== a.essence\nfind x : bool\n",
        "$ ==== a.essence\n\nfind x : bool\n\n\n$ ==== folder/b.param\n{}\n\n",
        "$ conjure-like solve\n[exit code 0]\n",
        "$ ==== A title with words\nx\r\n",
    ] {
        assert_eq!(Suite::parse(text).map(|suite| suite.to_string()).as_deref(), Ok(text));
    }
}

#[test]
fn texts_keep_their_bytes_and_headings_know_their_lines() {
    let suite = Suite::parse("$ head\n\n$ ==== a\nx\n\n\n$ ==== b\n\n\ty\n").expect("a suite");
    let sections: Vec<_> = suite.sections.iter().map(|one| (&*one.name, &*one.text, one.line)).collect();
    assert_eq!((&*suite.head, sections), ("$ head\n", vec![("a", "x\n\n", 3), ("b", "\n\ty\n", 7)]));
}

#[test]
fn mistakes_have_a_line_and_a_sentence() {
    for (text, fault) in [
        ("$ ==== a\nx\n$ ==== b\ny\n", "line 3: there is no empty line above the heading"),
        ("$ ==== a\nx\n\n$ ==== a\ny\n", "line 4: the name `a` is taken by line 1"),
        ("$ ==== \nx\n", "line 1: the heading has no name"),
        ("$ ====  a\nx\n", "line 1: there are blanks around the name `a`"),
        ("$ ==== ../a\nx\n", "line 1: the name `../a` leads out of the suite"),
        ("$ ==== /a\nx\n", "line 1: the name `/a` leads out of the suite"),
        ("$ ==== a\nx\n\n$ === b\ny\n", "line 4: a heading begins with `$ ==== `, with a blank at the end"),
        ("$ =====\nx\n", "line 1: a heading begins with `$ ==== `, with a blank at the end"),
        ("$ ==== a\n\n$ ==== b\ny\n", "line 1: there is no text below the heading `a`"),
        ("$ ==== a\nx\n\n$ ==== b\n", "line 4: there is no text below the heading `b`"),
        ("$ ==== a\nx", "the last line has no line break"),
    ] {
        assert_eq!(Suite::parse(text), Err(fault.to_owned()), "{text}");
    }
}

#[test]
fn scripts_get_the_texts_that_tests_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = TempDir::new().expect("a folder");
    let unpack =
        Command::new("python3").arg(root.join("tests/unpack")).arg(root.join("tests")).arg(folder.path()).status();
    // Machines without Python do not run the scripts either.
    let Ok(status) = unpack else { return };
    assert!(status.success());
    let (ours, theirs) = (texts(&root.join("tests")), texts(folder.path()));
    assert!(ours.len() > 2_000, "{}", ours.len());
    assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
    assert!(ours == theirs);
}

/// The texts below a folder, without the files that exist for scripts only: the commands of sessions, and suites of
/// titles.
fn texts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let files = suite::files(folder, &["essence", "param", "solution", "json", "txt", "csv"]).into_iter();
    let read = files.map(|path| {
        let text = suite::read(&path).unwrap_or_else(|| panic!("{}", path.display()));
        (path.strip_prefix(folder).expect("inside").to_owned(), text)
    });
    read.filter(|(path, _)| !path.ends_with("session.txt") && !path.starts_with("syntax")).collect()
}
