//! Malicious submissions use up their limits and lose their own points, and have no other effect.

use serde_json::Value;
use std::{
    fs,
    io::{Cursor, Write},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use zip::{ZipWriter, write::SimpleFileOptions};

const REFERENCE: &str = "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x < y\n";

/// The folder of an exercise with one instance and low limits.
fn exercise(place: &Path) {
    let folder = place.join("exercise");
    fs::create_dir_all(folder.join("instances")).expect("a folder");
    fs::write(folder.join("reference.essence"), REFERENCE).expect("a file");
    fs::write(folder.join("instances/1.param"), "letting n be 4\n").expect("a file");
    let settings = "title = \"Less\"\ntime = 1\nmemory = 300\nmade-up = 1\n";
    fs::write(folder.join("exercise.toml"), settings).expect("a file");
}

/// Grades submissions with these names and texts.
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
    run_on(place, &["submissions"])
}

fn run_on(place: &Path, submissions: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .current_dir(place)
        .args(["grade", "exercise", "-o", "graded", "--output-format=json"])
        .args(submissions)
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
    // Fourteen pigeons in thirteen holes. Squares hide that this is an `allDiff`.
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
    assert_eq!(result(&grades, "long"), "too-large");
    for name in ["huge", "large"] {
        assert_eq!(result(&grades, name), "slow", "{name}");
    }
    // The result of these two may vary, but they must end.
    for name in ["pigeons", "sets"] {
        assert!(["slow", "refuses"].contains(&result(&grades, name)), "{name}: {}", result(&grades, name));
    }
    // Seven submissions on two instances each; the bound leaves room for a busy machine.
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
    assert_eq!(result(&grades, "binary"), "not-text");
    assert_eq!(result(&grades, "empty"), "syntax");
    assert_eq!(result(&grades, "statements"), "interface");
    assert_eq!(result(&grades, "variables"), "interface");
    let graded = |name: &str| fs::read_to_string(place.path().join("graded").join(name)).expect(name);
    let page = graded("feedback/markup.html");
    for page in [&page, &graded("grades.html")] {
        assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("onerror=\""), "{page}");
    }
    assert!(page.contains("&lt;"), "{page}");
    let feedback = graded("feedback/markup.md");
    assert!(!feedback.contains('\u{1b}'), "{feedback}");
    // Text that looks like markup is inside a code block.
    let outside = feedback.lines().filter(|line| !line.starts_with("    "));
    assert!(outside.skip(1).all(|line| !line.contains("<img")), "{feedback}");
    assert!(graded("grades.csv").lines().all(|line| !line.starts_with('=')), "a formula");
}

/// Following a link would show its author files that only the lecturer may read.
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
    assert_eq!(result(&grades, "link"), "link");
    assert!(!grades.to_string().contains("secret"), "{grades}");
    assert_eq!(grades["grades"].as_array().map(Vec::len), Some(1));
}

/// Makes a zip archive of these entries.
fn zipped(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        if name.ends_with('/') {
            archive.add_directory(*name, SimpleFileOptions::default()).expect("a folder");
            continue;
        }
        archive.start_file(*name, SimpleFileOptions::default()).expect("a file");
        archive.write_all(bytes).expect("a text");
    }
    archive.finish().expect("an archive").into_inner()
}

/// The submissions with their results.
fn names(grades: &Value) -> Vec<(&str, &str)> {
    fn word(value: &Value) -> &str {
        value.as_str().unwrap_or_default()
    }
    let all = grades["grades"].as_array().expect("a list").iter();
    all.map(|grade| (word(&grade["submission"]), word(&grade["result"]))).collect()
}

#[test]
fn an_archive_of_a_learning_system_names_the_students() {
    let right = b"given n : int(2..4)\nfind x, y : int(1..n)\nsuch that y > x\n";
    // The system files of macOS in an archive must be ignored.
    let inner = zipped(&[("m/model.essence", right), ("__MACOSX/m/._model.essence", b"\0"), ("m/.DS_Store", b"\0")]);
    let archive = zipped(&[
        ("Anna Meier_100_assignsubmission_file_/model.essence", right),
        ("Zoë Müller_101_assignsubmission_file_/any name.zip", &inner),
        ("Ben_102_assignsubmission_file_/", b""),
        ("Carla_103_assignsubmission_file_/model.docx", b"PK\x03\x04"),
        // A Word document with the extension of a model.
        ("Dora_104_assignsubmission_file_/model.essence", b"PK\x03\x04word"),
        ("Emil_105_assignsubmission_file_/model.txt", right),
        (
            "Fay_106_assignsubmission_file_/model.essence",
            b"\xef\xbb\xbfgiven n : int(2..4)\nfind x, y : int(1..n) such that x < y",
        ),
        // Another student of the same name.
        ("Anna Meier_107_assignsubmission_file_/model.essence", b"$ f\xfcr\n"),
        ("__MACOSX/._Anna Meier_100", b"\0"),
        (".DS_Store", b"\0"),
    ]);
    let place = TempDir::new().expect("a folder");
    exercise(place.path());
    fs::write(place.path().join("class.zip"), archive).expect("a file");
    let grades = run_on(place.path(), &["class.zip"]);
    assert_eq!(
        names(&grades),
        [
            ("Anna Meier 100", "right"),
            ("Zoë Müller", "right"),
            ("Ben", "no-model"),
            ("Carla", "no-model"),
            ("Dora", "not-text"),
            ("Emil", "right"),
            ("Fay", "right"),
            ("Anna Meier 107", "not-text"),
        ]
    );
    assert_eq!(grades["grades"][0]["number"], "100");
}

