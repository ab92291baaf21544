//! `conjure-like pretty` and `conjure-like fmt`

use crate::{
    inputs::invocation::Invocation,
    runtime::{
        Exit,
        files::{self, unwritable},
        numbers::whole_number,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{Code, Diagnostic, Model, Rewriting, Values};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: conjure-like pretty models/futoshiki.essence")]
pub(crate) struct PrettyCommand {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The format: Essence, JSON for parameters and solutions, or the syntax tree in JSON as Conjure writes it
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: TextFormat,
    /// The model of the parameters or of the solution, which defines the meaning of JSON
    #[arg(long, value_name = "MODEL")]
    essence: Option<PathBuf>,
    /// Rename the quantified names to q1, q2 and so on, from the outside in
    #[arg(long)]
    normalise_quantified: bool,
    /// Leave out the declarations of names that are not used
    #[arg(long)]
    remove_unused: bool,
    /// Break lines at this width
    #[arg(long, value_name = "COLUMNS", default_value = "120", value_parser = whole_number::<usize>(0..))]
    line_width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum TextFormat {
    Plain,
    Json,
    Astjson,
}

impl PrettyCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let rewriting =
            Rewriting::default().normalise_quantified(self.normalise_quantified).remove_unused(self.remove_unused);
        match (self.output_format, &self.essence) {
            (TextFormat::Json, model) => {
                let values = values_of_file(invocation, &self.file, model.as_deref())?;
                for name in values.domains() {
                    let says = format!("The domain `{name}` is left out: JSON has values and members of types only.");
                    invocation.reporting.status(&says);
                }
                invocation.print(&(values.to_json() + "\n"))
            }
            (TextFormat::Plain, Some(model)) => {
                let essence = values_of_file(invocation, &self.file, Some(model))?.to_essence(self.line_width);
                invocation.print(&essence)
            }
            (TextFormat::Plain, None) => match formatted_file(invocation, &self.file, self.line_width, rewriting)?.1 {
                Some(text) => invocation.print(&text),
                None => Some(Exit::Fault),
            },
            (TextFormat::Astjson, _) => {
                let text = invocation.read(&self.file)?;
                let tree = invocation.accept(rewriting.to_conjure_tree(&text))?;
                invocation.print(&(tree + "\n"))
            }
        }
    }
}

#[derive(Args)]
#[command(after_help = "Example: conjure-like fmt --check models/futoshiki.essence")]
pub(crate) struct FmtCommand {
    /// The files; `-` for standard input is formatted to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only list the files that are not in the canonical layout (exit code 2)
    #[arg(long)]
    check: bool,
    /// Break lines at this width
    #[arg(long, value_name = "COLUMNS", default_value = "120", value_parser = whole_number::<usize>(0..))]
    line_width: usize,
}

impl FmtCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let mut exit = Some(Exit::Answer);
        for file in &self.files {
            let done = self.format(invocation, file);
            // The exit code is the worst result of all files.
            exit = exit.zip(done).map(|(one, other)| one.worse(other));
        }
        exit
    }

    fn format(&self, invocation: &mut Invocation, path: &Path) -> Option<Exit> {
        // If formatting would change the meaning, the printer has a bug, so the file stays as it is.
        let (before, Some(after)) = formatted_file(invocation, path, self.line_width, Rewriting::default())? else {
            return Some(Exit::Fault);
        };
        // If a file is already in the canonical layout, it is not written, so it keeps its modification time.
        let same = before == after;
        match (path == Path::new("-"), self.check) {
            (true, false) => invocation.print(&after),
            (_, true) if !same => {
                let report =
                    Diagnostic::error(Code::LAYOUT, format!("`{}` is not in the canonical layout", path.display()));
                invocation.fail(report.help("`conjure-like fmt` without `--check` rewrites it"))
            }
            (false, false) if !same => match files::rewrite(path, &after) {
                Ok(()) => Some(Exit::Answer),
                Err(error) => invocation.fail(unwritable(path, error)),
            },
            _ => Some(Exit::Answer),
        }
    }
}

/// The values in a parameter file or a solution; in JSON, `model` gives their types.
pub(crate) fn values_of_file(invocation: &mut Invocation, path: &Path, model: Option<&Path>) -> Option<Values> {
    let model = match model {
        Some(model) => {
            let text = invocation.read(model)?;
            Some(invocation.accept(Model::read(&text))?)
        }
        None => None,
    };
    let text = invocation.read(path)?;
    invocation.accept(Values::read(model.as_ref(), &text))
}

/// The text of a file, before and after rewriting and formatting. `None` after a bug, which is reported: the formatted
/// text has another meaning.
fn formatted_file(
    invocation: &mut Invocation,
    path: &Path,
    width: usize,
    rewriting: Rewriting,
) -> Option<(String, Option<String>)> {
    let before = invocation.read(path)?;
    match rewriting.to_essence(&before, width) {
        Ok(after) => Some((before.text, Some(after))),
        Err(report) => {
            let bug = report.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::LAYOUT);
            invocation.keep(report);
            bug.then_some((before.text, None))
        }
    }
}
