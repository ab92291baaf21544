//! `conjure-like validate-solution`

use super::{Exit, command_line::typed, session::Session};
use clap::Args;
use conjure_like::{Code, Model, Text};
use std::{ffi::OsString, path::PathBuf};

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solve futoshiki.essence 4.param > 4.solution
         conjure-like validate-solution futoshiki.essence 4.param 4.solution")]
pub(super) struct ValidateSolution {
    /// The model
    model: PathBuf,
    /// The parameter files, if the model has parameters, and at the end the solution
    #[arg(required = true, value_name = "[PARAM] SOLUTION")]
    files: Vec<PathBuf>,
}

impl ValidateSolution {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let text = session.read(&self.model)?;
        let mut files = Vec::new();
        for path in &self.files {
            files.push(session.read(path)?);
        }
        let model = session.accept(Model::read(&text))?;
        session.keep(model.warnings());
        let (solution, data) = files.split_last()?;
        session.accept(model.validate(data, solution).map_err(|mut report| {
            for error in &mut report.diagnostics {
                if error.code == Code::SOLUTION_INVALID && !error.notes.is_empty() {
                    error
                        .help
                        .push(format!("run `{}` to see every requirement that it breaks", self.why(data, solution)));
                }
            }
            report
        }))?;
        session.reporting.status("The solution satisfies the model.");
        Some(Exit::Answer)
    }

    /// The command that shows every requirement that a solution breaks.
    fn why(&self, data: &[Text], solution: &Text) -> String {
        let files = data.iter().map(|text| OsString::from(&text.name));
        let words = ["conjure-like".into(), "why".into(), self.model.clone().into()].into_iter().chain(files);
        typed(words.chain(["--expect".into(), OsString::from(&solution.name)]))
    }
}
