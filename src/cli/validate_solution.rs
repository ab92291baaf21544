//! `conjure-like validate-solution`

use super::{Exit, session::Session};
use clap::Args;
use conjure_like::{Model, Text, diagnostic::Code};
use std::path::PathBuf;

/// Checks that a solution satisfies a model
///
/// Says which constraint is violated, or which value is outside its domain.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solve futoshiki.essence 4.param > 4.solution
         conjure-like validate-solution futoshiki.essence 4.param 4.solution")]
pub struct ValidateSolution {
    /// The model
    model: PathBuf,
    /// The parameter files, if the model has parameters, and at the end the solution
    #[arg(required = true, value_name = "[PARAM] SOLUTION")]
    files: Vec<PathBuf>,
}

impl ValidateSolution {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
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
                    error.help.push(format!("run `{}` to see all that it breaks", self.question(data, solution)));
                }
            }
            report
        }))?;
        session.reporting.status("The solution satisfies the model.");
        Some(Exit::Answer)
    }

    /// The command that tells all about a solution.
    fn question(&self, data: &[Text], solution: &Text) -> String {
        let model = self.model.display().to_string();
        let files: Vec<&str> = data.iter().map(|text| text.name.as_str()).collect();
        let files = files.iter().map(|name| format!(" {name}")).collect::<String>();
        format!("conjure-like why {model}{files} --expect {}", solution.name)
    }
}
