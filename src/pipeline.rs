//! The pipeline from the texts of a model and its data to solutions. Each front end calls the phases in this order:
//! [`read_model_text`], [`read_instance`], [`compile`], [`search_solutions`]. [`SolveOptions`] states the question and
//! the options of the search.
//!
//! The functions here only order the phases; the work of a phase belongs in its own module. The errors of a phase end
//! the pipeline: [`Halt`] holds them, or the limit that was reached. A phase that reports several errors runs inside
//! [`phase`], which leaves only warnings in the `warnings` of the caller. Nothing here reads or writes files: the input
//! is texts, the output solutions.

mod brute_force;
mod cube;
mod data;
mod dominance;
mod evaluation;
mod front;
mod given_texts;
mod growth;
mod kept;
mod options;
mod search;
mod values;

use crate::{
    analysis::{self, model::TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics, Severity},
    halt::Halt,
    instance::{
        self, GroundInstance, SolutionValues,
        symmetry::{self, Symmetry},
    },
    language::print::MemberNames,
    lowering::{self, LargerSizes, Lowered, PlanValues, Representations, representations},
    picture,
    problem::Problem,
    solution,
    solver::{EngineOptions, SearchEnd, Solver},
    source::{SourceId, Sources},
    syntax::{self, KnownStatements, ast},
};
pub(crate) use brute_force::try_all;
pub use cube::{Cube, CubeStep};
pub(crate) use data::{data_of_broken_model, read_parameters, read_values, with_known_members, with_named_members};
pub(crate) use evaluation::{ExpressionTexts, TypedExpression, read_expression, with_decided_values};
pub use given_texts::Text;
pub(crate) use growth::too_large_for_one_problem;
pub(crate) use kept::{KeptInstance, with_constraint};
pub use options::{Count, SolveOptions};
pub(crate) use search::{Search, WantedOptima, enough};
use std::{ops::ControlFlow, sync::Arc};
pub(crate) use values::{ModelValues, TextContent, values_alone, values_file, values_of_model};

/// The reason why there are no proofs for a dominance relation, and why other solvers are not called.
pub(crate) const KNOWS_NO_DOMINANCE: &str = "proofs and other solvers do not support a dominance relation";

/// The result of a search for the solutions of an instance.
pub(crate) struct SearchSummary {
    pub end: SearchEnd,
    /// The number of solutions that were passed on.
    pub solutions: usize,
    /// True if a best solution was requested.
    pub optimising: bool,
}

/// An instance that is ready for the search.
#[derive(Debug)]
pub(crate) struct CompiledInstance {
    pub symmetries: Vec<Symmetry>,
    /// The problem for a solver; `None` if all values are tried.
    pub lowered: Option<Lowered>,
    /// The sizes that the problem does not cover.
    pub larger: Option<LargerSizes>,
}

/// Compiles an instance to a finite-domain problem.
pub(crate) fn compile(instance: &GroundInstance, options: &SolveOptions) -> Result<CompiledInstance, Halt> {
    compile_by_size(instance, options, !options.is_about_part())
}

/// Compiles an instance to one finite-domain problem for all sizes of its collections.
pub(crate) fn compile_whole(instance: &GroundInstance, options: &SolveOptions) -> Result<CompiledInstance, Halt> {
    compile_by_size(instance, options, false)
}

