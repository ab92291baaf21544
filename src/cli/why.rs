//! `conjure-like why`

use super::{Exit, interrupt, session::Session, solve::seconds};
use clap::Args;
use conjure_like::{
    analysis::model::{DeclarationId, DeclarationKind, Expr},
    diagnostic::{Code, Diagnostic, Label, terminal},
    explain::{self, Case, Change, Explanation, Partial, Reason, Trouble, Verdict},
    instance::Instance,
    language::Value,
    pipeline, solution,
    solver::{Limits, Outcome},
    source::SourceId,
    syntax::ast,
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    rc::Rc,
    time::{Duration, Instant},
};

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
    instance: Selection,
    /// Say why this is not a solution: which requirements a whole one breaks, or why a part of one cannot be extended.
    /// Leave out the variables that are not known, or write `_` for parts of them
    #[arg(long, value_name = "SOLUTION", conflicts_with = "forced")]
    expect: Option<PathBuf>,
    /// Say whether this constraint holds in every solution, and why, or show a solution in which it does not
    #[arg(long, value_name = "CONSTRAINT")]
    forced: Option<String>,
}

/// The instance that a question is about.
#[derive(Args)]
pub struct Selection {
    /// The model, or `-` for standard input
    pub model: PathBuf,
    /// Parameter files, each an instance of its own
    #[arg(value_name = "PARAM")]
    pub parameters: Vec<PathBuf>,
    /// Statements that are added to the parameters: -D 'letting n be 4'
    #[arg(short = 'D', value_name = "STATEMENTS")]
    pub define: Vec<String>,
    /// Answer after so many seconds with what is known by then
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub limit_time: Option<Duration>,
}

impl Selection {
    pub fn limits(&self) -> Limits {
        if let Some(limit) = self.limit_time {
            interrupt::end_after(limit);
        }
        Limits {
            deadline: self.limit_time.map(|limit| Instant::now() + limit),
            interrupted: interrupt::catch(),
            seed: None,
        }
    }

    /// Answers for each instance in turn.
    pub fn each(
        &self,
        session: &mut Session,
        mut answer: impl FnMut(&mut Session, SourceId, &[SourceId], &str) -> Option<Exit>,
    ) -> Option<Exit> {
        let model = session.read(&self.model)?;
        let defined: Vec<SourceId> = self.define.iter().map(|text| session.sources.add("-D", text.as_str())).collect();
        if self.parameters.is_empty() {
            return answer(session, model, &defined, "");
        }
        let mut exit = Exit::Answer;
        for path in &self.parameters {
            let one = self.one(session, path, |session, data| {
                let data: Vec<SourceId> = data.into_iter().chain(defined.iter().copied()).collect();
                let title = if self.parameters.len() > 1 { format!("{}:\n", path.display()) } else { String::new() };
                answer(session, model, &data, &title)
            });
            let one = one.unwrap_or_else(|| session.failure());
            session.report();
            exit = exit.worse(one);
        }
        Some(exit)
    }

    fn one(
        &self,
        session: &mut Session,
        path: &Path,
        answer: impl FnOnce(&mut Session, Option<SourceId>) -> Option<Exit>,
    ) -> Option<Exit> {
        let data = session.read(path)?;
        answer(session, Some(data))
    }
}

impl Why {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let limits = self.instance.limits();
        let expected = match &self.expect {
            Some(path) => Some(session.read(path)?),
            None => None,
        };
        let forced = self.forced.as_ref().map(|fact| session.sources.add("--forced", format!("such that {fact}")));
        self.instance.each(session, |session, model, data, title| {
            let (exit, text) = match (expected, forced) {
                (Some(expected), _) => expectation(session, model, data, expected, &limits)?,
                (_, Some(fact)) => consequence(session, model, data, fact, &limits)?,
                _ => contradiction(session, model, data, &limits)?,
            };
            session.print(&format!("{title}{text}"))?;
            Some(exit)
        })
    }
}

