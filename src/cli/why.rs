//! `conjure-like why`

use super::{Exit, answer, files::solution_file, instances::Instances, session::Session};
use clap::Args;
use conjure_like::Text;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like why models/futoshiki.essence params/futoshiki-3-none.param

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a
limit ended the search before it had an answer, or before the answer was known to be minimal.")]
pub(super) struct WhyCommand {
    #[command(flatten)]
    instances: Instances,
    /// Explain why this is not a solution: which requirements it breaks, or, if it is partial, why it cannot be
    /// extended. In a partial solution, leave out unknown variables, or write `_` for unknown parts
    #[arg(long, value_name = "SOLUTION", value_parser = solution_file, conflicts_with = "forced")]
    expect: Option<PathBuf>,
    /// Say whether this constraint holds in every solution: explain why, or show a solution in which it does not hold
    #[arg(long, value_name = "CONSTRAINT", conflicts_with = "html")]
    forced: Option<String>,
    /// Explain why no solution is better than the best one, and what would make a better one possible
    #[arg(long, conflicts_with_all = ["expect", "forced"])]
    better: bool,
    /// Show how the requirements contradict each other, in small steps
    #[arg(long, conflicts_with = "forced")]
    steps: bool,
    #[command(flatten)]
    answers: answer::AnswerOptions,
}

impl WhyCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let expected = match &self.expect {
            Some(path) => Some(session.read(path)?),
            None => None,
        };
        let forced = self.forced.as_ref().map(|fact| Text::new("--forced", fact.as_str()));
        let model = self.instances.read_model(session)?;
        let page = self.answers.page(session, &self.instances, &model)?;
        let in_steps = self.steps || page.is_some();
        self.instances.each(session, |session, data, path| {
            let instance = path.filter(|_| self.instances.are_several());
            self.answers.answer(session, instance, |options| {
                let options = &options.clone().in_steps(in_steps).page(page.clone());
                match (&expected, &forced) {
                    (Some(expected), _) => model.why_not(data, expected, options),
                    (_, Some(fact)) => model.forced(data, fact, options),
                    _ if self.better => model.why_nothing_better(data, options),
                    _ => model.why(data, options),
                }
            })
        })
    }
}
