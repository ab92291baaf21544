//! Submissions that want to do harm cost their limits and their own points, and nothing else.

use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const REFERENCE: &str = "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x < y\n";

/// The folder of an exercise with one instance, and no time to lose.
fn exercise(place: &Path) {
    let folder = place.join("exercise");
    fs::create_dir_all(folder.join("instances")).expect("a folder");
    fs::write(folder.join("reference.essence"), REFERENCE).expect("a file");
    fs::write(folder.join("instances/1.param"), "letting n be 4\n").expect("a file");
    let settings = "title = \"Less\"\ntime = 1\nmemory = 300\nmade-up = 1\n";
    fs::write(folder.join("exercise.toml"), settings).expect("a file");
}

/// Grades files with these names and texts.
fn grade(submissions: &[(&str, &[u8])]) -> (TempDir, Value) {
    let place = TempDir::new().expect("a folder");
    exercise(place.path());
    fs::create_dir(place.path().join("submissions")).expect("a folder");
    for (name, text) in submissions {
        fs::write(place.path().join("submissions").join(name), text).expect("a file");
    }
    let grades = run(place.path());
    (place, grades)
}

fn run(place: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .current_dir(place)
        .args(["grade", "exercise", "submissions", "-o", "graded", "--output-format=json"])
        .output()
        .expect("the program");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    serde_json::from_slice(&output.stdout).expect("a table")
}

fn result<'a>(grades: &'a Value, name: &str) -> &'a str {
    let mut all = grades["grades"].as_array().expect("a list").iter();
    let grade = all.find(|grade| grade["submission"] == name);
    grade.unwrap_or_else(|| panic!("{name}: {grades}"))["result"].as_str().expect("a word")
}

#[test]
fn what_takes_too_long_or_too_much_costs_its_limit() {
    let declared = "given n : int(2..4)\nfind x, y : int(1..n)\n";
    // Eleven pigeons in ten holes, several times.
    let pigeons = format!(
        "{declared}find p : matrix indexed by [int(1..14)] of int(1..13)\nsuch that x < y,\n\
         forAll i, j : int(1..14) . i < j -> p[i] * p[i] != p[j] * p[j]\n"
    );
    let huge = format!("{declared}such that forAll i, j, k, l : int(1..1000) . x + i * j < y + k * l + 10000000\n");
    let large = format!("{declared}find m : matrix indexed by [int(1..1000000000)] of int(1..2)\nsuch that x < y\n");
    let deep = format!("{declared}such that {}x < y{}\n", "(".repeat(100_000), ")".repeat(100_000));
    let sets = format!("{declared}find s : set of set of set of int(1..9)\nsuch that x < y\n");
    let good = format!("{declared}such that y > x\n");
    let started = Instant::now();
    let (_place, grades) = grade(&[
        ("deep.essence", deep.as_bytes()),
        ("good.essence", good.as_bytes()),
        ("huge.essence", huge.as_bytes()),
        ("large.essence", large.as_bytes()),
        ("long.essence", "find x : int(1..3) $ long\n".repeat(100_000).as_bytes()),
        ("pigeons.essence", pigeons.as_bytes()),
        ("sets.essence", sets.as_bytes()),
    ]);
    assert_eq!(result(&grades, "good"), "right");
    assert_eq!(result(&grades, "deep"), "syntax");
    assert_eq!(result(&grades, "long"), "syntax");
    for name in ["huge", "large"] {
        assert_eq!(result(&grades, name), "slow", "{name}");
    }
    // Whatever these two come to, they come to an end.
    for name in ["pigeons", "sets"] {
        assert!(["slow", "refuses"].contains(&result(&grades, name)), "{name}: {}", result(&grades, name));
    }
    // Seven submissions of two instances each, with room for a busy machine.
    assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
}

#[test]
fn no_submission_is_more_than_text() {
    let markup = "find </script><script>alert(1)</script> : int(1..3) $ </pre><img src=x onerror=alert(1)> \u{1b}[2J\n";
    let (place, grades) = grade(&[
        ("=cmd|A0!.essence", b"find x : bool\n"),
        ("binary.essence", b"\x7fELF\xff\xfe"),
        ("empty.essence", b""),
        ("markup.essence", markup.as_bytes()),
        (
            "statements.essence",
            b"$ map: x = 1) such that false $\ngiven n : int(2..4)\nfind y : int(1..n)\nfind z : int(1..n)\n",
        ),
        ("variables.essence", b"given n : int(2..4)\nfind x : int(1..n)\n"),
    ]);
    assert_eq!(result(&grades, "binary"), "syntax");
    assert_eq!(result(&grades, "empty"), "syntax");
    assert_eq!(result(&grades, "statements"), "interface");
    assert_eq!(result(&grades, "variables"), "interface");
    let graded = |name: &str| fs::read_to_string(place.path().join("graded").join(name)).expect(name);
    let page = graded("grades.html");
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert!(page.contains("&lt;script&gt;"), "{page}");
    let feedback = graded("feedback/markup.md");
    assert!(!feedback.contains('\u{1b}'), "{feedback}");
    // What looks like markup stands in a block.
    let outside = feedback.lines().filter(|line| !line.starts_with("    "));
    assert!(outside.skip(1).all(|line| !line.contains("<img")), "{feedback}");
    assert!(graded("grades.csv").lines().all(|line| !line.starts_with('=')), "a formula");
}

/// A link would show its author what only the lecturer may read.
#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let place = TempDir::new().expect("a folder");
    exercise(place.path());
    fs::create_dir(place.path().join("submissions")).expect("a folder");
    fs::write(place.path().join("secret.essence"), "find secret : int(1..2)\n").expect("a file");
    std::os::unix::fs::symlink("../secret.essence", place.path().join("submissions/link.essence")).expect("a link");
    std::os::unix::fs::symlink("/", place.path().join("submissions/all")).expect("a link");
    let grades = run(place.path());
    assert_eq!(result(&grades, "link"), "syntax");
    assert!(!grades.to_string().contains("secret"), "{grades}");
    assert_eq!(grades["grades"].as_array().map(Vec::len), Some(1));
}
