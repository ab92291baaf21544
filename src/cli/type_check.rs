//! `conjure-like type-check`

use super::{Exit, instances::Instances, interrupt, session::Session};
use clap::Args;
use conjure_like::{ExamineOptions, Instance, Model};

#[derive(Args)]
#[command(after_help = "Example: conjure-like type-check models/futoshiki.essence params/futoshiki-4.param")]
pub(super) struct TypeCheckCommand {
    #[command(flatten)]
    instances: Instances,
    /// Look also for warnings that take longer: constraints that follow from the others, bounds that no solution
    /// reaches
    #[arg(long)]
    deep: bool,
}

impl TypeCheckCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let Self { instances, deep } = self;
        let model = instances.read_model(session)?;
        let mut exit = session.accept(model.pictures()).map(|_| Exit::Answer);
        let mut examined = Vec::new();
        // Without data, a model with parameters is checked alone.
        if instances.has_data() || model.givens().next().is_none() {
            let each = instances.each(session, |session, data, _| {
                examined.push(session.accept(model.instance(data))?);
                Some(Exit::Answer)
            });
            exit = exit.and(each.filter(|exit| *exit == Exit::Answer));
        }
        if exit.is_some() && session.reporting.shows_warnings() {
            keep_warnings(session, &model, &examined, deep);
        }
        exit
    }
}

/// Keeps the warnings about the model and its instances.
fn keep_warnings(session: &mut Session, model: &Model, instances: &[Instance], deep: bool) {
    interrupt::doing("the constraints were being examined");
    session.keep(model.warnings());
    let options = ExamineOptions::default().deep(deep).search(interrupt::engine_options(None));
    // The types are right already. A limit leaves out warnings, and nothing else.
    session.keep(interrupt::during(interrupt::deadline(), || model.examine(instances, &options)));
    for (position, instance) in instances.iter().enumerate() {
        session.keep(instance.warnings());
        if position + 1 < instances.len() {
            session.report();
        }
    }
}
