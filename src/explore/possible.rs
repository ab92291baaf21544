//! The possible options of each cell: the options in solutions that agree with the cells set by a person. An option is
//! impossible only if the solver has refuted it, or if all solutions are known and none has it.

use super::{SetOption, Space};
use crate::{
    explain::Cell,
    halt::StopReason,
    problem::{Assignment, Bool},
    solver::{AssumptionResult, EngineOptions, Incremental, incremental},
};

/// The work limit for all options together, in steps of the solver, so that answers do not depend on the machine.
/// Chosen.
const WORK: u64 = 1_000_000;

/// The possibility of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Possibility {
    /// A solution has this value.
    Possible,
    /// No solution has it.
    Impossible,
    /// A limit was reached before the answer was known.
    Unknown,
}

impl Possibility {
    /// Returns true for possible, false for impossible options; `None` if unknown.
    pub fn known(self) -> Option<bool> {
        match self {
            Possibility::Possible => Some(true),
            Possibility::Impossible => Some(false),
            Possibility::Unknown => None,
        }
    }
}

/// The options that remain possible, given the set cells.
pub(crate) struct StillPossible {
    /// The possibility of each option of each cell; a set cell is judged by the other set cells only.
    pub options: Vec<Vec<Possibility>>,
    /// The positions of a minimal conflict among the set options; `None` if a solution has all of them, or if this is
    /// unknown.
    pub conflict: Option<Vec<usize>>,
    /// The reason why the search ended early.
    pub stopped: Option<StopReason>,
}

impl StillPossible {
    /// The same possibility for each option of these cells.
    pub(super) fn all(cells: &[Cell], possibility: Possibility) -> Self {
        let options = cells.iter().map(|cell| vec![possibility; cell.options.len()]).collect();
        StillPossible { options, conflict: None, stopped: None }
    }
}

impl Space<'_> {
    /// The possibilities of the options, given the set options. Cells whose positions are in `first` are tested first.
    pub(crate) fn possible(&self, set: &[SetOption], first: &[usize], options: &EngineOptions) -> StillPossible {
        let mut found = StillPossible::all(&self.cells, Possibility::Unknown);
        self.complete(&mut found, set, first, options);
        found
    }

    /// Asks the solver for the unknown possibilities.
    pub(super) fn complete(
        &self,
        found: &mut StillPossible,
        set: &[SetOption],
        first: &[usize],
        options: &EngineOptions,
    ) {
        let mut solver = incremental(&self.problem, options);
        solver.allow(Some(WORK));
        found.stopped = self.ask(&mut *solver, set, first, found).err();
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
                let smallest = smallest_core(solver, core)?;
                let mut conflict: Vec<usize> =
                    (0..set.len()).filter(|position| smallest.contains(&terms[*position])).collect();
                conflict.dedup();
                found.conflict = Some(conflict);
                // The set cells contradict each other, so they leave no possible value for any cell.
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
                    // The cell's current value was not assumed, so the assignment may disagree with it and says nothing
                    // about other cells.
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

    /// Marks the options of a solution that agrees with all set cells.
    fn note(&self, found: &mut StillPossible, assignment: &Assignment) {
        for (cell, possible) in self.cells.iter().zip(&mut found.options) {
            for (option, possible) in cell.options.iter().zip(possible) {
                if self.problem.bool_value(option.term, assignment) {
                    *possible = Possibility::Possible;
                }
            }
        }
    }
}

/// Shrinks an unsat core to a minimal one by deletion.
fn smallest_core(solver: &mut dyn Incremental, core: Vec<Bool>) -> Result<Vec<Bool>, StopReason> {
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