#[test]
fn an_archive_that_wants_to_do_harm_costs_its_authors_points() {
    let right = b"given n : int(2..4)\nfind x, y : int(1..n)\nsuch that y > x\n";
    let large = vec![b'$'; 5_000_000];
    let many: Vec<String> = (0..100).map(|number| format!("{number}.essence")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b"find x : bool"[..])).collect();
    let heavy: Vec<String> = (0..10).map(|number| format!("{number}.zip")).collect();
    let zeros = zipped(&[("0", &vec![0; 4_000_000])]);
    // Padding after the archive makes it large without adding entries.
    let mut padded = zeros.clone();
    padded.extend(vec![0; 3_000_000]);
    let heavy: Vec<(&str, &[u8])> = heavy.iter().map(|name| (name.as_str(), padded.as_slice())).collect();
    // Archives inside archives, deeper than the limit.
    let deep = (0..9).fold(zipped(&[("model.essence", right)]), |inner, _| zipped(&[("in.zip", &inner)]));
    let mut linked = ZipWriter::new(Cursor::new(Vec::new()));
    // Following the link would grade a file of the machine.
    linked.add_symlink("model.essence", "/etc/passwd", SimpleFileOptions::default()).expect("a link");
    let linked = linked.finish().expect("an archive").into_inner();
    let (place, grades) = grade(&[
        ("broken.zip", b"PK\x03\x04"),
        ("deep.zip", &deep),
        ("heavy.zip", &zipped(&heavy)),
        ("large.zip", &zipped(&[("model.essence", &large)])),
        ("linked.zip", &linked),
        ("many.zip", &zipped(&many)),
        // These paths lead out of the folder into which the archive is unpacked.
        ("outside.zip", &zipped(&[("../../outside.essence", right), ("/absolute/other.txt", right)])),
    ]);
    assert_eq!(
        names(&grades),
        [
            ("broken", "archive"),
            ("deep", "archive"),
            ("heavy", "archive"),
            ("large", "too-large"),
            ("linked", "link"),
            ("many", "archive"),
            ("outside", "right"),
        ]
    );
    assert!(!place.path().join("outside.essence").exists());
}

/// A pipe is never read, because it might never end.
#[cfg(unix)]
#[test]
fn a_pipe_is_named_as_such() {
    let place = TempDir::new().expect("a folder");
    exercise(place.path());
    fs::create_dir(place.path().join("submissions")).expect("a folder");
    let made = Command::new("mkfifo").arg(place.path().join("submissions/pipe.essence")).status();
    assert!(made.is_ok_and(|status| status.success()));
    let grades = run(place.path());
    assert_eq!(names(&grades), [("pipe", "device")]);
}

#[test]
fn a_notebook_is_a_submission() {
    let notebook = serde_json::json!({"cells": [
        // Only code cells count.
        {"cell_type": "markdown", "source": "%%essence"},
        {"cell_type": "code", "source": ["%%conjure --solver=auto\n", "given n : int(2..4)\n", "find x, y : int(1..n)\n"]},
        {"cell_type": "code", "source": "%%conjure+\nsuch that x <= y"},
    ]});
    let (_place, grades) = grade(&[("anna.ipynb", notebook.to_string().as_bytes()), ("ben.ipynb", b"{}")]);
    assert_eq!(names(&grades), [("anna", "allows"), ("ben", "no-model")]);
    // The layout in which nbgrader collects notebooks.
    let place = TempDir::new().expect("a folder");
    exercise(place.path());
    for student in ["anna", "ben"] {
        let folder = place.path().join("submitted").join(student).join("less");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("less.ipynb"), notebook.to_string()).expect("a file");
    }
    let grades = run_on(place.path(), &["submitted/anna/less", "submitted/ben/less"]);
    assert_eq!(names(&grades), [("anna", "allows"), ("ben", "allows")]);
}

