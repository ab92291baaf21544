//! Examines the open models with a solver, like `type-check`, shortly after the last change.

use super::{Reaction, commands::named_text, workspace::ModelWithData};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The examinations of open models.
pub(super) struct Examiner {
    /// For each task, the model that is being examined or was examined last.
    latest: BTreeMap<u64, ModelWithData>,
    /// True if the client has not switched examinations off.
    pub is_wanted: bool,
}

impl Examiner {
    pub(super) fn new() -> Self {
        Examiner { latest: BTreeMap::new(), is_wanted: true }
    }

    /// Examines these models, except those that are examined already, and cancels all other examinations. The new tasks
    /// are numbered from `last + 1`.
    pub(super) fn turn_to(&mut self, open: Vec<ModelWithData>, last: &mut u64) -> Vec<Reaction> {
        let mut reactions = Vec::new();
        // If the model is unchanged, its results stay valid, so its finished task is kept as well.
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
            // The task waits for a pause, because a solver that starts at each keystroke would never finish.
            reactions.push(Reaction::Start { task: *last, request, after_pause: true });
            self.latest.insert(*last, subject);
        }
        reactions
    }

    /// The model that a task examines; `None` if its texts have changed since.
    pub(super) fn model(&self, task: u64) -> Option<&ModelWithData> {
        self.latest.get(&task)
    }
}
