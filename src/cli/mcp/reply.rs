//! The answer of a tool, on its way from the process that gives it to the server.

use crate::cli::interrupt;
use conjure_like::{Report, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The most characters of a text that an assistant has to read.
const MOST_TEXT: usize = 20_000;

/// An answer, for the assistant to read and for its programs.
#[derive(Serialize, Deserialize)]
pub(super) struct ToolReply {
    pub text: String,
    pub structured: Value,
    pub is_error: bool,
}

impl ToolReply {
    pub(super) fn new(text: impl Into<String>, structured: Value) -> Self {
        ToolReply { text: shortened_reply(text.into()), structured, is_error: false }
    }

    /// What is wrong with the texts, so that there is no answer.
    pub(super) fn refusal(report: &Report) -> Self {
        let structured = json!({"diagnostics": diagnostics_as_data(report)});
        ToolReply { is_error: true, ..ToolReply::new(report.to_terminal(false), structured) }
    }

    /// Leaves this answer, in case a limit ends the call; it replaces what was left before.
    pub(super) fn leave(&self) {
        interrupt::leave(self.line(), "an answer so far");
    }

    /// The answer as a line of JSON, from the process that answers to the server.
    pub(super) fn line(&self) -> String {
        serde_json::to_value(self).map_or(String::new(), |reply| to_json(&reply) + "\n")
    }
}

/// The diagnostics of a report as data; the text has them for people.
pub(super) fn diagnostics_as_data(report: &Report) -> Vec<Value> {
    let mut values = report.to_values();
    values.iter_mut().filter_map(Value::as_object_mut).for_each(|value| drop(value.remove("rendered")));
    values
}

fn shortened_reply(text: String) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        None => text,
        Some((end, _)) => format!("{}\n[The rest is left out: {} characters.]\n", &text[..end], text.len() - end),
    }
}
