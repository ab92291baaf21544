//! From texts to explanations: why there is no solution, why a candidate is not a solution, why a fact must hold, what
//! follows next.

use super::{
    Answer, ExplainedCase, Explanation, Guide, HintStep, NextStep, PartialSolution, PartlySolved, Purpose, Reason,
    RequirementBoard, Steps, WhyVerdict, broken_requirements, findings, guided, number_of, split_off,
    wheres_as_constraints, with_constraints,
};
use crate::{
    analysis::model::{DeclarationId, DeclarationKind, Expr, ExprKind},
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::{Halt, StopReason},
    instance::{GroundInstance, SolutionValues},
    language::{Sense, Value},
    pipeline::{
        self, ReadModel, Search, analyse, instance, instance_of, lower, parameters, parse, read, values,
        with_known_members,
    },
    solution,
    solver::{EngineOptions, SearchEnd, alone},
    source::{SourceId, Sources},
    syntax::ast,
};
use std::{cell::RefCell, collections::BTreeSet, ops::ControlFlow, sync::Arc};

/// The subject of a question: an instance as texts, which change where changes are tried.
#[derive(Clone, Copy)]
pub(crate) struct ExplainedTexts<'a> {
    pub sources: &'a Sources,
    pub model: SourceId,
    /// The model as it is.
    pub read: &'a ReadModel,
    pub data: &'a [SourceId],
    pub options: &'a EngineOptions,
    /// Hears of each answer that is better than none, in case that the run has to end before there is a better one.
    pub so_far: &'a dyn Fn(&Answer),
}

/// The reason why there is no answer.
enum NoAnswer {
    /// The reason is among the diagnostics.
    Reported,
    /// Something has ended the search; the answer so far.
    Stopped(Box<Answer>),
}

type QuestionResult<T> = Result<T, NoAnswer>;

/// The answer, as far as there is one.
fn answer(subject: &ExplainedTexts, diagnostics: &Diagnostics, asked: QuestionResult<Answer>) -> Option<Answer> {
    let answer = match asked {
        Ok(answer) => answer,
        Err(NoAnswer::Stopped(answer)) => *answer,
        Err(NoAnswer::Reported) => return None,
    };
    let answer = match subject.options.reached() {
        // What was found is not the whole answer, because the search was ended on the way.
        Some(status) if !answer.complete && answer.stopped.is_none() => {
            let known = if answer.explanation.is_some() { BEST_SO_FAR } else { answer.known };
            Answer { known, ..answer.ended_by(status) }
        }
        _ => answer,
    };
    Some(Answer { sources: subject.sources.clone(), warnings: diagnostics.clone(), ..answer })
}

/// The description of an explanation that may not be minimal.
const BEST_SO_FAR: &str = "this is the best explanation so far";

/// What has been reported is the answer.
fn reported<T>(made: Option<T>) -> QuestionResult<T> {
    made.ok_or(NoAnswer::Reported)
}

/// What was found out; if a limit was in the way, `so_far` is the answer.
fn found_out<T>(
    found: Result<T, Halt>,
    so_far: impl FnOnce() -> Answer,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<T> {
    match found {
        Ok(found) => Ok(found),
        Err(Halt::Wrong(errors)) => {
            diagnostics.extend(errors);
            Err(NoAnswer::Reported)
        }
        Err(Halt::Stopped(StopReason::Unknown(reason))) => {
            let error = Diagnostic::error(Code::SOLVER_FAILED, format!("the solver gave up: {reason}"));
            diagnostics.push(error);
            Err(NoAnswer::Reported)
        }
        Err(Halt::Stopped(status)) => Err(NoAnswer::Stopped(Box::new(so_far().ended_by(status)))),
    }
}

impl ExplainedTexts<'_> {
    /// Reports an answer that may not be the last one; `known` describes it.
    fn tell(&self, answer: Answer, known: &'static str) -> Answer {
        let answer = Answer { sources: self.sources.clone(), known, ..answer };
        (self.so_far)(&answer);
        answer
    }
}

