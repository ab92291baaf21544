//! `conjure-like test`

mod find;
mod formats;
mod mutate;
mod run;
mod watch;

use crate::{
    inputs::invocation::Invocation,
    runtime::{Exit, files::output_file, interrupt, limits::parse_seconds, numbers::whole_number},
};
use clap::{Args, ValueEnum};
use conjure_like::{Diagnostic, TestOptions, TestVerdict, counted, to_json};
use find::TestPlan;
use formats::Formatter;
use mutate::MutationOutput;
use run::TestRun;
use std::{num::NonZeroUsize, path::PathBuf, thread, time::Duration};
use watch::{ChangedFiles, FileTimes};

#[derive(Args)]
#[command(after_help = "\
Examples:
  conjure-like test
  conjure-like test models params --output-format=junit > report.xml

Exit code: 0 if all cases passed; 2 if a case failed or could not be run, or for a mistake in the command line; 3 if
a limit left cases without an answer, and no other case failed.")]
pub(crate) struct TestCommand {
    /// Files with test cases, and folders to search for them. The default is the current folder. A model also selects
    /// the files that name it, in its folder or in a folder `params` beside that folder
    #[arg(value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    /// Run only the cases whose file or name contains TEXT
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The number of cases to run at once. The default is the number of processors
    #[arg(long, value_name = "N", value_parser = whole_number::<NonZeroUsize>(1..))]
    jobs: Option<NonZeroUsize>,
    /// The time limit for a case. A case that reaches it is undecided and counts as failed
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    case_time: Duration,
    /// Also solve each instance with the other solvers and representations, and by trying all values if there are only
    /// a few
    #[arg(long)]
    cross_check: bool,
    /// Also list the cases that passed
    #[arg(short, long)]
    verbose: bool,
    /// Plant mistakes in each model, one at a time, and show the ones that no case notices, each with a case that would
    /// notice it
    ///
    /// A requirement is left out, a bound is shifted, an operator is exchanged, or an attribute is dropped. Mistakes
    /// that make no difference on small instances do not count.
    #[arg(long, conflicts_with_all = ["watch", "output_format"])]
    mutate: bool,
    /// With --mutate, also write the planted mistakes that no case notices as an HTML page with pictures
    #[arg(long, value_name = "FILE", value_parser = output_file, requires = "mutate")]
    html: Option<PathBuf>,
    /// With --mutate, also write the score as an SVG badge
    #[arg(long, value_name = "FILE", value_parser = output_file, requires = "mutate")]
    badge: Option<PathBuf>,
    /// With --mutate, ask for each planted mistake that no case notices if you want to add the case that would notice
    /// it
    #[arg(long, requires = "mutate")]
    add: bool,
    /// List the cases without running them: an object with file, line and name for each case, one per line
    #[arg(long, conflicts_with_all = ["mutate", "watch"])]
    list: bool,
    /// Run the cases again whenever a file changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// The format of the output: text, a JSON object per case, JUnit XML, TAP, or GitHub annotations
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: TestFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum TestFormat {
    Plain,
    Json,
    Junit,
    Tap,
    Github,
}

/// The number of cases with each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Tally {
    passed: usize,
    undecided: usize,
    failed: usize,
    broken: usize,
    /// The cases that had not run when the run ended.
    open: usize,
}

impl Tally {
    fn add(&mut self, verdict: TestVerdict) {
        *match verdict {
            TestVerdict::Passed => &mut self.passed,
            TestVerdict::Undecided => &mut self.undecided,
            TestVerdict::Failed => &mut self.failed,
            TestVerdict::Broken => &mut self.broken,
        } += 1;
    }

    fn exit(&self) -> Exit {
        match self {
            Tally { failed: 0, broken: 0, undecided: 0, open: 0, .. } => Exit::Answer,
            Tally { failed: 0, broken: 0, .. } => Exit::Limit,
            _ => Exit::UserError,
        }
    }

    fn all(&self) -> usize {
        self.passed + self.undecided + self.failed + self.broken + self.open
    }

    /// The line below the cases: "13 cases: 12 passed, 1 failed."
    fn says(&self) -> String {
        if self.passed == self.all() {
            return format!("{} passed.\n", counted(self.passed, "case"));
        }
        let others = [
            (self.failed, "failed"),
            (self.broken, if self.broken == 1 { "is broken" } else { "are broken" }),
            (self.undecided, if self.undecided == 1 { "is not decided" } else { "are not decided" }),
            (self.open, "did not run"),
        ];
        let others = others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!(", {count} {what}"));
        format!("{}: {} passed{}.\n", counted(self.all(), "case"), self.passed, others.collect::<String>())
    }
}

impl TestCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let mut changed = None;
        loop {
            let mut errors = Vec::new();
            let plan = self.plan(&mut errors);
            // The times are read before the cases run, so that a change during the run is noticed after it.
            let times = FileTimes::of(&plan);
            let exit = self.once(invocation, plan, errors, changed.as_ref())?;
            if !self.watch {
                return Some(exit);
            }
            changed = Some(times.change());
            invocation.reporting.status("A file has changed.");
        }
    }

    /// The cases; errors are for paths without any.
    fn plan(&self, errors: &mut Vec<Diagnostic>) -> TestPlan {
        let here = [PathBuf::from(".")];
        let paths = if self.paths.is_empty() { &here[..] } else { &self.paths };
        let mut plan = TestPlan::find(paths, errors);
        if let Some(only) = &self.only {
            plan.jobs.retain(|job| job.file_name(&plan.files).contains(only) || job.name.contains(only));
        }
        plan
    }

    /// Runs all cases, or those that depend on a changed file.
    fn once(
        &self,
        invocation: &mut Invocation,
        mut plan: TestPlan,
        errors: Vec<Diagnostic>,
        changed: Option<&ChangedFiles>,
    ) -> Option<Exit> {
        let has_errors = !errors.is_empty();
        invocation.report.diagnostics.extend(errors);
        invocation.report();
        if let Some(changed) = changed {
            plan.jobs.retain(|job| changed.concern(&plan.files, job));
        } else if plan.jobs.is_empty() && !has_errors {
            invocation.reporting.status("There are no test cases here.");
        }
        if self.list {
            for job in &plan.jobs {
                invocation.print(&(to_json(&formats::listed(&plan, job)) + "\n"))?;
            }
            return Some(if has_errors { Exit::UserError } else { Exit::Answer });
        }
        let at_once = self.jobs.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
        // The cases already run in parallel.
        let search = interrupt::engine_options(None).threads(NonZeroUsize::new(1));
        let options = TestOptions::default().case_time(self.case_time).cross_check(self.cross_check).search(search);
        let run = TestRun { plan: &plan, options: &options, at_once };
        if self.mutate {
            let output = MutationOutput { html: self.html.as_deref(), badge: self.badge.as_deref(), add: self.add };
            return mutate::run(&run, &output, invocation);
        }
        let mut formatter = Formatter::new(self.output_format, self.verbose, invocation.reporting.styled_output());
        let mut tally = Tally::default();
        invocation.print(&formatter.head(plan.jobs.len()))?;
        let is_whole = interrupt::during(None, || {
            run.each(|job, result| {
                tally.add(result.verdict);
                invocation.print(&formatter.case(&plan, job, result)).is_some()
            })
        });
        tally.open = plan.jobs.len() - tally.all();
        invocation.print(&formatter.tail(&tally))?;
        let exit = match (is_whole, has_errors) {
            (false, _) => Exit::Fault,
            (true, true) => Exit::UserError,
            (true, false) => Exit::Answer,
        };
        Some(exit.worse(tally.exit()))
    }
}
