//! `conjure-like why`

use super::{
    Exit,
    answer::{self, Answer, Asking, Purpose},
    files::solution_file,
    instances::Instances,
    interrupt,
    session::Session,
};
use clap::Args;
use conjure_like::{
    analysis::model::{DeclarationId, DeclarationKind, Expr},
    diagnostic::{Code, Diagnostic, Diagnostics},
    explain::{self, Case, Explanation, Known, Partial, Reason, Trouble, Verdict},
    instance::{Instance, Solution},
    pipeline, solution,
    solver::{BACKENDS, Limits, Outcome},
    source::{SourceId, Sources},
    syntax::ast,
};
use std::{collections::BTreeSet, ops::ControlFlow, path::PathBuf, rc::Rc};

/// Explains why a model has no solution
///
/// Shows a smallest set of requirements that cannot hold together: constraints with the values of their loops, entries of
/// the data, bounds and attributes of domains. None of them can be left out. Then come the single changes that would give
/// the model a solution.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like why models/futoshiki.essence params/futoshiki-3-none.param

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a
limit ended the search before it had an answer, or before the answer was known to be minimal.")]
pub struct Why {
    #[command(flatten)]
    instances: Instances,
    /// Say why this is not a solution: which requirements a whole one breaks, or why a part of one cannot be extended.
    /// Leave out the variables that are not known, or write `_` for parts of them
    #[arg(long, value_name = "SOLUTION", value_parser = solution_file, conflicts_with = "forced")]
    expect: Option<PathBuf>,
    /// Say whether this constraint holds in every solution, and why, or show a solution in which it does not
    #[arg(long, value_name = "CONSTRAINT")]
    forced: Option<String>,
    #[command(flatten)]
    answers: answer::Options,
}

impl Why {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let limits = self.answers.limits();
        let expected = match &self.expect {
            Some(path) => Some(session.read(path)?),
            None => None,
        };
        let forced = self.forced.as_ref().map(|fact| session.sources.add("--forced", format!("such that {fact}")));
        let model = session.read(&self.instances.model)?;
        self.instances.each(session, |session, data, path| {
            let instance = path.filter(|_| self.instances.are_several());
            let asking = Asking { limits: &limits, answers: &self.answers, instance };
            let answer = match (expected, forced) {
                (Some(expected), _) => expectation(session, model, data, expected, &asking)?,
                (_, Some(fact)) => consequence(session, model, data, fact, &asking)?,
                _ => contradiction(session, model, data, &asking)?,
            };
            self.answers.print(session, &answer, instance)
        })
    }
}

/// Why an instance has no solution.
fn contradiction(session: &mut Session, model: SourceId, data: &[SourceId], asking: &Asking) -> Option<Answer> {
    let typed = pipeline::model(&session.sources, model, &mut session.diagnostics)?;
    let before = session.diagnostics.len();
    if let Some(instance) = pipeline::instance(&typed, &session.sources, data, &mut session.diagnostics) {
        let again = |sources: &Sources| {
            let mut diagnostics = Vec::new();
            let model = pipeline::model(sources, model, &mut diagnostics)?;
            pipeline::instance(&model, sources, data, &mut diagnostics).map(Known::from)
        };
        let case = Case { again: Some(&again), ..Case::of(&instance, asking.limits) };
        let conflict = |explanation| Answer::conflict("none", "There is no solution", explanation);
        return match verdict(session, &case, asking, &conflict)? {
            Some(Verdict::Solvable(found)) => {
                Some(Answer::new("solution", "There is a solution:").with_solution(&instance, &found))
            }
            Some(Verdict::Conflict(explanation)) => Some(conflict(explanation)),
            None => Some(Answer::unknown()),
        };
    }
    let errors = &session.diagnostics[before..];
    if errors.is_empty() || errors.iter().any(|error| error.code != Code::WHERE_FALSE) {
        return None;
    }
    session.diagnostics.truncate(before);
    let wheres = |sources: &Sources, diagnostics: &mut Diagnostics| {
        let file = explain::wheres_as_constraints(pipeline::parse(sources, model, diagnostics)?);
        let model = Rc::new(pipeline::analyse(&file, diagnostics)?);
        pipeline::instance(&model, sources, data, diagnostics)
    };
    let instance = wheres(&session.sources, &mut session.diagnostics)?;
    let again = |sources: &Sources| wheres(sources, &mut Vec::new()).map(Known::from);
    let case = Case { again: Some(&again), ..Case::of(&instance, asking.limits) };
    let conflict = |explanation: Explanation| {
        let says = match number_of(&explanation.reasons) {
            1 => "There is no solution: a `where` rules these data out.".to_owned(),
            count => format!("There is no solution: {count} conditions of `where` rule these data out."),
        };
        Answer::new("none", says).explained(Purpose::NoInstance, explanation)
    };
    Some(match verdict(session, &case, asking, &conflict)? {
        Some(Verdict::Conflict(explanation)) => conflict(explanation),
        _ => Answer::unknown(),
    })
}

