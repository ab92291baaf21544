//! Answers to questions about an instance, as data, as text, or as one line of JSON.

use super::{
    ConstraintInstance, Explanation, Finding, FindingKind, Findings, HintStep, ProofStep, Reason, RuleInWords,
    StepwiseProof, answer_json, rules,
};
use crate::{
    diagnostic::{Diagnostics, Label, terminal},
    halt::StopReason,
    instance::{GroundInstance, SolutionValues},
    json::compact,
    solution::{self, JsonShape},
    source::Sources,
};
use serde_json::{Map, Value, json};

/// The limit on findings in one list of the text. Chosen.
const MOST_FINDINGS: usize = 8;

/// An answer: its statement, and the explanation that supports it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The texts that the spans in the answer refer to.
    pub sources: Sources,
    /// Warnings about suspicious data.
    pub warnings: Diagnostics,
    /// False if a limit ended the search for a better answer.
    pub complete: bool,
    /// The reason why the search ended before there was an answer.
    pub stopped: Option<StopReason>,
    /// A description of an incomplete answer: "the best explanation so far".
    pub known: &'static str,
    /// The answer in one word, for programs.
    pub verdict: &'static str,
    /// The statement, for people.
    pub says: String,
    /// The requirements that support the statement.
    pub reasons: Vec<Reason>,
    /// The purpose and the other parts of the explanation, if the reasons are one.
    pub(crate) explanation: Option<(Purpose, Explanation)>,
    pub(crate) steps: Option<Steps>,
    /// The steps to a contradiction; the reasons are the requirements that they use.
    pub(crate) proof: Option<StepwiseProof>,
    /// The page with the steps, if one is wanted and there are steps.
    pub page: Option<String>,
    /// The solution in Essence and in JSON.
    pub solution: Option<(String, Value)>,
}

/// The purpose of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    NoSolution,
    /// Why a `where` rules out the data.
    NoInstance,
    Consequence,
    /// Why no solution is better than the best one.
    NothingBetter,
}

/// Steps towards a solution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    /// The values that single requirements give, such as `board[1, 1] = 2`.
    pub given: Vec<String>,
    pub taken: Vec<HintStep>,
    /// True if all steps were requested, not only the next one.
    pub all: bool,
    /// The end of the steps, in words.
    pub ending: String,
    /// The names with different values in different solutions.
    pub open: Vec<String>,
}

impl Answer {
    /// The value of [`Answer::known`] before anything is found.
    pub const NOTHING: &'static str = "nothing is known yet";

    pub(crate) fn new(verdict: &'static str, says: impl Into<String>) -> Self {
        Answer {
            sources: Sources::default(),
            warnings: Diagnostics::new(),
            complete: true,
            stopped: None,
            known: Answer::NOTHING,
            verdict,
            says: says.into(),
            reasons: Vec::new(),
            explanation: None,
            steps: None,
            proof: None,
            page: None,
            solution: None,
        }
    }

    /// The answer if a limit was reached before anything was found.
    pub(crate) fn unknown() -> Self {
        Answer { complete: false, ..Answer::new("unknown", "") }
    }

    /// Marks the answer with the reason why the search ended too early.
    pub(crate) fn ended_by(self, by: StopReason) -> Self {
        Answer { complete: false, stopped: Some(by), ..self }
    }

    /// Gives each requirement of the command line a separate text.
    pub(crate) fn with_added_apart(mut self) -> Self {
        let (sources, moved) = self.sources.with_added_apart();
        self.sources = sources;
        let steps = self.steps.iter_mut().flat_map(|steps| &mut steps.taken).flat_map(|step| &mut step.reasons);
        for label in self.reasons.iter_mut().chain(steps).flat_map(|reason| &mut reason.labels) {
            moved(&mut label.span);
        }
        for change in self.explanation.iter_mut().flat_map(|(_, explanation)| &mut explanation.changes) {
            moved(&mut change.edit.span);
        }
        self.warnings.iter_mut().for_each(|warning| warning.move_spans(&moved));
        self
    }

    pub(crate) fn with_reasons(self, reasons: Vec<Reason>) -> Self {
        Answer { reasons, ..self }
    }

    pub(crate) fn with_solution(self, instance: &GroundInstance, found: &SolutionValues) -> Self {
        let object = solution::json_values::solution_object(instance, found, &|_| true, JsonShape::Conjure);
        let solution = (solution::print(instance, found, 120), object);
        Answer { solution: Some(solution), ..self }
    }

