//! `conjure-like lsp`: the host of the library's language server. One thread reads messages, one calls the server, and
//! each task of the server has its own thread.

mod files;
mod tasks;
mod transport;

use crate::runtime::{Exit, interrupt, report};
use clap::Args;
use conjure_like::language_server::{Event, LanguageServer, Reaction};
use std::sync::mpsc::TryRecvError;
use tasks::ServerTasks;
use transport::Input;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like lsp

Editors start the server themselves; docs/editor.md shows how to set up yours.")]
pub(crate) struct LspCommand {
    /// No effect: the server always uses standard input and output. Some clients pass this option
    #[arg(long)]
    stdio: bool,
}

impl LspCommand {
    pub(crate) fn run(self) -> Option<Exit> {
        interrupt::doing("waiting for the editor");
        let (inputs, sender) = match transport::inputs() {
            Ok(inputs) => inputs,
            Err(error) => {
                report::report_error(&format!("the system cannot start a thread: {error}"), &[], &[]);
                return Some(Exit::Fault);
            }
        };
        let mut server = LanguageServer::default();
        let mut tasks = ServerTasks::new(sender);
        loop {
            let input = match inputs.try_recv() {
                Err(TryRecvError::Empty) => {
                    // Deferred work (`Idle`) is done only if no message is waiting.
                    carry_out(server.react(Event::Idle), &mut server, &mut tasks);
                    inputs.recv().ok()
                }
                input => input.ok(),
            };
            let goes_on = match input {
                Some(Input::Event(event)) => carry_out(server.react(event), &mut server, &mut tasks),
                Some(Input::End) | None => false,
            };
            if !goes_on {
                // The protocol requires `shutdown` before `exit`.
                return Some(if server.is_shut_down() { Exit::Answer } else { Exit::Fault });
            }
        }
    }
}

/// Carries out the server's reactions. False if the server has to end.
fn carry_out(reactions: Vec<Reaction>, server: &mut LanguageServer, tasks: &mut ServerTasks) -> bool {
    // `all` stops at the first reaction that ends the server.
    reactions.into_iter().all(|reaction| match reaction {
        Reaction::Send { message } => {
            transport::send(&message);
            true
        }
        Reaction::Read { questions } => {
            let answers = questions.iter().map(files::answer_file_question).collect();
            carry_out(server.react(Event::Files(answers)), server, tasks)
        }
        Reaction::Start { task, request, after_pause } => {
            tasks.start(task, request, after_pause);
            true
        }
        Reaction::Cancel { task } => {
            tasks.cancel(task);
            true
        }
        Reaction::Exit => false,
    })
}
