//! Explanations from texts: why there is no solution, why a candidate is not a solution, why a fact must hold, and
//! which step follows next.

use super::{
    Answer, ExplainedCase, Explanation, Guide, HintStep, NextStep, PartialSolution, PartlySolved, ProofStep,
    ProofVerdict, Purpose, Reason, RequirementBoard, Steps, VariableDomains, WhyVerdict, broken_requirements, findings,
    guided, number_of, split_off,
    steps_page::{self, StepsHeading},
    wheres_as_constraints, with_constraints,
};
use crate::{
    analysis::model::{DeclarationId, DeclarationKind, Expr, ExprKind},
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::{Halt, StopReason},
    instance::{GroundInstance, SolutionValues},
    language::{Sense, Type, Value},
    picture::{Directive, stage::stage},
    pipeline::{
        self, ReadModel, Search, analyse, instance_of, known_values, lower_instance, parse_text, read_instance,
        read_model_text, read_parameters, read_values, with_known_members, with_named_members,
    },
    solution,
    solver::{EngineOptions, SearchEnd, alone},
    source::{SourceId, Sources},
    syntax::ast,
};
use std::{cell::RefCell, collections::BTreeSet, ops::ControlFlow, sync::Arc};

/// The subject of a question: an instance as texts. Repairs are tried on changed copies of the texts.
#[derive(Clone, Copy)]
pub(crate) struct ExplainedTexts<'a> {
    pub sources: &'a Sources,
    pub model: SourceId,
    /// The model, already read.
    pub read: &'a ReadModel,
    pub data: &'a [SourceId],
    pub options: &'a EngineOptions,
    /// True if a contradiction is shown in steps.
    pub in_steps: bool,
    /// The title of the page with the steps and its drawing directives, if a page is wanted.
    pub page: Option<(&'a str, &'a [Directive])>,
    /// A callback for each better answer, with which the run can end early.
    pub so_far: &'a dyn Fn(&Answer),
    /// The best answer so far.
    pub last: &'a RefCell<Answer>,
}

/// The description of an explanation that may not be minimal.
const BEST_SO_FAR: &str = "this is the best explanation so far";

/// The answer with its sources and warnings; if a limit ended the search, the best answer so far.
fn answer_with_sources(
    subject: &ExplainedTexts,
    warnings: &Diagnostics,
    asked: Result<Answer, Halt>,
) -> Result<Answer, Halt> {
    let answer = match asked {
        Err(Halt::Stopped(status @ (StopReason::TimeLimit | StopReason::Interrupted))) => {
            subject.last.borrow().clone().ended_by(status)
        }
        asked => asked?,
    };
    let answer = match subject.options.reached() {
        // The search has ended early, so the answer may be incomplete.
        Some(status) if !answer.complete && answer.stopped.is_none() => {
            let known = if answer.explanation.is_some() { BEST_SO_FAR } else { answer.known };
            Answer { known, ..answer.ended_by(status) }
        }
        _ => answer,
    };
    Ok(Answer { sources: subject.sources.clone(), warnings: warnings.clone(), ..answer }.with_added_apart())
}

impl ExplainedTexts<'_> {
    /// Reports an intermediate answer; `known` describes it.
    fn report(&self, answer: Answer, known: &'static str) {
        let answer = Answer { sources: self.sources.clone(), known, ..answer };
        (self.so_far)(&answer.clone().with_added_apart());
        self.last.replace(answer);
    }
}

/// A solution of a case, or the reason why it has none.
fn verdict(
    subject: &ExplainedTexts,
    case: &ExplainedCase,
    conflict: &dyn Fn(Explanation) -> Answer,
) -> Result<WhyVerdict, Halt> {
    let so_far = |explanation| subject.report(conflict(explanation), BEST_SO_FAR);
    super::why_unsatisfiable(&ExplainedCase { so_far: Some(&so_far), ..*case }, subject.sources)
}

