//! `conjure-like validate-solution`

use super::{Exit, session::Session};
use clap::Args;
use conjure_like::pipeline;
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
        let model = session.read(&self.model)?;
        let mut files = Vec::new();
        for path in &self.files {
            files.push(session.read(path)?);
        }
        pipeline::validate(&session.sources, model, &files, &mut session.diagnostics)?;
        session.reporting.status("The solution satisfies the model.");
        Some(Exit::Answer)
    }
}
