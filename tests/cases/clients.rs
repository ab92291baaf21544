//! The contract with programs that call `conjure`: a web server keeps the model that Conjure leaves in the output
//! folder and returns it for the next job, and notebooks show only the table of statistics.

use crate::{
    function, read,
    workplace::{Workplace, command},
};
use libtest_mimic::Trial;
use std::{
    fs,
    path::{Path, PathBuf},
};

pub(crate) fn tests() -> Vec<Trial> {
    vec![
        function("clients", "a server finds the model that it keeps", a_server_finds_the_model_that_it_keeps),
        function("clients", "a model that Conjure has made stays", a_model_that_conjure_has_made_stays),
        function("clients", "a notebook shows what is not heeded", a_notebook_shows_what_is_not_heeded),
    ]
}

/// The files of Conjure that a server keeps besides the model.
const KEPT: [&str; 2] = [".conjure-checksum", "model000001.eprime"];

const MODEL: &str = "given n : int find x, y : int(1..n) branching on [x] such that x <= y";

/// Runs a command line, which must succeed.
fn run(line: &str, folder: &Path) -> String {
    let output = command(line, folder).output().expect("the program");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
    assert!(output.status.success(), "{line}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Solves a job as a server does: the folder of the job is also the output folder.
fn job(folder: &Path, name: &str, data: &str) -> PathBuf {
    let job = folder.join(name);
    fs::create_dir_all(&job).expect("a folder");
    fs::write(job.join("model.essence"), MODEL).expect("a model");
    fs::write(job.join("data.json"), data).expect("data");
    let options = "--solver kissat --output-format=json --solutions-in-one-file --copy-solutions=no";
    run(&format!("$ conjure solve {name}/model.essence {name}/data.json --output-directory {name} {options}"), folder);
    job
}

fn a_server_finds_the_model_that_it_keeps() {
    let place = Workplace::empty();
    let first = job(place.folder(), "first", r#"{"n": 2}"#);
    assert!(read(first.join("model000001-data.solutions.json")).contains(r#""x""#));
    assert!(read(first.join("model000001.eprime")).ends_with(MODEL));
    assert!(read(first.join(".conjure-checksum")).lines().count() == 2);
    // Start the next job with these files.
    let second = place.folder().join("second");
    fs::create_dir(&second).expect("a folder");
    for name in KEPT {
        fs::copy(first.join(name), second.join(name)).expect("a copy");
    }
    job(place.folder(), "second", r#"{"n": 3}"#);
    KEPT.iter().for_each(|name| assert_eq!(read(first.join(name)), read(second.join(name)), "{name}"));
    // As `conjure-like`, the program does not write these files, because they were not requested.
    run("$ conjure-like solve first/model.essence first/data.json -o ours", place.folder());
    KEPT.iter().for_each(|name| assert!(!place.folder().join("ours").join(name).exists(), "{name}"));
}

fn a_model_that_conjure_has_made_stays() {
    let place = Workplace::empty();
    let folder = place.folder().join("conjure-output");
    fs::create_dir(&folder).expect("a folder");
    KEPT.iter().for_each(|name| fs::write(folder.join(name), "theirs").expect("a file"));
    fs::write(place.folder().join("m.essence"), "find x : bool").expect("a model");
    run("$ conjure solve m.essence", place.folder());
    KEPT.iter().for_each(|name| assert_eq!(read(folder.join(name)), "theirs", "{name}"));
}

fn a_notebook_shows_what_is_not_heeded() {
    let place = Workplace::empty();
    fs::write(place.folder().join("m.essence"), MODEL.replace("given n : int", "letting n be 2")).expect("a model");
    let table = |options: &str| {
        run(&format!("$ conjure solve m.essence {options}"), place.folder());
        read(place.folder().join("conjure-output/model000001.eprime-info"))
    };
    let all = table("--number-of-solutions=all");
    let note = all.lines().find(|line| line.starts_with("Note:")).expect("a note");
    assert!(note.contains("`branching on`") && note.split(':').count() == 2, "{note}");
    // If one solution is requested, the ignored `branching on` cannot matter, so there is no note.
    assert!(!table("").contains("Note"));
}
