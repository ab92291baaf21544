//! What a result came of. A result counts as long as nothing of this changes; results that do not count any longer
//! stay in their files.

use crate::inputs::digest::Digest;
use serde::{Deserialize, Serialize};

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
