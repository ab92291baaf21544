//! `conjure-like explain`

use super::{Exit, session::Session};
use clap::Args;
use conjure_like::manual_entry;

#[derive(Args)]
#[command(
    after_help = "Examples: conjure-like explain E0301, conjure-like explain preImage, conjure-like explain '/\\'"
)]
pub(super) struct ExplainCommand {
    /// The code of an error or a warning, such as E0301, or a word or sign of Essence
    #[arg(required = true, value_name = "WORD", allow_hyphen_values = true)]
    words: Vec<String>,
}

impl ExplainCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let entry = session.accept(manual_entry(&self.words.join(" ")))?;
        session.print(&entry)
    }
}
