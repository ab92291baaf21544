//! `conjure-like type-check`

use super::{Exit, instances::Instances, session::Session};
use clap::Args;
use conjure_like::pipeline;
use std::path::PathBuf;

/// Checks a model, and parameter files against it
///
/// Prints what is wrong, and nothing if nothing is. Comments about pictures are checked, too.
#[derive(Args)]
#[command(after_help = "Example: conjure-like type-check models/futoshiki.essence params/futoshiki-4.param")]
pub struct TypeCheck {
    /// The model, or `-` for standard input
    model: PathBuf,
    /// Parameter files, each for an instance of its own
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
}

impl TypeCheck {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let source = session.read(&self.model)?;
        let read = pipeline::tree_and_model(&session.sources, source, &mut session.diagnostics);
        if read.is_none() {
            let Self { model, parameters } = self;
            Instances { model, parameters, define: Vec::new() }.of_broken_model(session, source);
            return None;
        }
        let (file, model) = read?;
        let pictures = pipeline::pictures(&file, &model, &mut session.diagnostics);
        let mut exit = pictures.map(|_| Exit::Answer);
        for path in &self.parameters {
            let data = session.read(path);
            let instance =
                data.and_then(|data| pipeline::instance(&model, &session.sources, &[data], &mut session.diagnostics));
            exit = exit.filter(|_| instance.is_some());
        }
        exit
    }
}
