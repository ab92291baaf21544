//! The process that answers one call of a tool. It gets all texts on standard input, and reads and writes no files.

use super::tools::TOOLS;
use crate::runtime::{Exit, interrupt, stdout};
use clap::Args;
use std::io::{self, Read};

#[derive(Args)]
pub(crate) struct McpWorker {
    /// The name of the tool
    tool: String,
}

impl McpWorker {
    pub(crate) fn run(self) -> Option<Exit> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).ok()?;
        let tool = TOOLS.iter().find(|tool| tool.name == self.tool)?;
        let arguments = serde_json::from_str(&text).ok()?;
        conjure_like_system::write_no_files();
        let reply = tool.answer(arguments);
        interrupt::forget_last_words();
        stdout::write(&reply.line()).ok().map(|()| Exit::Answer)
    }
}