/// A solution of a case, or the answer that shows in steps that it has none, with this verdict and headline.
fn in_steps(
    subject: &ExplainedTexts,
    case: &ExplainedCase,
    (verdict, headline): (&'static str, &str),
) -> Result<Result<SolutionValues, Answer>, Halt> {
    let mut started = |reasons| {
        let conflict = Answer::conflict(verdict, headline, Explanation::so_far(reasons));
        subject.report(conflict, "no steps are known yet");
    };
    Ok(match super::proof(case, subject.sources, &mut started)? {
        ProofVerdict::Solvable(found) => Ok(found),
        ProofVerdict::Refuted(proof, board) => {
            let (given, steps) = (proof.given.clone(), proof.steps.clone());
            let answer = Answer::shown_by(verdict, headline, proof);
            let page = page_about_steps(subject, case, (&answer.says, &given, ""), &steps, board.as_deref());
            Err(Answer { page, ..answer })
        }
    })
}

/// The page with the steps, if one is wanted: the heading, the given values, the steps, and the text below them.
fn page_about_steps(
    subject: &ExplainedTexts,
    case: &ExplainedCase,
    (says, given, ending): (&str, &[String], &str),
    steps: &[ProofStep],
    board: Option<&RequirementBoard>,
) -> Option<String> {
    let (title, directives) = subject.page?;
    let stage = stage(case.instance, directives);
    Some(steps_page::steps_page(&StepsHeading { title, says, given, ending }, steps, board, stage.as_ref()))
}

/// The verdict and the headline of an instance without solutions.
pub(crate) const NO_SOLUTION: (&str, &str) = ("none", "There is no solution");

/// Explains why an instance has no solution, with this verdict and headline.
pub(crate) fn explain_why(
    subject: &ExplainedTexts,
    none: (&'static str, &str),
    warnings: &mut Diagnostics,
) -> Result<Answer, Halt> {
    let asked = contradiction(subject, none, warnings);
    answer_with_sources(subject, warnings, asked)
}

fn contradiction(
    subject: &ExplainedTexts,
    none: (&'static str, &str),
    warnings: &mut Diagnostics,
) -> Result<Answer, Halt> {
    let ExplainedTexts { sources, model, data, options, .. } = *subject;
    let instance = match read_instance(&subject.read.model, sources, data, warnings) {
        Ok(instance) => instance,
        // All other mistakes in the data are reported as usual.
        Err(Halt::Wrong(wrong)) if !wrong.is_empty() && wrong.iter().all(|error| error.code == Code::WHERE_FALSE) => {
            return false_where(subject, warnings);
        }
        Err(halt) => return Err(halt),
    };
    // A repair may change the model or the data, so both are read again.
    let again = |sources: &Sources| {
        let mut ignored = Vec::new();
        let read = read_model_text(sources, model, &mut ignored).ok()?;
        self::read_instance(&read.model, sources, data, &mut ignored).ok().map(PartlySolved::from)
    };
    let case = ExplainedCase { again: Some(&again), ..ExplainedCase::of(&instance, options) };
    let conflict = |explanation| Answer::conflict(none.0, none.1, explanation);
    if subject.in_steps {
        return Ok(match in_steps(subject, &case, none)? {
            Ok(found) => Answer::new("solution", "There is a solution:").with_solution(&instance, &found),
            Err(shown) => shown,
        });
    }
    Ok(match verdict(subject, &case, &conflict)? {
        WhyVerdict::Solvable(found) => Answer::new("solution", "There is a solution:").with_solution(&instance, &found),
        WhyVerdict::Conflict(explanation) => conflict(explanation),
    })
}

/// Explains which `where` rules out the data.
fn false_where(subject: &ExplainedTexts, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let ExplainedTexts { sources, model, data, options, .. } = *subject;
    // If a `where` is false, the instance cannot be built. So each `where` becomes a constraint, and the conflict is
    // searched for as usual.
    let wheres = |file: ast::File, sources: &Sources, warnings: &mut Diagnostics| {
        let model = Arc::new(analyse(&wheres_as_constraints(file), warnings)?);
        read_instance(&model, sources, data, warnings)
    };
    let instance = wheres(subject.read.file.clone(), sources, warnings)?;
    let again = |sources: &Sources| {
        let mut ignored = Vec::new();
        let file = parse_text(sources, model, &mut ignored).ok()?;
        wheres(file, sources, &mut ignored).ok().map(PartlySolved::from)
    };
    let case = ExplainedCase { again: Some(&again), ..ExplainedCase::of(&instance, options) };
    let conflict = |explanation: Explanation| {
        let says = match number_of(&explanation.reasons) {
            1 => "There is no solution: a `where` rules these data out.".to_owned(),
            count => format!("There is no solution: {count} conditions of `where` rule these data out."),
        };
        Answer::new("none", says).explained(Purpose::NoInstance, explanation)
    };
    if subject.in_steps {
        let shown = in_steps(subject, &case, NO_SOLUTION)?;
        return Ok(shown.map_or_else(|shown| shown, |_| Answer::unknown()));
    }
    Ok(match verdict(subject, &case, &conflict)? {
        WhyVerdict::Conflict(explanation) => conflict(explanation),
        WhyVerdict::Solvable(_) => Answer::unknown(),
    })
}

/// Decides whether a fact, a text such as `such that x = 3`, holds in all solutions, and explains why.
pub(crate) fn forced(subject: &ExplainedTexts, fact: SourceId, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let asked = consequence(subject, fact, warnings);
    answer_with_sources(subject, warnings, asked)
}

fn consequence(subject: &ExplainedTexts, fact: SourceId, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let sources = subject.sources;
    let facts = PartialSolution::of(parse_text(sources, fact, warnings)?, None);
    let mut file = subject.read.file.clone();
    let data = data_for(sources, &mut file, subject.data, &facts, warnings)?;
    let count = with_constraints(&mut file, facts.constraints);
    let mut model = analyse(&file, warnings)?;
    // Type checking needs the fact as a part of the model; now it is taken out again.
    let facts = split_off(&mut model, count);
    let instance = instance_of(&Arc::new(model), &data, warnings)?;
    let [denied] = facts.as_slice() else {
        let error = Diagnostic::error(Code::COMMAND_LINE, "one constraint is expected here");
        let error = facts.get(1).map_or(error.clone(), |second| error.at(second.span, "a second one"));
        return Err(error.help("join several constraints with `/\\`").into());
    };
    let shown = sources.text(denied.span).to_owned();
    let case = ExplainedCase::of(&instance, subject.options);
    // If there is no solution, every fact is forced, so this is checked before the fact is denied.
    let conflict =
        |explanation| Answer::conflict("none", "There is no solution, so every constraint follows", explanation);
    if let WhyVerdict::Conflict(explanation) = verdict(subject, &case, &conflict)? {
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
    Ok(match verdict(subject, &ExplainedCase { denied: &facts, ..case }, &forced)? {
        WhyVerdict::Solvable(found) => {
            let says = format!("`{shown}` is not forced. Here is a solution in which it does not hold:");
            Answer::new("not forced", says).with_solution(&instance, &found)
        }
        WhyVerdict::Conflict(explanation) => forced(explanation),
    })
}

/// The requirements that an expected solution, or a part of one, violates; a whole valid solution is compared with the
/// best one.
pub(crate) fn expected(
    subject: &ExplainedTexts,
    expected: SourceId,
    warnings: &mut Diagnostics,
) -> Result<Answer, Halt> {
    let asked = expectation(subject, expected, warnings).and_then(|(answer, solution)| match solution {
        Some(solution) => valued(subject, &solution, warnings),
        None => Ok(answer),
    });
    answer_with_sources(subject, warnings, asked)
}

/// The requirements that an expected solution, or a part of one, violates, without regard to its objective.
pub(crate) fn refused_solution(
    subject: &ExplainedTexts,
    expected: SourceId,
    warnings: &mut Diagnostics,
) -> Result<Answer, Halt> {
    let asked = expectation(subject, expected, warnings).map(|(answer, _)| answer);
    answer_with_sources(subject, warnings, asked)
}

/// The answer about an expected solution, and its instance if the solution is whole and valid.
fn expectation(
    subject: &ExplainedTexts,
    expected: SourceId,
    warnings: &mut Diagnostics,
) -> Result<(Answer, Option<GroundInstance>), Halt> {
    let file = &subject.read.file;
    // A complete solution can be evaluated without a search.
    if partial(subject.sources, file, (expected, subject.data), warnings)?.is_whole(file) {
        return find_broken_requirements(subject, expected, warnings);
    }
    let known = with_known_parts(subject, file.clone(), subject.sources, expected, warnings)?;
    let again = |sources: &Sources| known_again(subject, sources, expected);
    let case = ExplainedCase { again: Some(&again), ..known.case(subject.options) };
    let conflict =
        |explanation| Answer::conflict("not extensible", "This cannot be extended to a solution", explanation);
    let extended = |found: &SolutionValues| {
        Answer::new("extensible", "This can be extended to a solution:").with_solution(&known.instance, found)
    };
    if subject.in_steps {
        let shown = in_steps(subject, &case, ("not extensible", "This cannot be extended to a solution"))?;
        return Ok((shown.map_or_else(|shown| shown, |found| extended(&found)), None));
    }
    let answer = match verdict(subject, &case, &conflict)? {
        WhyVerdict::Solvable(found) => extended(&found),
        WhyVerdict::Conflict(explanation) => conflict(explanation),
    };
    Ok((answer, None))
}

/// The best value of the objective among the solutions that extend a partial one, and the end of that search. There is
/// no value without an objective, or if there is no such solution.
pub(crate) fn best_with(
    subject: &ExplainedTexts,
    part: SourceId,
    warnings: &mut Diagnostics,
) -> Result<(Option<String>, SearchEnd), Halt> {
    let file = &subject.read.file;
    let partial = partial(subject.sources, file, (part, subject.data), warnings)?;
    // Known variables become parameters, so the search decides only the others.
    let mut given = solution::with_finds_given(file.clone(), |name| partial.has_value(name));
    let mut data = data_for(subject.sources, &mut given, subject.data, &partial, warnings)?;
    with_constraints(&mut given, partial.constraints);
    data.push(partial.lettings);
    let instance = instance_of(&Arc::new(analyse(&given, warnings)?), &data, warnings)?;
    match best_value(subject, &instance) {
        Ok((value, status)) => Ok((value.map(|value| shown_objective(&instance, &value)), status)),
        Err(Halt::Stopped(status @ (StopReason::TimeLimit | StopReason::Interrupted))) => Ok((None, status.into())),
        Err(halt) => Err(halt),
    }
}

/// Explains why no solution is as good as a wish, a text such as `such that cost <= 7`.
pub(crate) fn as_good_as(subject: &ExplainedTexts, wish: SourceId, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let asked = not_as_good(subject, wish, warnings);
    answer_with_sources(subject, warnings, asked)
}

fn not_as_good(subject: &ExplainedTexts, wish: SourceId, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let known = with_known_parts(subject, subject.read.file.clone(), subject.sources, wish, warnings)?;
    let again = |sources: &Sources| known_again(subject, sources, wish);
    let case = ExplainedCase { again: Some(&again), ..known.case(subject.options) };
    let conflict = |mut explanation: Explanation| {
        // The user's own wish must not be proposed for a change.
        explanation.changes.retain(|change| change.edit.span.source != wish);
        Answer::conflict("none", "No solution is as good as that", explanation)
    };
    Ok(match verdict(subject, &case, &conflict)? {
        WhyVerdict::Solvable(found) => {
            Answer::new("solution", "This is as good as that:").with_solution(&known.instance, &found)
        }
        WhyVerdict::Conflict(explanation) => conflict(explanation),
    })
}

/// The values and constraints of a file about the decision variables of a model.
fn partial(
    sources: &Sources,
    model: &ast::File,
    (expected, data): (SourceId, &[SourceId]),
    warnings: &mut Diagnostics,
) -> Result<PartialSolution, Halt> {
    let given = solution::with_finds_given(model.clone(), |_| true);
    let given = Arc::new(analyse(&given, warnings)?);
    let values = read_values(sources, &given, expected, data, warnings)?;
    let (environment, names) = known_values(&given, sources, data);
    Ok(PartialSolution::of(values, Some(VariableDomains { model: &given, environment, names })))
}

/// The data of a model to which constraints will be added; these may use names that only the data or a solution define.
fn data_for(
    sources: &Sources,
    model: &mut ast::File,
    data: &[SourceId],
    added: &PartialSolution,
    warnings: &mut Diagnostics,
) -> Result<Vec<ast::File>, Halt> {
    let typed = Arc::new(analyse(model, warnings)?);
    let mut files = read_parameters(&typed, sources, data, warnings)?;
    with_named_members(model, &typed, &files, Some(&added.lettings), &added.constraints);
    with_known_members(model, &mut files, &added.constraints);
    Ok(files)
}

/// An instance with a partial solution: constraints on parts are added to its model, whole values are kept beside it.
fn with_known_parts(
    subject: &ExplainedTexts,
    file: ast::File,
    sources: &Sources,
    expected: SourceId,
    warnings: &mut Diagnostics,
) -> Result<PartlySolved, Halt> {
    let partial = partial(sources, &file, (expected, subject.data), warnings)?;
    let mut with_parts = file.clone();
    let files = data_for(sources, &mut with_parts, subject.data, &partial, warnings)?;
    with_constraints(&mut with_parts, partial.constraints.clone());
    let model = Arc::new(analyse(&with_parts, warnings)?);
    let instance = instance_of(&model, &files, warnings)?;
    // As parameters, the known variables have values, but the expressions stay as they were written.
    let given = solution::with_finds_given(file, |name| partial.has_value(name));
    let given = Arc::new(analyse(&given, warnings)?);
    let mut files = read_parameters(&given, sources, subject.data, warnings)?;
    files.push(partial.lettings.clone());
    let bound = instance_of(&given, &files, warnings)?;
    let is_find = |id: DeclarationId| matches!(model.declaration(id).kind, DeclarationKind::Find(_));
    let written: Vec<(DeclarationId, Expr)> =
        bound.parameters.values.iter().filter(|(id, _)| is_find(*id)).cloned().collect();
    let mut environment = bound.environment;
    let values = written.iter().filter_map(|(id, _)| Some((*id, environment.global(*id).ok()?))).collect();
    Ok(PartlySolved { instance, values, written })
}

/// The instance and the known values, read again from changed texts.
fn known_again(subject: &ExplainedTexts, sources: &Sources, expected: SourceId) -> Option<PartlySolved> {
    let mut ignored = Vec::new();
    let file = parse_text(sources, subject.model, &mut ignored).ok()?;
    with_known_parts(subject, file, sources, expected, &mut ignored).ok()
}

/// The requirements that a whole solution violates, or its instance if there are none.
fn find_broken_requirements(
    subject: &ExplainedTexts,
    expected: SourceId,
    warnings: &mut Diagnostics,
) -> Result<(Answer, Option<GroundInstance>), Halt> {
    let (solution, found) = violated(subject, expected, warnings)?;
    let says = match number_of(&found) {
        0 => return Ok((Answer::new("right", RIGHT), Some(solution))),
        1 => "This is not a solution: it breaks one requirement.".to_owned(),
        count => format!("This is not a solution: it breaks {count} requirements."),
    };
    Ok((Answer::new("wrong", says).with_reasons(found), None))
}

const RIGHT: &str = "This is a solution: it breaks no requirement.";

/// The instance of a model with a solution, as [`pipeline::validate`] returns it; the error shows a violated
/// requirement with its values.
pub(crate) fn validated_instance(
    subject: &ExplainedTexts,
    solution: SourceId,
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    let before = warnings.len();
    let files: Vec<SourceId> = subject.data.iter().copied().chain([solution]).collect();
    let valid = pipeline::validate(subject.sources, &subject.read.file, &files, warnings);
    // The violated requirements are searched for again, to show the values of the first one.
    if let Err(Halt::Wrong(wrong)) = &valid
        && wrong.iter().any(|error| error.code == Code::SOLUTION_INVALID)
        && let Ok((_, found)) = violated(subject, solution, &mut Vec::new())
        && let Some(error) = invalid(&found)
    {
        warnings.truncate(before);
        return Err(error.into());
    }
    valid
}

/// The error for a solution that violates these requirements; it shows the first one.
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

/// The instance of a model with a solution as its last data, and the violated requirements.
fn violated(
    subject: &ExplainedTexts,
    expected: SourceId,
    warnings: &mut Diagnostics,
) -> Result<(GroundInstance, Vec<Reason>), Halt> {
    let files: Vec<SourceId> = subject.data.iter().copied().chain([expected]).collect();
    let file = subject.read.file.clone();
    let mut names = BTreeSet::new();
    for statement in &file.statements {
        if let ast::StatementKind::Find { names: found, .. } = &statement.kind {
            names.extend(found.iter().map(|name| name.text.to_string()));
        }
    }
    // If the decision variables are parameters, each constraint is true or false.
    let given = solution::with_finds_given(file, |_| true);
    let model = Arc::new(analyse(&given, warnings)?);
    let instance = read_instance(&model, subject.sources, &files, warnings)?;
    let found = broken_requirements(&instance, subject.sources, subject.options, |name| names.contains(name))?;
    Ok((instance, found))
}

/// The answer for a valid solution, which compares its objective with the best value.
fn valued(subject: &ExplainedTexts, expected: &GroundInstance, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let right = Answer::new("right", RIGHT);
    let Some(own) = solution::objective_value(expected, &Vec::new())? else { return Ok(right) };
    if expected.model.competing_goals().is_some() {
        let own = shown_objective(expected, &own);
        let says = format!(
            "This is a solution with the goals {own}. It is not known whether another one is better in all of them."
        );
        return Ok(Answer::new("right", says));
    }
    let instance = read_instance(&subject.read.model, subject.sources, subject.data, warnings)?;
    let (best, status) = best_value(subject, &instance)?;
    let is_best = best.as_ref().is_none_or(|best| *best == own);
    let better = match (&instance.model.objective, &best) {
        (Some(objective), Some(best)) => objective.sense.is_better(best, &own),
        _ => false,
    };
    let (own, best) = (shown_objective(&instance, &own), best.map(|best| shown_objective(&instance, &best)));
    Ok(match (status, best) {
        (SearchEnd::Complete, _) if is_best => {
            Answer::new("right", format!("This is a solution with objective {own}. No solution is better."))
        }
        (SearchEnd::Complete, Some(best)) => {
            Answer::new("not best", format!("This is a solution with objective {own}. The best solution has {best}."))
        }
        // The search has not found the best solution, but a better one is enough.
        (_, Some(best)) if !is_best && better => {
            Answer::new("not best", format!("This is a solution with objective {own}. A better solution has {best}."))
        }
        _ => {
            let says =
                format!("This is a solution with objective {own}. It is not known whether a better solution exists.");
            Answer { complete: false, ..Answer::new("right", says) }
        }
    })
}

/// The best value of the objective that was found, and the end of the search. There is no value without an objective or
/// a solution.
fn best_value(subject: &ExplainedTexts, instance: &GroundInstance) -> Result<(Option<Value>, SearchEnd), Halt> {
    let mut best = None;
    let lowered = lower_instance(instance, subject.options)?;
    let search = Search::new(instance, &lowered, subject.options);
    let end = search.solutions(&mut *alone(), &mut |solution, _| {
        best = Some(solution.clone());
        ControlFlow::Continue(())
    })?;
    let value = best.map(|best| solution::objective_value(instance, &best)).transpose()?;
    Ok((value.flatten(), end))
}

/// Explains why no solution is better than the best one, and which changes would make a better one possible.
pub(crate) fn nothing_better(subject: &ExplainedTexts, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let Some(objective) = &subject.read.model.objective else {
        let error = Diagnostic::error(Code::COMMAND_LINE, "no solution of this model is better than another")
            .note("the model has no objective, such as `minimising cost`")
            .help("add an objective");
        return Err(error.into());
    };
    let [best, best_read] = match best_shown(subject, warnings) {
        Ok(Ok(best)) => best,
        Ok(Err(none)) => return answer_with_sources(subject, warnings, Ok(none)),
        Err(halt) => return answer_with_sources(subject, warnings, Err(halt)),
    };
    // Several goals are compared lexicographically, as tuples.
    let is_number = best.parse::<i64>().is_ok();
    let sign = match (objective.sense, is_number) {
        (Sense::Minimise, true) => "<",
        (Sense::Minimise, false) => "<lex",
        (Sense::Maximise, true) => ">",
        (Sense::Maximise, false) => ">lex",
    };
    let value = subject.sources.text(objective.value.span);
    // A tuple or a value without spaces needs no parentheses beside the sign.
    let is_one = matches!(objective.value.kind, ExprKind::Tuple(_)) || !value.contains(char::is_whitespace);
    let value = if !is_one { format!("({value})") } else { value.to_owned() };
    let mut sources = subject.sources.clone();
    let wish = sources.add("a better solution", format!("such that {value} {sign} {best}"));
    let subject = ExplainedTexts { sources: &sources, ..*subject };
    let asked = no_better(&subject, wish, &best_read, warnings);
    answer_with_sources(&subject, warnings, asked)
}

/// The best value of the objective in Essence and in words, or the answer if there is none.
fn best_shown(subject: &ExplainedTexts, warnings: &mut Diagnostics) -> Result<Result<[String; 2], Answer>, Halt> {
    let instance = read_instance(&subject.read.model, subject.sources, subject.data, warnings)?;
    match best_value(subject, &instance)? {
        (_, SearchEnd::Stopped(stopped)) => Ok(Err(Answer::unknown().ended_by(stopped))),
        (Some(best), _) => {
            let ty = instance.model.objective.as_ref().map_or(&Type::Any, |objective| &objective.value.ty);
            Ok(Ok([instance.names.show(&best, ty), shown_objective(&instance, &best)]))
        }
        (None, _) => contradiction(subject, NO_SOLUTION, warnings).map(Err),
    }
}

/// Explains why nothing can be better than the best value.
fn no_better(subject: &ExplainedTexts, wish: SourceId, best: &str, warnings: &mut Diagnostics) -> Result<Answer, Halt> {
    let known = with_known_parts(subject, subject.read.file.clone(), subject.sources, wish, warnings)?;
    let again = |sources: &Sources| known_again(subject, sources, wish);
    let case = ExplainedCase { again: Some(&again), ..known.case(subject.options) };
    let conflict = |mut explanation: Explanation| {
        // The bound itself must not be proposed for a change.
        explanation.changes.retain(|change| change.edit.span.source != wish);
        let says = format!("The best solution has objective {best}. A better one is impossible: ");
        let says = match number_of(&explanation.reasons) {
            1 => format!("{says}this requirement cannot hold."),
            count => format!("{says}these {count} requirements cannot hold together."),
        };
        Answer::new("best", says).explained(Purpose::NothingBetter, explanation)
    };
    // The best value has been proved, so this happens only if a search is wrong; the result is then unknown.
    let found_one = |found: &SolutionValues| {
        Answer::new("unknown", "A better solution has been found:").with_solution(&known.instance, found)
    };
    if subject.in_steps {
        let headline = format!("The best solution has objective {best}. A better one is impossible");
        let shown = in_steps(subject, &case, ("best", &headline))?;
        return Ok(shown.map_or_else(|shown| shown, |found| found_one(&found)));
    }
    Ok(match verdict(subject, &case, &conflict)? {
        WhyVerdict::Conflict(explanation) => conflict(explanation),
        WhyVerdict::Solvable(found) => found_one(&found),
    })
}

/// A value of the objective, printed for people.
fn shown_objective(instance: &GroundInstance, value: &Value) -> String {
    instance.model.goals_read(value, &instance.names).unwrap_or_default()
}

/// The answer with the next step, or with all steps, from the model and a partial solution.
pub(crate) fn hints(
    subject: &ExplainedTexts,
    partial: Option<SourceId>,
    all: bool,
    warnings: &mut Diagnostics,
) -> Result<Answer, Halt> {
    let asked = next_steps(subject, partial, all, warnings);
    answer_with_sources(subject, warnings, asked)
}

fn next_steps(
    subject: &ExplainedTexts,
    partial: Option<SourceId>,
    all: bool,
    warnings: &mut Diagnostics,
) -> Result<Answer, Halt> {
    let known = match partial {
        Some(partial) => with_known_parts(subject, subject.read.file.clone(), subject.sources, partial, warnings)?,
        None => read_instance(&subject.read.model, subject.sources, subject.data, warnings)?.into(),
    };
    let again = |sources: &Sources| match partial {
        Some(partial) => known_again(subject, sources, partial),
        None => {
            let mut ignored = Vec::new();
            let read = read_model_text(sources, subject.model, &mut ignored).ok()?;
            read_instance(&read.model, sources, subject.data, &mut ignored).ok().map(PartlySolved::from)
        }
    };
    let case = ExplainedCase { again: Some(&again), ..known.case(subject.options) };
    let conflict = |explanation| Answer::conflict(NO_SOLUTION.0, NO_SOLUTION.1, explanation);
    // If there is no solution, every fact follows.
    let solution = match verdict(subject, &case, &conflict)? {
        WhyVerdict::Solvable(solution) => solution,
        WhyVerdict::Conflict(explanation) => return Ok(conflict(explanation)),
    };
    let mut taken = Vec::new();
    subject.last.replace(Answer { known: "no step is known yet", ..Answer::unknown() });
    let board = RequirementBoard::new(&case, Some(&solution), subject.sources)?;
    let mut step = |step: HintStep| {
        taken.push(step);
        let steps = Steps { taken: taken.clone(), all, ..Steps::default() };
        subject.report(Answer { steps: Some(steps), ..Answer::unknown() }, "no further step is known yet");
    };
    let (given, end) = guided(&case, &board, subject.sources, |guide| follow(guide, all, &mut step))?;
    let answer = match &end {
        None | Some(NextStep::Step(_)) => Answer::new("next", ""),
        Some(NextStep::Solved) => Answer::new("solved", "").with_solution(case.instance, &solution),
        Some(NextStep::Open(_)) => Answer::new("open", ""),
    };
    let mut ending = end.as_ref().map_or(String::new(), |end| self::reason_for_end(end, taken.len()));
    if let Some(objective) = &case.instance.model.objective
        && (!ending.is_empty() || !all)
    {
        let word = objective.sense.keyword();
        // The expression may extend over several lines.
        let value: Vec<&str> = subject.sources.text(objective.value.span).split_whitespace().collect();
        let value = value.join(" ");
        let space = if ending.is_empty() { "" } else { "\n" };
        ending += &format!("{space}Hints hold in every solution. They do not use the objective, `{word} {value}`.\n");
    }
    let open = match end {
        Some(NextStep::Open(names)) => names,
        _ => Vec::new(),
    };
    let numbered = taken.iter().zip(1..).map(|(step, number)| ProofStep::Taken(number, step.clone()));
    let numbered: Vec<ProofStep> = numbered.collect();
    let page =
        page_about_steps(subject, &case, ("The steps to the solution", &given, &ending), &numbered, Some(&board));
    Ok(Answer { steps: Some(Steps { given, taken, all, ending, open }), page, ..answer })
}

/// Takes one step or all; returns the clues, and the reason for the end if there is no further step.
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

/// The reason why there is no further step, in words.
fn reason_for_end(end: &NextStep, steps: usize) -> String {
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
