//! `conjure-like pretty` and `conjure-like fmt`

use super::{
    Exit,
    files::{self, unwritable},
    session::Session,
};
use clap::{Args, ValueEnum};
use conjure_like::{Code, Diagnostic, Model, Values, format};
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: conjure-like pretty models/futoshiki.essence")]
pub(super) struct Pretty {
    /// The file, or `-` for standard input
    file: PathBuf,
    /// The format: Essence, or JSON for parameters and solutions
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ValuesFormat,
    /// The model of the parameters or of the solution, which tells what JSON means
    #[arg(long, value_name = "MODEL")]
    essence: Option<PathBuf>,
    /// Break lines at this width
    #[arg(long, value_name = "COLUMNS", default_value = "120")]
    line_width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ValuesFormat {
    Plain,
    Json,
}

impl Pretty {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        if self.output_format == ValuesFormat::Json {
            let json = values(session, &self.file, self.essence.as_deref())?.to_json();
            return session.print(&(json + "\n"));
        }
        if self.essence.is_some() {
            let essence = values(session, &self.file, self.essence.as_deref())?.to_essence(self.line_width);
            return session.print(&essence);
        }
        match formatted(session, &self.file, self.line_width)?.1 {
            Some(text) => session.print(&text),
            None => Some(Exit::Fault),
        }
    }
}

#[derive(Args)]
#[command(after_help = "Example: conjure-like fmt --check models/futoshiki.essence")]
pub(super) struct Fmt {
    /// The files; `-` for standard input is formatted to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing; name the files that are not in the canonical layout (exit code 2)
    #[arg(long)]
    check: bool,
    /// Break lines at this width
    #[arg(long, value_name = "COLUMNS", default_value = "120")]
    line_width: usize,
}

impl Fmt {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let mut exit = Some(Exit::Answer);
        for file in &self.files {
            let done = self.format(session, file);
            exit = exit.zip(done).map(|(one, other)| one.worse(other));
        }
        exit
    }

    fn format(&self, session: &mut Session, path: &Path) -> Option<Exit> {
        let (before, Some(after)) = formatted(session, path, self.line_width)? else { return Some(Exit::Fault) };
        let same = before == after;
        match (path == Path::new("-"), self.check) {
            (true, false) => session.print(&after),
            (_, true) if !same => {
                let report =
                    Diagnostic::error(Code::LAYOUT, format!("`{}` is not in the canonical layout", path.display()));
                session.fail(report.help("`conjure-like fmt` without `--check` rewrites it"))
            }
            (false, false) if !same => match files::rewrite(path, &after) {
                Ok(()) => Some(Exit::Answer),
                Err(error) => session.fail(unwritable(path, error)),
            },
            _ => Some(Exit::Answer),
        }
    }
}

/// The values in a parameter file or a solution.
pub(super) fn values(session: &mut Session, path: &Path, model: Option<&Path>) -> Option<Values> {
    let model = match model {
        Some(model) => {
            let text = session.read(model)?;
            Some(session.accept(Model::read(&text))?)
        }
        None => None,
    };
    let text = session.read(path)?;
    session.accept(Values::read(model.as_ref(), &text))
}

/// The text of a file as it is, and formatted. If the formatted text has another meaning, that is reported as a bug.
fn formatted(session: &mut Session, path: &Path, width: usize) -> Option<(String, Option<String>)> {
    let before = session.read(path)?;
    match format(&before, width) {
        Ok(after) => Some((before.text, Some(after))),
        Err(report) => {
            let bug = report.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::LAYOUT);
            session.keep(report);
            bug.then_some((before.text, None))
        }
    }
}
