//! `conjure-like explain`

use super::{Exit, session::Session};
use clap::Args;
use conjure_like::{Code, Diagnostic};

/// Explains an error
#[derive(Args)]
#[command(after_help = "Example: conjure-like explain E0301")]
pub struct Explain {
    /// The code in brackets after the word `error`
    code: String,
}

impl Explain {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let wanted = self.code.trim_start_matches(['E', 'e']).parse();
        match Code::ALL.iter().find(|code| Ok(code.number) == wanted) {
            Some(code) => session.print(&code.explanation()),
            None => session.fail(
                Diagnostic::error(Code::COMMAND_LINE, format!("there is no error `{}`", self.code))
                    .help("name the code in brackets after the word `error`, such as E0301"),
            ),
        }
    }
}
