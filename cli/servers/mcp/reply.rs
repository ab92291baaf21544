//! The answer of a tool, which a worker passes to the server.

use crate::runtime::interrupt;
use conjure_like::to_json;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The maximum length of a text for an assistant. Chosen.
const MOST_TEXT: usize = 20_000;

/// An answer, as text for the assistant and as data for its programs.
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

    /// An answer that consists of errors in the texts.
    pub(super) fn refusal(diagnostics: Value) -> Self {
        let text = rendered(&diagnostics);
        let structured = json!({"diagnostics": without_positions(diagnostics)});
        ToolReply { is_error: true, ..ToolReply::new(text, structured) }
    }

    /// Keeps this answer in case a limit ends the call; it replaces the previous one.
    pub(super) fn leave(&self) {
        let line = self.line();
        interrupt::leave(move |_| line, "an answer so far");
    }

    /// The answer as the line of JSON that a worker sends to the server.
    pub(super) fn line(&self) -> String {
        serde_json::to_value(self).map_or(String::new(), |reply| to_json(&reply) + "\n")
    }
}

/// The text of diagnostics.
pub(super) fn rendered(diagnostics: &Value) -> String {
    let texts = diagnostics.as_array().into_iter().flatten().filter_map(|diagnostic| diagnostic["rendered"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

pub(super) fn has_errors(diagnostics: &Value) -> bool {
    diagnostics.as_array().into_iter().flatten().any(|diagnostic| diagnostic["severity"] == "error")
}

/// The data of a reply without members that only editors need: byte positions (line and column stay), and texts, which
/// the answer already contains.
pub(super) fn without_positions(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(strip),
            Value::Object(members) => {
                members.remove("rendered");
                // Assistants can use lines and columns; byte positions are only for editors.
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
    // A slice of bytes could split a character.
    match text.char_indices().nth(MOST_TEXT) {
        None => text,
        Some((end, _)) => format!("{}\n[The rest is left out: {} characters.]\n", &text[..end], text.len() - end),
    }
}