    /// Adds an explanation of the statement.
    pub(crate) fn explained(self, purpose: Purpose, mut explanation: Explanation) -> Self {
        let complete = explanation.minimal;
        let reasons = std::mem::take(&mut explanation.reasons);
        Answer { complete, reasons, explanation: Some((purpose, explanation)), ..self }
    }

    /// The answer for requirements that contradict each other.
    pub(crate) fn conflict(verdict: &'static str, headline: &str, explanation: Explanation) -> Self {
        let says = match number_of(&explanation.reasons) {
            1 => format!("{headline}: this requirement cannot hold."),
            // Single requirements are often contradictory in themselves, so the plural has another wording.
            count => format!("{headline}: these {count} requirements cannot hold together."),
        };
        Answer::new(verdict, says).explained(Purpose::NoSolution, explanation)
    }

    /// The answer with the steps that show it: "There is no solution, as these 3 steps show."
    pub(crate) fn shown_by(verdict: &'static str, headline: &str, mut proof: StepwiseProof) -> Self {
        let says = match proof.length() {
            1 => format!("{headline}, as this step shows."),
            count => format!("{headline}, as these {count} steps show."),
        };
        let reasons = std::mem::take(&mut proof.reasons);
        Answer { proof: Some(proof), ..Answer::new(verdict, says).with_reasons(reasons) }
    }

    /// The rules behind the reasons, for readers who have no model: each rule once, with its instances.
    pub fn rules(&self) -> Vec<RuleInWords> {
        rules::rules(&self.reasons)
    }

    /// The answer as text for people, with source excerpts in colour if `color` is set.
    pub fn to_text(&self, color: bool) -> String {
        let mut text = String::new();
        if !self.says.is_empty() {
            text += &self.says;
            text += "\n";
        }
        if let Some(proof) = &self.proof {
            text += "\n";
            text += &proof.text();
            // A line above the items says where the steps come from.
            text += match number_of(&self.reasons) {
                1 => "\nThe requirement that is used:\n",
                _ => "\nThe requirements that are used:\n",
            };
        }
        if !self.reasons.is_empty() {
            text += "\n";
            text += &reasons_text(&self.sources, &self.reasons, color);
        }
        if let Some((purpose, explanation)) = &self.explanation {
            text += all_are_needed(*purpose, explanation.minimal, number_of(&self.reasons));
            text += &changes_text(*purpose, explanation);
            text += &explanation.notes.iter().map(|note| format!("\nNote: {note}.\n")).collect::<String>();
        }
        if let Some(steps) = &self.steps {
            text += &steps.text(&self.sources, color);
        }
        // The solution comes last, because it can be long.
        if let Some((essence, _)) = &self.solution {
            text += "\n";
            text += essence;
        }
        text
    }

    /// The answer for programs, an object on one line. It includes the name of the instance if there is one.
    pub fn to_json(&self, instance: Option<&str>) -> String {
        // Readers of several answers look for the instance, so its name comes first.
        let mut named = Map::new();
        if let Some(instance) = instance {
            named.insert("instance".to_owned(), instance.into());
        }
        if let Value::Object(members) = self.to_value() {
            named.extend(members);
        }
        compact(&named.into())
    }

    /// The answer for programs as an object.
    pub fn to_value(&self) -> Value {
        let sources = &self.sources;
        let mut object = json!({});
        object["verdict"] = self.verdict.into();
        object["says"] = self.says.as_str().into();
        if !self.reasons.is_empty() {
            object["reasons"] = answer_json::reasons_as_json(&self.reasons, sources);
            let rules = self.rules();
            if !rules.is_empty() {
                object["rules"] = answer_json::rules_as_json(&rules);
            }
        }
        if let Some((_, explanation)) = &self.explanation {
            object["minimal"] = explanation.minimal.into();
            object["changes"] = answer_json::changes_as_json(&explanation.changes, sources);
            object["notes"] = explanation.notes.as_slice().into();
        }
        if let Some(proof) = &self.proof {
            object["given"] = proof.given.as_slice().into();
            object["steps"] = answer_json::proof_as_json(&proof.steps, sources);
        }
        if let Some(steps) = &self.steps {
            object["given"] = steps.given.as_slice().into();
            object["steps"] = answer_json::steps_as_json(&steps.taken, sources);
            object["open"] = steps.open.as_slice().into();
        }
        if let Some((_, solution)) = &self.solution {
            object["solution"] = solution.clone();
        }
        object
    }
}