/// What is printed about an instance, with the exit code.
type Said = Option<(Exit, String)>;

/// Why an instance has no solution.
fn contradiction(session: &mut Session, model: SourceId, data: &[SourceId], limits: &Limits) -> Said {
    let file = pipeline::parse(&session.sources, model, &mut session.diagnostics)?;
    let typed = pipeline::model(&session.sources, model, &mut session.diagnostics)?;
    let before = session.diagnostics.len();
    let mut note = "";
    let instance = match pipeline::instance(&typed, &session.sources, data, &mut session.diagnostics) {
        Some(instance) => instance,
        None => {
            let errors = &session.diagnostics[before..];
            if errors.is_empty() || errors.iter().any(|error| error.code != Code::WHERE_FALSE) {
                return None;
            }
            session.diagnostics.truncate(before);
            note = "\nNote: a `where` rules these data out before anything is looked for.\n";
            let file = explain::wheres_as_constraints(file);
            let model = Rc::new(pipeline::analyse(&file, &mut session.diagnostics)?);
            pipeline::instance(&model, &session.sources, data, &mut session.diagnostics)?
        }
    };
    let case = Case::of(&instance, limits);
    let (exit, text) = verdict(session, &case, "There is a solution:", "There is no solution")?;
    Some((exit, text + note))
}

/// The solution of a case, or why it has none.
fn verdict(session: &mut Session, case: &Case, solvable: &str, unsolvable: &str) -> Said {
    let verdict = interrupt::during(case.limits.deadline, || explain::why(case, &session.sources));
    Some(match answered(session, verdict)? {
        Some(Verdict::Solvable(found)) => {
            (Exit::Answer, format!("{solvable}\n\n{}", solution::print(case.instance, &found, 120)))
        }
        Some(Verdict::Conflict(explanation)) => (certainty(&explanation), conflict(session, &explanation, unsolvable)),
        None => (Exit::Limit, String::new()),
    })
}

/// Whether a fact holds in all solutions, and why.
fn consequence(session: &mut Session, model: SourceId, data: &[SourceId], fact: SourceId, limits: &Limits) -> Said {
    let mut file = pipeline::parse(&session.sources, model, &mut session.diagnostics)?;
    let facts = pipeline::parse(&session.sources, fact, &mut session.diagnostics)?;
    let count = explain::with_constraints(&mut file, facts);
    let mut model = pipeline::analyse(&file, &mut session.diagnostics)?;
    let facts = explain::split_off(&mut model, count);
    let instance = pipeline::instance(&Rc::new(model), &session.sources, data, &mut session.diagnostics)?;
    let [denied] = facts.as_slice() else {
        return session.fail(Diagnostic::error(Code::COMMAND_LINE, "`--forced` takes one constraint"));
    };
    let shown = session.sources.text(denied.span).to_owned();
    let case = Case::of(&instance, limits);
    if let Some(Verdict::Conflict(explanation)) = {
        let verdict = interrupt::during(limits.deadline, || explain::why(&case, &session.sources));
        answered(session, verdict)?
    } {
        let all = "There is no solution at all, so that everything holds in all of them";
        return Some((certainty(&explanation), conflict(session, &explanation, all)));
    }
    let case = Case { denied: &facts, ..case };
    let verdict = interrupt::during(limits.deadline, || explain::why(&case, &session.sources));
    Some(match answered(session, verdict)? {
        Some(Verdict::Solvable(found)) => {
            let found = solution::print(&instance, &found, 120);
            (Exit::Answer, format!("`{shown}` is not forced. Here is a solution in which it does not hold:\n\n{found}"))
        }
        Some(Verdict::Conflict(explanation)) => {
            let count = explanation.reasons.len();
            let mut text = match count {
                0 => format!("`{shown}` holds by itself.\n"),
                1 => format!("`{shown}` holds in every solution. It follows from this requirement.\n\n"),
                _ => format!("`{shown}` holds in every solution. It follows from these {count} requirements.\n\n"),
            };
            text += &reasons(session, &explanation.reasons);
            if !explanation.minimal {
                text += CUT_SHORT;
            } else if count > 1 {
                text += "\nAll of them are needed: without any one of them, it would not follow.\n";
            }
            (certainty(&explanation), text + &notes(&explanation))
        }
        None => (Exit::Limit, String::new()),
    })
}

