//! From texts to solutions: the whole story, one line a phase.
//!
//! The errors of a phase end the story there: [`Halt`] holds them, or the limit that was reached. What is suspicious goes
//! to the `warnings` of the caller. Nothing here reads or writes files: texts come in, solutions go out.

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
    warnings: &mut Diagnostics,
    found: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Result<(SearchEnd, Arc<TypedModel>), Halt> {
    let model = read(sources, model, warnings)?.model;
    let instance = instance(&model, sources, data, warnings)?;
    let width = request.width;
    let end = solve_instance(&instance, request, &mut |solution| found(&solution::print(&instance, solution, width)));
    match end {
        Ok(end) => Ok((end, model)),
        Err(Halt::Stopped(stopped)) => Ok((stopped.into(), model)),
        Err(wrong) => Err(wrong),
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
pub(crate) fn read(sources: &Sources, source: SourceId, warnings: &mut Diagnostics) -> Result<ReadModel, Halt> {
    phase(warnings, |found| Ok(read_in_part(sources, source, None, found)))
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

/// Tree to typed model.
pub(crate) fn analyse(file: &ast::File, warnings: &mut Diagnostics) -> Result<TypedModel, Halt> {
    phase(warnings, |found| Ok(analysis::analyse(file, found)))
}

/// The pictures that the comments of a model describe.
pub(crate) fn pictures(read: &ReadModel, warnings: &mut Diagnostics) -> Result<Vec<picture::Directive>, Halt> {
    phase(warnings, |found| Ok(picture::directives(&read.file.comments, &read.model, found)))
}

/// Typed model, and the texts of its parameters, to an instance.
pub(crate) fn instance(
    model: &Arc<TypedModel>,
    sources: &Sources,
    data: &[SourceId],
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    phase(warnings, |found| {
        // Mistakes in one value do not stop the others from being checked.
        let files = data::readable_data(sources, model, data, found)?;
        bound(model, &files, found)
    })
}

/// Typed model and the trees of its parameters to an instance.
pub(crate) fn instance_of(
    model: &Arc<TypedModel>,
    files: &[ast::File],
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    phase(warnings, |found| bound(model, files, found))
}

/// The instance, whatever is wrong with values that it does not need.
fn bound(model: &Arc<TypedModel>, files: &[ast::File], diagnostics: &mut Diagnostics) -> Result<GroundInstance, Halt> {
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
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    let file = solution::with_finds_given(model.clone(), |_| true);
    let model = Arc::new(analyse(&file, warnings)?);
    let instance = instance(&model, sources, data, warnings)?;
    let violated = |wrong: Box<Diagnostic>| Diagnostic { code: Code::SOLUTION_INVALID, ..*wrong };
    solution::verify(&instance, &[]).map_err(violated)?;
    Ok(instance)
}

/// Text to tree.
pub(crate) fn parse(sources: &Sources, source: SourceId, warnings: &mut Diagnostics) -> Result<ast::File, Halt> {
    phase(warnings, |found| Ok(syntax::parse(source, &sources.get(source).text, found)))
}

fn not_empty(sources: &Sources, model: SourceId, file: &ast::File, diagnostics: &mut Diagnostics) {
    if file.statements.is_empty() {
        let message = format!("there is no statement in the model `{}`", sources.get(model).name);
        let empty = Diagnostic::error(Code::FILE_EMPTY, message);
        diagnostics.push(empty.help("declare what to find, for example `find x : int(1..9)`"));
    }
}

/// The result of a phase that goes on in part, if it has found no errors; otherwise all that it has found is wrong.
fn phase<T>(warnings: &mut Diagnostics, run: impl FnOnce(&mut Diagnostics) -> Result<T, Halt>) -> Result<T, Halt> {
    let before = warnings.len();
    let made = run(warnings);
    let has_errors = warnings[before..].iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    match made {
        Ok(made) if !has_errors => Ok(made),
        Ok(_) => Err(Halt::Wrong(warnings.split_off(before))),
        Err(Halt::Wrong(mut wrong)) => {
            let mut found = warnings.split_off(before);
            found.append(&mut wrong);
            Err(Halt::Wrong(found))
        }
        Err(stopped) => Err(stopped),
    }
}
