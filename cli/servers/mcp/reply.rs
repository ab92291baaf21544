//! The answer of a tool, on its way from the process that gives it to the server.

use crate::runtime::interrupt;
use conjure_like::to_json;
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
    pub(super) fn refusal(diagnostics: Value) -> Self {
        let text = rendered(&diagnostics);
        let structured = json!({"diagnostics": without_positions(diagnostics)});
        ToolReply { is_error: true, ..ToolReply::new(text, structured) }
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

/// The diagnostics for people.
pub(super) fn rendered(diagnostics: &Value) -> String {
    let texts = diagnostics.as_array().into_iter().flatten().filter_map(|diagnostic| diagnostic["rendered"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

pub(super) fn has_errors(diagnostics: &Value) -> bool {
    diagnostics.as_array().into_iter().flatten().any(|diagnostic| diagnostic["severity"] == "error")
}

/// Data of a reply without what only editors need: positions beside lines and columns, and texts for people, which the
/// answer has already.
pub(super) fn without_positions(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(strip),
            Value::Object(members) => {
                members.remove("rendered");
                if members.contains_key("end_column") {
                    members.remove("from");
                    members.remove("to");
                }
                members.values_mut().for_each(strip);
            }
            _ => {}
        }
    }
    strip(&mut value);
    value
}

fn shortened_reply(text: String) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        None => text,
        Some((end, _)) => format!("{}\n[The rest is left out: {} characters.]\n", &text[..end], text.len() - end),
    }
}