/// What is wrong with a solution that somebody expects.
fn expectation(session: &mut Session, model: SourceId, data: &[SourceId], expected: SourceId, limits: &Limits) -> Said {
    let file = pipeline::parse(&session.sources, model, &mut session.diagnostics)?;
    let partial = partial(session, &file, expected)?;
    if partial.is_whole(&file) {
        return broken(session, file, data, expected);
    }
    let known = known(session, file, data, &partial)?;
    let case = Case { values: &known.values, written: &known.written, ..Case::of(&known.instance, limits) };
    let solvable = "It can be extended to a solution:";
    verdict(session, &case, solvable, "It cannot be extended to a solution")
}

/// What a file says about the decision variables of a model.
pub fn partial(session: &mut Session, model: &ast::File, expected: SourceId) -> Option<Partial> {
    let given = solution::with_finds_given(model.clone(), |_| true);
    let given = pipeline::analyse(&given, &mut session.diagnostics)?;
    pipeline::values(&session.sources, &given, expected, &mut session.diagnostics).map(Partial::of)
}

/// An instance together with what is known of its solution.
pub struct Known {
    pub instance: Instance,
    pub values: Vec<(DeclarationId, Value)>,
    /// The values as they are written.
    pub written: Vec<(DeclarationId, Expr)>,
}

/// Adds what is known of a solution to an instance: parts as constraints of its model, whole values beside it.
pub fn known(session: &mut Session, file: ast::File, data: &[SourceId], partial: &Partial) -> Option<Known> {
    let mut with_parts = file.clone();
    explain::with_constraints(&mut with_parts, partial.constraints.clone());
    let model = Rc::new(pipeline::analyse(&with_parts, &mut session.diagnostics)?);
    let instance = pipeline::instance(&model, &session.sources, data, &mut session.diagnostics)?;
    let given = solution::with_finds_given(file, |name| partial.has_value(name));
    let given = Rc::new(pipeline::analyse(&given, &mut session.diagnostics)?);
    let bound =
        pipeline::instance_with(&given, &session.sources, data, partial.lettings.clone(), &mut session.diagnostics)?;
    let is_find = |id: DeclarationId| matches!(model.declarations[id.0 as usize].kind, DeclarationKind::Find(_));
    let written: Vec<(DeclarationId, Expr)> =
        bound.parameters.values.iter().filter(|(id, _)| is_find(*id)).cloned().collect();
    let mut environment = bound.environment;
    let values = written.iter().filter_map(|(id, _)| Some((*id, environment.global(*id).ok()?))).collect();
    Some(Known { instance, values, written })
}

/// The requirements that a whole solution breaks.
fn broken(session: &mut Session, file: ast::File, data: &[SourceId], expected: SourceId) -> Said {
    let finds: Vec<_> =
        file.statements.iter().filter(|statement| matches!(statement.kind, ast::StatementKind::Find { .. })).collect();
    let names: BTreeSet<String> = finds
        .iter()
        .flat_map(|statement| match &statement.kind {
            ast::StatementKind::Find { names, .. } => names.iter().map(|name| name.text.to_string()).collect(),
            _ => Vec::new(),
        })
        .collect();
    let given = solution::with_finds_given(file, |_| true);
    let model = Rc::new(pipeline::analyse(&given, &mut session.diagnostics)?);
    let files: Vec<SourceId> = data.iter().copied().chain([expected]).collect();
    let instance = pipeline::instance(&model, &session.sources, &files, &mut session.diagnostics)?;
    let found = explain::broken(&instance, &session.sources, |name| names.contains(name));
    let found = answered(session, found)??;
    let text = match found.len() {
        0 => "It is a solution: it breaks no requirement.\n".to_owned(),
        count => {
            let what = if count == 1 { "this requirement".to_owned() } else { format!("these {count} requirements") };
            format!("It is not a solution: it breaks {what}.\n\n{}", reasons(session, &found))
        }
    };
    Some((Exit::Answer, text))
}

