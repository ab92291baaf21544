//! The parameters that hold clues: they can be empty, and their parts fix parts of the answer.

use super::open::{CluePlace, OpenProblem, RandomWish, checked};
use crate::{
    explain::{Cell, MOST_CANDIDATES},
    halt::Halt,
    language::{MemberForm, Name, Type},
    problem::{Assignment, Bool},
    solver::{AssumptionResult, Incremental},
};

/// The number of clues of a parameter that are tried, to find one that fixes a part of the answer. Chosen: each trial
/// takes up to two questions for each cell of the answer.
const TRIED: usize = 4;
/// The number of element values of a matrix that are tried as the value for "no clue". Chosen.
const MOST_BLANKS: usize = 50;

/// A parameter that can be empty: a part with the blank value is not a clue.
#[derive(Clone, Debug)]
pub(crate) struct ClueParameter {
    pub name: Name,
    pub places: Vec<CluePlace>,
    /// True if a clue fixes a part of the answer by itself.
    pub fixes: bool,
}

impl OpenProblem<'_> {
    /// The open parameters that can be empty, whatever the solution is.
    pub(crate) fn clue_parameters(&self, seed: u64) -> Result<Vec<ClueParameter>, Halt> {
        let mut solver = self.solver();
        let mut samples = Vec::new();
        // A parameter may be empty in one solution by chance, but hardly in two. Chosen.
        for number in 0..2 {
            samples.extend(self.random_solution(
                &mut *solver,
                RandomWish::default(),
                &mut fastrand::Rng::with_seed(seed + number),
            )?);
        }
        let mut found = Vec::new();
        if samples.is_empty() {
            return Ok(found);
        }
        for name in self.open() {
            for places in self.possible_blanks(name) {
                if self.can_be_empty(&mut *solver, &places, &samples)? {
                    found.push(ClueParameter { name: name.clone(), places, fixes: false });
                    break;
                }
            }
        }
        for position in 0..found.len() {
            found[position].fixes = self.fixes(&mut *solver, &found, position, &samples[0])?;
        }
        Ok(found)
    }

    /// The possible values of a parameter without clues.
    fn possible_blanks(&self, name: &Name) -> Vec<Vec<CluePlace>> {
        let cells: Vec<usize> = self.cells_of(name).collect();
        let several: Vec<usize> = cells.iter().copied().filter(|cell| self.cells[*cell].options.len() > 1).collect();
        let all_with = |blank: &dyn Fn(&Cell) -> Option<usize>| -> Option<Vec<CluePlace>> {
            several.iter().map(|cell| Some(CluePlace { cell: *cell, blank: blank(&self.cells[*cell])? })).collect()
        };
        let is_listed = !several.is_empty() && cells.iter().all(|cell| !self.cells[*cell].options.is_empty());
        let found = match self.type_of(name) {
            _ if !is_listed => None,
            Some(Type::Collection(kind, _)) => match kind.form() {
                // A list that reaches the limit was cut off, so the other members would have no place.
                MemberForm::Values | MemberForm::Tuples
                    if !kind.row().has_occurrences() && cells.len() < MOST_CANDIDATES =>
                {
                    all_with(&|_| Some(0))
                }
                MemberForm::Pairs => all_with(&|cell| cell.options.iter().position(|option| option.is_undefined())),
                _ => None,
            },
            Some(Type::Matrix(_)) => {
                let options = &self.cells[several[0]].options;
                let blanks = options.iter().take(MOST_BLANKS).map(|option| option.shown.as_str());
                let same = |shown: &str| all_with(&|cell| cell.options.iter().position(|option| option.shown == shown));
                return blanks.filter_map(same).collect();
            }
            _ => None,
        };
        found.into_iter().collect()
    }

    /// True if a parameter can be empty in each of these solutions.
    fn can_be_empty(
        &self,
        solver: &mut dyn Incremental,
        places: &[CluePlace],
        solutions: &[Assignment],
    ) -> Result<bool, Halt> {
        for solution in solutions {
            let blanks = places.iter().map(|place| self.blank(*place));
            let assumed: Vec<Bool> = self.held(self.answer_cells(), solution).chain(blanks).collect();
            if !matches!(checked(solver, &assumed)?, Some(AssumptionResult::Satisfiable(_))) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// True if a single clue of these parameters fixes a cell that has several possible values without the clue.
    fn fixes(
        &self,
        solver: &mut dyn Incremental,
        parameters: &[ClueParameter],
        position: usize,
        solution: &Assignment,
    ) -> Result<bool, Halt> {
        let places = &parameters[position].places;
        let is_clue_parameter = |name: &Name| parameters.iter().any(|parameter| parameter.name == *name);
        let others = self.open().iter().filter(|name| !is_clue_parameter(name)).flat_map(|name| self.cells_of(name));
        let empty = parameters.iter().enumerate().filter(|(other, _)| *other != position);
        let empty = empty.flat_map(|(_, parameter)| &parameter.places).map(|place| self.blank(*place));
        let without: Vec<Bool> = self.held(others, solution).chain(empty).collect();
        let answer: Vec<Bool> = self.held(self.answer_cells(), solution).collect();
        let blanks: Vec<Bool> = places.iter().map(|place| self.blank(*place)).collect();
        // The tried places are evenly spaced, because neighbouring clues may be about the same cells.
        let step = places.len().div_ceil(TRIED);
        for place in places.iter().step_by(step.max(1)) {
            let mut assumed: Vec<Bool> = without.iter().chain(&answer).copied().collect();
            assumed.push(!self.blank(*place));
            let Some(AssumptionResult::Satisfiable(with_clue)) = checked(solver, &assumed)? else { continue };
            let clue = self.held([place.cell].into_iter(), &with_clue);
            let others = blanks.iter().copied().filter(|blank| *blank != self.blank(*place));
            let with: Vec<Bool> = without.iter().copied().chain(clue).chain(others).collect();
            let empty: Vec<Bool> = without.iter().chain(&blanks).copied().collect();
            let mut open = answer.clone();
            // A cell in which another solution differs is not fixed, so each solution saves the checks of such cells.
            while let Some(part) = open.pop() {
                match checked(solver, &[with.as_slice(), &[!part]].concat())? {
                    Some(AssumptionResult::Satisfiable(other)) => {
                        open.retain(|part| self.problem.bool_value(*part, &other));
                    }
                    Some(AssumptionResult::Refuted(_)) => {
                        let free = checked(solver, &[empty.as_slice(), &[!part]].concat())?;
                        if matches!(free, Some(AssumptionResult::Satisfiable(_))) {
                            return Ok(true);
                        }
                    }
                    None => {}
                }
            }
        }
        Ok(false)
    }
}
