//! `conjure-like explain`

use super::{Exit, session::Session};
use clap::Args;
use conjure_like::{Code, Diagnostic, Report, explain_word, nearest_word};

#[derive(Args)]
#[command(
    after_help = "Examples: conjure-like explain E0301, conjure-like explain preImage, conjure-like explain '/\\'"
)]
pub(super) struct Explain {
    /// An error code, such as E0301, or a word or sign of Essence
    #[arg(required = true, value_name = "WORD", allow_hyphen_values = true)]
    words: Vec<String>,
}

impl Explain {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let explained = session.accept(explained(&self.words.join(" ")).map_err(Report::from))?;
        session.print(&explained)
    }
}

/// The explanation of an error code, a word or a sign.
pub(super) fn explained(wanted: &str) -> Result<String, Diagnostic> {
    let number = wanted.trim_start_matches(['E', 'e']).parse();
    if let Some(code) = Code::ALL.iter().find(|code| Ok(code.number) == number) {
        return Ok(code.explanation());
    }
    if let Some(explanation) = explain_word(wanted) {
        return Ok(explanation.to_string());
    }
    let (what, help) = match (number, nearest_word(wanted)) {
        (Ok(_), _) => ("error", "name the code in brackets after the word `error`, such as E0301".to_owned()),
        (_, Some(known)) => ("operator, attribute or keyword", format!("did you mean `{known}`?")),
        (_, None) => (
            "operator, attribute or keyword",
            "docs/operators.md lists all operators, attributes and keywords".to_owned(),
        ),
    };
    Err(Diagnostic::error(Code::COMMAND_LINE, format!("there is no {what} `{wanted}`")).help(help))
}