impl Steps {
    fn text(&self, sources: &Sources, color: bool) -> String {
        let lines = |step: &HintStep, mark: &str| {
            step.lines.iter().map(|line| format!("{mark}{}\n", line.text)).collect::<String>()
        };
        let mut text = String::new();
        match self.taken.as_slice() {
            // If only one step was requested, it shows its requirements in full.
            [step] if !self.all => {
                text += &format!("Next: {}\n\n{}\n", step.says, lines(step, "  - "));
                text += &reasons_text(sources, &step.reasons, color);
            }
            steps => {
                for (step, number) in steps.iter().zip(1..) {
                    text += &step.text(number, "");
                }
            }
        }
        if !self.taken.is_empty() && !self.ending.is_empty() {
            text += "\n";
        }
        text + &self.ending
    }
}

impl HintStep {
    /// The step with its number, on one line if its only sentence starts with the conclusion.
    fn text(&self, number: usize, margin: &str) -> String {
        match self.lines.as_slice() {
            [line] if line.text.starts_with(&self.says) => format!("{margin}{number:>3}. {}\n", line.text),
            lines => {
                let lines = lines.iter().map(|line| format!("{margin}       {}\n", line.text)).collect::<String>();
                format!("{margin}{number:>3}. {}\n{lines}", self.says)
            }
        }
    }
}

impl StepwiseProof {
    fn text(&self) -> String {
        fn steps(taken: &[ProofStep], margin: &str) -> String {
            let one = |step: &ProofStep| match step {
                ProofStep::Taken(number, step) => step.text(*number, margin),
                ProofStep::Supposed(number, says, _, inside) => {
                    format!("{margin}{number:>3}. Suppose that {says}.\n{}", steps(inside, &format!("{margin}     ")))
                }
            };
            taken.iter().map(one).collect()
        }
        steps(&self.steps, "")
    }
}

/// The numbered reasons, and the source excerpt that shows them. Reasons of one rule have its words above them.
fn reasons_text(sources: &Sources, reasons: &[Reason], color: bool) -> String {
    let mut text = String::new();
    let mut labels: Vec<Label> = Vec::new();
    let mut number = 0;
    for rule in reasons.chunk_by(rules::is_same_rule) {
        if rule.len() > 1 {
            text += &format!("      {}:\n", rules::together(rule).headline());
        }
        for reason in rule {
            number += 1;
            // The words come first; readers who know Essence find the statement below them.
            let words = match reason.instances.as_slice() {
                _ if rule.len() > 1 || reason.words.is_empty() => String::new(),
                [] => format!("{}\n      ", reason.words),
                _ => format!("{}\n      ", reason.words.headline()),
            };
            text += &format!("{number:>4}. {words}");
            text += &reason_text(reason);
            add_labels(number, reason, &mut labels);
        }
    }
    text.push('\n');
    text + &terminal::source_excerpt(&labels, sources, color)
}

/// The statement of a reason, and what is known about it.
fn reason_text(reason: &Reason) -> String {
    let with = match (reason.with.as_str(), reason.instances.is_empty()) {
        ("", _) => String::new(),
        (with, true) => format!("   ({with})"),
        (with, false) => format!("   for {with}"),
    };
    let mut text = format!("{}{with}\n", reason.says);
    if !reason.reads.is_empty() && reason.reads != reason.says {
        text += &format!("      in units: {}\n", reason.reads);
    }
    text += &findings(&reason.findings, "      ");
    text + &false_instances(&reason.instances)
}

/// Adds the labels of a reason with its number.
fn add_labels(number: usize, reason: &Reason, labels: &mut Vec<Label>) {
    for Label { span, text } in &reason.labels {
        let ending = if text.is_empty() { String::new() } else { format!(" {text}") };
        // Several reasons may have the same place. Their numbers go into one label, before its text.
        let same = |label: &&mut Label| label.span == *span && label.text.ends_with(&format!("){ending}"));
        match labels.iter_mut().find(same) {
            Some(label) => {
                label.text.truncate(label.text.len() - ending.len());
                label.text += &format!(" ({number}){ending}");
            }
            None => labels.push(Label { span: *span, text: format!("({number}){ending}") }),
        }
    }
}

