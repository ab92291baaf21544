//! From texts to solutions: the whole story, one line a phase.
//!
//! The errors of a phase end the story there;
//! `None` says that they are among the diagnostics. Nothing here reads or writes files: texts come in, solutions go out. [`explanations`]
//! answers other questions about an instance.

mod brute_force;
mod data;
mod evaluation;
pub(crate) mod explanations;
mod values;

use crate::{
    analysis::{self, model::Model},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity},
    instance::{
        self, Instance, Solution,
        symmetry::{self, Symmetry, SymmetryBreaking, SymmetryDetection},
    },
    lowering::{self, Lowered, Representations, representations},
    picture,
    problem::Problem,
    solution,
    solver::{self, Solver, SolverOptions, SolverStatus},
    source::{SourceId, Sources},
    syntax::{self, KnownStatements, ast},
};
pub(crate) use data::{data_of_broken_model, parameters, values};
pub(crate) use evaluation::{ExpressionTexts, TypedExpression, expression};
use std::{ops::ControlFlow, rc::Rc};
pub(crate) use values::{values_alone, values_file};

/// The way to solve an instance.
pub(crate) struct Way<'a> {
    /// The symmetries of unnamed types that are broken.
    pub unnamed: Option<SymmetryBreaking>,
    /// Whether to break the symmetries that the model shows, where one solution is wanted.
    pub symmetry: SymmetryDetection,
    /// The representations of some variables, as `x=explicit`.
    pub representations: &'a [String],
    /// The solver; without one, all values are tried.
    pub solver: Option<Box<dyn Solver>>,
    pub options: &'a SolverOptions,
    /// The most solutions that are wanted.
    pub most: Option<usize>,
    /// The width of the printed solutions.
    pub width: usize,
}

/// The whole story: from the texts of a model and its parameters to printed solutions. How the search ended comes with the
/// model.
pub(crate) fn solve(
    (sources, model, data): (&Sources, SourceId, &[SourceId]),
    way: Way,
    diagnostics: &mut Diagnostics,
    found: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Option<(SolverStatus, Rc<Model>)> {
    let model = read(sources, model, diagnostics)?.model;
    let instance = instance(&model, sources, data, diagnostics)?;
    let symmetries = symmetries(&instance, way.unnamed, diagnostics)?;
    let most = way.most.filter(|most| model.objective.is_none() || *most > 1);
    let optima = Optima::of(way.most);
    let mut solutions = 0;
    let mut print = |solution: &Solution| {
        found(&solution::print(&instance, solution, way.width))?;
        solutions += 1;
        enough(most, solutions)
    };
    let mut by = None;
    if let Some(solver) = way.solver {
        let wanted = wanted(&instance, way.representations, diagnostics)?;
        by = match compile(&instance, &wanted, &symmetries, way.options, diagnostics)? {
            Ok(lowered) => Some((lowered, solver)),
            Err(stopped) => return Some((stopped, model)),
        };
    }
    let by = by.as_mut().map(|(lowered, solver)| (&*lowered, &mut **solver));
    let symmetry = way.symmetry.where_one_is_wanted(most == Some(1) || model.objective.is_some());
    let search = Search {
        instance: &instance,
        part: None,
        symmetry,
        optima,
        options: way.options,
        diagnostics,
        found: &mut print,
    };
    Some((search.run(by, &symmetries)?, model))
}

/// The solutions that are wanted where there is an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optima {
    /// One best solution; before it, each solution that is better than the one before.
    One,
    /// All best solutions.
    All,
}

impl Optima {
    /// More than one solution are all best ones.
    pub(crate) fn of(most: Option<usize>) -> Self {
        if most == Some(1) { Optima::One } else { Optima::All }
    }
}

/// The search for the solutions of an instance.
pub(crate) struct Search<'a> {
    pub instance: &'a Instance,
    /// The problem to solve instead of the whole one: a part of the space of solutions.
    pub part: Option<&'a Problem>,
    /// Whether a solver breaks the symmetries that the model shows.
    pub symmetry: SymmetryDetection,
    pub optima: Optima,
    pub options: &'a SolverOptions,
    pub diagnostics: &'a mut Diagnostics,
    pub found: &'a mut dyn FnMut(&Solution) -> ControlFlow<()>,
}

