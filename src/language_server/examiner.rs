//! What a solver proves about the open models, as `type-check` does: a moment after the last change.

use super::{Reaction, commands::named_text, workspace::ModelWithData};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The examinations of open models.
pub(super) struct Examiner {
    /// The model of each task that was last examined, or is being examined.
    latest: BTreeMap<u64, ModelWithData>,
    /// Whether the client wants them.
    pub is_wanted: bool,
}

impl Examiner {
    pub(super) fn new() -> Self {
        Examiner { latest: BTreeMap::new(), is_wanted: true }
    }

    /// Examines these models, unless they are being examined or have been already, and ends all other examinations.
    /// The first new task has the number after `last`.
    pub(super) fn turn_to(&mut self, open: Vec<ModelWithData>, last: &mut u64) -> Vec<Reaction> {
        let mut reactions = Vec::new();
        self.latest.retain(|task, examined| {
            let is_same = open.contains(examined);
            if !is_same {
                reactions.push(Reaction::Cancel { task: *task });
            }
            is_same
        });
        for subject in open {
            if self.latest.values().any(|examined| *examined == subject) {
                continue;
            }
            *last += 1;
            let instances: Vec<Value> = subject.data.iter().map(named_text).collect();
            let request = json!({ "verb": "examine", "model": named_text(&subject.model), "instances": instances });
            reactions.push(Reaction::Start { task: *last, request, after_pause: true });
            self.latest.insert(*last, subject);
        }
        reactions
    }

    /// The model that a task examines; none if its texts have changed.
    pub(super) fn model(&self, task: u64) -> Option<&ModelWithData> {
        self.latest.get(&task)
    }
}
