//! `conjure-like explore`

use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, shown_path, stem},
        interrupt,
        numbers::whole_number,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{Code, Diagnostic, ExploreOptions, ExplorePage, to_json};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like explore models/n-queens.essence params/n-queens-6.param --html space.html

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a limit
ended the search. What is known by then is shown.")]
pub(crate) struct ExploreCommand {
    #[command(flatten)]
    instances: Instances,
    /// Enumerate at most this many solutions, but always up to 72; for more, estimate the number and draw a random
    /// sample
    #[arg(long, value_name = "N", default_value = "10000", value_parser = whole_number::<u32>(1..))]
    most: u32,
    /// The size of the random sample
    #[arg(long, value_name = "N", default_value = "500", value_parser = whole_number::<u32>(1..))]
    sample: u32,
    /// The seed of the estimate and of the sample
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u64>(0..))]
    seed: u64,
    /// Write an HTML page that shows the solutions, and filters them by the values that you click
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    html: Option<PathBuf>,
    /// The format of the answer: text for people, or a JSON object for each instance
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ExploreFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ExploreFormat {
    Plain,
    Json,
}

impl ExploreCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        if self.html.is_some() && self.instances.are_several() {
            let error = Diagnostic::error(Code::COMMAND_LINE, "--html shows the solutions of one instance only");
            return invocation.fail(error.help("name one parameter file"));
        }
        let model = self.instances.read_model(invocation)?;
        let page = match &self.html {
            Some(_) => {
                let pictures = invocation.accept(model.pictures())?;
                Some(ExplorePage::default().title(stem(&self.instances.model)).pictures(pictures))
            }
            None => None,
        };
        let options = ExploreOptions::default()
            .most(self.most as usize)
            .sample(self.sample as usize)
            .seed(self.seed)
            .page(page)
            .search(interrupt::engine_options(None));
        self.instances.each(invocation, |invocation, data, path| {
            let instance = invocation.accept(model.instance(data))?;
            invocation.keep(instance.warnings());
            let space =
                invocation.accept(interrupt::during(options.search.limits.deadline, || instance.explore(&options)))?;
            if let (Some(path), Some(page)) = (&self.html, &space.page)
                && let Err(error) = Pending::whole(path, FileKind::Markup, page)
            {
                return invocation.fail(error);
            }
            let several = path.filter(|_| self.instances.are_several());
            match self.output_format {
                ExploreFormat::Plain => {
                    let heading = several.map_or(String::new(), |path| format!("{}:\n", shown_path(path)));
                    invocation.print(&(heading + &space.to_text()))?;
                }
                ExploreFormat::Json => drop(invocation.print(&(to_json(&space.to_value()) + "\n"))?),
            }
            // If a limit was reached, the known parts are printed.
            if let Some(why) = space.stopped.as_ref().and_then(interrupt::cause) {
                invocation.reporting.status(&format!("{}.", why.ended_the_search()));
                return Some(Exit::Limit);
            }
            Some(Exit::Answer)
        })
    }
}
