//! What a result came of. A result counts as long as nothing of this changes; results that do not count any longer
//! stay in their files.

use super::{
    plan::{CampaignPlan, CampaignTask},
    results::RunResult,
};
use crate::cli::digest::Digest;
use conjure_like::counted;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the result of a task depends on, besides the program and the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// The digests of the files; nothing for a file that is not there or cannot be read.
    pub model: Option<Digest>,
    pub parameters: Option<Digest>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cubes: Option<Digest>,
    /// The options of the setting.
    pub options: Vec<String>,
    /// The limits, in seconds and in megabytes.
    pub time: f64,
    pub memory: u64,
}

/// What has changed since a result was written: the first difference in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InputChange {
    /// The result does not say what it came of.
    Unknown,
    /// The task of this number.
    Task,
    Model,
    Parameters,
    Cubes,
    Options,
    Limits,
}

impl Inputs {
    /// The inputs of a task as they are now.
    pub(super) fn of(task: &CampaignTask) -> Self {
        Inputs {
            model: Digest::of_file(&task.model),
            parameters: task.parameters.as_deref().and_then(Digest::of_file),
            cubes: task.cube.as_ref().and_then(|cube| Digest::of_file(&cube.file)),
            options: task.options.clone(),
            time: task.time,
            memory: task.memory,
        }
    }

    /// The first difference, if there is one.
    pub(super) fn change(&self, now: &Inputs) -> Option<InputChange> {
        let changes = [
            (self.model != now.model, InputChange::Model),
            (self.parameters != now.parameters, InputChange::Parameters),
            (self.cubes != now.cubes, InputChange::Cubes),
            (self.options != now.options, InputChange::Options),
            ((self.time, self.memory) != (now.time, now.memory), InputChange::Limits),
        ];
        changes.into_iter().find_map(|(differs, change)| differs.then_some(change))
    }
}

impl InputChange {
    /// Why a result does not count for the task of its number now. An answer within the limits of the plan counts,
    /// whatever the limits were.
    pub(super) fn since(result: &RunResult, plan: &CampaignPlan) -> Option<Self> {
        let number = result.number - 1;
        if plan.task(number).key() != result.task {
            return Some(InputChange::Task);
        }
        let Some(inputs) = &result.inputs else { return Some(InputChange::Unknown) };
        let now = plan.inputs(number);
        let within = |limit: u64| result.memory.is_none_or(|bytes| bytes / 1_000_000 <= limit);
        match inputs.change(&now) {
            Some(InputChange::Limits) if result.is_solved() && result.seconds <= now.time && within(now.memory) => None,
            change => change,
        }
    }

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
            (InputChange::Unknown, ..) => "they do not say what they came of".to_owned(),
        }
    }
}

/// The tasks whose only results are out of date, with what has changed.
#[derive(Debug, Default)]
pub(super) struct OutOfDate(BTreeMap<usize, InputChange>);

/// The number of changes that are told.
const MOST_TOLD: usize = 4;

impl OutOfDate {
    /// Adds a result of a task. Among several, the one with most in common with the task counts.
    pub(super) fn add(&mut self, number: usize, change: InputChange) {
        let least = self.0.entry(number).or_insert(change);
        *least = change.max(*least);
    }

    /// The task has a result that counts.
    pub(super) fn remove(&mut self, number: usize) {
        self.0.remove(&number);
    }

    pub(super) fn without(mut self, unneeded: impl Fn(usize) -> bool) -> Self {
        self.0.retain(|number, _| !unneeded(*number));
        self
    }

    /// How many there are, and why; nothing if there are none.
    pub(super) fn says(&self, plan: &CampaignPlan) -> Option<String> {
        let mut changes: Vec<String> = Vec::new();
        for (number, change) in &self.0 {
            let says = change.says(&plan.task(*number));
            if !changes.contains(&says) {
                changes.push(says);
            }
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
