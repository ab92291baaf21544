//! The space of solutions as a board: a person sets some cells, and gets the solutions that agree with them.
//! `possible.rs` finds the options that remain for the other cells, and conflicts between the set ones.

use super::Space;
use crate::{
    explain::{Cell, CellOption},
    halt::Halt,
    instance::SolutionValues,
    pipeline::{self, Search, WantedOptima},
    problem::Bool,
    solver::{self, EngineOptions, SearchEnd, SolverName},
    symbolic::Symbolic,
};

/// A set option: the positions of the cell, and of the option in it.
pub(crate) type SetOption = (usize, usize);

impl Space<'_> {
    /// The option that a constraint expresses.
    pub(crate) fn option(&self, constraint: &str) -> Option<SetOption> {
        let position = |cell: &Cell| cell.options.iter().position(|option| option.as_constraint() == constraint);
        self.cells.iter().enumerate().find_map(|(number, cell)| Some((number, position(cell)?)))
    }

    pub(super) fn term(&self, (cell, option): SetOption) -> Bool {
        self.cells[cell].options[option].term
    }

    /// Reports the solutions that agree with the set cells, each with the option of every cell. With an objective,
    /// each solution is better than the previous one.
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
        // While the objective improves, solutions are not counted, because only the last one is wanted.
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
