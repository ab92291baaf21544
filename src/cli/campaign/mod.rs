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

use super::{
    Exit,
    files::{FileKind, Pending, output_file, shown_path, stem},
    interrupt,
    numbers::whole_number,
    report::say,
    session::Session,
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
pub(super) struct CampaignCommand {
    #[command(subcommand)]
    command: CampaignAction,
}

#[derive(Subcommand)]
enum CampaignAction {
    /// Runs all tasks of a plan that have no result yet
    #[command(after_help = "\
A run that is interrupted or killed goes on where it stopped when you start it again.

Exit code: 0 if all tasks have a result; 2 for a mistake in the plan; 3 if the run was interrupted.")]
    Run {
        /// The plan, a TOML file
        plan: PathBuf,
        /// The number of runs at a time. The default is the number of processors
        #[arg(long, value_name = "N", value_parser = whole_number::<NonZeroUsize>(1..))]
        workers: Option<NonZeroUsize>,
    },
    /// Runs one task of a plan, unless it has a result; for schedulers
    Task {
        /// The plan, a TOML file
        plan: PathBuf,
        /// The number of the task, from 1 on
        #[arg(value_parser = whole_number::<NonZeroUsize>(1..))]
        number: NonZeroUsize,
    },
    /// Hands the tasks that have no result yet to a scheduler
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
    /// A line with an object for each run
    Json,
}

impl CampaignCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        match self.command {
            CampaignAction::Run { plan, workers } => run_tasks(session, &plan, workers),
            CampaignAction::Task { plan, number } => run_task(session, &plan, number.get() - 1),
            CampaignAction::Submit(submit) => submit.run(session),
            CampaignAction::Status { plan } => {
                let (plan, results) = read_plan(&plan, session)?;
                let text = session.accept(summary::status_table(&plan, &results))?;
                session.print(&visible::text(&text))
            }
            CampaignAction::Report { plan: path, output } => {
                let (plan, results) = read_plan(&path, session)?;
                let page = session.accept(report::campaign_page(&stem(&path), &plan, &results))?;
                let output = output.unwrap_or_else(|| results.folder().join("report.html"));
                session.accept(Pending::whole(&output, FileKind::Markup, &page))?;
                session.print(&format!("The report is in `{}`.\n", shown_path(&output)))
            }
            CampaignAction::Results { plan, output_format } => print_results(session, &plan, output_format),
        }
    }
}

/// Does all tasks of a plan that are not done.
fn run_tasks(session: &mut Session, plan: &Path, workers: Option<NonZeroUsize>) -> Option<Exit> {
    let (plan, results) = read_plan(plan, session)?;
    let workers = workers.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let reporting = session.reporting.clone();
    let done = session.accept(interrupt::during(None, || run::run_all_tasks(&plan, &results, workers, &reporting)))?;
    let status = session.accept(summary::status_table(&plan, &results))?;
    session.print(&visible::text(&status))?;
    if done < plan.len() {
        say("Interrupted. The same command goes on from here.");
        return Some(Exit::Limit);
    }
    Some(Exit::Answer)
}

/// Does one task of a plan, unless it is done.
fn run_task(session: &mut Session, plan: &Path, number: usize) -> Option<Exit> {
    let (plan, results) = read_plan(plan, session)?;
    if number >= plan.len() {
        let message = format!("the plan has {} tasks, and no task {}", plan.len(), number + 1);
        return session.fail(Diagnostic::error(Code::PLAN, message));
    }
    let first = plan.first_of_cubes(number);
    let done = session.accept(results.done_of(&plan, |other| plan.first_of_cubes(other) == first))?;
    if !done.tasks[number] {
        let best = done.found.best(&plan, number);
        let Some(result) = session.accept(interrupt::during(None, || run::run_one_task(&plan, number, best, drop)))?
        else {
            say("Interrupted. The task has no result.");
            return Some(Exit::Limit);
        };
        session.accept(results.write_task(number, &result))?;
    }
    Some(Exit::Answer)
}

/// Prints the results of the tasks that are done.
fn print_results(session: &mut Session, plan: &Path, format: ResultsFormat) -> Option<Exit> {
    let (plan, results) = read_plan(plan, session)?;
    if format == ResultsFormat::Csv {
        session.print(summary::HEADINGS)?;
    }
    let mut exit = Some(Exit::Answer);
    let shown = results.each(&plan, |result| {
        let line = match format {
            ResultsFormat::Csv => summary::result_as_csv(&result),
            ResultsFormat::Json => serde_json::to_string(&result).unwrap_or_default() + "\n",
        };
        exit = exit.and_then(|_| session.print(&line));
    });
    if let Some(says) = session.accept(shown)?.says(&plan) {
        session.reporting.status(&says);
    }
    exit
}

/// The plan and the place of its results.
fn read_plan(path: &Path, session: &mut Session) -> Option<(CampaignPlan, CampaignResults)> {
    let text = session.read(path)?;
    match CampaignPlan::read(path, &text) {
        Ok(plan) => Some((plan, CampaignResults::of(path))),
        Err(error) => session.fail(error),
    }
}
