//! `conjure-like pretty`

use super::{Exit, session::Session};
use clap::Args;
use conjure_like::{pipeline, syntax};
use std::path::PathBuf;

/// Prints a model or parameter file in the canonical layout
///
/// Comments are kept. The text goes to standard output.
#[derive(Args)]
#[command(after_help = "Example: conjure-like pretty models/futoshiki.essence")]
pub struct Pretty {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The width that lines are broken to
    #[arg(long, value_name = "COLUMNS", default_value = "120")]
    line_width: usize,
}

impl Pretty {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let source = session.read(&self.file)?;
        let file = pipeline::parse(&session.sources, source, &mut session.diagnostics)?;
        session.print(&syntax::print::file(&file, self.line_width))
    }
}
