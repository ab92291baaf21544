//! Explanations as JSON: reasons with their places as in diagnostics, changes, and steps. Reasons are numbered from 1.

use super::{Change, ComesTo, Finding, Reason, Said, Step};
use crate::{
    diagnostic::json::{array, place, quoted, texts},
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

/// `[{"reason", "change", …}]`
pub fn changes(changes: &[Change]) -> String {
    let one = |change: &Change| {
        let (position, what) = match change {
            Change::LeaveOut(position) => (position, r#""change":"leave out""#.to_owned()),
            Change::LeaveOutEntry(position, entry) => {
                (position, format!(r#""change":"leave out entry","entry":{}"#, quoted(entry)))
            }
            Change::Bound(position, from, to) => {
                (position, format!(r#""change":"other number","from":{from},"to":{to}"#))
            }
        };
        format!(r#"{{"reason":{},{what}}}"#, position + 1)
    };
    array(changes.iter().map(one))
}

/// `[{"says", "because", "reasons"}]`
pub fn steps(steps: &[Step], sources: &Sources) -> String {
    let one = |step: &Step| {
        let (says, because) = (quoted(&step.says), texts(&step.lines));
        format!(r#"{{"says":{says},"because":{because},"reasons":{}}}"#, reasons(&step.reasons, sources))
    };
    array(steps.iter().map(one))
}
