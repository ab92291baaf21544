//! Which values are possible in each cell, a part of a decision variable that is shown by itself: those that it has
//! in some solution. Impossible is only what the solver has refuted, or what no solution has where all are known.

use super::{SolutionPoint, Space};
use crate::halt::StopReason;
use crate::solver::{AssumptionResult, EngineOptions, incremental};

/// The work that the solver may do for all values together, in its own steps: the machine changes no answer.
const WORK: u64 = 1_000_000;

/// Whether a cell takes a value in a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// A solution has this value.
    Possible,
    /// No solution has it.
    Impossible,
    /// A limit came before the answer.
    Unknown,
}

/// The possibility of each option of each cell: from the solutions at hand, `all` of them or some, and from the
/// solver for the others. What has ended the search early comes with them.
pub(super) fn possible(
    space: &Space,
    points: &[SolutionPoint],
    all: bool,
    options: &EngineOptions,
) -> (Vec<Vec<Possibility>>, Option<StopReason>) {
    let unseen = if all { Possibility::Impossible } else { Possibility::Unknown };
    let mut possible: Vec<Vec<Possibility>> = space.cells.iter().map(|cell| vec![unseen; cell.options.len()]).collect();
    for point in points {
        for (cell, option) in possible.iter_mut().zip(&point.options) {
            cell[*option] = Possibility::Possible;
        }
    }
    if all {
        return (possible, None);
    }
    let mut solver = incremental(&space.problem, options);
    solver.allow(Some(WORK));
    for number in 0..space.cells.len() {
        for option in 0..space.cells[number].options.len() {
            if possible[number][option] != Possibility::Unknown {
                continue;
            }
            match solver.check(&[space.cells[number].options[option].term]) {
                Ok(AssumptionResult::Refuted(_)) => possible[number][option] = Possibility::Impossible,
                Ok(AssumptionResult::Satisfiable(assignment)) => {
                    for (cell, possible) in space.cells.iter().zip(&mut possible) {
                        for (option, possible) in cell.options.iter().zip(possible) {
                            if space.problem.bool_value(option.term, &assignment) {
                                *possible = Possibility::Possible;
                            }
                        }
                    }
                }
                Err(status) => return (possible, Some(status)),
            }
        }
    }
    (possible, None)
}
