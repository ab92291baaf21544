//! What the author of a submission reads, in Markdown.
//!
//! What comes from the submission stands in indented blocks, from which no text can break out, and without control characters.

use super::{exercise::Exercise, grades::Grade, job::InstanceResult, supervisor::Verdict};
use conjure_like::{Shortcoming, Text, visible};
use std::fmt::Write;

/// Data of at most this many lines are shown.
const MOST_LINES: usize = 12;

/// A submission whose problem is this many times as large as the reference's is told so.
const LARGE: u64 = 3;

/// The feedback for a submission.
pub(super) fn markdown(exercise: &Exercise, grade: &Grade) -> String {
    let settings = &exercise.settings;
    let mut text =
        format!("# {}: {}\n\n**{} of {} points**\n\n", settings.title, grade.name, grade.points(), settings.points);
    match &grade.verdict {
        Verdict::Fault(_) => text += "The submission was not graded. This is not your fault.\n",
        Verdict::Rejected(kind, report) => {
            text += match kind {
                Shortcoming::Syntax => "Your model cannot be read:\n\n",
                Shortcoming::Types => "Your model has mistakes:\n\n",
                Shortcoming::Slow => "",
                _ => "Your model does not have the variables of the exercise:\n\n",
            };
            text += &block(report);
            hint(&mut text, settings.hint(*kind));
        }
        Verdict::Compared { results, constraints } => {
            compared(&mut text, exercise, results);
            size(&mut text, exercise, grade, *constraints);
        }
    }
    text
}

fn compared(text: &mut String, exercise: &Exercise, results: &[InstanceResult]) {
    let right = results.iter().filter(|result| result.shortcoming.is_none()).count();
    let all = exercise.instances.len();
    *text += &match (right == all, all) {
        (true, 1) => "Your model is right.\n".to_owned(),
        (true, _) => format!("Your model is right on all {all} instances.\n"),
        (false, 1) => "Your model is not right yet.\n".to_owned(),
        (false, _) => format!("Your model is right on {right} of {all} instances.\n"),
    };
    if results.iter().any(|result| result.shortcoming.is_none() && !result.complete) {
        *text += "On an instance with many solutions, a thousand of them were compared.\n";
    }
    // One example of each kind.
    for kind in Shortcoming::ALL {
        let first = results.iter().zip(&exercise.instances).find(|(result, _)| result.kind() == Some(kind));
        if let Some((result, instance)) = first {
            text.push('\n');
            shown(text, exercise, kind, (result, instance));
            hint(text, result.hint.as_deref());
            hint(text, exercise.settings.hint(kind));
        }
    }
    if all > 1 && right < all {
        *text += "\n| instance | result |\n|---|---|\n";
        for (at, instance) in exercise.instances.iter().enumerate() {
            let result = match results.get(at) {
                Some(result) => result.kind().map_or("right", words),
                None => "not tried, as the one before was too slow",
            };
            let _ = writeln!(text, "| {} | {result} |", instance.name);
        }
    }
}

/// A shortcoming in a table.
fn words(kind: Shortcoming) -> &'static str {
    match kind {
        Shortcoming::Syntax => "not Essence",
        Shortcoming::Types => "mistakes in names or types",
        Shortcoming::Interface => "does not fit the data",
        Shortcoming::Allows => "allows too much",
        Shortcoming::Refuses => "refuses too much",
        Shortcoming::Objective => "another objective",
        Shortcoming::Slow => "too slow",
    }
}

/// A shortcoming with the solution that shows it.
fn shown(text: &mut String, exercise: &Exercise, kind: Shortcoming, (result, instance): (&InstanceResult, &Text)) {
    if exercise.instances.len() > 1 {
        let is_data = |line: &&str| !line.trim().is_empty() && !line.starts_with('$') && !line.starts_with("language");
        let data: Vec<&str> = instance.text.lines().filter(is_data).collect();
        *text += &match data.len() {
            1..=MOST_LINES => format!("On the instance `{}`:\n\n{}\n", instance.name, block(&data.join("\n"))),
            _ => format!("On the instance `{}`:\n\n", instance.name),
        };
    }
    let solution = result.solution.as_deref().map(block).unwrap_or_default();
    let because = result.because.as_deref().map(block).unwrap_or_default();
    match kind {
        Shortcoming::Allows => {
            let _ = write!(text, "Your model allows this, but it is not a solution of the exercise:\n\n{solution}");
            if exercise.settings.reveal {
                let _ = write!(text, "\nThe reference says:\n\n{because}");
            }
        }
        Shortcoming::Refuses => {
            let _ = write!(
                text,
                "This is a solution of the exercise, but your model refuses it:\n\n{solution}\nYour model says:\n\n{because}"
            );
        }
        Shortcoming::Objective => {
            let [own, reference] = result.objectives.clone().unwrap_or_default();
            *text += &match (own, reference) {
                (None, _) => "Your model has the right solutions, but it does not say which of them is the best one.\n"
                    .to_owned(),
                (Some(_), None) => {
                    "Your model has the right solutions, but it has an objective, and the exercise has none.\n"
                        .to_owned()
                }
                (Some(own), Some(reference)) => {
                    let differs = match own == reference {
                        true => "Is a large value better, or a small one?".to_owned(),
                        false => format!("The value of your objective is {own}; the exercise's is {reference}."),
                    };
                    format!(
                        "Your model has the right solutions, but judges them in another way than the exercise. For example:\n\n{solution}\n{differs}\n"
                    )
                }
            };
        }
        Shortcoming::Slow => {
            *text += "Your model is too slow, or needs too much memory: the limits of this exercise ended the run.\n";
            *text += &result.report.as_deref().map(|report| format!("\n{}", block(report))).unwrap_or_default();
        }
        Shortcoming::Interface | Shortcoming::Syntax | Shortcoming::Types => {
            let report = result.report.as_deref().map(block).unwrap_or_default();
            let _ = write!(text, "The data do not fit your model:\n\n{report}");
        }
    }
}

/// How large the model is, where that is worth a word.
fn size(text: &mut String, exercise: &Exercise, grade: &Grade, constraints: usize) {
    let mut largest: Option<(u64, &Text)> = None;
    for ((own, reference), instance) in grade.results().iter().zip(&grade.reference).zip(&exercise.instances) {
        let times = own.terms / reference.terms.max(1);
        if own.shortcoming.is_none() && times >= LARGE && largest.is_none_or(|(most, _)| times > most) {
            largest = Some((times, instance));
        }
    }
    if let Some((times, instance)) = largest {
        let _ = write!(
            text,
            "\nYour model has {constraints} constraints, the reference {}. On `{}`, the solver gets a problem that is {times} times as \
             large as the reference's. Is there a shorter way to say the same?\n",
            grade.reference_constraints, instance.name
        );
    }
}

fn hint(text: &mut String, hint: Option<&str>) {
    if let Some(hint) = hint {
        let lines: Vec<String> = hint.lines().map(|line| format!("> {line}")).collect();
        let _ = write!(text, "\n{}\n", lines.join("\n"));
    }
}

/// A text of somebody else's as a block.
fn block(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines.map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {}\n", visible::line(line)) }).collect()
}