/// Runs Gradescope's script in a folder with Gradescope's layout.
#[cfg(unix)]
fn gradescope(files: &[(&str, &[u8])]) -> Value {
    let place = TempDir::new().expect("a folder");
    exercise(place.path());
    let folder = place.path().join("autograder");
    fs::create_dir_all(folder.join("source")).expect("a folder");
    fs::create_dir_all(folder.join("submission")).expect("a folder");
    fs::rename(place.path().join("exercise"), folder.join("source/exercise")).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join("submission").join(name), text).expect("a file");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_conjure-like"));
    let path =
        format!("{}:{}", program.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tools/autograder/run_autograder"))
        .env("AUTOGRADER", &folder)
        .env("PATH", path)
        .output()
        .expect("the script");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let results = fs::read_to_string(folder.join("results/results.json")).expect("results");
    serde_json::from_str(&results).expect("JSON")
}

#[cfg(unix)]
#[test]
fn gradescope_gets_its_results() {
    let nearly = b"given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x <= y\n";
    let right = b"given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x < y\n";
    let results = gradescope(&[("model.essence", nearly)]);
    let number_of_tests = results["tests"].as_array().map(Vec::len);
    assert_eq!((results["score"].as_f64(), number_of_tests), (Some(0.0), Some(2)), "{results}");
    assert_eq!(results["tests"][1]["status"], "failed");
    assert_eq!(results["output_format"], "md");
    assert!(results["output"].as_str().is_some_and(|output| output.contains("allows this")), "{results}");
    // Among several models, the best one counts.
    let results = gradescope(&[("a.essence", nearly), ("b.essence", right)]);
    assert_eq!(results["score"].as_f64(), Some(10.0), "{results}");
    assert_eq!(results["tests"][0]["status"], "passed");
    let results = gradescope(&[("model.docx", b"PK")]);
    assert_eq!(results["score"].as_f64(), Some(0.0), "{results}");
    assert!(results["output"].as_str().is_some_and(|output| output.contains("`model.docx`")), "{results}");
}

#[test]
fn a_plus_gets_whole_points_at_the_end_of_the_feedback() {
    let place = TempDir::new().expect("a folder");
    exercise(place.path());
    fs::write(place.path().join("model.essence"), "given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x < y\n")
        .expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .current_dir(place.path())
        .args(["grade", "exercise", "model.essence", "--output-format=a-plus"])
        .output()
        .expect("the program");
    let feedback = String::from_utf8_lossy(&output.stdout);
    assert_eq!(feedback, "<p>Your model is right on all 2 instances.</p>\n\nTotalPoints: 100\nMaxPoints: 100\n");
}

#[test]
fn what_submissions_have_in_common_is_counted_once_for_each() {
    let equal = b"given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x <= y\n";
    let narrow = b"given n : int(2..4)\nfind x, y : int(1..n)\nsuch that x < y, x = 1, y = 2\n";
    let (place, grades) = grade(&[
        ("anna.essence", equal),
        ("ben.essence", equal),
        ("carla.essence", narrow),
        ("dora.essence", b"find x"),
        ("emil.essence", b"given n : int(2..4)\nfind x : int(1..n)\n"),
        ("fay.essence", b"given n : int(2..4)\nfind x : int(1..n)\n"),
    ]);
    let shared: Vec<(&str, &str, usize)> = grades["statistics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            let word = |key: &str| one[key].as_str().unwrap_or_default();
            (word("result"), word("about"), one["submissions"].as_array().map_or(0, Vec::len))
        })
        .collect();
    assert_eq!(shared[..2], [("allows", "x < y", 2), ("interface", "the model has no `find y`", 2)], "{shared:?}");
    assert!(shared.contains(&("syntax", "", 1)), "{shared:?}");
    let graded = |name: &str| fs::read_to_string(place.path().join("graded").join(name)).expect(name);
    let overview = graded("grades.html");
    assert!(overview.contains("<b>2</b> of 6") && overview.contains("x &lt; y"), "{overview}");
    assert!(overview.contains("<a href=\"feedback/anna.html\">anna</a>"), "{overview}");
    // Students see what is wrong, but not the constraints of the reference.
    let feedback = graded("feedback/anna.html");
    assert!(feedback.contains("It allows too much") && !feedback.contains("x &lt; y"), "{feedback}");
    let feedback = graded("feedback/carla.html");
    assert!(feedback.contains("class=\"reason\"") && feedback.contains("line 3"), "{feedback}");
}

#[test]
fn a_page_shows_the_solution_as_a_picture() {
    let place = TempDir::new().expect("a folder");
    let folder = place.path().join("exercise");
    fs::create_dir_all(&folder).expect("a folder");
    let board = "find board : matrix indexed by [int(1..3)] of int(1..3)\n";
    fs::write(folder.join("reference.essence"), format!("{board}such that allDiff(board)\n")).expect("a file");
    fs::write(folder.join("exercise.toml"), "title = \"Different\"\n").expect("a file");
    fs::write(place.path().join("anna.essence"), board).expect("a file");
    run_on(place.path(), &["anna.essence"]);
    let page = fs::read_to_string(place.path().join("graded/feedback/anna.html")).expect("a page");
    assert!(page.contains("src=\"data:image/svg+xml,%3C"), "{page}");
    assert!(!page.contains("<svg"), "{page}");
}
