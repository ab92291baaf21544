//! The grades of all submissions as text, CSV, JSON and a page.

use super::{exercise::Exercise, feedback, grades::Grade, job::InstanceResult, supervisor::Verdict};
use conjure_like::{to_json, visible};
use serde_json::json;
use std::fmt::Write;

/// A table in columns, with a line at the end that sums up.
pub(super) fn text(grades: &[Grade]) -> String {
    let width = |name: &str| name.chars().count();
    let widest = grades.iter().map(|grade| width(&grade.name)).max().unwrap_or(0);
    let mut text = String::new();
    for grade in grades {
        let pad = " ".repeat(widest - width(&grade.name));
        let _ = writeln!(text, "{}{pad}  {:>6}  {}", grade.name, grade.points(), grade.result());
    }
    let right = grades.iter().filter(|grade| grade.result() == "right").count();
    let _ = writeln!(text, "\n{right} of {} submissions are right.", grades.len());
    text
}

/// Comma-separated values: a line for each submission, and two columns for each instance.
pub(super) fn csv(exercise: &Exercise, grades: &[Grade]) -> String {
    let mut text = super::FileKind::Grades.mark().to_owned();
    text += ",constraints";
    for instance in &exercise.instances {
        let _ = write!(text, ",{0},{1}", field(&instance.name), field(&format!("{} seconds", instance.name)));
    }
    text.push('\n');
    for grade in grades {
        let constraints = match &grade.verdict {
            Verdict::Compared { constraints, .. } => constraints.to_string(),
            _ => String::new(),
        };
        let _ = write!(
            text,
            "{},{},{},{},{constraints}",
            field(&grade.name),
            grade.points(),
            exercise.settings.points,
            grade.result()
        );
        for at in 0..exercise.instances.len() {
            let result = grade.results().get(at);
            let word = result.map_or("", |result| result.shortcoming.as_deref().unwrap_or("right"));
            let seconds =
                result.and_then(|result| result.seconds).map_or(String::new(), |seconds| format!("{seconds:.3}"));
            let _ = write!(text, ",{word},{seconds}");
        }
        text.push('\n');
    }
    text
}

/// A field that no spreadsheet takes for a formula.
fn field(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

/// An object with the exercise and a list of the grades.
pub(super) fn json(exercise: &Exercise, grades: &[Grade]) -> String {
    let grades: Vec<_> = grades.iter().map(|grade| object(exercise, grade)).collect();
    let settings = &exercise.settings;
    to_json(&json!({"exercise": settings.title, "points": settings.points, "grades": grades})) + "\n"
}

fn object(exercise: &Exercise, grade: &Grade) -> serde_json::Value {
    let (constraints, message) = match &grade.verdict {
        Verdict::Compared { constraints, .. } => (Some(constraints), None),
        Verdict::Rejected(_, text) | Verdict::Fault(text) => (None, Some(text)),
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
            "message": result.and_then(|result| result.report.as_ref()),
            "terms": result.map(|result| result.terms),
            "seconds": result.and_then(|result| result.seconds),
            "reference-terms": reference.map(|reference| reference.terms),
            "reference-seconds": reference.and_then(|reference| reference.seconds),
        })
    });
    json!({
        "submission": grade.name,
        "file": grade.path.display().to_string(),
        "points": f64::from(grade.tenths()) / 10.0,
        "result": grade.result(),
        "constraints": constraints,
        "message": message,
        "instances": instances.collect::<Vec<_>>(),
        "feedback": feedback::markdown(exercise, grade),
    })
}

/// A page that stands alone, with the feedback in it.
pub(super) fn html(exercise: &Exercise, grades: &[Grade]) -> String {
    let title = visible::markup(&exercise.settings.title);
    let mut rows = String::new();
    for grade in grades {
        let marks: String =
            (0..exercise.instances.len()).map(|at| mark(exercise, at, grade.results().get(at))).collect();
        let _ = writeln!(
            rows,
            "<tr><th scope=\"row\">{}</th><td class=\"points\">{}</td><td>{}</td><td class=\"marks\">{marks}</td>\
             <td><details><summary>Feedback</summary><pre>{}</pre></details></td></tr>",
            visible::markup(&grade.name),
            grade.points(),
            grade.result(),
            visible::markup(&feedback::markdown(exercise, grade))
        );
    }
    let right = grades.iter().filter(|grade| grade.result() == "right").count();
    let (head, end) = include_str!("page.html").split_once("ROWS").unwrap_or_default();
    let summary = format!("{} points. {right} of {} submissions are right.", exercise.settings.points, grades.len());
    // The title comes last, as it may contain any word.
    head.replace("SUMMARY", &summary).replace("TITLE", &title) + &rows + end
}

/// The result on an instance as a sign with a word.
fn mark(exercise: &Exercise, at: usize, result: Option<&InstanceResult>) -> String {
    let (class, sign, word) = match result {
        None => ("none", "–", "not tried"),
        Some(result) => match result.shortcoming.as_deref() {
            None => ("right", "✓", "right"),
            Some("slow") => ("slow", "…", "slow"),
            Some(kind) => ("wrong", "✗", kind),
        },
    };
    let seconds = result.and_then(|result| result.seconds).map_or(String::new(), |seconds| format!(", {seconds:.2} s"));
    let label = visible::markup(&format!("{}: {word}{seconds}", exercise.instances[at].name));
    format!("<span class=\"{class}\" role=\"img\" aria-label=\"{label}\" title=\"{label}\">{sign}</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_no_formulas() {
        assert_eq!(field("=1+1"), "'=1+1");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(field("anna"), "anna");
    }
}
