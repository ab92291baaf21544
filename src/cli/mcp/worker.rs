//! The process that answers one call of a tool. It gets all texts on standard input, and reads and writes no files.

use super::tools::{TOOLS, ToolArguments};
use crate::cli::{Exit, interrupt, limits, stdout};
use clap::Args;
use conjure_like::{Report, to_json};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, Read};

/// The most characters of a text that an assistant has to read.
const MOST_TEXT: usize = 20_000;

#[derive(Args)]
pub(in crate::cli) struct McpWorker {
    /// The name of the tool
    tool: String,
}

/// An answer, for the assistant to read and for its programs.
#[derive(Serialize, Deserialize)]
pub(super) struct ToolReply {
    pub text: String,
    pub structured: Value,
    pub is_error: bool,
}

impl ToolReply {
    pub(super) fn new(text: impl Into<String>, structured: Value) -> Self {
        ToolReply { text: shortened(text.into()), structured, is_error: false }
    }

    /// What is wrong with the texts, so that there is no answer.
    pub(super) fn refusal(report: &Report) -> Self {
        let structured = json!({"diagnostics": diagnostics(report)});
        ToolReply { is_error: true, ..ToolReply::new(report.to_terminal(false), structured) }
    }

    /// Leaves this answer, in case a limit ends the call; it replaces what was left before.
    pub(super) fn leave(&self) {
        interrupt::leave(self.line(), "an answer so far");
    }

    fn line(&self) -> String {
        serde_json::to_value(self).map_or(String::new(), |reply| to_json(&reply) + "\n")
    }
}

/// The diagnostics of a report as data; the text has them for people.
pub(super) fn diagnostics(report: &Report) -> Vec<Value> {
    let mut values = report.to_values();
    values.iter_mut().filter_map(Value::as_object_mut).for_each(|value| drop(value.remove("rendered")));
    values
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MOST_TEXT) {
        None => text,
        Some((end, _)) => format!("{}\n[The rest is left out: {} characters.]\n", &text[..end], text.len() - end),
    }
}

impl McpWorker {
    pub(in crate::cli) fn run(self) -> Option<Exit> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).ok()?;
        let tool = TOOLS.iter().find(|tool| tool.name == self.tool)?;
        let arguments: ToolArguments = serde_json::from_str(&text).ok()?;
        limits::write_no_files();
        let reply = (tool.answer)(&arguments).unwrap_or_else(|report| ToolReply::refusal(&report));
        interrupt::forget_last_words();
        stdout::write(&reply.line()).ok().map(|()| Exit::Answer)
    }
}
