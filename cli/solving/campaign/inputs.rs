//! The inputs that a result depends on. A result counts as long as its inputs have not changed; outdated results stay
//! in their files.

use crate::inputs::digest::Digest;
use serde::{Deserialize, Serialize};

/// The inputs of a task, besides the program and the machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Inputs {
    /// The digests of the files; `None` for a file that is missing or cannot be read.
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

/// The change since a result was written: the first difference in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InputChange {
    /// The result has no record of its inputs.
    Unknown,
    /// The number now belongs to another task.
    Task,
    Model,
    Parameters,
    Cubes,
    Options,
    Limits,
}

impl Inputs {
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
