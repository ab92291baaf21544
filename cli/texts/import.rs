//! `conjure-like import`

use crate::{inputs::invocation::Invocation, runtime::Exit};
use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use conjure_like::{ImportFormat, import_puzzle};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: conjure-like import futoshiki-picture params/futoshiki-5-picture.txt > my.param")]
pub(crate) struct ImportCommand {
    /// The notation of the puzzle
    #[arg(value_parser = formats())]
    format: ImportFormat,
    /// The puzzle, or `-` for standard input
    file: PathBuf,
}

fn formats() -> impl TypedValueParser<Value = ImportFormat> {
    let described = |format: ImportFormat| {
        let help = format!("{} (for {})", format.description(), format.model());
        PossibleValue::new(format.name()).help(help)
    };
    PossibleValuesParser::new(ImportFormat::ALL.map(described)).try_map(|name| name.parse())
}

impl ImportCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let puzzle = invocation.read(&self.file)?;
        let parameters = invocation.accept(import_puzzle(self.format, &puzzle))?;
        invocation.print(&parameters)
    }
}