/// Compiles an instance to a finite-domain problem. With `by_size`, it may be a problem of the smallest sizes of a
/// collection if all sizes together are too many.
fn compile_by_size(instance: &GroundInstance, options: &SolveOptions, by_size: bool) -> Result<CompiledInstance, Halt> {
    let wanted = representations::wanted_representations(instance, &options.representations)?;
    // The symmetries come before lowering, so that a model that distinguishes members is refused at once.
    let symmetries = match options.unnamed_symmetry {
        Some(breaking) => symmetry::symmetries(instance, breaking)?,
        None => Vec::new(),
    };
    // The oracle reads the values itself, so nothing is lowered.
    if options.tries_all() {
        return Ok(CompiledInstance { symmetries, lowered: None, larger: None });
    }
    // Each range of sizes would need its own constraints on unnamed types, and would have its own best solutions.
    let objective = instance.model.objective.as_ref();
    let one_is_best = objective.is_none_or(|objective| options.solutions == Count::First(1) && !objective.is_trade_off);
    let is_preferred = instance.model.dominance.is_some();
    if is_preferred && !symmetries.is_empty() {
        let message = "symmetries of unnamed types cannot be broken if a dominance relation chooses solutions";
        let error = Diagnostic::error(Code::COMMAND_LINE, message);
        return Err(error.note("a solution that was left out may dominate others").into());
    }
    let by_size = by_size && symmetries.is_empty() && one_is_best && !is_preferred;
    let mut larger = if by_size { LargerSizes::of(instance, &wanted) } else { None };
    // If the sizes have no ranges, no domain is overridden.
    let domains = larger.as_mut().and_then(LargerSizes::next).unwrap_or_default();
    let lowered = lowering::lower_within(&instance.environment, &wanted, &domains, options.search.limits.clone())?;
    let lowered = Some(lowering::break_symmetries(instance, &symmetries, lowered)?);
    Ok(CompiledInstance { symmetries, lowered, larger })
}

/// Lowers an instance to a finite-domain problem as it is.
pub(crate) fn lower_instance(instance: &GroundInstance, options: &EngineOptions) -> Result<Lowered, Halt> {
    lowering::lower(&instance.environment, &Representations::default(), options.limits.clone())
}

/// The space of solutions to search, and the start of the search.
pub(crate) struct SearchSpace<'a> {
    pub instance: &'a GroundInstance,
    pub compiled: &'a CompiledInstance,
    /// The problem of the part of the space that the options select, if they do not select all of it.
    pub part: Option<&'a Problem>,
    /// The values of the plan [`SolveOptions::start`]: if it is a solution, only better ones follow.
    pub start: Option<&'a PlanValues>,
}

