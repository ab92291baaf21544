//! Results in the formats of learning systems that run a grader for each student.

use super::{
    exercise::Exercise,
    feedback::{html, markdown, verdict_in_words},
    grades::Grade,
};
use conjure_like::{Shortcoming, to_json};
use serde_json::{Value, json};

/// The best grade of a student, who may have handed in several models.
fn best_grade(grades: &[Grade]) -> Option<&Grade> {
    // `max_by_key` returns the last maximum, but the first one is wanted.
    grades.iter().rev().max_by_key(|grade| grade.tenths())
}

/// The file `results.json` of Gradescope: the points, the feedback, and a test for each instance.
pub(super) fn gradescope(exercise: &Exercise, grades: &[Grade]) -> String {
    let Some(grade) = best_grade(grades) else { return String::new() };
    let test = |(at, name): (usize, &str)| -> Value {
        let verdict = grade.results().get(at).map(|result| result.kind().map_or(Ok(()), Err::<(), Shortcoming>));
        let status = if verdict == Some(Ok(())) { "passed" } else { "failed" };
        json!({"name": name, "status": status, "output": verdict_in_words(verdict), "output_format": "text"})
    };
    let is_compared = !grade.results().is_empty();
    let instances = exercise.instances.iter().map(|instance| instance.name.as_str()).enumerate();
    let tests: Vec<Value> = if is_compared { instances.map(test).collect() } else { Vec::new() };
    let results = json!({
        "score": f64::from(grade.tenths()) / 10.0,
        "output": markdown(exercise, grade),
        "output_format": "md",
        "tests": tests,
    });
    to_json(&results) + "\n"
}

/// The output of a grader for A+: the feedback in HTML, and points as whole numbers, which A+ scales to the points of
/// the exercise.
pub(super) fn a_plus(exercise: &Exercise, grades: &[Grade]) -> String {
    let Some(grade) = best_grade(grades) else { return String::new() };
    // A+ does not accept fractions, so points are given in tenths.
    let (points, most) = (grade.tenths(), exercise.settings.points * 10);
    format!("{}\nTotalPoints: {points}\nMaxPoints: {most}\n", html(exercise, grade))
}
