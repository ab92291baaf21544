//! The cubes of an instance: their combined result, and the effect of one cube's result on the others.

use super::{plan::CampaignPlan, results::RunResult};
use conjure_like::Decimal;
use std::{collections::BTreeMap, fmt};

/// The results of the cubes of instances so far, by the first task of the cubes.
#[derive(Default)]
pub(super) struct CubesFound(BTreeMap<usize, CubeTotals>);

/// The combined results of the cubes of one instance.
#[derive(Clone, Debug, Default)]
struct CubeTotals {
    /// The numbers of cubes with a result, and with a definite answer.
    results: usize,
    searched: usize,
    /// The number of the cube with a solution, if one solution is wanted.
    satisfied: Option<usize>,
    /// The number of solutions, if all are wanted.
    solutions: u64,
    all_wanted: bool,
    /// The best value of the objective.
    best: Option<Decimal>,
    optimal: bool,
}

impl CubesFound {
    /// Adds the result of a task; ignored if the task is not a cube.
    pub(super) fn add(&mut self, plan: &CampaignPlan, result: &RunResult) {
        let number = result.number - 1;
        // The result may come from an older plan with more tasks.
        let (Some(cube), true) = (plan.task(number).cube, number < plan.len()) else { return };
        let found = self.0.entry(plan.first_of_cubes(number)).or_default();
        found.results += 1;
        // If a cube has run into a limit, it has a result but no answer.
        found.searched += usize::from(result.is_solved());
        match result.status.as_str() {
            // The first solution is kept, so that later results do not change the answer.
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

    /// True if the task is a cube of an instance that has its answer, so that it need not run.
    pub(super) fn is_settled(&self, plan: &CampaignPlan, number: usize) -> bool {
        self.of(plan, number).is_some_and(|found| found.satisfied.is_some())
    }

    /// The number of results for cubes of instances that have their answer.
    pub(super) fn in_settled(&self) -> usize {
        self.0.values().filter(|found| found.satisfied.is_some()).map(|found| found.results).sum()
    }

    /// The best value of the objective among the cubes of the same instance.
    pub(super) fn best(&self, plan: &CampaignPlan, number: usize) -> Option<Decimal> {
        self.of(plan, number)?.best
    }

    fn of(&self, plan: &CampaignPlan, number: usize) -> Option<&CubeTotals> {
        // Most campaigns have no cubes. Looking up the task of each of a million results would take time.
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&plan.first_of_cubes(number))
    }

    /// The combined answers of the cubes, with the numbers of their first tasks.
    pub(super) fn answers(&self, plan: &CampaignPlan) -> impl Iterator<Item = (usize, CubesAnswer)> {
        self.0.iter().map(|(first, found)| {
            let of = plan.task(*first).cube.map_or(0, |cube| cube.of);
            // A solution in one cube answers the instance; every other answer needs all cubes.
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

/// The combined answer of the cubes of an instance.
#[derive(Clone, Copy)]
pub(super) enum CubesAnswer {
    /// There is a solution, in the cube with this number.
    Solution(usize),
    /// The number of all solutions.
    Solutions(u64),
    Optimum(Decimal),
    NoSolution,
    /// The number of searched cubes out of all, and the best value so far.
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
