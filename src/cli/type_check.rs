//! `conjure-like type-check`

use super::{Exit, instances::Instances, interrupt, session::Session};
use clap::Args;
use conjure_like::{ExamineOptions, Instance, Model};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "Example: conjure-like type-check models/futoshiki.essence params/futoshiki-4.param")]
pub(super) struct TypeCheck {
    /// The model, or `-` for standard input
    model: PathBuf,
    /// Parameter files, each for an instance of its own
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
    /// Look also for warnings that take longer: constraints that follow from the others, bounds that no solution reaches
    #[arg(long)]
    deep: bool,
}

impl TypeCheck {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let Self { model, parameters, deep } = self;
        let instances = Instances { model, parameters, define: Vec::new() };
        let model = instances.read_model(session)?;
        let mut exit = session.accept(model.pictures()).map(|_| Exit::Answer);
        let mut examined = Vec::new();
        for path in &instances.parameters {
            match session.read(path).and_then(|data| session.accept(model.instance(&[data]))) {
                Some(instance) => examined.push(instance),
                None => exit = None,
            }
            // Each report is about a file of its own.
            session.report();
        }
        // A model without parameters is its own instance.
        if instances.parameters.is_empty() && model.givens().next().is_none() {
            examined.push(session.accept(model.instance(&[]))?);
        }
        if exit.is_some() && session.reporting.shows_warnings() {
            warn(session, &model, &examined, deep);
        }
        exit
    }
}

/// Keeps the warnings about the model and its instances.
fn warn(session: &mut Session, model: &Model, instances: &[Instance], deep: bool) {
    interrupt::doing("the constraints were being examined");
    session.keep(model.warnings());
    session.keep(model.examine(instances, &ExamineOptions { deep, search: interrupt::solver_options(None) }));
    for (position, instance) in instances.iter().enumerate() {
        session.keep(instance.warnings());
        if position + 1 < instances.len() {
            session.report();
        }
    }
}