const CUT_SHORT: &str = "\nThis may not be minimal: the search for a smaller explanation was cut short.\n";

pub fn certainty(explanation: &Explanation) -> Exit {
    if explanation.minimal { Exit::Answer } else { Exit::Limit }
}

fn notes(explanation: &Explanation) -> String {
    explanation.notes.iter().map(|note| format!("\nNote: {note}.\n")).collect()
}

/// An answer; `None` inside if a limit was in the way, which is said.
pub fn answered<T>(session: &mut Session, answer: Result<T, Trouble>) -> Option<Option<T>> {
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
            let why = if outcome == Outcome::Interrupted { "Interrupted" } else { "The time limit ended the search" };
            session.reporting.status(&format!("{why}; nothing is known yet."));
            Some(None)
        }
    }
}

/// A conflict as text.
pub fn conflict(session: &Session, explanation: &Explanation, unsolvable: &str) -> String {
    let count = explanation.reasons.len();
    let mut text = match count {
        1 => format!("{unsolvable}: this requirement cannot hold.\n\n"),
        _ => format!("{unsolvable}: these {count} requirements cannot hold together.\n\n"),
    };
    text += &reasons(session, &explanation.reasons);
    text += match (explanation.minimal, count) {
        (false, _) => CUT_SHORT,
        (true, 1) => "",
        (true, 2) => "\nEither one alone could hold.\n",
        (true, _) => "\nAll of them are needed for this: without any one of them, the others could hold.\n",
    };
    text + &changes(explanation) + &notes(explanation)
}

/// Reasons, numbered, with their places.
pub fn reasons(session: &Session, reasons: &[Reason]) -> String {
    let mut text = String::new();
    let mut labels: Vec<Label> = Vec::new();
    for (number, reason) in (1..).zip(reasons) {
        let with = if reason.with.is_empty() { String::new() } else { format!("   ({})", reason.with) };
        text += &format!("{number:>4}. {}{with}\n", reason.says);
        if let Some(comes_to) = &reason.comes_to {
            text += &format!("      {comes_to} is false\n");
        }
        for place in &reason.places {
            let ending = if place.text.is_empty() { String::new() } else { format!(" {}", place.text) };
            let same = |label: &&mut Label| label.span == place.span && label.text.ends_with(&format!("){ending}"));
            match labels.iter_mut().find(same) {
                Some(label) => {
                    label.text.truncate(label.text.len() - ending.len());
                    label.text += &format!(" ({number}){ending}");
                }
                None => labels.push(Label { span: place.span, text: format!("({number}){ending}") }),
            }
        }
    }
    text.push('\n');
    text + &terminal::picture(&labels, &session.sources, session.reporting.styled_output())
}

fn changes(explanation: &Explanation) -> String {
    if explanation.changes.is_empty() {
        return match explanation.changes_complete {
            true => "\nNo single change of these is enough: there are other contradictions besides.\n".to_owned(),
            false => String::new(),
        };
    }
    let mut text = "\nOne of these changes is enough to give it a solution:\n".to_owned();
    for change in &explanation.changes {
        text += &match change {
            Change::LeaveOut(position) => format!("  - leave out ({})\n", position + 1),
            Change::LeaveOutEntry(position, entry) => {
                format!("  - leave out the entry `{entry}` of the data ({})\n", position + 1)
            }
            Change::Bound(position, from, to) => format!("  - ({}) with {to} in the place of {from}\n", position + 1),
        };
    }
    text
}
