//! `conjure-like explain`

use crate::{inputs::invocation::Invocation, runtime::Exit};
use clap::Args;
use conjure_like::manual_entry;

#[derive(Args)]
#[command(
    after_help = "Examples: conjure-like explain E0301, conjure-like explain preImage, conjure-like explain '/\\'"
)]
pub(crate) struct ExplainCommand {
    /// The code of an error or a warning, such as E0301, or a word or sign of Essence
    #[arg(required = true, value_name = "WORD", allow_hyphen_values = true)]
    words: Vec<String>,
}

impl ExplainCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let entry = invocation.accept(manual_entry(&self.words.join(" ")))?;
        invocation.print(&entry)
    }
}
