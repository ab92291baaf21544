//! Instances as finite-domain problems, and their solutions.

use super::{
    Count, Instance, Model, Report, Solution, SolveOptions, SolveStatus, Summary, Text,
    solution::WIDTH,
    stack::{Deep, deep},
    words::ModelWords,
};
use crate::{
    cubes,
    diagnostic::{Code, Diagnostic, visible},
    halt::{Halt, StopReason},
    instance::symmetry::SymmetryDetection,
    lowering::Lowered,
    pipeline::{self, CompiledInstance, SearchSpace},
    problem::Problem,
    solver::{self, ExportFormat, ProofDraft, Refutation, SatProgram, Solver, SolverName},
};
use std::{io::Write, ops::ControlFlow};

/// An instance as a finite-domain problem: Boolean and integer variables with constraints.
#[derive(Debug)]
pub struct Compiled {
    pub(super) instance: Instance,
    /// The compiled problem, or the limit that was reached while compiling.
    pub(super) compiled: Result<Deep<CompiledInstance>, StopReason>,
}

/// The destination of a proof that there is no solution, or no further or better one. Nothing is written if the search
/// ends in another way.
pub struct Proof {
    /// Storage for the steps until the end of the search: an empty file, or a `Cursor<Vec<u8>>`.
    pub draft: Box<dyn ProofDraft>,
    /// The steps of the proof, in the format LRAT.
    pub steps: Box<dyn Write>,
    /// The clauses that the steps refute, in the format DIMACS, with comments about their origin.
    pub clauses: Box<dyn Write>,
}

impl Instance {
    /// Finds solutions and reports each one as soon as it is found; each has been checked against the model. With an
    /// objective and one requested solution, each reported solution is better than the previous one, and the last is
    /// the answer; with several requested, only optimal ones are reported. The search ends early if `found` returns
    /// `Break`.
    ///
    /// # Errors
    ///
    /// Returns an error if the instance is too large, or if an expression is undefined where it must have a value.
    pub fn solve(
        &self,
        options: &SolveOptions,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        self.compile(options)?.solve(options, found)
    }

    /// Compiles the instance to a finite-domain problem, which [`Compiled::solve`] solves. If a limit of the search
    /// options is reached, there is no problem, and the search ends at once with this status.
    ///
    /// # Errors
    ///
    /// Returns an error if the instance is too large, or if the options do not fit it.
    pub fn compile(&self, options: &SolveOptions) -> Result<Compiled, Report> {
        deep(|| Compiled::new(self, options))
    }
}

impl Compiled {
    pub(super) fn new(instance: &Instance, options: &SolveOptions) -> Result<Self, Report> {
        Compiled::of(instance, pipeline::compile(&instance.bound, options))
    }

    fn of(instance: &Instance, compiled: Result<CompiledInstance, Halt>) -> Result<Self, Report> {
        let compiled = match compiled {
            Ok(compiled) => Ok(Deep::new(compiled)),
            Err(halt) => Err(instance.limit(halt)?),
        };
        Ok(Compiled { instance: instance.clone(), compiled })
    }

    /// The problem; `None` for the solver that needs none, or if a limit was reached.
    pub(super) fn lowered(&self) -> Option<&Lowered> {
        self.compiled.as_ref().ok()?.lowered.as_ref()
    }

    /// Renders the variables, terms and constraints for people; empty for [`SolverName::Brute`], which needs no
    /// problem, or if a limit was reached.
    pub fn problem(&self) -> String {
        deep(|| self.lowered().map_or(String::new(), |lowered| lowered.problem.to_string()))
    }

    /// The size of the problem: "instances" of quantified expressions, "decision variables" and other kinds, with their
    /// numbers.
    pub fn sizes(&self) -> Vec<(&'static str, u64)> {
        let Some(lowered) = self.lowered() else { return Vec::new() };
        let problem = &lowered.problem;
        vec![
            ("instances", u64::try_from(lowered.bindings).unwrap_or(u64::MAX)),
            ("decision variables", problem.decisions().len() as u64),
            ("Boolean terms", problem.bool_count() as u64),
            ("integer terms", problem.int_count() as u64),
            ("constraints", problem.constraints().len() as u64),
        ]
    }

    /// Finds solutions, as [`Instance::solve`] does. The options about representations and about symmetry breaking of
    /// unnamed types are ignored, because they were fixed at compilation. A problem compiled for [`SolverName::Brute`]
    /// is solved by it.
    ///
    /// # Errors
    ///
    /// Returns an error if the problem is too large for the solver.
    pub fn solve(
        &self,
        options: &SolveOptions,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        self.search(options, None, found)
    }