/// A solution of a case, or why it has none.
fn verdict(
    subject: &ExplainedTexts,
    case: &ExplainedCase,
    conflict: &dyn Fn(Explanation) -> Answer,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<WhyVerdict> {
    let last = RefCell::new(None);
    let so_far = |explanation| {
        let answer = subject.tell(conflict(explanation), BEST_SO_FAR);
        last.replace(Some(answer));
    };
    let case = ExplainedCase { so_far: Some(&so_far), ..*case };
    let verdict = super::why(&case, subject.sources);
    found_out(verdict, || last.take().unwrap_or_else(Answer::unknown), diagnostics)
}

/// Explains why an instance has no solution.
pub(crate) fn why(subject: &ExplainedTexts, diagnostics: &mut Diagnostics) -> Option<Answer> {
    let asked = contradiction(subject, diagnostics);
    answer(subject, diagnostics, asked)
}

fn contradiction(subject: &ExplainedTexts, diagnostics: &mut Diagnostics) -> QuestionResult<Answer> {
    let ExplainedTexts { sources, model, data, options, .. } = *subject;
    let before = diagnostics.len();
    if let Some(instance) = instance(&subject.read.model, sources, data, diagnostics) {
        let again = |sources: &Sources| {
            let mut diagnostics = Vec::new();
            let read = read(sources, model, &mut diagnostics)?;
            self::instance(&read.model, sources, data, &mut diagnostics).map(PartlySolved::from)
        };
        let case = ExplainedCase { again: Some(&again), ..ExplainedCase::of(&instance, options) };
        let conflict = |explanation| Answer::conflict("none", "There is no solution", explanation);
        return Ok(match verdict(subject, &case, &conflict, diagnostics)? {
            WhyVerdict::Solvable(found) => {
                Answer::new("solution", "There is a solution:").with_solution(&instance, &found)
            }
            WhyVerdict::Conflict(explanation) => conflict(explanation),
        });
    }
    let errors = &diagnostics[before..];
    if errors.is_empty() || errors.iter().any(|error| error.code != Code::WHERE_FALSE) {
        return Err(NoAnswer::Reported);
    }
    diagnostics.truncate(before);
    let wheres = |file: ast::File, sources: &Sources, diagnostics: &mut Diagnostics| {
        let model = Arc::new(analyse(&wheres_as_constraints(file), diagnostics)?);
        instance(&model, sources, data, diagnostics)
    };
    let instance = reported(wheres(subject.read.file.clone(), sources, diagnostics))?;
    let again = |sources: &Sources| {
        let mut diagnostics = Vec::new();
        wheres(parse(sources, model, &mut diagnostics)?, sources, &mut diagnostics).map(PartlySolved::from)
    };
    let case = ExplainedCase { again: Some(&again), ..ExplainedCase::of(&instance, options) };
    let conflict = |explanation: Explanation| {
        let says = match number_of(&explanation.reasons) {
            1 => "There is no solution: a `where` rules these data out.".to_owned(),
            count => format!("There is no solution: {count} conditions of `where` rule these data out."),
        };
        Answer::new("none", says).explained(Purpose::NoInstance, explanation)
    };
    Ok(match verdict(subject, &case, &conflict, diagnostics)? {
        WhyVerdict::Conflict(explanation) => conflict(explanation),
        WhyVerdict::Solvable(_) => Answer::unknown(),
    })
}

/// Whether a fact, a text such as `such that x = 3`, holds in all solutions, and why.
pub(crate) fn forced(subject: &ExplainedTexts, fact: SourceId, diagnostics: &mut Diagnostics) -> Option<Answer> {
    let asked = consequence(subject, fact, diagnostics);
    answer(subject, diagnostics, asked)
}

fn consequence(subject: &ExplainedTexts, fact: SourceId, diagnostics: &mut Diagnostics) -> QuestionResult<Answer> {
    let sources = subject.sources;
    let facts = reported(parse(sources, fact, diagnostics))?;
    let mut file = subject.read.file.clone();
    let data = reported(data_for(sources, &mut file, subject.data, &facts, diagnostics))?;
    let count = with_constraints(&mut file, facts);
    let mut model = reported(analyse(&file, diagnostics))?;
    let facts = split_off(&mut model, count);
    let instance = reported(instance_of(&Arc::new(model), &data, diagnostics))?;
    let [denied] = facts.as_slice() else {
        diagnostics.push(Diagnostic::error(Code::COMMAND_LINE, "`--forced` takes exactly one constraint"));
        return Err(NoAnswer::Reported);
    };
    let shown = sources.text(denied.span).to_owned();
    let case = ExplainedCase::of(&instance, subject.options);
    let conflict =
        |explanation| Answer::conflict("none", "There is no solution, so every constraint follows", explanation);
    if let WhyVerdict::Conflict(explanation) = verdict(subject, &case, &conflict, diagnostics)? {
        return Ok(conflict(explanation));
    }
    let forced = |explanation: Explanation| {
        let says = match number_of(&explanation.reasons) {
            0 => format!("`{shown}` holds by itself."),
            1 => format!("`{shown}` holds in every solution. It follows from this requirement."),
            count => format!("`{shown}` holds in every solution. It follows from these {count} requirements."),
        };
        Answer::new("forced", says).explained(Purpose::Consequence, explanation)
    };
    Ok(match verdict(subject, &ExplainedCase { denied: &facts, ..case }, &forced, diagnostics)? {
        WhyVerdict::Solvable(found) => {
            let says = format!("`{shown}` is not forced. Here is a solution in which it does not hold:");
            Answer::new("not forced", says).with_solution(&instance, &found)
        }
        WhyVerdict::Conflict(explanation) => forced(explanation),
    })
}

/// The mistakes in a solution, or a part of one, that somebody expects.
pub(crate) fn expected(subject: &ExplainedTexts, expected: SourceId, diagnostics: &mut Diagnostics) -> Option<Answer> {
    let asked = match expectation(subject, expected, diagnostics) {
        Ok((_, Some(solution))) => valued(subject, &solution, diagnostics),
        asked => asked.map(|(answer, _)| answer),
    };
    answer(subject, diagnostics, asked)
}

/// The mistakes in a solution, or a part of one, however good it is.
pub(crate) fn refused(subject: &ExplainedTexts, expected: SourceId, diagnostics: &mut Diagnostics) -> Option<Answer> {
    let asked = expectation(subject, expected, diagnostics).map(|(answer, _)| answer);
    answer(subject, diagnostics, asked)
}

/// What is wrong with an expected solution; the instance that it makes if it is whole and right.
fn expectation(
    subject: &ExplainedTexts,
    expected: SourceId,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<(Answer, Option<GroundInstance>)> {
    let file = &subject.read.file;
    if reported(partial(subject.sources, file, expected, diagnostics))?.is_whole(file) {
        return broken(subject, expected, diagnostics);
    }
    let known = reported(known(subject, file.clone(), subject.sources, expected, diagnostics))?;
    let again = |sources: &Sources| known_again(subject, sources, expected);
    let case = ExplainedCase { again: Some(&again), ..known.case(subject.options) };
    let conflict =
        |explanation| Answer::conflict("not extensible", "This cannot be extended to a solution", explanation);
    let answer = match verdict(subject, &case, &conflict, diagnostics)? {
        WhyVerdict::Solvable(found) => {
            Answer::new("extensible", "This can be extended to a solution:").with_solution(&known.instance, &found)
        }
        WhyVerdict::Conflict(explanation) => conflict(explanation),
    };
    Ok((answer, None))
}

/// The best value of the objective among the solutions that agree with a part of one, and how the search for it has
/// ended. There is no value without an objective, or if there are no such solutions.
pub(crate) fn best_with(
    subject: &ExplainedTexts,
    part: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<(Option<String>, SearchEnd)> {
    let file = &subject.read.file;
    let partial = partial(subject.sources, file, part, diagnostics)?;
    let mut given = solution::with_finds_given(file.clone(), |name| partial.has_value(name));
    let mut data = data_for(subject.sources, &mut given, subject.data, &partial.constraints, diagnostics)?;
    with_constraints(&mut given, partial.constraints);
    data.push(partial.lettings);
    let instance = instance_of(&Arc::new(analyse(&given, diagnostics)?), &data, diagnostics)?;
    let found = best_solution(subject, &instance, diagnostics).and_then(|(best, status)| {
        let value = best.map(|best| objective_of(&instance, &best, diagnostics)).transpose()?.flatten();
        Ok((value.map(|value| shown(&instance, &value)), status))
    });
    match found {
        Ok(found) => Some(found),
        Err(NoAnswer::Stopped(_)) => Some((None, subject.options.limits.at_stop().into())),
        Err(NoAnswer::Reported) => None,
    }
}

/// The contents of a file about the decision variables of a model.
fn partial(
    sources: &Sources,
    model: &ast::File,
    expected: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<PartialSolution> {
    let given = solution::with_finds_given(model.clone(), |_| true);
    let given = analyse(&given, diagnostics)?;
    values(sources, &given, expected, diagnostics).map(PartialSolution::of)
}

/// The data of a model to which a text will be added; the text may name what only the data define.
fn data_for(
    sources: &Sources,
    model: &mut ast::File,
    data: &[SourceId],
    text: &ast::File,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<ast::File>> {
    let typed = analyse(model, diagnostics)?;
    let mut files = parameters(&typed, sources, data, diagnostics)?;
    with_known_members(model, &mut files, text);
    Some(files)
}

/// An instance with what is known of a solution: parts as constraints of its model, whole values beside it.
fn known(
    subject: &ExplainedTexts,
    file: ast::File,
    sources: &Sources,
    expected: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<PartlySolved> {
    let partial = partial(sources, &file, expected, diagnostics)?;
    let mut with_parts = file.clone();
    let files = data_for(sources, &mut with_parts, subject.data, &partial.constraints, diagnostics)?;
    with_constraints(&mut with_parts, partial.constraints.clone());
    let model = Arc::new(analyse(&with_parts, diagnostics)?);
    let instance = instance_of(&model, &files, diagnostics)?;
    let given = solution::with_finds_given(file, |name| partial.has_value(name));
    let given = Arc::new(analyse(&given, diagnostics)?);
    let mut files = parameters(&given, sources, subject.data, diagnostics)?;
    files.push(partial.lettings.clone());
    let bound = instance_of(&given, &files, diagnostics)?;
    let is_find = |id: DeclarationId| matches!(model.declarations[id.0 as usize].kind, DeclarationKind::Find(_));
    let written: Vec<(DeclarationId, Expr)> =
        bound.parameters.values.iter().filter(|(id, _)| is_find(*id)).cloned().collect();
    let mut environment = bound.environment;
    let values = written.iter().filter_map(|(id, _)| Some((*id, environment.global(*id).ok()?))).collect();
    Some(PartlySolved { instance, values, written })
}

/// The instance and the known values in changed texts.
fn known_again(subject: &ExplainedTexts, sources: &Sources, expected: SourceId) -> Option<PartlySolved> {
    let mut diagnostics = Vec::new();
    let file = parse(sources, subject.model, &mut diagnostics)?;
    known(subject, file, sources, expected, &mut diagnostics)
}

/// The requirements that a whole solution breaks, or its instance.
fn broken(
    subject: &ExplainedTexts,
    expected: SourceId,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<(Answer, Option<GroundInstance>)> {
    let (solution, found) = violated(subject, expected, diagnostics)?;
    let says = match number_of(&found) {
        0 => return Ok((Answer::new("right", RIGHT), Some(solution))),
        1 => "This is not a solution: it breaks one requirement.".to_owned(),
        count => format!("This is not a solution: it breaks {count} requirements."),
    };
    Ok((Answer::new("wrong", says).with_reasons(found), None))
}

const RIGHT: &str = "This is a solution: it breaks no requirement.";

/// The instance that a solution makes of a model, as [`pipeline::validate`] has it; the error shows a requirement that
/// it breaks, with its values.
pub(crate) fn validate(
    subject: &ExplainedTexts,
    solution: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<GroundInstance> {
    let before = diagnostics.len();
    let files: Vec<SourceId> = subject.data.iter().copied().chain([solution]).collect();
    let valid = pipeline::validate(subject.sources, &subject.read.file, &files, diagnostics);
    if diagnostics[before..].iter().any(|error| error.code == Code::SOLUTION_INVALID)
        && let Ok((_, found)) = violated(subject, solution, &mut Vec::new())
        && let Some(error) = invalid(&found)
    {
        diagnostics.truncate(before);
        diagnostics.push(error);
    }
    valid
}

/// The error that a solution breaks these requirements, the first of which is shown.
fn invalid(broken: &[Reason]) -> Option<Diagnostic> {
    let first = broken.first()?;
    let message = match number_of(broken) {
        1 => "this is not a solution: it breaks one requirement".to_owned(),
        count => format!("this is not a solution: it breaks {count} requirements"),
    };
    let mut error = Diagnostic::error(Code::SOLUTION_INVALID, message);
    for (number, label) in first.labels.iter().enumerate() {
        error = error.at(label.span, if number == 0 { "this is false" } else { label.text.as_str() });
    }
    let (says, with, found) = match first.instances.first() {
        Some(said) => (&said.says, &said.with, &said.findings),
        None => (&first.says, &first.with, &first.findings),
    };
    let with = if with.is_empty() { String::new() } else { format!("   ({with})") };
    let lines = findings(found, "");
    Some(error.note(format!("{says}{with}\n{lines}").trim_end().to_owned()))
}

/// A model with a solution as its last data, as an instance, and what is broken there.
fn violated(
    subject: &ExplainedTexts,
    expected: SourceId,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<(GroundInstance, Vec<Reason>)> {
    let files: Vec<SourceId> = subject.data.iter().copied().chain([expected]).collect();
    let file = subject.read.file.clone();
    let mut names = BTreeSet::new();
    for statement in &file.statements {
        if let ast::StatementKind::Find { names: found, .. } = &statement.kind {
            names.extend(found.iter().map(|name| name.text.to_string()));
        }
    }
    let given = solution::with_finds_given(file, |_| true);
    let model = Arc::new(reported(analyse(&given, diagnostics))?);
    let instance = reported(instance(&model, subject.sources, &files, diagnostics))?;
    let found = broken_requirements(&instance, subject.sources, subject.options, |name| names.contains(name));
    let found = found_out(found, Answer::unknown, diagnostics)?;
    Ok((instance, found))
}

/// The answer that a solution is valid, with the value of its objective beside the best one.
fn valued(
    subject: &ExplainedTexts,
    expected: &GroundInstance,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<Answer> {
    let right = Answer::new("right", RIGHT);
    let Some(own) = objective_of(expected, &Vec::new(), diagnostics)? else { return Ok(right) };
    let instance = reported(instance(&subject.read.model, subject.sources, subject.data, diagnostics))?;
    let (best, status) = best_solution(subject, &instance, diagnostics)?;
    let best = match &best {
        Some(best) => objective_of(&instance, best, diagnostics)?,
        None => None,
    };
    let is_best = best.as_ref().is_none_or(|best| *best == own);
    let better = match (&instance.model.objective, &best) {
        (Some(objective), Some(best)) => objective.sense.is_better(best, &own),
        _ => false,
    };
    let (own, best) = (shown(&instance, &own), best.map(|best| shown(&instance, &best)));
    Ok(match (status, best) {
        (SearchEnd::Complete, _) if is_best => {
            Answer::new("right", format!("This is a solution with objective {own}. No solution is better."))
        }
        (SearchEnd::Complete, Some(best)) => {
            Answer::new("not best", format!("This is a solution with objective {own}. The best solution has {best}."))
        }
        (_, Some(best)) if !is_best && better => {
            Answer::new("not best", format!("This is a solution with objective {own}. A better solution has {best}."))
        }
        _ => {
            let says =
                format!("This is a solution with objective {own}. Whether a better solution exists is not known.");
            Answer { complete: false, ..Answer::new("right", says) }
        }
    })
}

/// A best solution of an instance, or the best one so far, and how the search for it has ended.
fn best_solution(
    subject: &ExplainedTexts,
    instance: &GroundInstance,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<(Option<SolutionValues>, SearchEnd)> {
    let mut best = None;
    let lowered = lower(instance, subject.options);
    let searched = lowered.and_then(|lowered| {
        Search::new(instance, &lowered, subject.options).solutions(&mut *alone(), &mut |solution, _| {
            best = Some(solution.clone());
            ControlFlow::Continue(())
        })
    });
    let end = found_out(searched, Answer::unknown, diagnostics)?;
    Ok((best, end))
}

/// Explains why no solution is better than the best one, and what would make a better one possible.
pub(crate) fn nothing_better(subject: &ExplainedTexts, diagnostics: &mut Diagnostics) -> Option<Answer> {
    let Some(objective) = &subject.read.model.objective else {
        let error = Diagnostic::error(Code::COMMAND_LINE, "no solution of this model is better than another");
        diagnostics.push(
            error
                .note("the model has no objective, such as `minimising cost`")
                .help("leave out `--better`, or add an objective"),
        );
        return None;
    };
    let best = match best_value(subject, diagnostics) {
        Ok(best) => best,
        Err(halt) => return answer(subject, diagnostics, Err(halt)),
    };
    // Several numbers are compared one after the other.
    let is_number = best.parse::<i64>().is_ok();
    let sign = match (objective.sense, is_number) {
        (Sense::Minimise, true) => "<",
        (Sense::Minimise, false) => "<lex",
        (Sense::Maximise, true) => ">",
        (Sense::Maximise, false) => ">lex",
    };
    let value = subject.sources.text(objective.value.span);
    let is_one = matches!(objective.value.kind, ExprKind::Tuple(_)) || !value.contains(char::is_whitespace);
    let value = if !is_one { format!("({value})") } else { value.to_owned() };
    let mut sources = subject.sources.clone();
    let wish = sources.add("a better solution", format!("such that {value} {sign} {best}"));
    let subject = ExplainedTexts { sources: &sources, ..*subject };
    let asked = no_better(&subject, wish, &best, diagnostics);
    answer(&subject, diagnostics, asked)
}

/// The best value of the objective.
fn best_value(subject: &ExplainedTexts, diagnostics: &mut Diagnostics) -> QuestionResult<String> {
    let instance = reported(instance(&subject.read.model, subject.sources, subject.data, diagnostics))?;
    let (best, status) = best_solution(subject, &instance, diagnostics)?;
    let value = match &best {
        Some(best) => objective_of(&instance, best, diagnostics)?,
        None => None,
    };
    match (value, status) {
        (_, SearchEnd::Stopped(stopped)) => Err(NoAnswer::Stopped(Box::new(Answer::unknown().ended_by(stopped)))),
        (Some(best), _) => Ok(shown(&instance, &best)),
        (None, _) => contradiction(subject, diagnostics).and_then(|answer| Err(NoAnswer::Stopped(Box::new(answer)))),
    }
}

/// Why a wish for something better than the best value cannot be fulfilled.
fn no_better(
    subject: &ExplainedTexts,
    wish: SourceId,
    best: &str,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<Answer> {
    let known = reported(known(subject, subject.read.file.clone(), subject.sources, wish, diagnostics))?;
    let again = |sources: &Sources| known_again(subject, sources, wish);
    let case = ExplainedCase { again: Some(&again), ..known.case(subject.options) };
    let conflict = |mut explanation: Explanation| {
        // The wish is not to be changed.
        explanation.changes.retain(|change| change.edit.span.source != wish);
        let says = format!("The best solution has objective {best}. A better one is impossible: ");
        let says = match number_of(&explanation.reasons) {
            1 => format!("{says}this requirement cannot hold."),
            count => format!("{says}these {count} requirements cannot hold together."),
        };
        Answer::new("best", says).explained(Purpose::NothingBetter, explanation)
    };
    Ok(match verdict(subject, &case, &conflict, diagnostics)? {
        WhyVerdict::Conflict(explanation) => conflict(explanation),
        WhyVerdict::Solvable(found) => {
            // The two searches contradict each other, which verification would have shown.
            Answer::new("unknown", "A better solution has been found:").with_solution(&known.instance, &found)
        }
    })
}

/// A value of the objective as text.
fn shown(instance: &GroundInstance, value: &Value) -> String {
    let objective = instance.model.objective.as_ref();
    objective.map_or(String::new(), |objective| instance.names.show(value, &objective.value.ty))
}

/// The value of the objective; `None` without one.
fn objective_of(
    instance: &GroundInstance,
    values: &SolutionValues,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<Option<Value>> {
    match solution::objective_value(instance, values) {
        Ok(value) => Ok(value),
        Err(fault) => {
            diagnostics.push(*fault);
            Err(NoAnswer::Reported)
        }
    }
}

/// The next step, or all steps, from the model and the known part of a solution.
pub(crate) fn hints(
    subject: &ExplainedTexts,
    partial: Option<SourceId>,
    all: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Answer> {
    let asked = next_steps(subject, partial, all, diagnostics);
    answer(subject, diagnostics, asked)
}

fn next_steps(
    subject: &ExplainedTexts,
    partial: Option<SourceId>,
    all: bool,
    diagnostics: &mut Diagnostics,
) -> QuestionResult<Answer> {
    let known = reported(match partial {
        Some(partial) => known(subject, subject.read.file.clone(), subject.sources, partial, diagnostics),
        None => instance(&subject.read.model, subject.sources, subject.data, diagnostics).map(PartlySolved::from),
    })?;
    let again = |sources: &Sources| match partial {
        Some(partial) => known_again(subject, sources, partial),
        None => {
            let mut diagnostics = Vec::new();
            let read = read(sources, subject.model, &mut diagnostics)?;
            instance(&read.model, sources, subject.data, &mut diagnostics).map(PartlySolved::from)
        }
    };
    let case = ExplainedCase { again: Some(&again), ..known.case(subject.options) };
    let conflict = |explanation| Answer::conflict("none", "There is no solution", explanation);
    let solution = match verdict(subject, &case, &conflict, diagnostics)? {
        WhyVerdict::Solvable(solution) => solution,
        WhyVerdict::Conflict(explanation) => return Ok(conflict(explanation)),
    };
    let mut taken = Vec::new();
    let mut last = Answer { known: "no step is known yet", ..Answer::unknown() };
    let end = RequirementBoard::new(&case, &solution, subject.sources).and_then(|board| {
        let mut step = |step: HintStep| {
            taken.push(step);
            let steps = Steps { taken: taken.clone(), all, ..Steps::default() };
            let answer = Answer { steps: Some(steps), ..Answer::unknown() };
            last = subject.tell(answer, "no further step is known yet");
        };
        guided(&case, &board, subject.sources, |guide| follow(guide, all, &mut step))
    });
    let (given, end) = found_out(end, || last, diagnostics)?;
    let answer = match &end {
        None | Some(NextStep::Step(_)) => Answer::new("next", ""),
        Some(NextStep::Solved) => Answer::new("solved", "").with_solution(case.instance, &solution),
        Some(NextStep::Open(_)) => Answer::new("open", ""),
    };
    let mut ending = end.as_ref().map_or(String::new(), |end| self::ending(end, taken.len()));
    if let Some(objective) = &case.instance.model.objective
        && (!ending.is_empty() || !all)
    {
        let word = objective.sense.keyword();
        let value: Vec<&str> = subject.sources.text(objective.value.span).split_whitespace().collect();
        let value = value.join(" ");
        let space = if ending.is_empty() { "" } else { "\n" };
        ending += &format!("{space}Hints hold in every solution. They do not use the objective, `{word} {value}`.\n");
    }
    let open = match end {
        Some(NextStep::Open(names)) => names,
        _ => Vec::new(),
    };
    Ok(Answer { steps: Some(Steps { given, taken, all, ending, open }), ..answer })
}

/// Takes one step, or all; returns the clues, and the reason why there is not a further step.
fn follow(
    guide: &mut Guide,
    all: bool,
    take: &mut dyn FnMut(HintStep),
) -> Result<(Vec<String>, Option<NextStep>), Halt> {
    guide.with_values = all;
    let given = guide.given()?;
    loop {
        match guide.next_step()? {
            NextStep::Step(step) => take(step),
            end => return Ok((given, Some(end))),
        }
        if !all {
            return Ok((given, None));
        }
    }
}

/// The reason why there is no further step, for people.
fn ending(end: &NextStep, steps: usize) -> String {
    match end {
        NextStep::Step(_) => String::new(),
        NextStep::Solved => match steps {
            0 => "There is nothing left to find.\n".to_owned(),
            1 => "That is all, in 1 step.\n".to_owned(),
            steps => format!("That is all, in {steps} steps.\n"),
        },
        NextStep::Open(names) => {
            let shown: Vec<&str> = names.iter().take(10).map(String::as_str).collect();
            let rest = match names.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let several = if names.len() == 1 { "is not the same" } else { "are not the same" };
            format!("Nothing more follows: {}{rest} {several} in all solutions.\n", shown.join(", "))
        }
    }
}
