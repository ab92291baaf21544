//! From texts to solutions: the whole story, one line a phase.
//!
//! The errors of a phase end the story there; `None` says that they are among the diagnostics. Nothing here
//! reads or writes files: texts come in, solutions go out. What else can be asked about an instance stands in
//! [`explanations`].

pub mod explanations;

use crate::{
    analysis::{self, model::Model},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity},
    instance::{
        self, Instance, Solution, oracle,
        symmetry::{self, Symmetry, SymmetryBreaking},
    },
    language::{Stop, Value},
    lowering::{self, Lowered, Representations},
    picture, solution,
    solver::{Limits, Outcome, Solver},
    source::{SourceId, Sources},
    syntax::{self, ast, json},
};
use std::{ops::ControlFlow, rc::Rc};

/// A text that is a model: its tree, and the typed model.
#[derive(Clone, Debug)]
pub struct Read {
    pub file: ast::File,
    pub model: Rc<Model>,
}

/// Text to tree and typed model.
pub fn read(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Read> {
    phase(diagnostics, |diagnostics| {
        let before = diagnostics.len();
        let text = &sources.get(source).text;
        let file = syntax::parse(source, text, diagnostics);
        match &mut diagnostics[before..] {
            [] => not_empty(sources, source, &file, diagnostics),
            syntax_errors => analysis::complete_help(source, text, &file, syntax_errors),
        }
        // Statements that could not be read do not stop the names and types in the others from being checked.
        let model = Rc::new(analysis::analyse(&file, diagnostics));
        diagnostics[before..].sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
        Read { file, model }
    })
}

/// Text to typed model.
#[cfg(any(test, fuzzing))]
pub fn model(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Rc<Model>> {
    read(sources, source, diagnostics).map(|read| read.model)
}

/// Tree to typed model.
pub fn analyse(file: &ast::File, diagnostics: &mut Diagnostics) -> Option<Model> {
    phase(diagnostics, |diagnostics| analysis::analyse(file, diagnostics))
}

/// What the comments of a model say about pictures.
pub fn pictures(read: &Read, diagnostics: &mut Diagnostics) -> Option<Vec<picture::Directive>> {
    phase(diagnostics, |diagnostics| picture::directives(&read.file.comments, &read.model, diagnostics))
}

/// Typed model, and the texts of its parameters, to an instance.
pub fn instance(
    model: &Rc<Model>,
    sources: &Sources,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Option<Instance> {
    phase(diagnostics, |diagnostics| {
        // Mistakes in one value do not stop the others from being checked.
        let files = data.iter().map(|file| readable_values(sources, model, *file, diagnostics));
        let files = files.collect::<Option<Vec<ast::File>>>()?;
        bound(model, &files, diagnostics)
    })?
}

/// The texts of parameters to trees.
pub fn parameters(
    model: &Model,
    sources: &Sources,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Option<Vec<ast::File>> {
    data.iter().map(|file| values(sources, model, *file, diagnostics)).collect()
}

/// Typed model and the trees of its parameters to an instance.
pub fn instance_of(model: &Rc<Model>, files: &[ast::File], diagnostics: &mut Diagnostics) -> Option<Instance> {
    phase(diagnostics, |diagnostics| bound(model, files, diagnostics))?
}

fn bound(model: &Rc<Model>, files: &[ast::File], diagnostics: &mut Diagnostics) -> Option<Instance> {
    let parameters = analysis::parameters(model, files, diagnostics);
    instance::instantiate(model.clone(), parameters, files, diagnostics)
}

/// What is wrong with the data of a model that has mistakes itself. If its declarations are intact, everything is checked
/// that they say; otherwise the text, and the types of the parameters whose declarations can be read.
pub fn data_of_broken_model(sources: &Sources, model: SourceId, data: &[SourceId], diagnostics: &mut Diagnostics) {
    let mut reported = Diagnostics::new();
    let file = syntax::parse(model, &sources.get(model).text, &mut reported);
    let declares = |statement: &&ast::Statement| {
        use ast::StatementKind::*;
        matches!(statement.kind, Given { .. } | GivenEnum { .. } | Find { .. } | Letting { .. })
    };
    let statements = file.statements.iter().filter(declares).cloned().collect();
    let declarations = ast::File { statements, ..file.clone() };
    let mut mistakes = Diagnostics::new();
    let typed = Rc::new(analysis::analyse(&declarations, &mut mistakes));
    let spans = declarations.statements.iter().map(|statement| statement.span);
    let intact = file.broken.is_empty()
        && mistakes.iter().all(|mistake| mistake.severity != Severity::Error)
        && spans.into_iter().all(|span| !file.mended.iter().any(|mended| span.contains(*mended)));
    let mut found = Diagnostics::new();
    let files: Option<Vec<ast::File>> =
        data.iter().map(|data| readable_values(sources, &typed, *data, &mut found)).collect();
    match files {
        Some(files) if intact => drop(bound(&typed, &files, &mut found)),
        Some(files) => {
            let mut about_values = Diagnostics::new();
            analysis::parameters(&typed, &files, &mut about_values);
            // What is missing or not declared may be so because of the mistakes in the model.
            let unsure = [Code::UNEXPECTED_PARAMETER, Code::MISSING_PARAMETER, Code::UNKNOWN_NAME];
            let guessed = |mistake: &Diagnostic| {
                mistake.labels.iter().any(|label| file.mended.iter().any(|mended| mended.contains(label.span)))
            };
            about_values.retain(|mistake| !unsure.contains(&mistake.code) && !guessed(mistake));
            found.append(&mut about_values);
        }
        None => {}
    }
    found.retain(|mistake| !diagnostics.contains(mistake));
    diagnostics.append(&mut found);
}

/// An instance to a finite-domain problem, with the representations that are wanted for some variables.
pub fn lower(instance: &Instance, wanted: &Representations, diagnostics: &mut Diagnostics) -> Option<Lowered> {
    lowering::lower(&instance.environment, wanted).map_err(|errors| diagnostics.extend(errors)).ok()
}

/// The symmetries of unnamed types that are to be broken.
pub fn symmetries(
    instance: &Instance,
    breaking: Option<SymmetryBreaking>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Symmetry>> {
    let Some(breaking) = breaking else { return Some(Vec::new()) };
    symmetry::symmetries(instance, breaking).map_err(|error| diagnostics.push(*error)).ok()
}

/// An instance to a finite-domain problem that breaks symmetries.
pub fn compile(
    instance: &Instance,
    wanted: &Representations,
    symmetries: &[Symmetry],
    diagnostics: &mut Diagnostics,
) -> Option<Lowered> {
    let lowered = lower(instance, wanted, diagnostics)?;
    lowering::break_symmetries(instance, symmetries, lowered).map_err(|error| diagnostics.push(*error)).ok()
}

/// A problem to the solutions of its instance, each one checked before it is handed on.
pub fn search(
    instance: &Instance,
    lowered: &Lowered,
    solver: &mut dyn Solver,
    limits: &Limits,
    diagnostics: &mut Diagnostics,
    found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
) -> Option<Outcome> {
    phase(diagnostics, |diagnostics| {
        let simplified = if solver.proves() { lowered.problem.unsimplified() } else { lowered.problem.simplify() };
        let outcome = solver.solve(&simplified.problem, limits, &mut |assignment| {
            let assignment = simplified.restore(assignment);
            let solution = lowered.read_back(&assignment);
            match solution::verify_with(instance, &solution, lowered.witnesses(&assignment)) {
                Ok(()) => found(&solution),
                Err(wrong) => {
                    let report = "this is a bug in conjure-like: please report it with the model and the parameters";
                    diagnostics.push(wrong.help(report));
                    ControlFlow::Break(())
                }
            }
        });
        outcome.map_err(|refused| diagnostics.push(*refused)).ok()
    })?
}

/// The most combinations of values that are tried: an hour's work or so.
const MOST_COMBINATIONS: u128 = 1_000_000_000;

/// The way without a problem and a solver: all values are tried. With an objective, each solution is better than the one before.
pub fn try_all(
    instance: &Instance,
    symmetries: &[Symmetry],
    limits: &Limits,
    diagnostics: &mut Diagnostics,
    found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
) -> Option<Outcome> {
    match oracle::combinations(instance) {
        Some(combinations) if combinations <= MOST_COMBINATIONS => {}
        combinations => {
            let combinations = combinations.map_or("more than 10^38".to_owned(), |count| count.to_string());
            let message = format!("there are too many combinations of values to try them all: {combinations}");
            let error = Diagnostic::error(Code::TOO_LARGE, message)
                .note(format!("`--solver=brute` tries up to {MOST_COMBINATIONS} of them"))
                .help("use another solver, or smaller domains");
            diagnostics.push(error);
            return None;
        }
    }
    let objective = instance.model.objective.as_ref();
    let mut best: Option<Value> = None;
    let step = || match limits.reached() {
        Some(outcome) => ControlFlow::Break(outcome),
        None => ControlFlow::Continue(()),
    };
    let end = oracle::search(instance, step, |solution, value| {
        let is_better = |best: &Value| match (objective, value) {
            (Some(objective), Some(value)) => objective.sense.is_better(value, best),
            _ => false,
        };
        if !best.as_ref().is_none_or(is_better) || !symmetry::is_least(instance, symmetries, solution)? {
            return Ok(ControlFlow::Continue(()));
        }
        best = value.cloned();
        Ok(found(solution).map_break(|()| Outcome::Stopped))
    });
    match end {
        Ok(ControlFlow::Break(outcome)) => Some(outcome),
        Ok(ControlFlow::Continue(())) => Some(Outcome::Complete),
        Err(Stop::Fault(fault)) => {
            diagnostics.push(*fault);
            None
        }
        // A constraint that is undefined is false.
        Err(Stop::Undefined) => Some(Outcome::Complete),
    }
}

/// The instance of a model and its data whose last file is a solution: its decision variables are parameters, and the constraints
/// hold.
pub fn validate(
    sources: &Sources,
    model: &ast::File,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Option<Instance> {
    let file = solution::with_finds_given(model.clone(), |_| true);
    let model = phase(diagnostics, |diagnostics| Rc::new(analysis::analyse(&file, diagnostics)))?;
    let instance = instance(&model, sources, data, diagnostics)?;
    let violated = |wrong: Box<Diagnostic>| diagnostics.push(Diagnostic { code: Code::SOLUTION_INVALID, ..*wrong });
    solution::verify(&instance, &[]).map_err(violated).ok()?;
    Some(instance)
}

/// Text to tree.
pub fn parse(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<ast::File> {
    phase(diagnostics, |diagnostics| syntax::parse(source, &sources.get(source).text, diagnostics))
}

/// Text of a parameter file or a solution to tree; in JSON, what it means depends on the model.
pub fn values(sources: &Sources, model: &Model, source: SourceId, diagnostics: &mut Diagnostics) -> Option<ast::File> {
    phase(diagnostics, |diagnostics| readable_values(sources, model, source, diagnostics))?
}

/// What can be read of such a text, whatever is wrong with it.
fn readable_values(
    sources: &Sources,
    model: &Model,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Option<ast::File> {
    let text = &sources.get(source).text;
    if !json::is_json(text) {
        return Some(syntax::parse(source, text, diagnostics));
    }
    json::parse(source, text, diagnostics).map(|document| analysis::json::file(model, &document, diagnostics))
}

fn not_empty(sources: &Sources, model: SourceId, file: &ast::File, diagnostics: &mut Diagnostics) {
    if file.statements.is_empty() {
        let message = format!("there is no statement in the model `{}`", sources.get(model).name);
        let empty = Diagnostic::error(Code::FILE_EMPTY, message);
        diagnostics.push(empty.help("say what is to be found, for example `find x : int(1..9)`"));
    }
}

/// What a phase hands to the next one, if it has found no errors.
fn phase<T>(diagnostics: &mut Diagnostics, run: impl FnOnce(&mut Diagnostics) -> T) -> Option<T> {
    let before = diagnostics.len();
    let result = run(diagnostics);
    let failed = diagnostics[before..].iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    (!failed).then_some(result)
}
