//! `conjure-like import`

use super::{Exit, session::Session};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use conjure_like::import::{self, Format};
use std::path::PathBuf;

/// Turns a puzzle as people write it down into a parameter file
///
/// The parameter file goes to standard output.
#[derive(Args)]
#[command(after_help = "Example: conjure-like import futoshiki-picture params/futoshiki-5-picture.txt > my.param")]
pub struct Import {
    /// How the puzzle is written
    #[arg(value_parser = formats())]
    format: Format,
    /// The puzzle, or `-` for standard input
    file: PathBuf,
}

fn formats() -> impl TypedValueParser<Value = Format> {
    let described = |format: Format| {
        let help = format!("{} (for {})", format.description(), format.model());
        PossibleValue::new(format.name()).help(help)
    };
    PossibleValuesParser::new(Format::ALL.map(described))
        .try_map(|name| Format::from_name(&name).ok_or("no such format"))
}

impl Import {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let source = session.read(&self.file)?;
        match import::import(self.format, source, &session.text(source)) {
            Ok(parameters) => session.print(&parameters),
            Err(diagnostic) => session.fail(diagnostic),
        }
    }
}
