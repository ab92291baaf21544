//! The exercises of the course: their references are correct, the examples in their statements are solutions, typical
//! wrong answers get the feedback beside them, and models that allow everything or nothing get no points.

use crate::{Verdict, compare, entries, is_updated, name, read, workplace::Workplace};
use libtest_mimic::Trial;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

pub(crate) fn tests() -> Vec<Trial> {
    let steps = entries("course").into_iter().filter(|step| step.is_dir());
    let exercises = steps.flat_map(entries).filter(|exercise| exercise.join("exercise.toml").exists());
    let tests = |exercise: PathBuf| {
        let name = name(&exercise);
        let example = exercise.clone();
        [
            Trial::test(name.clone(), move || is_right(&exercise)),
            Trial::test(format!("{name}::example"), move || has_example(&example)),
        ]
    };
    exercises.flat_map(tests).collect()
}

/// Checks the listings of a statement: the initial text `start.essence` is a model, and the reference passes the test
/// case `example.essence`.
fn has_example(exercise: &Path) -> Verdict {
    let place = Workplace::empty();
    for (file, text) in listings(exercise) {
        std::fs::write(place.folder().join(file), text).expect("a file");
    }
    std::fs::write(place.folder().join("mine.essence"), read(exercise.join("reference.essence"))).expect("a file");
    let data = Some("example.param").filter(|data| place.folder().join(data).exists());
    // The initial text may need the data of the example.
    let type_check: Vec<&str> = ["type-check", "start.essence"].into_iter().chain(data).collect();
    for arguments in [type_check.as_slice(), &["test", "example.essence"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_conjure-like"));
        let output = command.current_dir(place.folder()).args(arguments).output().expect("the program");
        if !output.status.success() {
            let [found, errors] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
            return Err(format!("{found}{errors}").into());
        }
    }
    Ok(())
}

/// The listings of a statement, with their names.
fn listings(exercise: &Path) -> Vec<(String, String)> {
    let statement = read(exercise.join("statement.md"));
    let blocks = statement.split("```essence ").skip(1).filter_map(|block| block.split_once('\n'));
    blocks.map(|(file, rest)| (file.to_owned(), rest.split("```").next().unwrap_or_default().to_owned())).collect()
}

/// Grades the reference and all answers of an exercise.
fn is_right(exercise: &Path) -> Verdict {
    let answers = |folder: &str| exercise.join(folder).exists().then(|| exercise.join(folder));
    let place = Workplace::empty();
    let start = listings(exercise).into_iter().find(|(file, _)| file == "start.essence");
    let (_, start) = start.ok_or("the statement has a beginning")?;
    // The laziest answers: no constraint, and a contradiction.
    for (name, constraint) in [("everything", ""), ("nothing", "such that false\n")] {
        let file = place.folder().join(format!("{name}.essence"));
        std::fs::write(file, format!("{start}{constraint}")).expect("a file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .arg("grade")
        .arg(exercise)
        .arg(exercise.join("reference.essence"))
        .args(answers("right"))
        .args(answers("wrong"))
        .arg(place.folder())
        .arg("--output-format=json")
        .output()
        .expect("the program");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let table: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let grades = table["grades"].as_array().ok_or("there are grades")?;
    let mut wrong = 0;
    for grade in grades {
        let file = PathBuf::from(grade["file"].as_str().unwrap_or_default());
        let feedback = grade["feedback"].as_str().unwrap_or_default();
        if file.starts_with(place.folder()) {
            if grade["points"] != 0.0 {
                return Err(format!("what allows everything or nothing gets points:\n{feedback}").into());
            }
            continue;
        }
        // The reference and the answers in `right` must get all points.
        if !file.parent().is_some_and(|folder| folder.ends_with("wrong")) {
            if grade["points"] != table["points"].as_f64().unwrap_or(0.0) {
                return Err(format!("{} is not right:\n{feedback}", file.display()).into());
            }
            continue;
        }
        wrong += 1;
        if grade["result"] == "right" {
            return Err(format!("no mistake is found in {}", file.display()).into());
        }
        let expected = file.with_extension("md");
        if is_updated() && !expected.exists() {
            std::fs::write(&expected, feedback).expect("a file of expectations that can be written");
        }
        compare(&expected, &read(&expected), feedback)?;
    }
    if wrong < 3 {
        return Err(format!("{} has {wrong} wrong answers", exercise.display()).into());
    }
    Ok(())
}