/// Searches for the solutions of an instance: a solver finds them, or all values are tried.
pub(crate) fn search_solutions(
    space: &SearchSpace,
    options: &SolveOptions,
    solver: Option<&mut (dyn Solver + 'static)>,
    found: &mut dyn FnMut(&SolutionValues) -> ControlFlow<()>,
) -> Result<SearchSummary, Halt> {
    let SearchSpace { instance, compiled, part, .. } = *space;
    let dominance = instance.model.dominance.as_ref();
    if dominance.is_some() {
        must_suit_dominance(space, solver.as_deref())?;
    }
    let is_trade_off = instance.model.competing_goals().is_some();
    let optimising = instance.model.objective.is_some() && !is_trade_off;
    let wanted = options.solutions.most();
    let optima = if is_trade_off { WantedOptima::Undominated } else { WantedOptima::of(wanted) };
    // With an objective, each solution is better than the previous one, so only the last one counts.
    let most = wanted.filter(|_| !optimising || optima == WantedOptima::All);
    let mut solutions = 0;
    // The count includes the solution at which the caller ends the search.
    let mut found = |solution: &SolutionValues| {
        solutions += 1;
        found(solution)?;
        enough(most, solutions)
    };
    let wants_one = (optimising || most == Some(1)) && dominance.is_none();
    // With a dominance relation or all optima, the known solution is only one of those wanted.
    let known = if wants_one && optima == WantedOptima::One { space.known_solution() } else { None };
    if let (Some(known), Some(_)) = (known, &compiled.lowered)
        && found(known).is_break()
    {
        return Ok(SearchSummary { end: SearchEnd::Enough, solutions, optimising });
    }
    let end = match (&compiled.lowered, solver) {
        (Some(lowered), Some(solver)) => {
            let ends_with_one = optimising || is_trade_off || wants_one;
            let search = Search {
                part,
                breaks_symmetries: ends_with_one && options.breaks_symmetries(),
                optima,
                start: known,
                hint: space.start,
                ..Search::new(instance, lowered, &options.search)
            };
            match (&compiled.larger, dominance) {
                (None, Some(dominance)) => {
                    dominance::search_undominated(search, dominance, solver, options.keeps_learnt(), &mut found)?
                }
                (None, None) if is_trade_off => front::search_front(search, solver, &mut found)?,
                (None, None) => search.solutions(solver, &mut |solution, _| found(solution))?,
                (Some(larger), _) => growth::search_by_size(larger, search, solver, &mut found)?,
            }
        }
        _ => try_all(instance, &compiled.symmetries, optima, &options.search, &mut found)?,
    };
    Ok(SearchSummary { end, solutions, optimising })
}

/// Refuses a dominance relation if only a part of the space is searched, or if a proof is logged.
fn must_suit_dominance(space: &SearchSpace, solver: Option<&(dyn Solver + 'static)>) -> Result<(), Halt> {
    if solver.is_some_and(|solver| solver.is_traced()) {
        return Err(Diagnostic::error(Code::COMMAND_LINE, KNOWS_NO_DOMINANCE).into());
    }
    if space.part.is_some() {
        let message = "a dominance relation is about all solutions, not about a part of them";
        return Err(Diagnostic::error(Code::COMMAND_LINE, message).into());
    }
    Ok(())
}

impl<'a> SearchSpace<'a> {
    /// The solution from which the search starts, if the whole space is searched and the plan is a solution.
    fn known_solution(&self) -> Option<&'a SolutionValues> {
        // The plan may be outside the part, or symmetry breaking may exclude it.
        let is_whole = self.part.is_none() && self.compiled.symmetries.is_empty();
        let known = self.start.map(|plan| &plan.values).filter(|_| is_whole)?;
        let is_solution = known.len() == self.instance.finds.len() && solution::verify(self.instance, known).is_ok();
        is_solution.then_some(known)
    }
}

/// A text that is a model, as a tree and a typed model.
#[derive(Clone, Debug)]
pub(crate) struct ReadModel {
    pub file: ast::File,
    pub model: Arc<TypedModel>,
}

/// Reads a text into a tree and a typed model.
pub(crate) fn read_model_text(
    sources: &Sources,
    source: SourceId,
    warnings: &mut Diagnostics,
) -> Result<ReadModel, Halt> {
    phase(warnings, |found| Ok(read_in_part(sources, source, None, found)))
}

/// Reads a text into a tree and a typed model, without the parts that have errors. Statements that are known from an
/// earlier version of the text are not parsed again.
pub(crate) fn read_in_part(
    sources: &Sources,
    source: SourceId,
    mut known: Option<&mut KnownStatements>,
    diagnostics: &mut Diagnostics,
) -> ReadModel {
    let before = diagnostics.len();
    let text = &sources.get(source).text;
    let file = syntax::parse_with(source, text, known.as_deref_mut(), diagnostics);
    // If there are syntax errors, an empty model gets no further error.
    match &mut diagnostics[before..] {
        [] => not_empty(sources, source, &file, diagnostics),
        syntax_errors => analysis::complete_help_of_errors(source, text, &file, known, syntax_errors),
    }
    // Even if some statements cannot be read, the names and types in the others are checked.
    let model = Arc::new(analysis::analyse_file(&file, diagnostics));
    // Syntax errors and type errors appear in the order of the text.
    diagnostics[before..].sort_by_key(|diagnostic| diagnostic.span().map(|span| span.start));
    ReadModel { file, model }
}

/// Analyses a tree.
pub(crate) fn analyse(file: &ast::File, warnings: &mut Diagnostics) -> Result<TypedModel, Halt> {
    phase(warnings, |found| Ok(analysis::analyse_file(file, found)))
}

/// The pictures that the comments of a model describe.
pub(crate) fn pictures(read: &ReadModel, warnings: &mut Diagnostics) -> Result<Vec<picture::Directive>, Halt> {
    phase(warnings, |found| Ok(picture::directives(&read.file.comments, &read.model, found)))
}

/// Makes an instance of a typed model and the texts of its parameters.
pub(crate) fn read_instance(
    model: &Arc<TypedModel>,
    sources: &Sources,
    data: &[SourceId],
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    phase(warnings, |found| {
        // After an error in one value, the others are checked nevertheless.
        let files = data::readable_data(sources, model, data, &[], found)?;
        bound_instance(model, &files, found)
    })
}

/// Makes an instance of a typed model and the trees of its parameters.
pub(crate) fn instance_of(
    model: &Arc<TypedModel>,
    files: &[ast::File],
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    phase(warnings, |found| bound_instance(model, files, found))
}

/// The instance, despite errors in values that it does not need.
fn bound_instance(
    model: &Arc<TypedModel>,
    files: &[ast::File],
    diagnostics: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    let parameters = analysis::parameters_of_files(model, files, diagnostics);
    instance::instantiate(model.clone(), parameters, files, diagnostics)
}

/// The readable values that data give to the parameters, and the names of the members. Errors are ignored.
pub(crate) fn known_values(
    model: &Arc<TypedModel>,
    sources: &Sources,
    data: &[SourceId],
) -> (instance::Environment, MemberNames) {
    let mut ignored = Diagnostics::new();
    let files = data::readable_data(sources, model, data, &[], &mut ignored).unwrap_or_default();
    let parameters = analysis::parameters_of_files(model, &files, &mut ignored);
    instance::bound_in_part(model, &parameters, &files)
}

/// The instance of a model and its data, whose last file is a solution: its decision variables are parameters, and the
/// constraints hold.
pub(crate) fn validate(
    sources: &Sources,
    model: &ast::File,
    data: &[SourceId],
    warnings: &mut Diagnostics,
) -> Result<GroundInstance, Halt> {
    // The values of the solution are data here, so the constraints are checked by evaluation.
    let file = solution::with_finds_given(model.clone(), |_| true);
    let model = Arc::new(analyse(&file, warnings)?);
    let instance = read_instance(&model, sources, data, warnings)?;
    let violated = |wrong: Box<Diagnostic>| Diagnostic { code: Code::SOLUTION_INVALID, ..*wrong };
    solution::verify(&instance, &[]).map_err(violated)?;
    Ok(instance)
}

/// Parses a text.
pub(crate) fn parse_text(sources: &Sources, source: SourceId, warnings: &mut Diagnostics) -> Result<ast::File, Halt> {
    phase(warnings, |found| Ok(syntax::parse_file(source, &sources.get(source).text, found)))
}

fn not_empty(sources: &Sources, model: SourceId, file: &ast::File, diagnostics: &mut Diagnostics) {
    if file.statements.is_empty() {
        let message = format!("there is no statement in the model `{}`", sources.get(model).name);
        let empty = Diagnostic::error(Code::FILE_EMPTY, message);
        diagnostics.push(match is_case_file(file) {
            true => empty.help("the file has test cases for a model: run them with `conjure-like test`"),
            false => empty.help("declare what to find, for example `find x : int(1..9)`"),
        });
    }
}

/// Returns true if a text has test cases and no statements.
pub(crate) fn is_case_file(file: &ast::File) -> bool {
    file.statements.is_empty() && file.comments.iter().any(|comment| comment.text.starts_with("$ case:"))
}

/// The result of a phase that continues after errors. If it has found any, they are returned with its warnings instead.
fn phase<T>(warnings: &mut Diagnostics, run: impl FnOnce(&mut Diagnostics) -> Result<T, Halt>) -> Result<T, Halt> {
    // The diagnostics of earlier phases stay with the caller.
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
