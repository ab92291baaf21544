//! `conjure-like type-check`

use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    runtime::{Exit, interrupt, numbers::whole_number},
};
use clap::Args;
use conjure_like::{COURSE_STEPS, ExamineOptions, Instance, Model};

#[derive(Args)]
#[command(after_help = "Example: conjure-like type-check models/futoshiki.essence params/futoshiki-4.param")]
pub(crate) struct TypeCheckCommand {
    #[command(flatten)]
    instances: Instances,
    /// Also look for warnings that take longer: constraints that follow from the others, bounds that no solution
    /// reaches
    #[arg(long)]
    deep: bool,
    /// Warn about words that the course introduces after this step, or never
    #[arg(long, value_name = "STEP", value_parser = whole_number::<usize>(1..=COURSE_STEPS.len() as i128))]
    level: Option<usize>,
}

impl TypeCheckCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let Self { instances, deep, level } = self;
        let model = instances.read_model(invocation)?;
        invocation.keep(level.map(|level| model.beyond_level(level)).unwrap_or_default());
        let mut exit = invocation.accept(model.pictures()).map(|_| Exit::Answer);
        let mut examined = Vec::new();
        // If a model with parameters has no data, only the model itself is checked.
        if instances.has_data() || model.givens().next().is_none() {
            let each = instances.each(invocation, |invocation, data, _| {
                examined.push(invocation.accept(model.instance(data))?);
                Some(Exit::Answer)
            });
            exit = exit.and(each.filter(|exit| *exit == Exit::Answer));
        }
        if exit.is_some() && invocation.reporting.shows_warnings() {
            keep_warnings(invocation, &model, &examined, deep);
        }
        exit
    }
}

/// Keeps the warnings about the model and its instances.
fn keep_warnings(invocation: &mut Invocation, model: &Model, instances: &[Instance], deep: bool) {
    interrupt::doing("the constraints were being examined");
    invocation.keep(model.warnings());
    let options = ExamineOptions::default().deep(deep).search(interrupt::engine_options(None));
    // The types are already checked, so if a limit ends the examination, only warnings are missing.
    invocation.keep(interrupt::during(interrupt::deadline(), || model.examine(instances, &options)));
    for (position, instance) in instances.iter().enumerate() {
        invocation.keep(instance.warnings());
        if position + 1 < instances.len() {
            invocation.report();
        }
    }
}
