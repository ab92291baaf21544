//! Common shortcomings of submissions: requirements of the reference that they miss, requirements that refuse too much,
//! and mistakes.

use super::{exercise::Exercise, grades::Grade, job::InstanceResult, supervisor::WorkerVerdict};
use conjure_like::{Shortcoming, counted, visible};
use serde_json::Value;
use std::{cmp::Reverse, collections::BTreeSet};

/// A shortcoming, and the submissions that share it.
pub(super) struct CommonShortcoming {
    /// The result of these submissions in the tables: `allows`.
    pub result: &'static str,
    /// The description of these submissions in words: `allow what the reference forbids`.
    pub words: String,
    /// The requirement or the message.
    pub about: Option<String>,
    /// The hint that the authors got.
    pub hint: Option<String>,
    /// The indices of the grades.
    pub grades: Vec<usize>,
}

/// The shortcomings, the most frequent first.
pub(super) fn frequent_shortcomings(grades: &[Grade]) -> Vec<CommonShortcoming> {
    let mut findings: Vec<CommonShortcoming> = Vec::new();
    for (at, grade) in grades.iter().enumerate() {
        let mut seen = BTreeSet::new();
        for (result, words, about, hint) in shortcomings(grade) {
            // A submission counts once, even if it has the shortcoming on several instances.
            if !seen.insert((result, words.clone(), about.clone())) {
                continue;
            }
            let known = findings
                .iter_mut()
                .find(|known| (known.result, &known.words, &known.about) == (result, &words, &about));
            match known {
                Some(known) => known.grades.push(at),
                None => findings.push(CommonShortcoming { result, words, about, hint, grades: vec![at] }),
            }
        }
    }
    findings.sort_by_key(|finding| Reverse(finding.grades.len()));
    findings
}

/// The result, its description, the requirement or message, and the hint.
type ShownShortcoming = (&'static str, String, Option<String>, Option<String>);

fn shortcomings(grade: &Grade) -> Vec<ShownShortcoming> {
    match &grade.verdict {
        WorkerVerdict::Fault(_) => vec![(grade.result(), "were not graded".to_owned(), None, None)],
        WorkerVerdict::Unfit(unfit) => vec![(unfit.result, unfit.many().to_owned(), None, None)],
        WorkerVerdict::Rejected(kind, report) => {
            let words = match kind {
                Shortcoming::Syntax => "cannot be read",
                Shortcoming::Types => "have mistakes in names or types",
                Shortcoming::Slow => "could not be read within the limits",
                _ => "do not have the variables of the exercise",
            };
            // Errors in syntax and types differ between authors, but a missing variable always gives the same message.
            let messages = report.diagnostics.iter().filter(|diagnostic| diagnostic["severity"] == "error");
            let messages = messages.filter(|_| *kind == Shortcoming::Interface);
            let about = |message: &Value| message["message"].as_str().map(str::to_owned);
            let mut seen: Vec<ShownShortcoming> =
                messages.map(|message| (kind.name(), words.to_owned(), about(message), None)).collect();
            if seen.is_empty() {
                seen.push((kind.name(), words.to_owned(), None, None));
            }
            seen
        }
        WorkerVerdict::Compared { results, .. } => results.iter().flat_map(shortcomings_of_instance).collect(),
    }
}

fn shortcomings_of_instance(result: &InstanceResult) -> Vec<ShownShortcoming> {
    let Some(kind) = result.kind() else { return Vec::new() };
    let one = |words: &str| vec![(kind.name(), words.to_owned(), None, None)];
    let each = |words: &str| -> Vec<ShownShortcoming> {
        // Only the first requirement gets the hint.
        let mut hint = result.hint.clone();
        let seen = |broken: &String| (kind.name(), words.to_owned(), Some(broken.clone()), hint.take());
        result.broken.iter().map(seen).collect()
    };
    match kind {
        Shortcoming::Allows => each("allow what this requirement forbids"),
        Shortcoming::Refuses => each("refuse solutions with their own requirement"),
        Shortcoming::Objective => one(match result.objectives.as_ref() {
            Some([None, _]) => "have no objective",
            Some([Some(_), None]) => "have an objective, although the exercise has none",
            Some([own, reference]) if own == reference => "minimise instead of maximising, or the reverse",
            _ => "have another objective",
        }),
        Shortcoming::Slow => one("are too slow, or need too much memory"),
        _ => {
            let message = result.diagnostics.first().and_then(|diagnostic| diagnostic["message"].as_str());
            vec![(kind.name(), "do not fit the data".to_owned(), message.map(str::to_owned), None)]
        }
    }
}

/// A line for the terminal for each shortcoming that at least two submissions share.
pub(super) fn statistics_text(grades: &[Grade]) -> String {
    let shared = frequent_shortcomings(grades).into_iter().filter(|finding| finding.grades.len() > 1);
    let line = |finding: CommonShortcoming| {
        let about = finding.about.map_or(String::new(), |about| format!(": {}", visible::line(&about)));
        format!("{} of {} {}{about}\n", finding.grades.len(), grades.len(), finding.words)
    };
    shared.map(line).collect()
}

/// The numbers of all submissions, of the right ones, and the median of the points, in words.
pub(super) fn grades_summary(exercise: &Exercise, grades: &[Grade]) -> String {
    let right = grades.iter().filter(|grade| grade.result() == "right").count();
    let mut tenths: Vec<u32> = grades.iter().map(Grade::tenths).collect();
    tenths.sort_unstable();
    let median = tenths.get(tenths.len() / 2).copied().unwrap_or_default();
    let (submissions, points) = (counted(grades.len(), "submission"), exercise.settings.points);
    format!("{submissions}, {right} right. The median is {} of {points} points.", f64::from(median) / 10.0)
}
