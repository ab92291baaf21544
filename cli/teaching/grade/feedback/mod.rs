//! Feedback for the author of a submission. `markdown` and `html` format it.

mod html;
mod markdown;

pub(super) use html::{code, html};
pub(super) use markdown::markdown;

use super::{exercise::Exercise, grades::Grade, job::InstanceResult, supervisor::WorkerVerdict};
use conjure_like::{Shortcoming, Text, data_statements};
use serde_json::Value;

/// The maximum number of lines of data that are shown. Chosen.
const MOST_LINES: usize = 12;

/// A submission gets a remark if its problem has this many times the terms of the reference's. Chosen.
const LARGE: u64 = 3;

/// Feedback for a submission.
#[derive(Default)]
pub(super) struct Feedback<'a> {
    pub opening: Vec<FeedbackPart<'a>>,
    /// One example for each shortcoming.
    pub cases: Vec<FeedbackCase<'a>>,
    /// The result on each instance, unless they are all the same; `None` if the instance was not tried.
    pub instances: Vec<(&'a str, Option<InstanceVerdict>)>,
    pub closing: Vec<FeedbackPart<'a>>,
}

/// `Ok` if a submission is right on an instance, or its shortcoming.
pub(super) type InstanceVerdict = Result<(), Shortcoming>;

/// A shortcoming, with the solution that shows it.
pub(super) struct FeedbackCase<'a> {
    pub kind: Shortcoming,
    pub parts: Vec<FeedbackPart<'a>>,
}

/// A part of the feedback. Sentences never contain text from the submission.
pub(super) enum FeedbackPart<'a> {
    /// Our own sentences, with names in backquotes.
    Says(String),
    /// Lines of Essence.
    Data(String),
    /// A solution with its picture.
    Solution(&'a str, Option<&'a str>),
    /// The requirements that refuse a solution, as JSON and as text.
    Requirements(&'a [Value], &'a str),
    /// The mistakes in a text, as JSON and as text.
    Mistakes(&'a [Value], &'a str),
    /// A hint by the lecturer.
    Hint(&'a str),
}

use FeedbackPart::{Data, Hint, Mistakes, Requirements, Says, Solution};

impl<'a> Feedback<'a> {
    pub(super) fn new(exercise: &'a Exercise, grade: &'a Grade) -> Self {
        match &grade.verdict {
            WorkerVerdict::Fault(_) => {
                let says = "The submission was not graded. This is not your fault.";
                Feedback { opening: vec![Says(says.to_owned())], ..Feedback::default() }
            }
            WorkerVerdict::Unfit(unfit) => {
                Feedback { opening: vec![Mistakes(&[], &unfit.says)], ..Feedback::default() }
            }
            WorkerVerdict::Rejected(kind, report) => {
                let says = match kind {
                    Shortcoming::Syntax => Some("Your model cannot be read:"),
                    Shortcoming::Types => Some("Your model has mistakes:"),
                    // The report itself gives the reason.
                    Shortcoming::Slow => None,
                    _ => Some("Your model does not have the variables of the exercise:"),
                };
                let mut opening: Vec<FeedbackPart> = says.map(|says| Says(says.to_owned())).into_iter().collect();
                opening.push(Mistakes(&report.diagnostics, &report.text));
                opening.extend(exercise.settings.hint(*kind).map(Hint));
                Feedback { opening, ..Feedback::default() }
            }
            WorkerVerdict::Compared { results, constraints } => Feedback {
                opening: vec![Says(summary(exercise, grade, results))],
                cases: cases(exercise, results),
                instances: instances_of_results(exercise, results),
                closing: model_size(exercise, grade, *constraints).into_iter().collect(),
            },
        }
    }
}

fn number_of_right(results: &[InstanceResult]) -> usize {
    results.iter().filter(|result| result.shortcoming.is_none()).count()
}

fn summary(exercise: &Exercise, grade: &Grade, results: &[InstanceResult]) -> String {
    let (right, all) = (number_of_right(results), exercise.instances.len());
    let mut says = match (right == all, all) {
        (true, 1) => "Your model is right.".to_owned(),
        (true, _) => format!("Your model is right on all {all} instances."),
        (false, 1) => "Your model is not right yet.".to_owned(),
        (false, _) => format!("Your model is right on {right} of {all} instances."),
    };
    if results.iter().any(|result| result.shortcoming.is_none() && !result.complete) {
        says += "\nOn an instance with many solutions, a thousand of them were compared.";
    }
    for line in grade.weighing(exercise).lines() {
        says += "\n";
        says += line;
    }
    says
}

/// The first example of each shortcoming.
fn cases<'a>(exercise: &'a Exercise, results: &'a [InstanceResult]) -> Vec<FeedbackCase<'a>> {
    let case = |kind| {
        // Instances are ordered by difficulty, so the first one with this shortcoming is the easiest.
        let first = results.iter().zip(&exercise.instances).find(|(result, _)| result.kind() == Some(kind));
        let (result, instance) = first?;
        let mut parts = shown_shortcoming(exercise, kind, result, instance);
        parts.extend(result.hint.as_deref().map(Hint));
        parts.extend(exercise.settings.hint(kind).map(Hint));
        Some(FeedbackCase { kind, parts })
    };
    Shortcoming::ALL.into_iter().filter_map(case).collect()
}

