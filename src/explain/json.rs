//! Explanations as JSON: reasons with their places as in diagnostics, changes, and steps. Reasons are numbered from 1.

use super::{Change, ChangeKind, ComesTo, Finding, Reason, Said, Step};
use crate::{
    diagnostic::{
        Label,
        json::{array, place, quoted, texts},
    },
    source::Sources,
};

/// `[{"says", "with", "comes_to", "places", "instances"}]`
pub fn reasons(reasons: &[Reason], sources: &Sources) -> String {
    let one = |reason: &Reason| {
        let comes_to = comes_to(&reason.comes_to);
        let places = array(reason.places.iter().map(|label| place(label, sources)));
        let instances = match reason.instances.is_empty() {
            true => String::new(),
            false => format!(r#","instances":{}"#, array(reason.instances.iter().map(instance))),
        };
        let (says, with) = (quoted(&reason.says), quoted(&reason.with));
        format!(r#"{{"says":{says},"with":{with},"comes_to":{comes_to},"places":{places}{instances}}}"#)
    };
    array(reasons.iter().map(one))
}

/// `{"says", "with", "comes_to"}`
fn instance(said: &Said) -> String {
    let (says, with) = (quoted(&said.says), quoted(&said.with));
    format!(r#"{{"says":{says},"with":{with},"comes_to":{}}}"#, comes_to(&said.comes_to))
}

/// `[{"with", "says", "is", "because"}]`
fn comes_to(comes_to: &ComesTo) -> String {
    let one = |finding: &Finding| {
        let because = finding.because.as_deref().map_or("null".to_owned(), quoted);
        let (with, says, is) = (quoted(&finding.with), quoted(&finding.says), quoted(finding.is.word()));
        format!(r#"{{"with":{with},"says":{says},"is":{is},"because":{because}}}"#)
    };
    array(comes_to.findings.iter().map(one))
}

/// `[{"reason", "change", "says", "place", "text", …}]`
pub fn changes(changes: &[Change], sources: &Sources) -> String {
    let one = |change: &Change| {
        let what = match &change.kind {
            ChangeKind::LeaveOut => r#""change":"leave out""#.to_owned(),
            ChangeKind::Exception => r#""change":"exception""#.to_owned(),
            ChangeKind::LeaveOutEntry(entry) => format!(r#""change":"leave out entry","entry":{}"#, quoted(entry)),
            ChangeKind::Number(from, to) => format!(r#""change":"other number","from":{from},"to":{to}"#),
        };
        let reason = change.reasons.first().map_or(0, |position| position + 1);
        let place = place(&Label { span: change.edit.span, text: String::new() }, sources);
        let (says, text) = (quoted(&change.says), quoted(&change.edit.text));
        format!(r#"{{"reason":{reason},{what},"says":{says},"place":{place},"text":{text}}}"#)
    };
    array(changes.iter().map(one))
}

/// `[{"says", "because", "reasons"}]`
pub fn steps(steps: &[Step], sources: &Sources) -> String {
    let one = |step: &Step| {
        let lines: Vec<String> = step.lines.iter().map(|line| line.text.clone()).collect();
        let (says, because) = (quoted(&step.says), texts(&lines));
        format!(r#"{{"says":{says},"because":{because},"reasons":{}}}"#, reasons(&step.reasons, sources))
    };
    array(steps.iter().map(one))
}
