//! The space of solutions of an instance: its size, the possible values of each part, solutions that differ most, and
//! classes under symmetry.
//!
//! The parts are the cells of [`crate::explain::cells_of_variables`]. If there are few solutions, all are enumerated
//! ([`Space::explore`]), and all results are exact. Otherwise [`counting`] estimates their number and draws a random
//! sample, and [`possible`] asks the solver for each option that the sample does not have. [`space_page`] shows the
//! space. A [`board`] is a space in which a person sets cells.
//!
//! You may change the estimate and the sample. Front ends rely on [`Possibility`]: possible and impossible are proved,
//! and everything else is unknown.

mod board;
mod classes;
mod counting;
mod different;
mod possible;
pub(crate) mod space_page;

use crate::{
    explain::{Cell, Describer, all_cells},
    halt::{Halt, StopReason},
    instance::{GroundInstance, SolutionValues},
    lowering::{self, Lowered},
    picture::svg::SlotBox,
    pipeline::{self, Search},
    problem::{Assignment, Problem},
    solver::{self, EngineOptions, SearchEnd, Solver, SolverName},
    source::Sources,
    symbolic::{LoweringRefusal, Symbolic},
};
pub(crate) use board::SetOption;
pub use counting::Estimate;
pub use possible::Possibility;
use possible::StillPossible;
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;

/// The number of solutions to show because they differ most.
const DIFFERENT: usize = 6;

/// The problem of an instance, and the cells of its decision variables.
pub(crate) struct Space<'a> {
    instance: &'a GroundInstance,
    lowered: &'a Lowered,
    problem: Problem,
    pub cells: Vec<Cell>,
}

/// A solution, with its options in the cells and the values of the problem's decisions.
#[derive(Clone, Debug)]
pub(crate) struct SolutionPoint {
    pub solution: SolutionValues,
    /// The position of the option of each cell.
    pub options: Vec<usize>,
    decisions: Vec<i64>,
}

/// The relation of the stored solutions to all solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All solutions.
    All,
    /// A random sample, close to uniform.
    Sample,
    /// The first solutions that the solver has found.
    First,
}

impl Extent {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Extent::All => "all",
            Extent::Sample => "sample",
            Extent::First => "first",
        }
    }
}

/// The results about a space.
#[derive(Clone, Debug)]
pub(crate) struct SpaceSummary {
    pub points: Vec<SolutionPoint>,
    pub extent: Extent,
    /// The number of solutions found.
    pub found: usize,
    pub estimate: Option<Estimate>,
    /// The possibility of each option of each cell.
    pub possible: Vec<Vec<Possibility>>,
    /// The positions of the solutions that differ most.
    pub different: Vec<usize>,
    /// The classes of solutions under the symmetries of the model; only if all solutions are known.
    pub classes: Option<Vec<Vec<usize>>>,
    /// The number of symmetries that generate the classes.
    pub symmetries: usize,
    /// The reason why the search ended early.
    pub stopped: Option<StopReason>,
}

/// The limits of an exploration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Enumerate at most this many solutions, or [`counting::PIVOT`] if that is more.
    pub most: usize,
    /// The desired size of the random sample.
    pub sample: usize,
    pub seed: u64,
}

