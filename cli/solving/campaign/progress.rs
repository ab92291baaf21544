//! The progress of a plan.

use super::{cubes::CubesFound, out_of_date::OutOfDate, plan::CampaignPlan, results::CampaignResults};
use conjure_like::Diagnostic;

/// The progress of a plan.
pub(super) struct PlanProgress {
    /// True for each task that has a result or needs none.
    pub tasks: Vec<bool>,
    /// The combined results of the cubes of each instance.
    pub found: CubesFound,
    pub out_of_date: OutOfDate,
}

impl CampaignResults {
    /// The progress of the whole plan.
    pub(super) fn done(&self, plan: &CampaignPlan) -> Result<PlanProgress, Diagnostic> {
        self.done_of(plan, |_| true)
    }

    /// The progress of some tasks.
    pub(super) fn done_of(
        &self,
        plan: &CampaignPlan,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<PlanProgress, Diagnostic> {
        let mut done = vec![false; plan.len()];
        let mut found = CubesFound::default();
        let out_of_date = self.each_of(plan, wanted, |result| {
            // Tasks are counted from 0, but results from 1.
            done[result.number - 1] = true;
            found.add(plan, &result);
        })?;
        // If one cube of an instance has a solution, the others need no result.
        for (number, done) in done.iter_mut().enumerate() {
            *done |= found.is_settled(plan, number);
        }
        let out_of_date = out_of_date.without(|number| done[number]);
        Ok(PlanProgress { tasks: done, found, out_of_date })
    }
}
