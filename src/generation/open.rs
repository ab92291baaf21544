//! Models with open parameters: problems whose solutions consist of data and a solution for these data.

use crate::{
    explain::{Cell, Describer, all_cells},
    halt::{Halt, StopReason},
    instance::{GroundInstance, SolutionValues},
    language::{Name, Type},
    lowering::Lowered,
    problem::{Assignment, Bool, Problem},
    solver::{AssumptionResult, EngineOptions, Incremental, incremental},
    source::Sources,
    symbolic::Symbolic,
};
use rustc_hash::FxHashSet;

/// The budget of a question about clues, in conflicts plus a few units for the question itself. If a question exceeds
/// it, the puzzle is given up. Chosen.
const WORK: u64 = 20_000;
/// The budget of a question during the search for a random solution. Chosen: without an answer, the cell gets another
/// value.
const RANDOM_WORK: u64 = 1_000;
/// The maximum number of questions for a random solution; the solver chooses the values of the remaining cells. Chosen.
const RANDOM_CHECKS: usize = 400;
/// The number of values that are tried for a cell of a random solution. Chosen.
const RANDOM_VALUES: usize = 3;

/// The wish for a random solution.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RandomWish<'a> {
    /// The places that stay empty in parameters.
    pub empty: &'a [CluePlace],
    /// The share of the possible members of collections, and of the arguments of functions, that are present. By
    /// default, each value is as likely as any other.
    pub density: Option<f64>,
}

/// A place for a clue in a parameter: the cell, and the option that means "no clue".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CluePlace {
    pub cell: usize,
    pub blank: usize,
}

/// A model with open parameters, as a problem with cells.
pub(crate) struct OpenProblem<'a> {
    pub(super) instance: &'a GroundInstance,
    pub(super) lowered: &'a Lowered,
    pub(super) problem: Problem,
    pub(super) cells: Vec<Cell>,
    pub(super) open: Vec<Name>,
    pub(super) options: EngineOptions,
}

impl<'a> OpenProblem<'a> {
    /// The problem of an instance in which these decision variables are open parameters.
    pub(crate) fn new(
        instance: &'a GroundInstance,
        lowered: &'a Lowered,
        sources: &Sources,
        open: &[String],
        options: &EngineOptions,
    ) -> Result<Self, Halt> {
        let mut symbolic = Symbolic::from(lowered.problem.clone());
        let describer = Describer::new(instance, sources);
        let cells = all_cells(instance, &describer, &mut symbolic, &lowered.layout);
        let open = open.iter().map(|name| name.as_str().into()).collect();
        Ok(OpenProblem { instance, lowered, problem: symbolic.finish()?, cells, open, options: options.clone() })
    }

    pub(super) fn open(&self) -> &[Name] {
        &self.open
    }

    pub(crate) fn solver(&self) -> Box<dyn Incremental + '_> {
        incremental(&self.problem, &self.options)
    }

    pub(super) fn type_of(&self, name: &Name) -> Option<&Type> {
        let declarations = &self.instance.model.declarations;
        declarations.iter().find(|declaration| declaration.name == *name).map(|declaration| &declaration.ty)
    }

    pub(super) fn cells_of(&self, name: &Name) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(move |cell| self.cells[*cell].variable == *name)
    }

    /// The cells of the model's own decision variables.
    pub(super) fn answer_cells(&self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(|cell| !self.open.contains(&self.cells[*cell].variable))
    }

    /// The options of some cells in an assignment.
    pub(super) fn held(
        &self,
        cells: impl Iterator<Item = usize>,
        assignment: &Assignment,
    ) -> impl Iterator<Item = Bool> {
        cells
            .flat_map(|cell| &self.cells[cell].options)
            .map(|option| option.term)
            .filter(|term| self.problem.bool_value(*term, assignment))
    }

    pub(super) fn blank(&self, place: CluePlace) -> Bool {
        self.cells[place.cell].options[place.blank].term
    }

    /// A random solution: each cell in turn, starting with the cells of the answer, gets a random value that some
    /// solution has. `None` if there is no solution.
    pub(crate) fn random_solution(
        &self,
        solver: &mut dyn Incremental,
        wish: RandomWish,
        random: &mut fastrand::Rng,
    ) -> Result<Option<Assignment>, Halt> {
        let mut assumed: Vec<Bool> = wish.empty.iter().map(|place| self.blank(*place)).collect();
        let Some(AssumptionResult::Satisfiable(mut assignment)) = checked(solver, &assumed)? else { return Ok(None) };
        let empty: FxHashSet<usize> = wish.empty.iter().map(|place| place.cell).collect();
        let mut answer: Vec<usize> = self.answer_cells().collect();
        let mut others: Vec<usize> =
            self.open.iter().flat_map(|name| self.cells_of(name)).filter(|cell| !empty.contains(cell)).collect();
        super::shuffle(&mut answer, random);
        super::shuffle(&mut others, random);
        let mut checks = 0;
        for cell in answer.into_iter().chain(others) {
            for option in self.random_options(cell, wish.density, random).into_iter().take(RANDOM_VALUES) {
                // The value already occurs in the current solution, so the solver need not be asked.
                if self.problem.bool_value(option, &assignment) {
                    assumed.push(option);
                    break;
                }
                if checks == RANDOM_CHECKS {
                    return Ok(Some(assignment));
                }
                checks += 1;
                assumed.push(option);
                if let Some(AssumptionResult::Satisfiable(found)) = checked_within(solver, &assumed, RANDOM_WORK)? {
                    assignment = found;
                    break;
                }
                assumed.pop();
            }
        }
        Ok(Some(assignment))
    }

    /// The options of a cell in a random order. A density is the probability that a member is present.
    fn random_options(&self, cell: usize, density: Option<f64>, random: &mut fastrand::Rng) -> Vec<Bool> {
        let cell = &self.cells[cell];
        let mut options: Vec<Bool> = cell.options.iter().map(|option| option.term).collect();
        let absent = match cell.options.as_slice() {
            // A Boolean cell has two options in this order: absent and present.
            [absent, present] if !present.term == absent.term => Some(absent.term),
            options => options.iter().find(|option| option.is_undefined()).map(|option| option.term),
        };
        super::shuffle(&mut options, random);
        if let (Some(absent), Some(density)) = (absent, density) {
            let is_there = random.f64() < density;
            options.sort_by_key(|option| (*option == absent) == is_there);
        }
        options
    }

    /// The values of the decision variables in an assignment.
    pub(crate) fn values(&self, assignment: &Assignment) -> SolutionValues {
        self.lowered.read_back(assignment)
    }
}

/// The answer of a solver to a question; `None` if it takes too much work.
pub(super) fn checked(solver: &mut dyn Incremental, assumed: &[Bool]) -> Result<Option<AssumptionResult>, StopReason> {
    checked_within(solver, assumed, WORK)
}

fn checked_within(
    solver: &mut dyn Incremental,
    assumed: &[Bool],
    work: u64,
) -> Result<Option<AssumptionResult>, StopReason> {
    solver.allow(Some(work));
    match solver.check(assumed) {
        Ok(answer) => Ok(Some(answer)),
        Err(StopReason::Unknown(_)) => Ok(None),
        Err(stopped) => Err(stopped),
    }
}