fn instances_of_results<'a>(
    exercise: &'a Exercise,
    results: &[InstanceResult],
) -> Vec<(&'a str, Option<InstanceVerdict>)> {
    let all = exercise.instances.len();
    if all == 1 || number_of_right(results) == all {
        return Vec::new();
    }
    let verdict = |result: &InstanceResult| result.kind().map_or(Ok(()), Err);
    let instances = exercise.instances.iter().enumerate();
    instances.map(|(at, instance)| (instance.name.as_str(), results.get(at).map(verdict))).collect()
}

/// The result on an instance, in words.
pub(super) fn verdict_in_words(verdict: Option<InstanceVerdict>) -> &'static str {
    match verdict {
        None => "not tried, because the one before was too slow",
        Some(Ok(())) => "right",
        Some(Err(kind)) => match kind {
            Shortcoming::Syntax => "not Essence",
            Shortcoming::Types => "mistakes in names or types",
            Shortcoming::Interface => "does not fit the data",
            Shortcoming::Allows => "allows too much",
            Shortcoming::Refuses => "refuses too much",
            Shortcoming::Objective => "another objective",
            Shortcoming::Slow => "too slow",
        },
    }
}

/// A shortcoming with the solution that shows it.
fn shown_shortcoming<'a>(
    exercise: &'a Exercise,
    kind: Shortcoming,
    result: &'a InstanceResult,
    instance: &'a Text,
) -> Vec<FeedbackPart<'a>> {
    let says = |text: &str| Says(text.to_owned());
    let mut parts = Vec::new();
    // If there is only one instance, its name says nothing.
    if exercise.instances.len() > 1 {
        parts.push(Says(format!("On the instance `{}`:", instance.name)));
        let data = data_statements(&instance.text);
        if (1..=MOST_LINES).contains(&data.lines().count()) {
            parts.push(Data(data.trim_end().to_owned()));
        }
    }
    let solution = result.solution.as_deref().map(|solution| Solution(solution, result.picture.as_deref()));
    let because = || {
        let text = result.because.as_deref().unwrap_or_default();
        if result.reasons.is_empty() {
            Mistakes(&result.diagnostics, text)
        } else {
            Requirements(&result.reasons, text)
        }
    };
    let report = result.report.as_deref().map(|report| Mistakes(&result.diagnostics, report));
    match kind {
        Shortcoming::Allows => {
            parts.push(says("Your model allows this, but it is not a solution of the exercise:"));
            parts.extend(solution);
            // The requirements of the reference would give away the solution of the exercise.
            if exercise.settings.reveal {
                parts.extend([says("The reference says:"), because()]);
            }
        }
        Shortcoming::Refuses => {
            parts.push(says("This is a solution of the exercise, but your model refuses it:"));
            parts.extend(solution);
            parts.extend([says("Your model says:"), because()]);
        }
        Shortcoming::Objective => match result.objectives.clone().unwrap_or_default() {
            [None, _] => parts
                .push(says("Your model has the right solutions, but it does not say which of them is the best one.")),
            [Some(_), None] => parts
                .push(says("Your model has the right solutions, but it has an objective, and the exercise has none.")),
            [Some(own), Some(reference)] => {
                parts.push(says(
                    "Your model has the right solutions, but judges them differently from the exercise. \
                    For example:",
                ));
                parts.extend(solution);
                // If the values are equal, only the senses of the objectives differ.
                parts.push(Says(match own == reference {
                    true => "Is a large value better, or a small one?".to_owned(),
                    false => format!("The value of your objective is {own}; the exercise's is {reference}."),
                }));
            }
        },
        Shortcoming::Slow => {
            parts.push(says(
                "Your model is too slow, or needs too much memory: the limits of this exercise ended the run.",
            ));
            parts.extend(report);
        }
        Shortcoming::Interface | Shortcoming::Syntax | Shortcoming::Types => {
            parts.push(says("The data do not fit your model:"));
            parts.extend(report);
        }
    }
    parts
}

/// A remark on the size of the model, if it is much larger than the reference.
fn model_size<'a>(exercise: &Exercise, grade: &Grade, constraints: usize) -> Option<FeedbackPart<'a>> {
    // A short model can be a large problem, so sizes are compared after lowering.
    let mut largest: Option<(u64, &Text)> = None;
    for ((own, reference), instance) in grade.results().iter().zip(&grade.reference).zip(&exercise.instances) {
        let times = own.terms / reference.terms.max(1);
        // The first instance with the largest factor is shown; only correct results have comparable sizes.
        if own.shortcoming.is_none() && times >= LARGE && largest.is_none_or(|(most, _)| times > most) {
            largest = Some((times, instance));
        }
    }
    let (times, instance) = largest?;
    Some(Says(format!(
        "Your model has {constraints} constraints, the reference {}. On `{}`, the solver gets a problem that is \
        {times} times as \
         large as the reference's. Is there a shorter way to say the same?",
        grade.reference_constraints, instance.name
    )))
}