/// A solution of a case, or why it has none; `None` inside if that is not known in time. If a limit ends the run before, the
/// explanation so far is the answer.
pub fn verdict(
    session: &mut Session,
    case: &Case,
    asking: &Asking,
    conflict: &dyn Fn(Explanation) -> Answer,
) -> Option<Option<Verdict>> {
    let leave = |explanation| {
        asking.leave(session, &conflict(explanation), "this is the best explanation so far");
    };
    let case = Case { so_far: Some(&leave), ..*case };
    let nothing = "nothing is known yet";
    let verdict = interrupt::explaining(asking.limits.deadline, nothing, || explain::why(&case, &session.sources));
    answered(session, verdict, nothing)
}

/// Whether a fact holds in all solutions, and why.
fn consequence(
    session: &mut Session,
    model: SourceId,
    data: &[SourceId],
    fact: SourceId,
    asking: &Asking,
) -> Option<Answer> {
    let mut file = pipeline::parse(&session.sources, model, &mut session.diagnostics)?;
    let facts = pipeline::parse(&session.sources, fact, &mut session.diagnostics)?;
    let data = data_for(&session.sources, &mut file, data, &facts, &mut session.diagnostics)?;
    let count = explain::with_constraints(&mut file, facts);
    let mut model = pipeline::analyse(&file, &mut session.diagnostics)?;
    let facts = explain::split_off(&mut model, count);
    let instance = pipeline::instance_of(&Rc::new(model), &data, &mut session.diagnostics)?;
    let [denied] = facts.as_slice() else {
        return session.fail(Diagnostic::error(Code::COMMAND_LINE, "`--forced` takes one constraint"));
    };
    let shown = session.sources.text(denied.span).to_owned();
    let case = Case::of(&instance, asking.limits);
    let conflict = |explanation| {
        Answer::conflict("none", "There is no solution at all, so that everything holds in all of them", explanation)
    };
    match verdict(session, &case, asking, &conflict)? {
        Some(Verdict::Conflict(explanation)) => return Some(conflict(explanation)),
        Some(Verdict::Solvable(_)) => {}
        None => return Some(Answer::unknown()),
    }
    let forced = |explanation: Explanation| {
        let says = match number_of(&explanation.reasons) {
            0 => format!("`{shown}` holds by itself."),
            1 => format!("`{shown}` holds in every solution. It follows from this requirement."),
            count => format!("`{shown}` holds in every solution. It follows from these {count} requirements."),
        };
        Answer::new("forced", says).explained(Purpose::Consequence, explanation)
    };
    Some(match verdict(session, &Case { denied: &facts, ..case }, asking, &forced)? {
        Some(Verdict::Solvable(found)) => {
            let says = format!("`{shown}` is not forced. Here is a solution in which it does not hold:");
            Answer::new("not forced", says).with_solution(&instance, &found)
        }
        Some(Verdict::Conflict(explanation)) => forced(explanation),
        None => Answer::unknown(),
    })
}

