//! Which values are possible in each cell, a part of a decision variable that is shown by itself: those that it has in
//! some solution that keeps the cells a person has set. Impossible is only what the solver has refuted, or what no
//! solution has where all are known.

use super::{SetOption, Space};
use crate::{
    explain::Cell,
    halt::StopReason,
    problem::{Assignment, Bool},
    solver::{AssumptionResult, EngineOptions, Incremental, incremental},
};

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

impl Possibility {
    /// Whether a solution has the value, if this is known.
    pub fn known(self) -> Option<bool> {
        match self {
            Possibility::Possible => Some(true),
            Possibility::Impossible => Some(false),
            Possibility::Unknown => None,
        }
    }
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

impl StillPossible {
    /// The same answer for each option of these cells.
    pub(super) fn all(cells: &[Cell], possibility: Possibility) -> Self {
        let options = cells.iter().map(|cell| vec![possibility; cell.options.len()]).collect();
        StillPossible { options, conflict: None, stopped: None }
    }
}

impl Space<'_> {
    /// Which options are possible beside the set ones. The cells with the positions in `first` are asked about first.
    pub(crate) fn possible(&self, set: &[SetOption], first: &[usize], options: &EngineOptions) -> StillPossible {
        let mut found = StillPossible::all(&self.cells, Possibility::Unknown);
        self.complete(&mut found, set, first, options);
        found
    }

    /// Asks the solver for what is not known.
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

/// The assumptions of a refuted set without which it is not refuted any more: each that can be left out is left out.
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
