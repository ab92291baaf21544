//! What hints are given about: requirements, the cells that they speak of, and what is known of both from solutions.

use super::{
    Case, Describer, Trouble,
    cells::{Cell, cells},
    propagate::{Fact, Puzzle},
};
use crate::{
    instance::Solution,
    language::Name,
    lowering::Requirement,
    problem::{Bool, Problem},
    solver::{Answer, Limits, Outcome, incremental},
    source::Sources,
    symbolic::{Symbolic, Term},
};

/// So many solutions are looked at first: what is so in one of them cannot be excluded, and need not be asked about.
const SOLUTIONS: usize = 200;
/// No further one is looked for after so many questions without an answer.
const MOST_REFUSALS: usize = 20;
/// The requirements of a case with its cells.
pub struct Board {
    pub(super) problem: Problem,
    pub(super) requirements: Vec<Requirement>,
    pub(super) cells: Vec<Cell>,
    /// For each decision variable, whether it is what it is in a solution; not all of it may be among the cells.
    pub(super) settled: Vec<(Name, Bool)>,
}

impl Board {
    /// What is there, and a solution of it.
    pub fn new(case: &Case, solution: &Solution, sources: &Sources) -> Result<Board, Trouble> {
        let parts = case.parts(None)?;
        let describer = Describer::new(case.instance, sources);
        let mut symbolic = Symbolic::new();
        let mut problem = parts.lowered.problem;
        std::mem::swap(&mut symbolic.problem, &mut problem);
        let cells = cells(case.instance, &describer, &mut symbolic, &parts.lowered.layout);
        let mut settled = Vec::new();
        for (id, term) in &parts.lowered.layout {
            if let Some((_, value)) = solution.iter().find(|(found, _)| found == id) {
                let name = case.instance.model.declarations[id.0 as usize].name.clone();
                settled.push((name, symbolic.equal(term, &Term::Value(value.clone()))));
            }
        }
        Ok(Board { problem: symbolic.problem, requirements: parts.requirements, cells, settled })
    }
}

/// For each cell, which of its options occur in a number of solutions.
pub(super) fn possible(puzzle: &Puzzle, limits: &Limits) -> Result<Vec<Vec<bool>>, Outcome> {
    let mut problem = puzzle.problem.clone();
    puzzle.requirements.iter().for_each(|requirement| problem.require(requirement.condition));
    let mut solver = incremental(&problem, limits);
    let mut possible: Vec<Vec<bool>> = puzzle.cells.iter().map(|cell| vec![false; cell.options.len()]).collect();
    let (mut found, mut refused) = (0, 0);
    for cell in 0..puzzle.cells.len() {
        for option in 0..puzzle.cells[cell].options.len() {
            if possible[cell][option] {
                continue;
            }
            if found >= SOLUTIONS || refused >= MOST_REFUSALS {
                return Ok(possible);
            }
            match solver.check(&[puzzle.term(Fact::Is(cell, option))])? {
                Answer::Satisfiable(assignment) => {
                    (found, refused) = (found + 1, 0);
                    for (cell, possible) in puzzle.cells.iter().zip(&mut possible) {
                        for (option, possible) in cell.options.iter().zip(possible) {
                            *possible |= puzzle.problem.bool_value(option.term, &assignment);
                        }
                    }
                }
                Answer::Refuted(_) => refused += 1,
            }
        }
    }
    Ok(possible)
}
