//! From texts to solutions: the whole story, one line a phase.
//!
//! The errors of a phase end the story there: `None` says that they are among the diagnostics, and [`Halt`] holds them,
//! or the limit that was reached. Nothing here reads or writes files: texts come in, solutions go out.

mod brute_force;
mod data;
mod evaluation;
mod values;

use crate::{
    analysis::{self, model::TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity},
    halt::Halt,
    instance::{
        self, GroundInstance, SolutionValues,
        symmetry::{self, Symmetry, SymmetryBreaking, SymmetryDetection},
    },
    lowering::{self, Lowered, Representations, representations},
    picture,
    problem::{Assignment, Problem},
    solution,
    solver::{self, EngineOptions, SearchEnd, Solver},
    source::{SourceId, Sources},
    syntax::{self, KnownStatements, ast},
};
pub(crate) use brute_force::try_all;
pub(crate) use data::{data_of_broken_model, parameters, values, with_known_members};
pub(crate) use evaluation::{ExpressionTexts, TypedExpression, expression};
use std::{ops::ControlFlow, sync::Arc};
pub(crate) use values::{values_alone, values_file};

/// What is asked of an instance.
pub(crate) struct SolveRequest<'a> {
    /// The symmetries of unnamed types that are broken.
    pub unnamed: Option<SymmetryBreaking>,
    /// Whether to break the symmetries that the model shows, where one solution is wanted.
    pub symmetry: SymmetryDetection,
    /// The representations of some variables, as `x=explicit`.
    pub representations: &'a [String],
    /// The solver; without one, all values are tried.
    pub solver: Option<Box<dyn Solver>>,
    pub options: &'a EngineOptions,
    /// The most solutions that are wanted.
    pub most: Option<usize>,
    /// The width of the printed solutions.
    pub width: usize,
}

/// The whole story: from the texts of a model and its parameters to printed solutions. How the search ended comes with
/// the model.
pub(crate) fn solve(
    (sources, model, data): (&Sources, SourceId, &[SourceId]),
    request: SolveRequest,
    diagnostics: &mut Diagnostics,
    found: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Option<(SearchEnd, Arc<TypedModel>)> {
    let model = read(sources, model, diagnostics)?.model;
    let instance = instance(&model, sources, data, diagnostics)?;
    let width = request.width;
    let end = solve_instance(&instance, request, &mut |solution| found(&solution::print(&instance, solution, width)));
    match end {
        Ok(end) => Some((end, model)),
        Err(Halt::Stopped(stopped)) => Some((stopped.into(), model)),
        Err(Halt::Wrong(wrong)) => {
            diagnostics.extend(wrong);
            None
        }
    }
}

/// From an instance to its solutions.
fn solve_instance(
    instance: &GroundInstance,
    request: SolveRequest,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchEnd, Halt> {
    let optimising = instance.model.objective.is_some();
    let symmetries = symmetries(instance, request.unnamed)?;
    let most = request.most.filter(|most| !optimising || *most > 1);
    let optima = WantedOptima::of(request.most);
    let mut solutions = 0;
    let mut found = |solution: &SolutionValues| {
        found(solution)?;
        solutions += 1;
        enough(most, solutions)
    };
    let Some(mut solver) = request.solver else {
        return try_all(instance, &symmetries, optima, request.options, &mut found);
    };
    let wanted = wanted(instance, request.representations)?;
    let lowered = compile(instance, &wanted, &symmetries, request.options)?;
    let symmetry = request.symmetry.where_one_is_wanted(most == Some(1) || optimising);
    let search = Search { symmetry, optima, ..Search::new(instance, &lowered, request.options) };
    search.solutions(&mut *solver, &mut |solution, _| found(solution))
}

/// The solutions that are wanted where there is an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WantedOptima {
    /// One best solution; before it, each solution that is better than the one before.
    One,
    /// All best solutions.
    All,
}

impl WantedOptima {
    /// More than one solution are all best ones.
    pub(crate) fn of(most: Option<usize>) -> Self {
        if most == Some(1) { WantedOptima::One } else { WantedOptima::All }
    }
}

/// The search for solutions of an instance by a solver: the only place where a problem is simplified for one, and
/// where its assignments become solutions. Whatever else has a solver find a solution differs in these fields.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub instance: &'a GroundInstance,
    pub lowered: &'a Lowered,
    /// The problem to solve instead of the whole one: with the same variables, and the same or further constraints.
    pub part: Option<&'a Problem>,
    /// Whether the solver breaks the symmetries that the model shows.
    pub symmetry: SymmetryDetection,
    pub optima: WantedOptima,
    pub options: &'a EngineOptions,
}

