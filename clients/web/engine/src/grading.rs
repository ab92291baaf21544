//! Answers to exercises, compared with the exercise's reference.

use crate::{
    answer::{Outcome, diagnostics, write},
    places::with_positions,
    request::{self, Request},
};
use conjure_like::{
    CompareOptions, Comparison, Difference, DifferenceKind, GradedInstance, Model, Refusal, Shortcoming, Submission,
    Text,
};
use serde_json::{Value, json};

/// The seed for instances that are made up, as in `conjure-like grade`.
const SEED: u32 = 1;

pub(crate) fn grade(request: &Request, grade: &request::Grade) -> Outcome {
    let reference = Model::read(&Text::from(&grade.reference))?;
    let submission = match Submission::read(&reference, &request.model()?) {
        Ok(submission) => submission,
        Err(rejected) => {
            let diagnostics = diagnostics(&rejected.report);
            return Ok(json!({"rejected": rejected.shortcoming.name(), "diagnostics": diagnostics, "results": []}));
        }
    };
    let instances = instances(&reference, grade)?;
    let mut results = Vec::new();
    for data in &instances {
        let graded = submission.on(std::slice::from_ref(data), &grade.limit.options(Some(SEED)))?;
        let is_slow = graded.shortcoming == Some(Shortcoming::Slow);
        results.push(result(data, &graded));
        write("progress", &json!({"graded": results.len(), "of": instances.len()}));
        if is_slow {
            break;
        }
    }
    Ok(json!({"rejected": null, "instances": instances.len(), "results": results}))
}

/// Whether a model means the same as another one, on the data of the request or on small instances.
pub(crate) fn compare(request: &Request, compare: &request::Compare) -> Outcome {
    let (model, reference) = (Model::read(&request.model()?)?, Model::read(&Text::from(&compare.reference))?);
    let data = request.data();
    let is_made_up = data.is_empty();
    let instances = if is_made_up { reference.small_instances(compare.instances, SEED)? } else { vec![data] };
    let options = CompareOptions::default().search(compare.limit.options(Some(SEED)));
    let mut is_complete = true;
    for data in &instances {
        let compared = model.compare(&reference, data, &options)?;
        if let Some(difference) = &compared.difference {
            let instance =
                data.first().map(|data| json!({"name": data.name, "text": data.text, "made_up": is_made_up}));
            return Ok(json!({
                "same": false,
                "complete": true,
                "text": compared.to_text(data.first(), is_made_up, false),
                "instance": instance,
                "difference": {
                    "kind": kind(difference),
                    "solution": difference.solution,
                    "because": difference.because.as_ref().map(refusal),
                    "objectives": objectives(difference),
                },
            }));
        }
        is_complete &= compared.complete;
    }
    let is_complete = is_complete && options.search.reached().is_none();
    Ok(json!({"same": true, "complete": is_complete, "text": Comparison::same(instances.len(), is_complete)}))
}

/// The small instances that are made up, then the given ones; an exercise without parameters has one without data.
fn instances(reference: &Model, grade: &request::Grade) -> Result<Vec<Text>, conjure_like::Report> {
    let mut instances: Vec<Text> = Vec::new();
    if reference.givens().next().is_none() {
        return Ok(vec![Text::new("the problem", "")]);
    }
    for (at, text) in reference.small_instances(grade.made_up, SEED)?.into_iter().flatten().enumerate() {
        instances.push(text.named(format!("small {}", at + 1)));
    }
    instances.extend(grade.instances.iter().map(Text::from));
    Ok(instances)
}

fn kind(difference: &Difference) -> &'static str {
    match difference.kind {
        DifferenceKind::Allowed => "allows",
        DifferenceKind::Refused => "refuses",
        DifferenceKind::Objective(..) => "objective",
    }
}

/// The two values of the objectives, if these differ.
fn objectives(difference: &Difference) -> Option<[&Option<String>; 2]> {
    match &difference.kind {
        DifferenceKind::Objective(own, other) => Some([own, other]),
        _ => None,
    }
}

/// Why a model refuses a solution: the requirements that it breaks, or a value outside of its domain.
fn refusal(refusal: &Refusal) -> Value {
    match refusal {
        Refusal::Requirements(answer) => json!({"answer": with_positions(answer.to_value(), &answer.sources)}),
        Refusal::Domain(report) => json!({"diagnostics": diagnostics(report)}),
    }
}

fn result(data: &Text, graded: &GradedInstance) -> Value {
    let difference = graded.difference.as_ref();
    // What the reference says is not shown.
    let because = difference.filter(|difference| difference.kind == DifferenceKind::Refused);
    json!({
        "name": data.name,
        "data": data.text,
        "result": graded.shortcoming.map_or("right", Shortcoming::name),
        "complete": graded.complete,
        "solution": difference.map(|difference| &difference.solution),
        "objectives": difference.and_then(objectives),
        "because": because.and_then(|difference| difference.because.as_ref()).map(refusal),
        "hint": graded.hint,
        "diagnostics": graded.report.as_ref().map(diagnostics),
    })
}