    /// Finds solutions, and writes a proof that there is no further (or better) solution. Only [`SolverName::Cadical`]
    /// writes proofs; other solvers ignore the request.
    ///
    /// # Errors
    ///
    /// Returns an error if the problem is too large for the solver.
    pub fn solve_with_proof(
        &self,
        options: &SolveOptions,
        proof: Proof,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        self.on_whole(options, |whole| whole.search(options, Some(proof), found))
    }

    /// Finds solutions with an external SAT solver, which reads the clauses as text. Its assignments and proofs are
    /// checked.
    ///
    /// # Errors
    ///
    /// Returns an error if the problem is too large for clauses.
    pub fn solve_with_program(
        &self,
        options: &SolveOptions,
        program: SatProgram,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        if self.instance.bound.model.dominance.is_some() {
            let error = Diagnostic::error(Code::COMMAND_LINE, pipeline::KNOWS_NO_DOMINANCE);
            return Err(self.instance.report(vec![error]));
        }
        // The external solver gets the problem that built-in solvers get, and its solutions are verified in the same
        // way.
        self.run(options, Some(&mut *solver::external(program)), found)
    }

    /// Exports the problem as text for other solvers, with comments about its variables. The solver and the number of
    /// solutions in the options are ignored; a cube is not.
    ///
    /// # Errors
    ///
    /// Returns an error if the problem is too large for the format.
    pub fn export(&self, format: ExportFormat, options: &SolveOptions) -> Result<String, Report> {
        self.on_whole(options, |whole| {
            let mut export = solver::Export::new(format, whole.words()?);
            whole.run(&exporting(options), Some(&mut export), &mut |_| ControlFlow::Break(()))?;
            Ok(export.text)
        })
    }

    /// Reads the answer of another solver to the text that [`Compiled::export`] returns for the same problem. Its
    /// solutions are checked. Its claims that there are no others, or no better ones, are confirmed by a second solver,
    /// as far as the options allow.
    ///
    /// # Errors
    ///
    /// Returns an error if the answer cannot be read, or belongs to another problem.
    pub fn read_answer(
        &self,
        format: ExportFormat,
        answer: &Text,
        options: &SolveOptions,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        let answer = solver::SolverAnswer::read(format, &answer.text).map_err(|missing| {
            let error = format!("`{}` is not the answer of a solver: {missing}", visible::line(&answer.name));
            Report::from(Diagnostic::error(Code::ANSWER, error))
        })?;
        self.on_whole(options, |whole| {
            whole.run(&exporting(options), Some(&mut *solver::answered(format, answer)), found)
        })
    }

    fn words(&self) -> Result<Box<ModelWords>, Report> {
        let Some(lowered) = self.lowered() else {
            let error = Diagnostic::error(Code::COMMAND_LINE, "there is no problem to export");
            return Err(self.instance.report(vec![error]));
        };
        Ok(Box::new(ModelWords::new(&self.instance.bound, lowered, &self.instance.sources)))
    }

    /// Runs `act`, which needs one problem for all sizes of a collection.
    pub(super) fn on_whole<T>(
        &self,
        options: &SolveOptions,
        act: impl FnOnce(&Self) -> Result<T, Report>,
    ) -> Result<T, Report> {
        match self.compiled.as_ref().ok().and_then(|compiled| compiled.larger.as_ref()) {
            // If the search does not grow by size, this is already the whole problem.
            None => act(self),
            // This problem has only the small sizes, because the search grows by size. If a problem for all sizes is
            // not too large, it is compiled now.
            Some(larger) if larger.fit_together => {
                let compile = || pipeline::compile_whole(&self.instance.bound, options);
                act(&deep(|| Compiled::of(&self.instance, compile()))?)
            }
            Some(_) => {
                let says = "the instance is too large for one problem; only `solve` goes by size";
                Err(self.instance.report(vec![pipeline::too_large_for_one_problem(says)]))
            }
        }
    }

    fn search(
        &self,
        options: &SolveOptions,
        proof: Option<Proof>,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        // `Brute` evaluates the model itself, so it needs no solver.
        let mut solver = match self.lowered() {
            Some(_) if options.solver != SolverName::Brute => {
                Some(backend(options.solver).map_err(|missing| self.instance.report(vec![missing]))?)
            }
            _ => None,
        };
        if let (Some(Proof { draft, steps, clauses }), Some(solver)) = (proof, &mut solver) {
            solver.prove(Refutation { draft, steps, clauses, words: self.words()? });
        }
        self.run(options, solver.as_deref_mut(), found)
    }

