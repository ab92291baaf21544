//! The difficulty of an instance with one solution, measured by the steps that lead to the solution.

use crate::{
    explain::{ExplainedCase, NextStep, RequirementBoard, guided},
    halt::Halt,
    instance::{GroundInstance, SolutionValues},
    solver::EngineOptions,
    source::Sources,
};
use std::collections::BTreeMap;

/// The steps to a solution, as `hint` shows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difficulty {
    /// The number of steps.
    pub steps: usize,
    /// The number of steps that combine several requirements.
    pub combined: usize,
    /// The largest number of requirements that a step combines.
    pub requirements: usize,
    /// The length of the longest chain of steps in which each step uses a fact of the previous one.
    pub depth: usize,
    /// The sum of the squared numbers of requirements of all steps: a step with three requirements counts as much as
    /// nine steps with one.
    pub effort: usize,
}

/// Measures the steps to the only solution of an instance, and stops if they exceed an effort.
pub(crate) fn difficulty(
    instance: &GroundInstance,
    solution: &SolutionValues,
    sources: &Sources,
    options: &EngineOptions,
    most: usize,
) -> Result<Difficulty, Halt> {
    let case = ExplainedCase::of(instance, options);
    let board = RequirementBoard::new(&case, Some(solution), sources)?;
    guided(&case, &board, sources, |guide| {
        guide.with_values = true;
        guide.given()?;
        let mut measured = Difficulty::default();
        let mut depths = BTreeMap::new();
        while measured.effort <= most
            && let NextStep::Step(step) = guide.next_step()?
        {
            let requirements = step.reasons.len().max(1);
            // A step is one level deeper than the deepest fact that it uses; the given facts have depth 0.
            let below = step.used.iter().filter_map(|fact| depths.get(fact)).max().copied().unwrap_or(0);
            depths.extend(step.learnt.iter().map(|fact| (*fact, below + 1)));
            measured.steps += 1;
            measured.combined += usize::from(requirements > 1);
            measured.requirements = measured.requirements.max(requirements);
            measured.depth = measured.depth.max(below + 1);
            measured.effort += requirements * requirements;
        }
        Ok(measured)
    })
}
