//! `conjure-like why`

use crate::{
    inputs::{instances::Instances, invocation::Invocation, what_if::WhatIfOptions},
    outputs::answer,
    runtime::{Exit, files::solution_file},
};
use clap::Args;
use conjure_like::Text;
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like why models/futoshiki.essence params/futoshiki-3-none.param

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a
limit ended the search before it had an answer, or before the answer was known to be minimal.")]
pub(crate) struct WhyCommand {
    #[command(flatten)]
    instances: Instances,
    /// Explain why this is not a solution: the requirements that it breaks or, if it is partial, why it cannot be
    /// extended. In a partial solution, leave out unknown variables, or write `_` for unknown parts
    #[arg(long, value_name = "SOLUTION", value_parser = solution_file, conflicts_with = "forced")]
    expect: Option<PathBuf>,
    /// Decide if this constraint holds in every solution: explain why, or show a solution that violates it
    #[arg(long, value_name = "CONSTRAINT", conflicts_with = "html", allow_hyphen_values = true)]
    forced: Option<String>,
    /// Explain why no solution is better than the best one, and suggest changes that allow a better one
    #[arg(long, conflicts_with_all = ["expect", "forced"])]
    better: bool,
    /// Show in small steps how the requirements contradict each other
    #[arg(long, conflicts_with = "forced")]
    steps: bool,
    /// Explain why a part of the plan of --near, such as 'board[2, 3]', must change: the requirements that force it, or
    /// the cost of keeping it
    #[arg(long, value_name = "PART", requires = "near", conflicts_with_all = ["expect", "forced", "better"])]
    changed: Option<String>,
    /// Explain why this wish of the model (`$ wish 3: Mia off on Friday`) is broken in the best solution
    #[arg(long, value_name = "WISH", conflicts_with_all = ["expect", "forced", "better", "changed"])]
    wish: Option<String>,
    /// The earlier plan for --changed
    #[arg(long, value_name = "FILE", value_parser = solution_file, requires = "changed")]
    near: Option<PathBuf>,
    #[command(flatten)]
    what_if: WhatIfOptions,
    #[command(flatten)]
    answers: answer::AnswerOptions,
}

impl WhyCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let expected = match &self.expect {
            Some(path) => Some(invocation.read(path)?),
            None => None,
        };
        let near = match &self.near {
            Some(path) => Some(invocation.read(path)?),
            None => None,
        };
        let changed = self.changed.as_ref().map(|part| Text::new("--changed", part.as_str()));
        let changed = near.zip(changed);
        let forced = self.forced.as_ref().map(|fact| Text::new("--forced", fact.as_str()));
        let model = self.instances.read_model(invocation)?;
        let page = self.answers.page(invocation, &self.instances, &model)?;
        // The page always shows steps.
        let in_steps = self.steps || page.is_some();
        self.instances.each(invocation, |invocation, data, path| {
            let instance = path.filter(|_| self.instances.are_several());
            self.answers.answer(invocation, instance, |options| {
                let options = &options.clone().in_steps(in_steps).page(page.clone());
                // The options may mention members of types that only the data define.
                let plans = changed.as_ref().map_or(&[][..], |(plan, _)| std::slice::from_ref(plan));
                let names_members = changed.is_some() || !self.what_if.is_nothing();
                let named = names_members.then(|| model.with_members(data, plans)).transpose()?;
                let (model, data) = named.as_ref().map_or((&model, data), |(model, data)| (model, &**data));
                let model = &self.what_if.applied(model.clone())?;
                match (&expected, &forced, &changed) {
                    (Some(expected), ..) => model.why_not(data, expected, options),
                    (_, Some(fact), _) => model.forced(data, fact, options),
                    (.., Some((plan, part))) => model.why_changed(data, plan, part, options),
                    _ if self.better => model.why_nothing_better(data, options),
                    _ => match &self.wish {
                        Some(wish) => model.why_wish(data, wish, options),
                        None => model.why(data, options),
                    },
                }
            })
        })
    }
}
