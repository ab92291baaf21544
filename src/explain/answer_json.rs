//! Explanations as JSON: reasons with spans as in diagnostics, changes, and steps. Reasons are numbered from 1.

use super::{
    Change, ChangeKind, ConstraintInstance, Finding, Findings, HintStep, InWords, ProofStep, Reason, RuleInWords,
};
use crate::{
    diagnostic::{Label, json_lines::label_object},
    source::Sources,
};
use serde_json::{Value, json};

/// The reasons: `[{"says", "reads", "with", "words", "words_in", "comes_to", "places", "instances"}]`.
pub(crate) fn reasons_as_json(reasons: &[Reason], sources: &Sources) -> Value {
    let one = |reason: &Reason| {
        let mut object = json!({
            "says": reason.says,
            "with": reason.with,
            "comes_to": comes_to(&reason.findings),
            "places": reason.labels.iter().map(|label| label_object(label, sources)).collect::<Value>(),
        });
        // Answers without units stay small if this is left out of them.
        if !reason.reads.is_empty() && reason.reads != reason.says {
            object["reads"] = reason.reads.as_str().into();
        }
        put_words(&mut object, &reason.words);
        if !reason.instances.is_empty() {
            object["instances"] = reason.instances.iter().map(instance_as_json).collect();
        }
        object
    };
    reasons.iter().map(one).collect()
}

/// The rules: `[{"says", "names", "says_in", "domain", "reasons"}]`.
pub(crate) fn rules_as_json(rules: &[RuleInWords]) -> Value {
    let one = |rule: &RuleInWords| {
        let mut object = json!({
            "says": rule.says,
            "names": rule.names,
            "reasons": rule.reasons.iter().map(|position| position + 1).collect::<Value>(),
        });
        if !rule.translations.is_empty() {
            object["says_in"] = json!(rule.translations);
        }
        if let Some(domain) = &rule.domain {
            object["domain"] = json!({
                "what": domain.what,
                "attribute": domain.attribute,
                "counted": domain.counted,
                "least": domain.least,
                "most": domain.most,
            });
        }
        object
    };
    rules.iter().map(one).collect()
}

/// An instance of a constraint: `{"says", "with", "words", "words_in", "comes_to"}`.
fn instance_as_json(said: &ConstraintInstance) -> Value {
    let mut object = json!({"says": said.says, "with": said.with, "comes_to": comes_to(&said.findings)});
    put_words(&mut object, &said.words);
    object
}

/// Adds the words of a rule, if there are some, and the words for readers of other languages.
fn put_words(object: &mut Value, words: &InWords) {
    if !words.is_empty() {
        object["words"] = words.to_string().into();
    }
    if !words.translations.is_empty() {
        object["words_in"] = words.translations.iter().cloned().collect();
    }
}

/// The values of the parts of a constraint: `[{"with", "says", "is", "because"}]`.
fn comes_to(findings: &Findings) -> Value {
    let one = |finding: &Finding| {
        let Finding { with, says, kind, because } = finding;
        json!({"with": with, "says": says, "is": kind.to_string(), "because": because})
    };
    findings.shown.iter().map(one).collect()
}

/// The changes that make the instance solvable: `[{"reason", "change", "says", "place", "text", …}]`.
pub(crate) fn changes_as_json(changes: &[Change], sources: &Sources) -> Value {
    let one = |change: &Change| {
        let reason = change.reasons.first().map_or(0, |position| position + 1);
        let mut object = match &change.kind {
            ChangeKind::LeaveOut => json!({"reason": reason, "change": "leave out"}),
            ChangeKind::Exception => json!({"reason": reason, "change": "exception"}),
            ChangeKind::LeaveOutEntry(entry) => json!({"reason": reason, "change": "leave out entry", "entry": entry}),
            ChangeKind::Number(from, to) => json!({"reason": reason, "change": "other number", "from": from, "to": to}),
        };
        object["says"] = change.says.as_str().into();
        object["place"] = label_object(&Label { span: change.edit.span, text: String::new() }, sources);
        object["text"] = change.edit.text.as_str().into();
        object
    };
    changes.iter().map(one).collect()
}

/// The steps of a hint: `[{"says", "because", "reasons"}]`.
pub(crate) fn steps_as_json(steps: &[HintStep], sources: &Sources) -> Value {
    steps.iter().map(|one| step(one, sources)).collect()
}

fn step(step: &HintStep, sources: &Sources) -> Value {
    let because: Value = step.lines.iter().map(|line| line.text.as_str()).collect();
    json!({"says": step.says, "because": because, "reasons": reasons_as_json(&step.reasons, sources)})
}

/// The steps of a refutation: `[{"number", "says", "because", "reasons"}]`; for a supposition,
/// `{"number", "suppose", "steps"}`.
pub(crate) fn proof_as_json(steps: &[ProofStep], sources: &Sources) -> Value {
    let one = |taken: &ProofStep| match taken {
        ProofStep::Taken(number, taken) => {
            let mut object = step(taken, sources);
            object["number"] = (*number).into();
            object
        }
        ProofStep::Supposed(number, says, _, inside) => {
            json!({"number": number, "suppose": says, "steps": proof_as_json(inside, sources)})
        }
    };
    steps.iter().map(one).collect()
}
