//! The grades of all submissions as text, CSV and JSON.

use super::{exercise::Exercise, feedback, grades::Grade, statistics, supervisor::WorkerVerdict};
use crate::outputs::csv::{self, CsvCell};
use conjure_like::to_json;
use serde_json::json;
use std::fmt::Write;

/// A table in columns, followed by lines that summarise it.
pub(super) fn grades_text(grades: &[Grade]) -> String {
    let width = |name: &str| name.chars().count();
    let widest = grades.iter().map(|grade| width(&grade.name)).max().unwrap_or(0);
    let mut text = String::new();
    for grade in grades {
        let pad = " ".repeat(widest - width(&grade.name));
        let _ = writeln!(text, "{}{pad}  {:>6}  {}", grade.name, grade.points(), grade.result());
    }
    let right = grades.iter().filter(|grade| grade.result() == "right").count();
    let _ = writeln!(text, "\n{right} of {} submissions are right.", grades.len());
    text + &statistics::statistics_text(grades)
}

/// Comma-separated values: a row for each submission, and two columns for each instance.
pub(super) fn grades_as_csv(exercise: &Exercise, grades: &[Grade]) -> String {
    let mut headings = vec![CsvCell::from("number"), CsvCell::from("constraints")];
    for instance in &exercise.instances {
        headings.push(CsvCell::from(&*instance.name));
        headings.push(CsvCell::from(&*format!("{} seconds", instance.name)));
    }
    let mut text = format!("{},{}", super::FileKind::Grades.mark(), csv::csv_line(headings));
    for grade in grades {
        let constraints = match &grade.verdict {
            WorkerVerdict::Compared { constraints, .. } => Some(constraints),
            _ => None,
        };
        let mut cells = vec![
            CsvCell::from(&*grade.name),
            csv::number(Some(grade.points())),
            csv::number(Some(exercise.settings.points)),
            CsvCell::from(grade.result()),
            CsvCell::from(grade.number.as_deref().unwrap_or_default()),
            csv::number(constraints),
        ];
        for at in 0..exercise.instances.len() {
            let result = grade.results().get(at);
            let seconds = result.and_then(|result| result.seconds);
            cells.push(CsvCell::from(result.map_or("", |result| result.shortcoming.as_deref().unwrap_or("right"))));
            cells.push(csv::number(seconds.map(|seconds| format!("{seconds:.3}"))));
        }
        text += &csv::csv_line(cells);
    }
    text
}

/// An object with the exercise and a list of the grades.
pub(super) fn grades_as_json(exercise: &Exercise, grades: &[Grade]) -> String {
    let shared = statistics::frequent_shortcomings(grades).into_iter().map(|finding| {
        let names = finding.grades.iter().map(|at| grades[*at].name.as_str());
        json!({
            "result": finding.result,
            "says": finding.words,
            "about": finding.about,
            "hint": finding.hint,
            "submissions": names.collect::<Vec<_>>(),
        })
    });
    let shared: Vec<_> = shared.collect();
    let grades: Vec<_> = grades.iter().map(|grade| grade_object(exercise, grade)).collect();
    let settings = &exercise.settings;
    let table = json!({"exercise": settings.title, "points": settings.points, "grades": grades, "statistics": shared});
    to_json(&table) + "\n"
}

fn grade_object(exercise: &Exercise, grade: &Grade) -> serde_json::Value {
    let (constraints, message) = match &grade.verdict {
        WorkerVerdict::Compared { constraints, .. } => (Some(constraints), None),
        WorkerVerdict::Rejected(_, report) => (None, Some(&report.text)),
        WorkerVerdict::Fault(text) => (None, Some(text)),
        WorkerVerdict::Unfit(unfit) => (None, Some(&unfit.says)),
    };
    let instances = exercise.instances.iter().enumerate().map(|(at, instance)| {
        let result = grade.results().get(at);
        let reference = grade.reference.get(at);
        json!({
            "name": instance.name,
            "made-up": at < exercise.made_up,
            "result": result.map(|result| result.shortcoming.as_deref().unwrap_or("right")),
            "complete": result.map(|result| result.complete),
            "solution": result.and_then(|result| result.solution.as_ref()),
            "objectives": result.and_then(|result| result.objectives.as_ref()),
            "because": result.and_then(|result| result.because.as_ref()),
            "broken": result.map(|result| &result.broken),
            "message": result.and_then(|result| result.report.as_ref()),
            "terms": result.map(|result| result.terms),
            "seconds": result.and_then(|result| result.seconds),
            "reference-has-solution": reference.and_then(|reference| reference.has_solution),
            "reference-refuses-something": reference.and_then(|reference| reference.refuses_something),
            "reference-terms": reference.map(|reference| reference.terms),
            "reference-seconds": reference.and_then(|reference| reference.seconds),
        })
    });
    json!({
        "submission": grade.name,
        "number": grade.number,
        "file": grade.path.display().to_string(),
        "points": f64::from(grade.tenths()) / 10.0,
        "result": grade.result(),
        "constraints": constraints,
        "message": message,
        "instances": instances.collect::<Vec<_>>(),
        "feedback": feedback::markdown(exercise, grade),
    })
}