/// What is wrong with a solution that somebody expects.
fn expectation(
    session: &mut Session,
    model: SourceId,
    data: &[SourceId],
    expected: SourceId,
    asking: &Asking,
) -> Option<Answer> {
    let file = pipeline::parse(&session.sources, model, &mut session.diagnostics)?;
    if partial(&session.sources, &file, expected, &mut session.diagnostics)?.is_whole(&file) {
        return broken(session, file, data, expected, asking.limits);
    }
    let known = known(&session.sources, model, data, expected, &mut session.diagnostics)?;
    let again = |sources: &Sources| self::known(sources, model, data, expected, &mut Vec::new());
    let case = Case { again: Some(&again), ..known.case(asking.limits) };
    let conflict = |explanation| Answer::conflict("not extensible", "It cannot be extended to a solution", explanation);
    Some(match verdict(session, &case, asking, &conflict)? {
        Some(Verdict::Solvable(found)) => {
            Answer::new("extensible", "It can be extended to a solution:").with_solution(&known.instance, &found)
        }
        Some(Verdict::Conflict(explanation)) => conflict(explanation),
        None => Answer::unknown(),
    })
}

/// What a file says about the decision variables of a model.
fn partial(sources: &Sources, model: &ast::File, expected: SourceId, diagnostics: &mut Diagnostics) -> Option<Partial> {
    let given = solution::with_finds_given(model.clone(), |_| true);
    let given = pipeline::analyse(&given, diagnostics)?;
    pipeline::values(sources, &given, expected, diagnostics).map(Partial::of)
}

