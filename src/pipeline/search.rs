//! The only search by a solver, for each caller that wants solutions or assignments.
//!
//! A solution is passed on only after evaluation has checked it against the model. If the check fails, the search ends
//! with an error: this is a bug of the compiler. While a solver logs a proof, the problem is not simplified, and the
//! symmetries that the model shows are not broken, because the proof must be about the model as it is written.

use crate::{
    diagnostic::Diagnostic,
    halt::Halt,
    instance::{GroundInstance, SolutionValues},
    lowering::{self, Lowered, ModelNeighbours, PlanValues},
    problem::{Assignment, Neighbours, Problem},
    solution::Verifier,
    solver::{self, EngineOptions, Guidance, SearchEnd, Solver},
};
use std::{ops::ControlFlow, sync::Arc};

/// The solutions that are wanted if there is an objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WantedOptima {
    /// One best solution; before it, each solution that is better than the previous one.
    One,
    /// All best solutions.
    All,
    /// A solution for each combination of values of the goals that no other combination dominates.
    Undominated,
}

impl WantedOptima {
    /// If more than one solution is wanted, all of them are best ones.
    pub(crate) fn of(most: Option<usize>) -> Self {
        if most == Some(1) { WantedOptima::One } else { WantedOptima::All }
    }
}

/// A search for solutions of an instance by a solver, and the only place that turns a solver's assignments into
/// solutions. A caller that needs a different search sets one of these fields, or adds one.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub instance: &'a GroundInstance,
    pub lowered: &'a Lowered,
    /// The problem to solve instead of the whole one: it has the same variables, and the same or further constraints.
    pub part: Option<&'a Problem>,
    /// True if the solver breaks the symmetries that the model shows.
    pub breaks_symmetries: bool,
    pub optima: WantedOptima,
    /// With an objective, a solution from which the search starts; only better ones are wanted.
    pub start: Option<&'a SolutionValues>,
    /// An earlier plan from which the search starts; it need not satisfy anything.
    pub hint: Option<&'a PlanValues>,
    /// With an objective, the best value of its first term that is not excluded, if it is known.
    pub bound: Option<i64>,
    pub options: &'a EngineOptions,
}

impl<'a> Search<'a> {
    /// The search for all solutions, or for a best one.
    pub(crate) fn new(instance: &'a GroundInstance, lowered: &'a Lowered, options: &'a EngineOptions) -> Self {
        Search {
            instance,
            lowered,
            part: None,
            breaks_symmetries: false,
            optima: WantedOptima::One,
            start: None,
            hint: None,
            bound: None,
            options,
        }
    }

    /// Passes the solutions that a solver finds to `found`, with their assignments, after checking each one.
    pub(crate) fn solutions(
        &self,
        solver: &mut dyn Solver,
        found: &mut dyn FnMut(&SolutionValues, &Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, Halt> {
        let (mut wrong, mut verifier) = (None, Verifier::new(self.instance));
        let end = self.assignments(solver, &mut |assignment| match self.checked_by(&mut verifier, assignment) {
            Ok(solution) => found(&solution, assignment),
            Err(diagnostic) => {
                let report = "this is a bug in conjure-like: please report it with the model and the parameters";
                wrong = Some(diagnostic.help(report));
                ControlFlow::Break(())
            }
        })?;
        wrong.map_or(Ok(end), |wrong| Err(wrong.into()))
    }

    /// Passes the assignments that a solver finds to `found`. The error is that the problem is too large for the
    /// solver.
    pub(crate) fn assignments(
        &self,
        solver: &mut dyn Solver,
        found: &mut dyn FnMut(&Assignment) -> ControlFlow<()>,
    ) -> Result<SearchEnd, Box<Diagnostic>> {
        let (model, lowered) = (&self.instance.model, self.lowered);
        let problem = self.part.unwrap_or(&lowered.problem);
        let mut simplified = if solver.is_traced() { problem.unsimplified() } else { problem.simplify() };
        if problem.objective().is_some() {
            let families = lowering::decision_families(model, lowered, &simplified);
            Arc::make_mut(&mut simplified.problem).set_families(families);
        }
        let broken = || lowering::break_interchangeable(model, lowered, &simplified);
        // A proof must be about the model as it is written, so a traced search breaks no symmetries.
        let breaks = self.breaks_symmetries && !solver.is_traced();
        let break_symmetries = breaks.then_some(&broken as &dyn Fn() -> _);
        let searches_near = solver::HAS_THREADS && simplified.problem.objective().is_some();
        let first = self.start.or(self.hint.map(|plan| &plan.values));
        // Neighbours are needed only for searches near a solution and for hints.
        let neighbours = (searches_near || self.hint.is_some())
            .then(|| ModelNeighbours::new(self.instance, lowered, problem, &simplified, first));
        let whole = neighbours.as_ref().filter(|neighbours| searches_near && neighbours.are_whole());
        let start = self.start.zip(whole).and_then(|(start, neighbours)| neighbours.assignment(start));
        let hint = self.hint.zip(neighbours.as_ref()).map_or(Vec::new(), |(plan, neighbours)| neighbours.hint(plan));
        let neighbours = whole.map(|neighbours| neighbours as &dyn Neighbours);
        let guidance = Guidance { break_symmetries, neighbours, start: start.as_ref(), hint: &hint, bound: self.bound };
        let mut found = |assignment: &Assignment| found(&simplified.restore(assignment));
        let problem = &simplified.problem;
        match self.optima {
            WantedOptima::One | WantedOptima::Undominated => {
                Ok(solver.solve_with(problem, guidance, self.options, &mut found)?)
            }
            WantedOptima::All => Ok(solver::all_best(solver, problem, guidance, self.options, &mut found)?),
        }
    }

    /// The solution in an assignment, checked against the model by evaluation.
    pub(crate) fn checked(&self, assignment: &Assignment) -> Result<SolutionValues, Box<Diagnostic>> {
        self.checked_by(&mut Verifier::new(self.instance), assignment)
    }

    fn checked_by(&self, verifier: &mut Verifier, assignment: &Assignment) -> Result<SolutionValues, Box<Diagnostic>> {
        let solution = self.lowered.read_back(assignment);
        verifier.verify(&solution, self.lowered.witnesses(assignment))?;
        Ok(solution)
    }
}

/// Ends a search that has found the largest number of solutions wanted.
pub(crate) fn enough(most: Option<usize>, solutions: usize) -> ControlFlow<()> {
    if most.is_some_and(|most| solutions >= most) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
