//! `conjure-like completion`

use super::{Arguments, Exit, session::Session};
use clap::{Args, CommandFactory};

#[derive(Args)]
#[command(
    after_help = "Example: conjure-like completion bash > ~/.local/share/bash-completion/completions/conjure-like"
)]
pub(super) struct CompletionCommand {
    shell: clap_complete::Shell,
}

impl CompletionCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "conjure-like", &mut script);
        session.print(&String::from_utf8_lossy(&script))
    }
}
