//! The cubes of an instance: what they find together, and what one of them tells the others.

use super::{plan::CampaignPlan, results::RunResult};
use conjure_like::Decimal;
use std::{collections::BTreeMap, fmt};

/// What the cubes of instances have found so far. The first task of the cubes stands for all of them.
#[derive(Default)]
pub(super) struct CubesFound(BTreeMap<usize, CubeTotals>);

/// The results of the cubes of one instance.
#[derive(Clone, Debug, Default)]
struct CubeTotals {
    /// The number of cubes with a result, and with a definite answer.
    results: usize,
    searched: usize,
    /// The number of the cube in which a solution was found, where one solution is wanted.
    satisfied: Option<usize>,
    /// The number of solutions, where all are wanted.
    solutions: u64,
    all_wanted: bool,
    /// The best value of the objective.
    best: Option<Decimal>,
    optimal: bool,
}

impl CubesFound {
    /// Adds the result of a task; it is ignored if the task is not a cube.
    pub(super) fn add(&mut self, plan: &CampaignPlan, result: &RunResult) {
        let number = result.number - 1;
        let (Some(cube), true) = (plan.task(number).cube, number < plan.len()) else { return };
        let found = self.0.entry(plan.first_of_cubes(number)).or_default();
        found.results += 1;
        found.searched += usize::from(result.is_solved());
        match result.status.as_str() {
            "satisfied" => found.satisfied = found.satisfied.or(Some(cube.number)),
            "all solutions" => {
                found.all_wanted = true;
                found.solutions += result.solutions;
            }
            "optimal" => found.optimal = true,
            _ => {}
        }
        if let (Some(value), Some(maximises)) = (result.objective, cube.maximises) {
            let best = found.best.unwrap_or(value);
            found.best = Some(if maximises { best.max(value) } else { best.min(value) });
        }
    }

    /// Whether the task of this number is a cube of an instance that has its answer: the task is no longer needed.
    pub(super) fn is_settled(&self, plan: &CampaignPlan, number: usize) -> bool {
        self.of(plan, number).is_some_and(|found| found.satisfied.is_some())
    }

    /// The number of results of cubes of instances that have their answer.
    pub(super) fn in_settled(&self) -> usize {
        self.0.values().filter(|found| found.satisfied.is_some()).map(|found| found.results).sum()
    }

    /// The best value of the objective that any cube of the same instance has found.
    pub(super) fn best(&self, plan: &CampaignPlan, number: usize) -> Option<Decimal> {
        self.of(plan, number)?.best
    }

    fn of(&self, plan: &CampaignPlan, number: usize) -> Option<&CubeTotals> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&plan.first_of_cubes(number))
    }

    /// What the cubes of each instance say together, with the number of their first task.
    pub(super) fn answers(&self, plan: &CampaignPlan) -> impl Iterator<Item = (usize, CubesAnswer)> {
        self.0.iter().map(|(first, found)| {
            let of = plan.task(*first).cube.map_or(0, |cube| cube.of);
            let answer = match *found {
                CubeTotals { satisfied: Some(cube), .. } => CubesAnswer::Solution(cube),
                CubeTotals { searched, best, .. } if searched < of => CubesAnswer::SoFar { searched, of, best },
                CubeTotals { optimal: true, best: Some(best), .. } => CubesAnswer::Optimum(best),
                CubeTotals { all_wanted: true, solutions, .. } => CubesAnswer::Solutions(solutions),
                _ => CubesAnswer::NoSolution,
            };
            (*first, answer)
        })
    }
}

/// What the cubes of an instance say together.
#[derive(Clone, Copy)]
pub(super) enum CubesAnswer {
    /// There is a solution, in the cube of this number.
    Solution(usize),
    /// The number of all solutions.
    Solutions(u64),
    Optimum(Decimal),
    NoSolution,
    /// This many of all cubes have been searched, and the best value so far is this.
    SoFar {
        searched: usize,
        of: usize,
        best: Option<Decimal>,
    },
}

impl fmt::Display for CubesAnswer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CubesAnswer::Solution(cube) => write!(formatter, "there is a solution, in cube {cube}"),
            CubesAnswer::Solutions(count) => write!(formatter, "there are {count} solutions"),
            CubesAnswer::Optimum(value) => write!(formatter, "the optimum is {value}"),
            CubesAnswer::NoSolution => formatter.write_str("there is no solution"),
            CubesAnswer::SoFar { searched, of, best } => {
                if let Some(best) = best {
                    write!(formatter, "{best} is the best value so far, ")?;
                }
                write!(formatter, "{searched} of {of} cubes searched")
            }
        }
    }
}
