//! The exercises of the course: their references are right, and typical wrong answers get the feedback that stands beside them.

use crate::{Verdict, compare, entries, is_updated, name, read};
use libtest_mimic::Trial;
use serde_json::Value;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

pub(crate) fn tests() -> Vec<Trial> {
    if !Path::new("course").is_dir() {
        return Vec::new();
    }
    let steps = entries("course").into_iter().filter(|step| step.is_dir());
    let exercises = steps.flat_map(entries).filter(|exercise| exercise.join("exercise.toml").exists());
    exercises.map(|exercise| Trial::test(name(&exercise), move || is_right(&exercise))).collect()
}

/// Grades the reference and all answers of an exercise.
fn is_right(exercise: &Path) -> Verdict {
    let answers = |folder: &str| exercise.join(folder).exists().then(|| exercise.join(folder));
    let output = Command::new(env!("CARGO_BIN_EXE_conjure-like"))
        .arg("grade")
        .arg(exercise)
        .arg(exercise.join("reference.essence"))
        .args(answers("right"))
        .args(answers("wrong"))
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
