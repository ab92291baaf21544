//! `conjure-like validate-solution`

use super::{Exit, conjure::LayoutOptions, roles::typed, session::Session};
use clap::Args;
use conjure_like::{Code, Model, Text};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solve futoshiki.essence 4.param > 4.solution
         conjure-like validate-solution futoshiki.essence 4.param 4.solution")]
pub(super) struct ValidateSolutionCommand {
    /// The model
    #[arg(required_unless_present = "essence")]
    model: Option<PathBuf>,
    /// The parameter files, if the model has parameters, and at the end the solution
    #[arg(required_unless_present = "essence", value_name = "[PARAM] SOLUTION")]
    files: Vec<PathBuf>,
    /// The model, as Conjure wants it named
    #[arg(long, value_name = "MODEL", hide = true, requires = "solution", conflicts_with_all = ["model", "files"])]
    essence: Option<PathBuf>,
    /// The parameter file
    #[arg(long, value_name = "PARAM", hide = true, requires = "essence")]
    param: Option<PathBuf>,
    /// The solution
    #[arg(long, value_name = "SOLUTION", hide = true, requires = "essence")]
    solution: Option<PathBuf>,
    #[command(flatten)]
    _layout: LayoutOptions,
}

impl ValidateSolutionCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let model_path = self.model.as_ref().or(self.essence.as_ref())?;
        let text = session.read(model_path)?;
        let mut files = Vec::new();
        for path in self.files.iter().chain(&self.param).chain(&self.solution) {
            files.push(session.read(path)?);
        }
        let model = session.accept(Model::read(&text))?;
        let (solution, data) = files.split_last()?;
        session.accept(model.validate(data, solution).map_err(|mut report| {
            for error in &mut report.diagnostics {
                if error.code == Code::SOLUTION_INVALID && !error.notes.is_empty() {
                    error.help.push(format!(
                        "run `{}` to see every requirement that it breaks",
                        why(model_path, data, solution)
                    ));
                }
            }
            report
        }))?;
        session.reporting.status("The solution satisfies the model.");
        Some(Exit::Answer)
    }
}

/// The command that shows every requirement that a solution breaks.
fn why(model: &Path, data: &[Text], solution: &Text) -> String {
    let files = data.iter().map(|text| OsString::from(&text.name));
    let words = ["conjure-like".into(), "why".into(), model.into()].into_iter().chain(files);
    typed(words.chain(["--expect".into(), OsString::from(&solution.name)]))
}
