//! A board: the cells of an instance, some of which a person has set. What the others can still be, which of the set
//! ones contradict each other, and solutions that keep them.

use super::Possibility;
use crate::{
    explain::{Cell, CellOption, Describer, all_cells},
    halt::{Halt, StopReason},
    instance::{GroundInstance, SolutionValues},
    lowering::Lowered,
    pipeline::{self, Search, WantedOptima},
    problem::{Bool, Problem},
    solver::{self, AssumptionResult, EngineOptions, Incremental, SearchEnd, SolverName, incremental},
    source::Sources,
    symbolic::Symbolic,
};

/// The work that the solver may do for all values together.
const WORK: u64 = 1_000_000;

/// An instance with its cells. An objective stays part of the problem.
pub(crate) struct Board<'a> {
    instance: &'a GroundInstance,
    lowered: &'a Lowered,
    problem: Problem,
    pub cells: Vec<Cell>,
}

/// What cells can be beside the cells that are set.
pub(crate) struct StillPossible {
    /// For each cell and each of its options, whether a solution that keeps the other set cells has it.
    pub options: Vec<Vec<Possibility>>,
    /// The positions among the set options of some that no solution has together, none of which can be left out;
    /// `None` if a solution has all of them, or this is not known.
    pub conflict: Option<Vec<usize>>,
    /// What has ended the search early.
    pub stopped: Option<StopReason>,
}

/// An option that is set: the positions of its cell and of the option there.
pub(crate) type SetOption = (usize, usize);

impl<'a> Board<'a> {
    pub(crate) fn new(instance: &'a GroundInstance, sources: &'a Sources, lowered: &'a Lowered) -> Result<Self, Halt> {
        let mut symbolic = Symbolic::from(lowered.problem.clone());
        let describer = Describer::new(instance, sources);
        let cells = all_cells(instance, &describer, &mut symbolic, &lowered.layout);
        Ok(Board { instance, lowered, problem: symbolic.finish()?, cells })
    }

    /// The option that a constraint says.
    pub(crate) fn option(&self, constraint: &str) -> Option<SetOption> {
        let position = |cell: &Cell| cell.options.iter().position(|option| option.as_constraint() == constraint);
        self.cells.iter().enumerate().find_map(|(number, cell)| Some((number, position(cell)?)))
    }

    fn term(&self, (cell, option): SetOption) -> Bool {
        self.cells[cell].options[option].term
    }

    /// Which options are possible beside the set ones. The cells with the positions in `first` are asked about first.
    pub(crate) fn possible(&self, set: &[SetOption], first: &[usize], options: &EngineOptions) -> StillPossible {
        let mut solver = incremental(&self.problem, options);
        solver.allow(Some(WORK));
        let unknown = |cell: &Cell| vec![Possibility::Unknown; cell.options.len()];
        let mut found =
            StillPossible { options: self.cells.iter().map(unknown).collect(), conflict: None, stopped: None };
        if let Err(stopped) = self.ask(&mut *solver, set, first, &mut found) {
            found.stopped = Some(stopped);
        }
        found
    }

    fn ask(
        &self,
        solver: &mut dyn Incremental,
        set: &[SetOption],
        first: &[usize],
        found: &mut StillPossible,
    ) -> Result<(), StopReason> {
        let terms: Vec<Bool> = set.iter().map(|option| self.term(*option)).collect();
        match solver.check(&terms)? {
            AssumptionResult::Refuted(core) => {
                let smallest = smallest(solver, core)?;
                let mut conflict: Vec<usize> =
                    (0..set.len()).filter(|position| smallest.contains(&terms[*position])).collect();
                conflict.dedup();
                found.conflict = Some(conflict);
                // Beside set cells that contradict each other nothing is possible.
                return Ok(());
            }
            AssumptionResult::Satisfiable(assignment) => self.note(found, &assignment),
        }
        let others = (0..self.cells.len()).filter(|number| !first.contains(number));
        for number in first.iter().copied().chain(others) {
            let own = set.iter().position(|(cell, _)| *cell == number);
            let mut assumed = terms.clone();
            if let Some(own) = own {
                assumed.remove(own);
            }
            for option in 0..self.cells[number].options.len() {
                if found.options[number][option] != Possibility::Unknown {
                    continue;
                }
                assumed.push(self.term((number, option)));
                match solver.check(&assumed)? {
                    AssumptionResult::Refuted(_) => found.options[number][option] = Possibility::Impossible,
                    // Without its own value, a set cell may have any value that was found.
                    AssumptionResult::Satisfiable(_) if own.is_some() => {
                        found.options[number][option] = Possibility::Possible;
                    }
                    AssumptionResult::Satisfiable(assignment) => self.note(found, &assignment),
                }
                assumed.pop();
            }
        }
        Ok(())
    }

    /// Notes the options of a solution that keeps all set cells.
    fn note(&self, found: &mut StillPossible, assignment: &crate::problem::Assignment) {
        for (cell, possible) in self.cells.iter().zip(&mut found.options) {
            for (option, possible) in cell.options.iter().zip(possible) {
                if self.problem.bool_value(option.term, assignment) {
                    *possible = Possibility::Possible;
                }
            }
        }
    }

    /// Hands on the solutions that keep the set cells, with the option of each cell; with an objective, better and
    /// better ones.
    pub(crate) fn solutions(
        &self,
        set: &[SetOption],
        most: Option<usize>,
        options: &EngineOptions,
        found: &mut dyn FnMut(&SolutionValues, Vec<Option<usize>>),
    ) -> Result<(SearchEnd, usize), Halt> {
        let mut symbolic = Symbolic::from(self.problem.clone());
        for option in set {
            symbolic.problem.require(self.term(*option));
        }
        let part = symbolic.finish()?;
        let optima = WantedOptima::of(most);
        let search = Search { part: Some(&part), optima, ..Search::new(self.instance, self.lowered, options) };
        let mut solver = solver::backend(SolverName::default()).unwrap_or_else(solver::alone);
        // Each solution but the last one is worse.
        let enough = most.filter(|_| part.objective().is_none() || optima == WantedOptima::All);
        let mut count = 0;
        let end = search.solutions(&mut *solver, &mut |solution, assignment| {
            let holds = |option: &CellOption| part.bool_value(option.term, assignment);
            found(solution, self.cells.iter().map(|cell| cell.options.iter().position(holds)).collect());
            count += 1;
            pipeline::enough(enough, count)
        })?;
        Ok((end, count))
    }
}

/// The assumptions of a refuted set without which it is not refuted any more: each that can be left out is left out.
fn smallest(solver: &mut dyn Incremental, core: Vec<Bool>) -> Result<Vec<Bool>, StopReason> {
    let mut kept = core;
    let mut at = 0;
    while at < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(at);
        match solver.refute(&fewer)? {
            Some(core) => kept.retain(|term| core.contains(term)),
            None => at += 1,
        }
    }
    Ok(kept)
}