/// The number of requirements; a reason may stand for several instances.
pub(crate) fn number_of(reasons: &[Reason]) -> usize {
    reasons.iter().map(|reason| reason.instances.len().max(1)).sum()
}

/// The findings about a constraint, one in each line.
pub(crate) fn findings(findings: &Findings, margin: &str) -> String {
    let shown = findings.shown.iter().take(MOST_FINDINGS);
    let mut text: String = shown.map(|finding| format!("{margin}{}\n", finding_sentence(finding))).collect();
    // Findings that were not kept count, too.
    let more = findings.more + findings.shown.len().saturating_sub(MOST_FINDINGS);
    if more > 0 {
        text += &format!("{margin}and {more} more\n");
    }
    text
}

fn finding_sentence(finding: &Finding) -> String {
    let with = if finding.with.is_empty() { String::new() } else { format!("{}: ", finding.with) };
    let says = &finding.says;
    let because = finding.because.as_deref().map_or(String::new(), |because| format!(": {because}"));
    match finding.kind {
        FindingKind::True => format!("{with}{says} is true"),
        FindingKind::False => format!("{with}{says} is false"),
        FindingKind::Undefined => format!("{with}{says} has no value{because}"),
        FindingKind::Empty => format!("{with}{says} has no elements"),
        FindingKind::Required => format!("{with}{says} must be defined"),
    }
}

/// The false instances of a constraint, and the terms that must be defined in the others.
fn false_instances(instances: &[ConstraintInstance]) -> String {
    let of = |said: &ConstraintInstance| said.findings.shown.first().map(|finding| finding.kind);
    // These findings are terms and not instances, so one line is enough for all of them.
    let needed: Vec<&Finding> = (instances.iter().filter(|said| of(said) == Some(FindingKind::Required)))
        .flat_map(|said| &said.findings.shown)
        .collect();
    let shown_instances: Vec<&ConstraintInstance> =
        instances.iter().filter(|said| !matches!(of(said), None | Some(FindingKind::Required))).collect();
    let mut text = String::new();
    if !needed.is_empty() {
        let shown: Vec<&str> = needed.iter().take(MOST_FINDINGS).map(|finding| &*finding.says).collect();
        let more = match needed.len() - shown.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        text += &format!("      {}{more} must be defined\n", shown.join(", "));
    }
    for said in shown_instances.iter().take(MOST_FINDINGS) {
        text += &format!("      {}\n{}", said.says, findings(&said.findings, "        "));
    }
    if shown_instances.len() > MOST_FINDINGS {
        text += &format!("      and {} more\n", shown_instances.len() - MOST_FINDINGS);
    }
    text
}

/// The sentence about minimality.
fn all_are_needed(purpose: Purpose, minimal: bool, count: usize) -> &'static str {
    match (minimal, count, purpose) {
        (false, ..) => "\nThis may not be minimal: the search for a smaller explanation was cut short.\n",
        (true, 0 | 1, _) => "",
        (true, _, Purpose::Consequence) => {
            "\nAll of them are needed: if you leave out any one, it no longer follows.\n"
        }
        (true, 2, _) => "\nEach of the two can hold without the other.\n",
        (true, ..) => "\nAll of them are needed: if you leave out any one, the others can hold together.\n",
    }
}

fn changes_text(purpose: Purpose, explanation: &Explanation) -> String {
    if explanation.changes.is_empty() {
        return match explanation.none_is_enough {
            true if purpose == Purpose::NothingBetter => {
                "\nLeaving out one of these is not enough: the model rules out better solutions in other ways, too.\n"
                    .to_owned()
            }
            true => "\nLeaving out one of these is not enough: the model has other contradictions, too.\n".to_owned(),
            false => String::new(),
        };
    }
    let mut text = match purpose {
        Purpose::NoInstance => "\nAny one of these changes makes the data acceptable:\n".to_owned(),
        Purpose::NothingBetter => "\nAny one of these changes makes a better solution possible:\n".to_owned(),
        _ => "\nAny one of these changes makes a solution possible:\n".to_owned(),
    };
    for change in &explanation.changes {
        text += &format!("  - {}\n", change.says);
    }
    text
}
