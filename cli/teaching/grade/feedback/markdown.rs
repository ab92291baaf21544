//! Feedback in Markdown.
//!
//! Text from the submission is put into indented blocks without control characters, so that it cannot end the block.

use super::{Feedback, FeedbackCase, FeedbackPart, verdict_in_words};
use crate::teaching::grade::{exercise::Exercise, grades::Grade};
use conjure_like::visible;
use std::fmt::Write;

/// The feedback for a submission.
pub(in crate::teaching::grade) fn markdown(exercise: &Exercise, grade: &Grade) -> String {
    let Feedback { opening, cases, instances, closing } = Feedback::new(exercise, grade);
    let settings = &exercise.settings;
    let mut text =
        format!("# {}: {}\n\n**{} of {} points**\n", settings.title, grade.name, grade.points(), settings.points);
    let all = opening.into_iter().chain(cases.into_iter().flat_map(|FeedbackCase { parts, .. }| parts));
    text.extend(all.map(|part| format!("\n{}", paragraph(&part))));
    if !instances.is_empty() {
        text += "\n| instance | result |\n|---|---|\n";
        for (name, verdict) in instances {
            let _ = writeln!(text, "| {name} | {} |", verdict_in_words(verdict));
        }
    }
    text.extend(closing.iter().map(|part| format!("\n{}", paragraph(part))));
    text
}

fn paragraph(part: &FeedbackPart) -> String {
    match part {
        FeedbackPart::Says(says) => format!("{says}\n"),
        FeedbackPart::Hint(hint) => hint.lines().map(|line| format!("> {line}\n")).collect(),
        FeedbackPart::Data(text) => block(text),
        FeedbackPart::Solution(text, _) | FeedbackPart::Requirements(_, text) | FeedbackPart::Mistakes(_, text) => {
            block(text)
        }
    }
}

/// A text from the submission as an indented block.
fn block(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines.map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {}\n", visible::line(line)) }).collect()
}
