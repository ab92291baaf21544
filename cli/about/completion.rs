//! `conjure-like completion`

use crate::{Arguments, inputs::invocation::Invocation, runtime::Exit};
use clap::{Args, CommandFactory};

#[derive(Args)]
#[command(
    after_help = "Example: conjure-like completion bash > ~/.local/share/bash-completion/completions/conjure-like"
)]
pub(crate) struct CompletionCommand {
    shell: clap_complete::Shell,
}

impl CompletionCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "conjure-like", &mut script);
        invocation.print(&String::from_utf8_lossy(&script))
    }
}