/// The data of a model to which a text will be added; the text may name what only the data define.
fn data_for(
    sources: &Sources,
    model: &mut ast::File,
    data: &[SourceId],
    text: &ast::File,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<ast::File>> {
    let typed = pipeline::analyse(model, diagnostics)?;
    let mut files = pipeline::parameters(&typed, sources, data, diagnostics)?;
    explain::with_known_members(model, &mut files, text);
    Some(files)
}

/// An instance with what is known of a solution: parts as constraints of its model, whole values beside it.
pub fn known(
    sources: &Sources,
    model: SourceId,
    data: &[SourceId],
    expected: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<Known> {
    let file = pipeline::parse(sources, model, diagnostics)?;
    let partial = partial(sources, &file, expected, diagnostics)?;
    let mut with_parts = file.clone();
    let files = data_for(sources, &mut with_parts, data, &partial.constraints, diagnostics)?;
    explain::with_constraints(&mut with_parts, partial.constraints.clone());
    let model = Rc::new(pipeline::analyse(&with_parts, diagnostics)?);
    let instance = pipeline::instance_of(&model, &files, diagnostics)?;
    let given = solution::with_finds_given(file, |name| partial.has_value(name));
    let given = Rc::new(pipeline::analyse(&given, diagnostics)?);
    let mut files = pipeline::parameters(&given, sources, data, diagnostics)?;
    files.push(partial.lettings.clone());
    let bound = pipeline::instance_of(&given, &files, diagnostics)?;
    let is_find = |id: DeclarationId| matches!(model.declarations[id.0 as usize].kind, DeclarationKind::Find(_));
    let written: Vec<(DeclarationId, Expr)> =
        bound.parameters.values.iter().filter(|(id, _)| is_find(*id)).cloned().collect();
    let mut environment = bound.environment;
    let values = written.iter().filter_map(|(id, _)| Some((*id, environment.global(*id).ok()?))).collect();
    Some(Known { instance, values, written })
}

/// The requirements that a whole solution breaks, or how good it is.
fn broken(
    session: &mut Session,
    file: ast::File,
    data: &[SourceId],
    expected: SourceId,
    limits: &Limits,
) -> Option<Answer> {
    let files: Vec<SourceId> = data.iter().copied().chain([expected]).collect();
    let (solution, found) = violated(session, file.clone(), &files, limits)?;
    let Some(found) = found else { return Some(Answer::unknown()) };
    Some(match number_of(&found) {
        0 => valued(session, &file, data, &solution, limits)?,
        1 => Answer::new("wrong", "It is not a solution: it breaks this requirement.").with_reasons(found),
        count => Answer::new("wrong", format!("It is not a solution: it breaks these {count} requirements."))
            .with_reasons(found),
    })
}

/// How many requirements there are where some are told together.
pub fn number_of(reasons: &[Reason]) -> usize {
    reasons.iter().map(|reason| reason.instances.len().max(1)).sum()
}

/// A model with a solution as its last data, as an instance, and what is broken there; `None` inside if a limit was in the way.
pub fn violated(
    session: &mut Session,
    file: ast::File,
    files: &[SourceId],
    limits: &Limits,
) -> Option<(Instance, Option<Vec<Reason>>)> {
    let mut names = BTreeSet::new();
    for statement in &file.statements {
        if let ast::StatementKind::Find { names: found, .. } = &statement.kind {
            names.extend(found.iter().map(|name| name.text.to_string()));
        }
    }
    let given = solution::with_finds_given(file, |_| true);
    let model = Rc::new(pipeline::analyse(&given, &mut session.diagnostics)?);
    let instance = pipeline::instance(&model, &session.sources, files, &mut session.diagnostics)?;
    let found = explain::broken(&instance, &session.sources, limits, |name| names.contains(name));
    let found = answered(session, found, "nothing is known yet")?;
    Some((instance, found))
}

/// That a solution is one, and the value of its objective beside the best one.
fn valued(
    session: &mut Session,
    file: &ast::File,
    data: &[SourceId],
    expected: &Instance,
    limits: &Limits,
) -> Option<Answer> {
    let right = Answer::new("right", "It is a solution: it breaks no requirement.");
    let Some(own) = objective_of(session, expected, &Vec::new())? else { return Some(right) };
    let model = Rc::new(pipeline::analyse(file, &mut session.diagnostics)?);
    let instance = pipeline::instance(&model, &session.sources, data, &mut session.diagnostics)?;
    let lowered = pipeline::lower(&instance, &Default::default(), &mut session.diagnostics)?;
    let mut best = None;
    let outcome = interrupt::during(limits.deadline, || {
        let mut solver = (BACKENDS[0].make)();
        pipeline::search(&instance, &lowered, &mut *solver, limits, &mut session.diagnostics, &mut |found| {
            best = Some(found.clone());
            ControlFlow::Continue(())
        })
    })?;
    let best = match &best {
        Some(best) => objective_of(session, &instance, best)?,
        None => None,
    };
    let is_best = best.as_ref().is_none_or(|best| *best == own);
    Some(match (outcome, best) {
        (Outcome::Complete, _) if is_best => {
            Answer::new("right", format!("It is a solution, with objective {own}: there is no better one."))
        }
        (Outcome::Complete, Some(best)) => {
            Answer::new("not best", format!("It is a solution, with objective {own}; the best is {best}."))
        }
        (_, Some(best)) if !is_best && better(&instance, &best, &own) => {
            Answer::new("not best", format!("It is a solution, with objective {own}; there is one with {best}."))
        }
        _ => Answer {
            exit: Exit::Limit,
            ..Answer::new(
                "right",
                format!("It is a solution, with objective {own}. Whether there is a better one is not known."),
            )
        },
    })
}

fn better(instance: &Instance, value: &str, than: &str) -> bool {
    let maximising = instance.model.objective.as_ref().is_some_and(|objective| objective.maximising);
    match (value.parse::<i64>(), than.parse::<i64>()) {
        (Ok(value), Ok(than)) => {
            if maximising {
                value > than
            } else {
                value < than
            }
        }
        _ => false,
    }
}

/// The value of the objective as text; `None` inside without one.
fn objective_of(session: &mut Session, instance: &Instance, values: &Solution) -> Option<Option<String>> {
    let Some(objective) = &instance.model.objective else { return Some(None) };
    match solution::objective_value(instance, values) {
        Ok(value) => Some(value.map(|value| instance.names.show(&value, &objective.value.ty))),
        Err(fault) => session.fail(*fault),
    }
}

/// What was found out; `None` inside if a limit was in the way, which is said together with how much is known.
pub fn answered<T>(session: &mut Session, answer: Result<T, Trouble>, so_far: &str) -> Option<Option<T>> {
    match answer {
        Ok(answer) => Some(Some(answer)),
        Err(Trouble::Diagnostics(diagnostics)) => {
            session.diagnostics.extend(diagnostics);
            None
        }
        Err(Trouble::Outcome(Outcome::Unknown(reason))) => {
            session.fail(Diagnostic::error(Code::SOLVER_FAILED, format!("the solver gave up: {reason}")))
        }
        Err(Trouble::Outcome(outcome)) => {
            let why = interrupt::cause(&outcome).unwrap_or(interrupt::Cause::Time).ended_the_search();
            session.reporting.status(&format!("{why}; {so_far}."));
            Some(None)
        }
    }
}
