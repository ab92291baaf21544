//! `conjure-like hint`

use super::{Exit, answer, files::solution_file, instances::Instances, session::Session};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like hint models/futoshiki.essence params/futoshiki-5-less.param

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a
limit ended the search before it had an answer.")]
pub(super) struct HintCommand {
    #[command(flatten)]
    instances: Instances,
    /// What you know already: a solution without the unknown variables, or with `_` for unknown parts
    #[arg(long, value_name = "SOLUTION", value_parser = solution_file)]
    partial: Option<PathBuf>,
    /// Show all steps to the solution
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    answers: answer::AnswerOptions,
}

impl HintCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let partial = match &self.partial {
            Some(path) => Some(session.read(path)?),
            None => None,
        };
        let model = self.instances.read_model(session)?;
        let page = self.answers.page(session, &self.instances, &model)?;
        let all = self.all || page.is_some();
        self.instances.each(session, |session, data, path| {
            let instance = path.filter(|_| self.instances.are_several());
            self.answers.answer(session, instance, |options| {
                model.hint(data, partial.as_ref(), all, &options.clone().page(page.clone()))
            })
        })
    }
}
