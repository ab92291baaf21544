//! `conjure-like type-check`

use super::{Exit, instances::Instances, session::Session};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: conjure-like type-check models/futoshiki.essence params/futoshiki-4.param")]
pub(super) struct TypeCheck {
    /// The model, or `-` for standard input
    model: PathBuf,
    /// Parameter files, each for an instance of its own
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
}

impl TypeCheck {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let Self { model, parameters } = self;
        let instances = Instances { model, parameters, define: Vec::new() };
        let model = instances.read_model(session)?;
        let mut exit = session.accept(model.pictures()).map(|_| Exit::Answer);
        for path in &instances.parameters {
            let instance = session.read(path).and_then(|data| session.accept(model.instance(&[data])));
            match instance {
                Some(instance) => session.keep(instance.warnings()),
                None => exit = None,
            }
            // Each report is about a file of its own.
            session.report();
        }
        exit
    }
}