impl<'a> Search<'a> {
    /// The search for all solutions, or for a best one.
    pub(crate) fn new(instance: &'a GroundInstance, lowered: &'a Lowered, options: &'a EngineOptions) -> Self {
        Search { instance, lowered, part: None, symmetry: SymmetryDetection::Off, optima: WantedOptima::One, options }
    }

    /// Hands on the solutions that a solver finds, each one checked before, with the assignments that they are read
    /// from.
    pub(crate) fn solutions(
        &self,
        solver: &mut dyn Solver,
        found: &mut dyn FnMut(&SolutionValues, &Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, Halt> {
        let mut wrong = None;
        let end = self.assignments(solver, &mut |assignment| match self.checked(assignment) {
            Ok(solution) => found(&solution, assignment),
            Err(diagnostic) => {
                let report = "this is a bug in conjure-like: please report it with the model and the parameters";
                wrong = Some(diagnostic.help(report));
                ControlFlow::Break(())
            }
        })?;
        wrong.map_or(Ok(end), |wrong| Err(wrong.into()))
    }

    /// Hands on the assignments that a solver finds. The error says that the problem is too large for it.
    pub(crate) fn assignments(
        &self,
        solver: &mut dyn Solver,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, Box<Diagnostic>> {
        let (model, lowered) = (&self.instance.model, self.lowered);
        let problem = self.part.unwrap_or(&lowered.problem);
        let mut simplified = if solver.is_traced() { problem.unsimplified() } else { problem.simplify() };
        if problem.objective().is_some() {
            let families = lowering::families(model, lowered, &simplified);
            simplified.problem.set_families(families);
        }
        let broken = || lowering::break_interchangeable(model, lowered, &simplified);
        // A proof is about what the model says.
        let breaks = self.symmetry != SymmetryDetection::Off && !solver.is_traced();
        let break_symmetries = breaks.then_some(&broken as &dyn Fn() -> _);
        let mut found = |assignment: &Assignment| found(&simplified.restore(assignment));
        let problem = &simplified.problem;
        match self.optima {
            WantedOptima::One => Ok(solver.solve_with(problem, break_symmetries, self.options, &mut found)?),
            WantedOptima::All => Ok(solver::all_best(solver, problem, break_symmetries, self.options, &mut found)?),
        }
    }

    /// The solution in an assignment, checked against the model by evaluation.
    pub(crate) fn checked(&self, assignment: &Assignment) -> Result<SolutionValues, Box<Diagnostic>> {
        let solution = self.lowered.read_back(assignment);
        solution::verify_with(self.instance, &solution, self.lowered.witnesses(assignment))?;
        Ok(solution)
    }
}

/// Ends a search that has found the most solutions that are wanted.
pub(crate) fn enough(most: Option<usize>, solutions: usize) -> ControlFlow<()> {
    if most.is_some_and(|most| solutions >= most) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A text that is a model: its tree, and the typed model.
#[derive(Clone, Debug)]
pub(crate) struct ReadModel {
    pub file: ast::File,
    pub model: Arc<TypedModel>,
}

/// Text to tree and typed model.
pub(crate) fn read(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<ReadModel> {
    phase(diagnostics, |diagnostics| read_in_part(sources, source, None, diagnostics))
}

/// Text to tree and typed model, without the parts that have errors. Statements that are known from an earlier version
/// of the text are not parsed again.
pub(crate) fn read_in_part(
    sources: &Sources,
    source: SourceId,
    mut known: Option<&mut KnownStatements>,
    diagnostics: &mut Diagnostics,
) -> ReadModel {
    let before = diagnostics.len();
    let text = &sources.get(source).text;
    let file = syntax::parse_with(source, text, known.as_deref_mut(), diagnostics);
    match &mut diagnostics[before..] {
        [] => not_empty(sources, source, &file, diagnostics),
        syntax_errors => analysis::complete_help(source, text, (&file, known), syntax_errors),
    }
    // Statements that could not be read do not stop the names and types in the others from being checked.
    let model = Arc::new(analysis::analyse(&file, diagnostics));
    diagnostics[before..].sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
    ReadModel { file, model }
}

/// Text to typed model.
#[cfg(any(test, fuzzing))]
pub(crate) fn model(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<Arc<TypedModel>> {
    read(sources, source, diagnostics).map(|read| read.model)
}

/// Tree to typed model.
pub(crate) fn analyse(file: &ast::File, diagnostics: &mut Diagnostics) -> Option<TypedModel> {
    phase(diagnostics, |diagnostics| analysis::analyse(file, diagnostics))
}

/// The pictures that the comments of a model describe.
pub(crate) fn pictures(read: &ReadModel, diagnostics: &mut Diagnostics) -> Option<Vec<picture::Directive>> {
    phase(diagnostics, |diagnostics| picture::directives(&read.file.comments, &read.model, diagnostics))
}

/// Typed model, and the texts of its parameters, to an instance.
pub(crate) fn instance(
    model: &Arc<TypedModel>,
    sources: &Sources,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Option<GroundInstance> {
    phase(diagnostics, |diagnostics| {
        // Mistakes in one value do not stop the others from being checked.
        let files = data::readable_data(sources, model, data, diagnostics)?;
        bound(model, &files, diagnostics)
    })?
}

/// Typed model and the trees of its parameters to an instance.
pub(crate) fn instance_of(
    model: &Arc<TypedModel>,
    files: &[ast::File],
    diagnostics: &mut Diagnostics,
) -> Option<GroundInstance> {
    phase(diagnostics, |diagnostics| bound(model, files, diagnostics))?
}

fn bound(model: &Arc<TypedModel>, files: &[ast::File], diagnostics: &mut Diagnostics) -> Option<GroundInstance> {
    let parameters = analysis::parameters(model, files, diagnostics);
    instance::instantiate(model.clone(), parameters, files, diagnostics)
}

/// The representations that are wanted for some variables.
pub(crate) fn wanted(instance: &GroundInstance, texts: &[String]) -> Result<Representations, Diagnostic> {
    representations::wanted(instance, texts)
}

/// The symmetries of unnamed types that are to be broken.
pub(crate) fn symmetries(
    instance: &GroundInstance,
    breaking: Option<SymmetryBreaking>,
) -> Result<Vec<Symmetry>, Box<Diagnostic>> {
    breaking.map_or(Ok(Vec::new()), |breaking| symmetry::symmetries(instance, breaking))
}

/// An instance to a finite-domain problem that breaks symmetries, with the representations that are wanted for some
/// variables.
pub(crate) fn compile(
    instance: &GroundInstance,
    wanted: &Representations,
    symmetries: &[Symmetry],
    options: &EngineOptions,
) -> Result<Lowered, Halt> {
    let lowered = lowering::lower(&instance.environment, wanted, options.limits.clone())?;
    Ok(lowering::break_symmetries(instance, symmetries, lowered)?)
}

/// An instance to a finite-domain problem as it is.
pub(crate) fn lower(instance: &GroundInstance, options: &EngineOptions) -> Result<Lowered, Halt> {
    compile(instance, &Representations::default(), &[], options)
}

/// The instance of a model and its data whose last file is a solution: its decision variables are parameters, and the
/// constraints hold.
pub(crate) fn validate(
    sources: &Sources,
    model: &ast::File,
    data: &[SourceId],
    diagnostics: &mut Diagnostics,
) -> Option<GroundInstance> {
    let file = solution::with_finds_given(model.clone(), |_| true);
    let model = phase(diagnostics, |diagnostics| Arc::new(analysis::analyse(&file, diagnostics)))?;
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