impl<'a> Space<'a> {
    /// The slots of a stage with their cells, and with the option that the slot tests for, if any. Slots of other
    /// parts, and slots that test for impossible values, are left out.
    pub(crate) fn slots<'s>(
        &'s self,
        boxes: &'s [SlotBox],
    ) -> impl Iterator<Item = (&'s SlotBox, usize, Option<usize>)> {
        let named: FxHashMap<&str, usize> =
            self.cells.iter().enumerate().map(|(number, cell)| (cell.name.as_str(), number)).collect();
        boxes.iter().filter_map(move |one| {
            let number = *named.get(one.slot.part.as_str())?;
            let cell = &self.cells[number];
            let Some(value) = &one.slot.value else { return Some((one, number, None)) };
            let is_shown = |shown: &str, is: &str| shown == value || (value == "true" && is == cell.name);
            let option = cell.options.iter().position(|option| is_shown(&option.shown, &option.is))?;
            Some((one, number, Some(option)))
        })
    }

    /// The space of all solutions. An objective remains in the problem.
    pub(crate) fn new(instance: &'a GroundInstance, sources: &'a Sources, lowered: &'a Lowered) -> Result<Self, Halt> {
        Space::of(lowered.problem.clone(), instance, sources, lowered)
    }

    /// The space of all solutions, or of the best ones if there is an objective: its best value becomes a constraint.
    /// Cells with a single option are left out.
    pub(crate) fn of_best(
        instance: &'a GroundInstance,
        sources: &'a Sources,
        lowered: &'a Lowered,
        options: &EngineOptions,
    ) -> Result<Self, Halt> {
        let problem = match lowered.problem.objective() {
            Some(_) => best_problem(instance, lowered, options)?,
            None => lowered.problem.clone(),
        };
        let mut space = Space::of(problem, instance, sources, lowered)?;
        space.cells.retain(|cell| cell.options.len() > 1);
        Ok(space)
    }

    fn of(
        problem: Problem,
        instance: &'a GroundInstance,
        sources: &'a Sources,
        lowered: &'a Lowered,
    ) -> Result<Self, Halt> {
        let mut symbolic = Symbolic::from(problem);
        let describer = Describer::new(instance, sources);
        let cells = all_cells(instance, &describer, &mut symbolic, &lowered.layout);
        Ok(Space { instance, lowered, problem: symbolic.finish()?, cells })
    }

    /// Explores the space within these bounds.
    pub(crate) fn explore(&self, bounds: Bounds, options: &EngineOptions) -> Result<SpaceSummary, Halt> {
        let most = bounds.most.max(counting::PIVOT);
        let mut solver = solver::backend(SolverName::default()).unwrap_or_else(solver::alone);
        // The search asks for one solution more than the limit, which shows if there are more.
        let (mut points, status) = self.enumerate(&self.problem, &mut *solver, most + 1, options)?;
        let found = points.len();
        let mut explored = SpaceSummary {
            extent: if status == SearchEnd::Complete { Extent::All } else { Extent::First },
            stopped: None,
            points: Vec::new(),
            found,
            estimate: None,
            possible: Vec::new(),
            different: Vec::new(),
            classes: None,
            symmetries: 0,
        };
        match status {
            SearchEnd::Complete => {}
            SearchEnd::Enough => {
                let drawn = counting::estimate(self, bounds, options)?;
                explored.estimate = drawn.estimate;
                explored.stopped = drawn.stopped;
                if drawn.sample.len() >= counting::PIVOT {
                    points = drawn.sample;
                    explored.extent = Extent::Sample;
                }
            }
            SearchEnd::Stopped(stopped) => explored.stopped = Some(stopped),
        }
        // If all solutions are known, all are kept, because the results are claimed for all of them.
        if explored.extent != Extent::All {
            points.truncate(bounds.most);
        }
        points.sort_by(|left, right| (&left.options, &left.decisions).cmp(&(&right.options, &right.decisions)));
        let all = explored.extent == Extent::All;
        let unseen = if all { Possibility::Impossible } else { Possibility::Unknown };
        let mut possible = StillPossible::all(&self.cells, unseen);
        for point in &points {
            for (cell, option) in possible.options.iter_mut().zip(&point.options) {
                cell[*option] = Possibility::Possible;
            }
        }
        if !all {
            self.complete(&mut possible, &[], &[], options);
            // If no cell is set, a conflict means that there is no solution.
            if possible.conflict.is_some() {
                possible = StillPossible::all(&self.cells, Possibility::Impossible);
            }
        }
        explored.possible = possible.options;
        explored.stopped = explored.stopped.or(possible.stopped);
        explored.different = different::most_different(&points, DIFFERENT);
        if explored.extent == Extent::All {
            let exchanges = lowering::exchanges(&self.instance.model, self.lowered);
            explored.symmetries = exchanges.len();
            explored.classes = Some(classes::classes(&self.problem, &exchanges, &points));
        }
        explored.points = points;
        Ok(explored)
    }

    /// The first solutions of a problem with the variables of the space; each is checked.
    fn enumerate(
        &self,
        problem: &Problem,
        solver: &mut dyn Solver,
        most: usize,
        options: &EngineOptions,
    ) -> Result<(Vec<SolutionPoint>, SearchEnd), Halt> {
        let mut points = Vec::new();
        let search = Search { part: Some(problem), ..Search::new(self.instance, self.lowered, options) };
        let end = search.solutions(solver, &mut |solution, assignment| {
            points.push(self.point(solution.clone(), assignment));
            pipeline::enough(Some(most), points.len())
        })?;
        Ok((points, end))
    }

    fn point(&self, solution: SolutionValues, assignment: &Assignment) -> SolutionPoint {
        let option = |cell: &Cell| {
            cell.options.iter().position(|option| self.problem.bool_value(option.term, assignment)).unwrap_or(0)
        };
        SolutionPoint {
            solution,
            options: self.cells.iter().map(option).collect(),
            decisions: self.problem.decisions().iter().map(|one| self.problem.value(*one, assignment)).collect(),
        }
    }
}

/// The problem restricted to the best solutions.
fn best_problem(instance: &GroundInstance, lowered: &Lowered, options: &EngineOptions) -> Result<Problem, Halt> {
    let mut solver = solver::backend(SolverName::default()).unwrap_or_else(solver::alone);
    let mut best = None;
    let end = Search::new(instance, lowered, options).solutions(&mut *solver, &mut |_, assignment| {
        best = Some(assignment.clone());
        ControlFlow::Continue(())
    })?;
    match (end, best) {
        (SearchEnd::Stopped(stopped), _) => Err(stopped.into()),
        (_, Some(best)) => {
            lowered.problem.as_good_as(&best).map_err(|fault| LoweringRefusal::Unbuildable(fault).into())
        }
        (_, None) => Ok(lowered.problem.clone()),
    }
}
