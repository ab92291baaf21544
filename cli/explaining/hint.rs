//! `conjure-like hint`

use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    outputs::answer,
    runtime::{Exit, files::solution_file},
};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like hint models/futoshiki.essence params/futoshiki-5-less.param

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a
limit ended the search before it had an answer.")]
pub(crate) struct HintCommand {
    #[command(flatten)]
    instances: Instances,
    /// The known part: a solution without the unknown variables, or with `_` for unknown parts
    #[arg(long, value_name = "SOLUTION", value_parser = solution_file)]
    partial: Option<PathBuf>,
    /// Show all steps to the solution
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    answers: answer::AnswerOptions,
}

impl HintCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let partial = match &self.partial {
            Some(path) => Some(invocation.read(path)?),
            None => None,
        };
        let model = self.instances.read_model(invocation)?;
        let page = self.answers.page(invocation, &self.instances, &model)?;
        // The page always shows all steps.
        let all = self.all || page.is_some();
        self.instances.each(invocation, |invocation, data, path| {
            let instance = path.filter(|_| self.instances.are_several());
            self.answers.answer(invocation, instance, |options| {
                model.hint(data, partial.as_ref(), all, &options.clone().page(page.clone()))
            })
        })
    }
}
