//! Outdated results of a plan, and the reasons.

use super::{
    inputs::InputChange,
    plan::{CampaignPlan, CampaignTask},
};
use conjure_like::counted;
use std::collections::BTreeMap;

impl InputChange {
    /// The change in words.
    pub(super) fn says(self, task: &CampaignTask) -> String {
        let has_changed = |name: &str| format!("`{name}` has changed");
        match (self, &task.names.1, &task.cube) {
            (InputChange::Model, ..) => has_changed(&task.names.0),
            (InputChange::Parameters, Some(name), _) => has_changed(name),
            (InputChange::Cubes, _, Some(cube)) => has_changed(&cube.file.display().to_string()),
            (InputChange::Options, ..) => format!("the setting `{}` has other options", task.setting),
            (InputChange::Limits, ..) => "the plan has other limits".to_owned(),
            (InputChange::Task | InputChange::Parameters | InputChange::Cubes, ..) => {
                "the plan has other tasks with these numbers".to_owned()
            }
            (InputChange::Unknown, ..) => "they do not record their inputs".to_owned(),
        }
    }
}

/// The tasks that have only outdated results, each with the change.
#[derive(Debug, Default)]
pub(super) struct OutOfDate(BTreeMap<usize, InputChange>);

/// The number of changes to list. Chosen.
const MOST_TOLD: usize = 4;

impl OutOfDate {
    /// Adds a result of a task. Among several results, the one closest to the task counts.
    pub(super) fn add(&mut self, number: usize, change: InputChange) {
        let least = self.0.entry(number).or_insert(change);
        // The later a change is in the declaration of `InputChange`, the closer its result is to the task.
        *least = change.max(*least);
    }

    /// Records that the task has a result that counts.
    pub(super) fn remove(&mut self, number: usize) {
        self.0.remove(&number);
    }

    pub(super) fn without(mut self, unneeded: impl Fn(usize) -> bool) -> Self {
        self.0.retain(|number, _| !unneeded(*number));
        self
    }

    /// The number of outdated results and the reasons, in words; `None` if there are none.
    pub(super) fn says(&self, plan: &CampaignPlan) -> Option<String> {
        let mut changes: Vec<String> = Vec::new();
        for (number, change) in &self.0 {
            let says = change.says(&plan.task(*number));
            if !changes.contains(&says) {
                changes.push(says);
            }
            // A line with all changes could be long, and the first few are enough to see what has happened.
            if changes.len() > MOST_TOLD {
                changes[MOST_TOLD] = "and more".to_owned();
                break;
            }
        }
        let count = self.0.len();
        let are = if count == 1 { "is" } else { "are" };
        (count > 0).then(|| format!("{} {are} out of date: {}.", counted(count, "result"), changes.join(", ")))
    }
}