    fn run(
        &self,
        options: &SolveOptions,
        mut solver: Option<&mut (dyn Solver + 'static)>,
        found: &mut dyn FnMut(&Solution) -> ControlFlow<()>,
    ) -> Result<Summary, Report> {
        let bound = &self.instance.bound;
        let compiled = match &self.compiled {
            Ok(compiled) => compiled,
            Err(stopped) => {
                return Ok(Summary { status: stopped.clone().into(), solutions: 0, statistics: None });
            }
        };
        // A proof must follow from the problem alone, so the search must not start near a plan.
        let is_traced = solver.as_ref().is_some_and(|solver| solver.is_traced());
        let start = options.start.as_ref().filter(|_| !is_traced);
        let start = start.map(|plan| self.instance.values_of_plan(plan)).transpose()?;
        let searched = deep(|| {
            let part = wanted_part(options, &self.instance, compiled.lowered.as_ref())?;
            let space = SearchSpace { instance: bound, compiled, part: part.as_ref(), start: start.as_ref() };
            pipeline::search_solutions(&space, options, solver.as_deref_mut(), &mut |values| {
                found(&Solution::new(bound.clone(), values.clone()))
            })
        });
        let searched = searched.map_err(|halt| self.instance.report(halt.into_diagnostics()))?;
        let mut statistics = solver.filter(|_| compiled.lowered.is_some()).map(|solver| solver.statistics().clone());
        if let (Some(statistics), Some(_)) = (&mut statistics, &compiled.larger) {
            // The bound applies only to the sizes that were searched.
            statistics.bound = None;
        }
        Ok(Summary { solutions: searched.solutions, status: searched.into(), statistics })
    }
}

/// The subproblem that the options select; `None` if they select the whole space.
pub(super) fn wanted_part(
    options: &SolveOptions,
    instance: &Instance,
    lowered: Option<&Lowered>,
) -> Result<Option<Problem>, Halt> {
    if !options.is_about_part() {
        return Ok(None);
    }
    // Such cubes leave out symmetric solutions, so they cannot enumerate all solutions.
    if options.cube.as_ref().is_some_and(|cube| cube.up_to_symmetry) && options.solutions != Count::First(1) {
        let error = "these cubes are for one solution: those symmetric to it are in none of them";
        let error = Diagnostic::error(Code::CUBES, error);
        return Err(error.help("make cubes with `conjure-like cubes make --all`").into());
    }
    let lowered = lowered.ok_or_else(|| {
        let asked = if options.better_than.is_some() { "`--better-than`" } else { "a cube" };
        let error = format!("`--solver=brute` tries all values, and does not support {asked}");
        Diagnostic::error(Code::COMMAND_LINE, error).help("choose another solver")
    })?;
    let (cube, better_than) = (options.cube.as_ref(), options.better_than);
    Ok(Some(cubes::cube_problem(&instance.bound, &instance.sources, lowered, cube, better_than)?))
}

/// The options for an export: symmetric solutions are kept, and one text has one answer.
fn exporting(options: &SolveOptions) -> SolveOptions {
    SolveOptions { symmetry: SymmetryDetection::Off, solver: SolverName::default(), ..options.clone() }
}

/// Returns a solver, if this build has it.
fn backend(name: SolverName) -> Result<Box<dyn Solver>, Diagnostic> {
    solver::backend(name).ok_or_else(|| {
        let names: Vec<String> = SolverName::all().map(|solver| format!("`{}`", solver.name())).collect();
        Diagnostic::error(Code::COMMAND_LINE, format!("this build does not have the solver `{}`", name.name()))
            .help(format!("take one of {}", names.join(", ")))
    })
}

/// Solves a model with its data in one call. Each solution is reported as text, with a `letting` for each decision
/// variable, as soon as it is found; [`Instance::solve`] reports solutions with their values instead.
///
/// ```
/// use conjure_like::{SolveOptions, Text, solve};
/// use std::ops::ControlFlow;
///
/// let model = Text::new("root.essence", "given n : int\nfind x : int(0..100)\nsuch that x * x = n");
/// let data = Text::new("49.param", "letting n be 49");
/// let mut text = String::new();
/// let status = solve(&model, &[data], &SolveOptions::default(), &mut |solution| {
///     text += solution;
///     ControlFlow::Continue(())
/// })?;
/// assert!(status.found_enough());
/// assert!(text.ends_with("letting x be 7\n"));
/// # Ok::<(), conjure_like::Report>(())
/// ```
///
/// # Errors
///
/// Returns all errors in the model and the data, or an error if the instance is too large.
pub fn solve(
    model: &Text,
    data: &[Text],
    options: &SolveOptions,
    found: &mut dyn FnMut(&str) -> ControlFlow<()>,
) -> Result<SolveStatus, Report> {
    let instance = Model::read(model)?.instance(data)?;
    let summary = instance.solve(options, &mut |solution| found(&solution.to_essence(WIDTH)))?;
    Ok(summary.status)
}
