//! Grades answers to exercises by comparing them with the reference.

use super::{
    Listener, Service, diagnostics,
    places::with_positions,
    reply::{self, CompareResult, ComparedInstance, GradeProgress, GradeResult, Line, ProgressLine},
    request::{self, Request},
};
use crate::{
    CompareOptions, Comparison, Difference, DifferenceKind, GradedInstance, Model, Refusal, Report, Shortcoming,
    Submission, Text,
};

/// The seed for generated instances, as in `conjure-like grade`.
const SEED: u32 = 1;

pub(super) fn answer_grade(
    service: &Service,
    request: &Request,
    grade: &request::Grade,
    tell: Listener,
) -> Result<GradeResult, Report> {
    // An error in the reference is a failure of the request; an error in the submission is its result.
    let reference = Model::read(&Text::from(&grade.reference))?;
    let submission = match Submission::read(&reference, &request.model()?) {
        Ok(submission) => submission,
        Err(rejected) => {
            let diagnostics = Some(diagnostics(&rejected.report));
            let rejected = Some(rejected.shortcoming.name().to_owned());
            return Ok(GradeResult { rejected, diagnostics, instances: 0, results: Vec::new() });
        }
    };
    let instances = graded_instances(&reference, grade)?;
    let mut results = Vec::new();
    for data in &instances {
        let graded = submission.on(std::slice::from_ref(data), &service.options(&grade.limit, Some(SEED)))?;
        let is_slow = graded.shortcoming == Some(Shortcoming::Slow);
        results.push(graded_reply(data, &graded));
        let progress = GradeProgress { graded: results.len(), of: instances.len() };
        tell(Line::Progress(ProgressLine::Graded(progress)));
        // The other instances are larger, and would only reach the limit as well.
        if is_slow {
            break;
        }
    }
    Ok(GradeResult { rejected: None, diagnostics: None, instances: instances.len(), results })
}

/// Compares a model with another one, on the data of the request or on small instances.
pub(super) fn answer_compare(
    service: &Service,
    request: &Request,
    compare: &request::Compare,
) -> Result<CompareResult, Report> {
    let (model, reference) = (Model::read(&request.model()?)?, Model::read(&Text::from(&compare.reference))?);
    let data = request.data();
    let made_up = data.is_empty();
    let instances = if made_up { reference.small_instances(compare.instances, SEED)? } else { vec![data] };
    let options = CompareOptions::default().search(service.options(&compare.limit, Some(SEED)));
    let mut complete = true;
    for (at, data) in instances.iter().enumerate() {
        let compared = model.compare(&reference, data, &options)?;
        if let Some(difference) = &compared.difference {
            let named = |data: &Text| ComparedInstance { name: data.name.clone(), text: data.text.clone(), made_up };
            return Ok(CompareResult {
                same: false,
                complete: true,
                text: compared.to_text(data.first(), made_up, false),
                instances: at + 1,
                instance: Some(data.first().map(named)),
                difference: Some(reply::Difference {
                    kind: difference_kind(difference),
                    solution: difference.solution.clone(),
                    because: difference.because.as_ref().map(refusal_reply),
                    objectives: objectives(difference),
                }),
            });
        }
        complete &= compared.complete;
    }
    let complete = complete && options.search.reached().is_none();
    let text = Comparison::same(instances.len(), complete);
    Ok(CompareResult { same: true, complete, text, instances: instances.len(), instance: None, difference: None })
}

/// Returns the small generated instances, then the given ones. An exercise without parameters has one instance without
/// data.
fn graded_instances(reference: &Model, grade: &request::Grade) -> Result<Vec<Text>, Report> {
    let mut instances: Vec<Text> = Vec::new();
    if reference.givens().next().is_none() {
        return Ok(vec![Text::new("the problem", "")]);
    }
    // Small instances come first: they show a difference with the least data.
    for (at, text) in reference.small_instances(grade.made_up, SEED)?.into_iter().flatten().enumerate() {
        instances.push(text.named(format!("small {}", at + 1)));
    }
    instances.extend(grade.instances.iter().map(Text::from));
    Ok(instances)
}

fn difference_kind(difference: &Difference) -> reply::DifferenceKind {
    match difference.kind {
        DifferenceKind::Allowed => reply::DifferenceKind::Allows,
        DifferenceKind::Refused => reply::DifferenceKind::Refuses,
        DifferenceKind::Objective(..) => reply::DifferenceKind::Objective,
    }
}

/// The two objective values, if they differ.
fn objectives(difference: &Difference) -> Option<[Option<String>; 2]> {
    match &difference.kind {
        DifferenceKind::Objective(own, other) => Some([own.clone(), other.clone()]),
        _ => None,
    }
}

/// The reason why a model refuses a solution: the violated requirements, or a value outside of its domain.
fn refusal_reply(refusal: &Refusal) -> reply::Refusal {
    match refusal {
        Refusal::Requirements(answer) => {
            let answer = with_positions(answer.to_value(), &answer.sources);
            reply::Refusal { answer: Some(answer), ..reply::Refusal::default() }
        }
        Refusal::Domain(report) => {
            reply::Refusal { diagnostics: Some(diagnostics(report)), ..reply::Refusal::default() }
        }
    }
}

fn graded_reply(data: &Text, graded: &GradedInstance) -> reply::GradedInstance {
    let difference = graded.difference.as_ref();
    // The requirements of the reference would give the solution away.
    let because = difference.filter(|difference| difference.kind == DifferenceKind::Refused);
    reply::GradedInstance {
        name: data.name.clone(),
        data: data.text.clone(),
        result: graded.shortcoming.map_or("right", Shortcoming::name).to_owned(),
        complete: graded.complete,
        solution: difference.map(|difference| difference.solution.clone()),
        objectives: difference.and_then(objectives),
        because: because.and_then(|difference| difference.because.as_ref()).map(refusal_reply),
        hint: graded.hint.clone(),
        diagnostics: graded.report.as_ref().map(diagnostics),
    }
}
