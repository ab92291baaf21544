//! `conjure-like campaign`: many runs, planned in a file.

mod cubes;
mod inputs;
mod out_of_date;
mod plan;
mod progress;
mod report;
mod results;
mod run;
mod submit;
mod summary;

use crate::{
    inputs::invocation::Invocation,
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, shown_path, stem},
        interrupt,
        numbers::whole_number,
        report::say,
    },
};
use clap::{Args, Subcommand, ValueEnum};
use conjure_like::{Code, Diagnostic, visible};
use plan::CampaignPlan;
use results::CampaignResults;
use std::{
    num::NonZeroUsize,
    path::{Path, PathBuf},
    thread,
};

#[derive(Args)]
pub(crate) struct CampaignCommand {
    #[command(subcommand)]
    command: CampaignAction,
}

#[derive(Subcommand)]
enum CampaignAction {
    /// Runs all tasks of a plan that have no result yet
    #[command(after_help = "\
A run that was interrupted or killed continues where it stopped when you start it again.

Exit code: 0 if all tasks have a result; 2 for a mistake in the plan; 3 if the run was interrupted.")]
    Run {
        /// The plan, a TOML file
        plan: PathBuf,
        /// The number of parallel runs. The default is the number of processors
        #[arg(long, value_name = "N", value_parser = whole_number::<NonZeroUsize>(1..))]
        workers: Option<NonZeroUsize>,
    },
    /// Runs one task of a plan, unless it has a result; for schedulers
    Task {
        /// The plan, a TOML file
        plan: PathBuf,
        /// The number of the task, starting from 1
        #[arg(value_parser = whole_number::<NonZeroUsize>(1..))]
        number: NonZeroUsize,
    },
    /// Submits the tasks without a result to a scheduler
    Submit(submit::SubmitCommand),
    /// Shows how many tasks have a result, and which
    Status {
        /// The plan, a TOML file
        plan: PathBuf,
    },
    /// Writes a page about the results: plots of times, tables, contradictions
    Report {
        /// The plan, a TOML file
        plan: PathBuf,
        /// The page, an HTML file. The default is `report.html` in the folder of the results
        #[arg(short, long, value_name = "FILE", value_parser = output_file)]
        output: Option<PathBuf>,
    },
    /// Prints the results
    Results {
        /// The plan, a TOML file
        plan: PathBuf,
        /// The format of the results
        #[arg(long, value_name = "FORMAT", default_value = "csv")]
        output_format: ResultsFormat,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ResultsFormat {
    Csv,
    /// A line with a JSON object for each run
    Json,
}

impl CampaignCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        match self.command {
            CampaignAction::Run { plan, workers } => run_tasks(invocation, &plan, workers),
            CampaignAction::Task { plan, number } => run_task(invocation, &plan, number.get() - 1),
            CampaignAction::Submit(submit) => submit.run(invocation),
            CampaignAction::Status { plan } => {
                let (plan, results) = read_plan(&plan, invocation)?;
                let text = invocation.accept(summary::status_table(&plan, &results))?;
                invocation.print(&visible::text(&text))
            }
            CampaignAction::Report { plan: path, output } => {
                let (plan, results) = read_plan(&path, invocation)?;
                let page = invocation.accept(report::campaign_page(&stem(&path), &plan, &results))?;
                let output = output.unwrap_or_else(|| results.folder().join("report.html"));
                invocation.accept(Pending::whole(&output, FileKind::Markup, &page))?;
                invocation.print(&format!("The report is in `{}`.\n", shown_path(&output)))
            }
            CampaignAction::Results { plan, output_format } => print_results(invocation, &plan, output_format),
        }
    }
}

/// Runs all tasks of a plan that have no result.
fn run_tasks(invocation: &mut Invocation, plan: &Path, workers: Option<NonZeroUsize>) -> Option<Exit> {
    let (plan, results) = read_plan(plan, invocation)?;
    let workers = workers.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let reporting = invocation.reporting.clone();
    let done =
        invocation.accept(interrupt::during(None, || run::run_all_tasks(&plan, &results, workers, &reporting)))?;
    let status = invocation.accept(summary::status_table(&plan, &results))?;
    invocation.print(&visible::text(&status))?;
    if done < plan.len() {
        say("Interrupted. The same command continues from here.");
        return Some(Exit::Limit);
    }
    Some(Exit::Answer)
}

/// Runs one task of a plan, unless it has a result.
fn run_task(invocation: &mut Invocation, plan: &Path, number: usize) -> Option<Exit> {
    let (plan, results) = read_plan(plan, invocation)?;
    // On the command line, numbers count from 1.
    if number >= plan.len() {
        let message = format!("there is no task {}: the plan has {} tasks", number + 1, plan.len());
        return invocation.fail(Diagnostic::error(Code::PLAN, message));
    }
    // A solution in another cube of the instance settles the task; no other result does.
    let first = plan.first_of_cubes(number);
    let done = invocation.accept(results.done_of(&plan, |other| plan.first_of_cubes(other) == first))?;
    // Schedulers may start a task twice, so an existing result is kept.
    if !done.tasks[number] {
        let best = done.found.best(&plan, number);
        let Some(result) =
            invocation.accept(interrupt::during(None, || run::run_one_task(&plan, number, best, drop)))?
        else {
            say("Interrupted. The task has no result.");
            return Some(Exit::Limit);
        };
        invocation.accept(results.write_task(number, &result))?;
    }
    Some(Exit::Answer)
}

/// Prints the results of the finished tasks.
fn print_results(invocation: &mut Invocation, plan: &Path, format: ResultsFormat) -> Option<Exit> {
    let (plan, results) = read_plan(plan, invocation)?;
    if format == ResultsFormat::Csv {
        invocation.print(summary::HEADINGS)?;
    }
    // There may be a million results, so they are printed one by one.
    let mut exit = Some(Exit::Answer);
    let shown = results.each(&plan, |result| {
        let line = match format {
            ResultsFormat::Csv => summary::result_as_csv(&result),
            ResultsFormat::Json => serde_json::to_string(&result).unwrap_or_default() + "\n",
        };
        // If a write fails, the other results are not printed.
        exit = exit.and_then(|_| invocation.print(&line));
    });
    if let Some(says) = invocation.accept(shown)?.says(&plan) {
        invocation.reporting.status(&says);
    }
    exit
}

/// Reads the plan and locates its results.
fn read_plan(path: &Path, invocation: &mut Invocation) -> Option<(CampaignPlan, CampaignResults)> {
    let text = invocation.read(path)?;
    match CampaignPlan::read(path, &text) {
        Ok(plan) => Some((plan, CampaignResults::of(path))),
        Err(error) => invocation.fail(error),
    }
}