impl Search<'_> {
    /// Searches by a solver for the instance's problem; without one, tries all values.
    pub(crate) fn run(
        self,
        by: Option<(&Lowered, &mut (dyn Solver + 'static))>,
        symmetries: &[Symmetry],
    ) -> Option<SolverStatus> {
        match by {
            Some((lowered, solver)) => self.by_solver(lowered, solver),
            None => self.try_all(symmetries),
        }
    }

    /// Hands on the solutions that a solver finds, each one checked before.
    pub(crate) fn by_solver(self, lowered: &Lowered, solver: &mut dyn Solver) -> Option<SolverStatus> {
        phase(self.diagnostics, |diagnostics| {
            let problem = self.part.unwrap_or(&lowered.problem);
            let mut simplified = if solver.is_traced() { problem.unsimplified() } else { problem.simplify() };
            if lowered.problem.objective().is_some() {
                let families = lowering::families(&self.instance.model, lowered, &simplified);
                simplified.problem.set_families(families);
            }
            let broken = || lowering::break_interchangeable(&self.instance.model, lowered, &simplified);
            // A proof is about what the model says.
            let breaks = self.symmetry != SymmetryDetection::Off && !solver.is_traced();
            let break_symmetries = breaks.then_some(&broken as &dyn Fn() -> _);
            let mut check = |assignment: &_| {
                let assignment = simplified.restore(assignment);
                let solution = lowered.read_back(&assignment);
                match solution::verify_with(self.instance, &solution, lowered.witnesses(&assignment)) {
                    Ok(()) => (self.found)(&solution),
                    Err(wrong) => {
                        let report =
                            "this is a bug in conjure-like: please report it with the model and the parameters";
                        diagnostics.push(wrong.help(report));
                        ControlFlow::Break(())
                    }
                }
            };
            let problem = &simplified.problem;
            let status = match self.optima {
                Optima::One => solver.solve_with(problem, break_symmetries, self.options, &mut check),
                Optima::All => solver::all_best(solver, problem, break_symmetries, self.options, &mut check),
            };
            status.map_err(|refused| diagnostics.push(*refused)).ok()
        })?
    }
}

/// Ends a search that has found the most solutions that are wanted.
pub(crate) fn enough(most: Option<usize>, solutions: usize) -> ControlFlow<()> {
    if most.is_some_and(|most| solutions >= most) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A text that is a model: its tree, and the typed model.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub file: ast::File,
    pub model: Rc<Model>,
}

/// Text to tree and typed model.
pub(crate) fn read(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Read> {
    phase(diagnostics, |diagnostics| read_in_part(sources, source, None, diagnostics))
}

/// Text to tree and typed model, without the parts that have errors. Statements that are known from an earlier version of the text
/// are not parsed again.
pub(crate) fn read_in_part(
    sources: &Sources,
    source: SourceId,
    mut known: Option<&mut KnownStatements>,
    diagnostics: &mut Diagnostics,
) -> Read {
    let before = diagnostics.len();
    let text = &sources.get(source).text;
    let file = syntax::parse_with(source, text, known.as_deref_mut(), diagnostics);
    match &mut diagnostics[before..] {
        [] => not_empty(sources, source, &file, diagnostics),
        syntax_errors => analysis::complete_help(source, text, (&file, known), syntax_errors),
    }
    // Statements that could not be read do not stop the names and types in the others from being checked.
    let model = Rc::new(analysis::analyse(&file, diagnostics));
    diagnostics[before..].sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
    Read { file, model }
}

/// Text to typed model.
#[cfg(any(test, fuzzing))]
pub(crate) fn model(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Rc<Model>> {
    read(sources, source, diagnostics).map(|read| read.model)
}

/// Tree to typed model.
pub(crate) fn analyse(file: &ast::File, diagnostics: &mut Diagnostics) -> Option<Model> {
    phase(diagnostics, |diagnostics| analysis::analyse(file, diagnostics))
}

/// The pictures that the comments of a model describe.
pub(crate) fn pictures(read: &Read, diagnostics: &mut Diagnostics) -> Option<Vec<picture::Directive>> {
    phase(diagnostics, |diagnostics| picture::directives(&read.file.comments, &read.model, diagnostics))
}

/// Typed model, and the texts of its parameters, to an instance.
pub(crate) fn instance(
    model: &Rc<Model>,
    sources: &Sources,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Option<Instance> {
    phase(diagnostics, |diagnostics| {
        // Mistakes in one value do not stop the others from being checked.
        let files = data::readable_data(sources, model, data, diagnostics)?;
        bound(model, &files, diagnostics)
    })?
}

/// Typed model and the trees of its parameters to an instance.
pub(crate) fn instance_of(model: &Rc<Model>, files: &[ast::File], diagnostics: &mut Diagnostics) -> Option<Instance> {
    phase(diagnostics, |diagnostics| bound(model, files, diagnostics))?
}

fn bound(model: &Rc<Model>, files: &[ast::File], diagnostics: &mut Diagnostics) -> Option<Instance> {
    let parameters = analysis::parameters(model, files, diagnostics);
    instance::instantiate(model.clone(), parameters, files, diagnostics)
}

/// The representations that are wanted for some variables.
pub(crate) fn wanted(instance: &Instance, texts: &[String], diagnostics: &mut Diagnostics) -> Option<Representations> {
    representations::wanted(instance, texts).map_err(|error| diagnostics.push(error)).ok()
}

/// An instance to a finite-domain problem, with the representations that are wanted for some variables.
pub(crate) fn lower(instance: &Instance, wanted: &Representations, diagnostics: &mut Diagnostics) -> Option<Lowered> {
    lowering::lower(&instance.environment, wanted, Default::default()).map_err(|errors| diagnostics.extend(errors)).ok()
}

/// The symmetries of unnamed types that are to be broken.
pub(crate) fn symmetries(
    instance: &Instance,
    breaking: Option<SymmetryBreaking>,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Symmetry>> {
    let Some(breaking) = breaking else { return Some(Vec::new()) };
    symmetry::symmetries(instance, breaking).map_err(|error| diagnostics.push(*error)).ok()
}

/// An instance to a finite-domain problem that breaks symmetries.
pub(crate) fn compile(
    instance: &Instance,
    wanted: &Representations,
    symmetries: &[Symmetry],
    options: &SolverOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Result<Lowered, SolverStatus>> {
    let lowered = match lowering::lower(&instance.environment, wanted, options.limits()) {
        Ok(lowered) => lowered,
        Err(errors) if errors.is_empty() => return Some(Err(options.status_at_stop())),
        Err(errors) => {
            diagnostics.extend(errors);
            return None;
        }
    };
    lowering::break_symmetries(instance, symmetries, lowered).map(Ok).map_err(|error| diagnostics.push(*error)).ok()
}

/// The instance of a model and its data whose last file is a solution: its decision variables are parameters, and the constraints
/// hold.
pub(crate) fn validate(
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
pub(crate) fn parse(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<ast::File> {
    phase(diagnostics, |diagnostics| syntax::parse(source, &sources.get(source).text, diagnostics))
}

fn not_empty(sources: &Sources, model: SourceId, file: &ast::File, diagnostics: &mut Diagnostics) {
    if file.statements.is_empty() {
        let message = format!("there is no statement in the model `{}`", sources.get(model).name);
        let empty = Diagnostic::error(Code::FILE_EMPTY, message);
        diagnostics.push(empty.help("declare what to find, for example `find x : int(1..9)`"));
    }
}

/// The result of a phase for the next one, if it has found no errors.
fn phase<T>(diagnostics: &mut Diagnostics, run: impl FnOnce(&mut Diagnostics) -> T) -> Option<T> {
    let before = diagnostics.len();
    let result = run(diagnostics);
    let failed = diagnostics[before..].iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    (!failed).then_some(result)
}
