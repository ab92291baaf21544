//! Grades answers to exercises by comparing them with the reference.

use super::{
    Listener, Service, diagnostics,
    instances::drawn_pictures,
    places::with_positions,
    reply::{self, CompareResult, ComparedInstance, GradeProgress, GradeResult, Line, ProgressLine},
    request::{self, Request},
};
use crate::{
    CompareOptions, ComparedVersions, Comparison, Difference, DifferenceKind, GradedInstance, Instance, InstanceReview,
    InterfaceChange, Model, ModelReview, Refusal, Report, Shortcoming, SolveOptions, SolvedVersion, Submission, Text,
};
use serde_json::Value;
use std::{ops::ControlFlow, time::Duration};

/// The seed for generated instances, as in `conjure-like grade`.
const SEED: u32 = 1;

pub(super) fn answer_grade(
    service: &Service,
    request: &Request,
    grade: &request::Grade,
    tell: Listener,
) -> Result<GradeResult, Report> {
    // A mistake in the reference makes the request fail, but a mistake in the submission is its result.
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
        // The other instances are larger, so they would reach the limit as well.
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
                difference: Some(difference_reply(difference)),
            });
        }
        complete &= compared.complete;
    }
    let complete = complete && options.search.reached().is_none();
    let text = Comparison::same(instances.len(), complete);
    Ok(CompareResult { same: true, complete, text, instances: instances.len(), instance: None, difference: None })
}

/// Reviews a model against an older version, on the data of the request or on small instances.
pub(super) fn answer_review(
    service: &Service,
    request: &Request,
    review: &request::Review,
) -> Result<reply::ReviewResult, Report> {
    let (old, new) = (Model::read(&Text::from(&review.old))?, Model::read(&request.model()?)?);
    let data = request.data();
    let are_made_up = data.is_empty();
    let instances = match are_made_up {
        true => old.small_instances(review.instances, SEED).or_else(|_| new.small_instances(review.instances, SEED))?,
        false => vec![data],
    };
    let search = || service.options(&review.limit, Some(SEED));
    let mut reviewed = ModelReview { interface: new.interface_changes(&old), instances: Vec::new() };
    for (number, data) in (1..).zip(&instances) {
        let mapping = review.mapping.clone().into_iter().collect();
        let compare = || new.review(&old, data, &CompareOptions::default().mapping(mapping).search(search()));
        let solve = |instance: &Instance| {
            let mut objective = None;
            let found = instance.solve(&SolveOptions::default().search(search()), &mut |solution| {
                objective = solution.objective_shown();
                ControlFlow::Continue(())
            })?;
            // On a page, the clock does not measure processor time, so no time is given.
            Ok(SolvedVersion { status: found.status, objective, time: Duration::ZERO })
        };
        let made_up = data.first().filter(|_| are_made_up).map(|text| text.text.clone());
        let name = match data.first() {
            Some(_) if are_made_up => format!("small instance {number}"),
            Some(text) => text.name.clone(),
            None => String::new(),
        };
        let compared = ComparedVersions::on([&old, &new], data, compare, solve)?;
        reviewed.instances.push(InstanceReview { name, made_up, compared });
    }
    Ok(reply::ReviewResult {
        different: reviewed.has_differences(),
        says: reviewed.summary(),
        interface: reviewed.interface.iter().map(InterfaceChange::says).collect(),
        instances: reviewed.instances.into_iter().map(reviewed_reply).collect(),
    })
}

fn reviewed_reply(instance: InstanceReview) -> reply::ReviewedInstance {
    let says = instance.compared.sentences();
    let [mut gained, mut lost, mut objective] = [None, None, None];
    let mut reports: Vec<Report> = Vec::new();
    match instance.compared {
        ComparedVersions::Unfit(unfit) => reports.extend(unfit.into_iter().flatten()),
        ComparedVersions::Incomparable(report, _) => reports.push(report),
        ComparedVersions::Reviewed(review, _) => {
            [gained, lost, objective] = [&review.gained, &review.lost, &review.objective]
                .map(|difference| difference.as_ref().map(difference_reply));
        }
    }
    let diagnostics = reports.iter().flat_map(|report| match diagnostics(report) {
        Value::Array(all) => all,
        _ => Vec::new(),
    });
    let (name, made_up, diagnostics) = (instance.name, instance.made_up, diagnostics.collect());
    reply::ReviewedInstance { name, made_up, gained, lost, objective, says, diagnostics }
}

/// Returns the small generated instances, then the given ones. An exercise without parameters has one instance without
/// data.
fn graded_instances(reference: &Model, grade: &request::Grade) -> Result<Vec<Text>, Report> {
    let mut instances: Vec<Text> = Vec::new();
    if reference.givens().next().is_none() {
        return Ok(vec![Text::new("the problem", "")]);
    }
    // Small instances come first, because they show a difference with the least data.
    for (at, text) in reference.small_instances(grade.made_up, SEED)?.into_iter().flatten().enumerate() {
        instances.push(text.named(format!("small {}", at + 1)));
    }
    instances.extend(grade.instances.iter().map(Text::from));
    Ok(instances)
}

pub(super) fn difference_reply(difference: &Difference) -> reply::Difference {
    reply::Difference {
        kind: difference_kind(difference),
        solution: difference.solution.clone(),
        because: difference.because.as_ref().map(refusal_reply),
        objectives: objectives(difference),
        svg: drawn_pictures(&difference.pictures),
    }
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
pub(super) fn refusal_reply(refusal: &Refusal) -> reply::Refusal {
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
    // The requirements of the reference are hidden, because they would give the solution away.
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
