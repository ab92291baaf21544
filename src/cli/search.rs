//! `conjure-like search`

use super::{
    Exit,
    files::{Kind, Pending, output_file},
    instances::Instances,
    interrupt::{self, seconds},
    session::Session,
};
use clap::Args;
use conjure_like::{
    diagnostic::{Code, Diagnostic},
    instance::{Instance, Solution},
    pipeline,
    search::{self, Limits, Network, Recorder, Run, Strategy, Verdict},
    solution,
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

/// How many steps are kept for `--trace` and `--html`.
const MOST_STEPS: usize = 200_000;

/// Searches as the textbooks do, and shows how
///
/// One variable after the other gets a value. A strategy says what happens then, and is made of words joined by `+`:
/// bt (backtracking alone), fc (forward checking) or mac (arc consistency after each assignment); ac3 (arc
/// consistency before the search); mrv (fewest remaining values first), mrv-degree (among equals, the variable in most
/// constraints) or dom/wdeg; lcv (least constraining value first).
#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like search models/latin-square.essence params/latin-square-7.param --compare
          conjure-like search models/n-queens.essence -D 'letting n be 6' --strategy=fc+mrv --trace")]
pub struct Search {
    #[command(flatten)]
    instances: Instances,
    /// How to search, such as bt, fc+mrv or ac3+mac+dom/wdeg; by default fc, with the order that the model's `heuristic` asks for or
    /// mrv
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<Strategy>,
    /// Search by several strategies and print a table: the six of bt, fc, mac, ac3, mrv and ac3+fc+mrv, or those that are named, with
    /// commas between them
    #[arg(long, value_name = "STRATEGIES", num_args = 0..=1, require_equals = true, value_delimiter = ',', default_missing_values = Strategy::COMPARED, conflicts_with = "strategy")]
    compare: Option<Vec<Strategy>>,
    /// Print every step
    #[arg(long, conflicts_with = "compare")]
    trace: bool,
    /// Write a page that shows the tree and the domains at each step
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    html: Option<PathBuf>,
    /// Take `allDiff` for as many inequalities of two variables
    #[arg(long)]
    binary: bool,
    /// End the run after this many seconds; with --compare, each strategy gets an equal part of the time that is left
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    limit_time: Option<Duration>,
}

impl Search {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let end = self.limit_time.and_then(|limit| Instant::now().checked_add(limit));
        let interrupted = interrupt::catch();
        if self.html.is_some() && self.instances.are_several() {
            return session.fail(
                Diagnostic::error(Code::COMMAND_LINE, "--html shows the search in one instance only")
                    .help("name one parameter file"),
            );
        }
        let source = session.read(&self.instances.model)?;
        let model = pipeline::model(&session.sources, source, &mut session.diagnostics)?;
        self.instances.each(session, |session, data, path| {
            let instance = pipeline::instance(&model, &session.sources, data, &mut session.diagnostics)?;
            if let (Some(path), true) = (path, self.instances.are_several()) {
                session.print(&format!("{}:\n", path.display()))?;
            }
            self.search(session, &instance, end, &interrupted)
        })
    }

    /// Searches in one instance.
    fn search(
        &self,
        session: &mut Session,
        instance: &Instance,
        end: Option<Instant>,
        interrupted: &Arc<AtomicBool>,
    ) -> Option<Exit> {
        let lowered = pipeline::lower(instance, &Default::default(), &mut session.diagnostics)?;
        let network = match Network::new(instance, &lowered, self.binary) {
            Ok(network) => network,
            Err(error) => return session.fail(error),
        };
        let strategies = self.compare.clone().unwrap_or_else(|| {
            let heuristic = instance.model.heuristic.as_deref();
            vec![self.strategy.unwrap_or_else(|| Strategy::of_heuristic(heuristic))]
        });
        let steps = if self.trace || self.html.is_some() { MOST_STEPS } else { 0 };
        let mut runs = Vec::new();
        for (waiting, strategy) in (1..=strategies.len() as u32).rev().zip(strategies) {
            let now = Instant::now();
            let deadline = end.map(|end| now + end.saturating_duration_since(now) / waiting);
            let limits = Limits { deadline, interrupted: interrupted.clone() };
            let run = interrupt::during(None, || search::run(&network, strategy, &limits, Recorder::new(steps)));
            let found = run.solution.as_ref().map(|assignment| lowered.read_back(assignment));
            if let Some(solution) = &found
                && let Err(wrong) = solution::verify(instance, solution)
            {
                return session.fail(*wrong);
            }
            runs.push((strategy, run, found));
        }
        if let Some(path) = &self.html {
            let title = self.instances.model.file_stem().unwrap_or_default().to_string_lossy();
            let shown: Vec<(Strategy, &Run)> = runs.iter().map(|(strategy, run, _)| (*strategy, run)).collect();
            write(session, path, &search::page(&title, &network, &shown))?;
        }
        let stopped = runs.iter().any(|(_, run, _)| run.verdict == Verdict::Stopped);
        let exit = if stopped { Exit::Limit } else { Exit::Answer };
        let table = table(instance, &runs);
        if self.compare.is_some() {
            session.print(&table)?;
            return Some(exit);
        }
        for (_, run, found) in &runs {
            if self.trace {
                session.print(&search::transcript(&network, &run.recorder))?;
            }
            match found {
                Some(found) => {
                    let gap = if self.trace { "\n" } else { "" };
                    session.print(&format!("{gap}{}", solution::print(instance, found, 120)))?;
                }
                None if run.verdict == Verdict::Unsatisfiable => session.reporting.status("No solutions found."),
                None => session.reporting.status("The search was ended before it found a solution."),
            }
        }
        session.reporting.status(table.trim_end());
        Some(exit)
    }
}

/// What a strategy found out, and with how much work.
type Row = (Strategy, Run, Option<Solution>);

fn table(instance: &Instance, runs: &[Row]) -> String {
    let head = ["strategy", "nodes", "dead ends", "checks", "pruned", "time", "result"].map(str::to_owned);
    let first = runs.iter().find_map(|(_, run, found)| found.as_ref().filter(|_| run.verdict == Verdict::Solved));
    let rows = runs.iter().map(|(strategy, run, found)| {
        let counters = &run.counters;
        let result = match (run.verdict, found) {
            (Verdict::Stopped, _) => "stopped".to_owned(),
            (Verdict::Unsatisfiable, _) => "no solution".to_owned(),
            (Verdict::Solved, found) => match (instance.model.objective.is_some(), found.as_ref() == first) {
                (false, true) => "solution A".to_owned(),
                (false, false) => "another solution".to_owned(),
                (true, _) => "best solution".to_owned(),
            },
        };
        [
            strategy.to_string(),
            counters.nodes.to_string(),
            counters.dead_ends.to_string(),
            counters.checks.to_string(),
            counters.prunings.to_string(),
            format!("{:.3} s", run.time.as_secs_f64()),
            result,
        ]
    });
    let rows: Vec<[String; 7]> = std::iter::once(head).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..7).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 | 6 => format!("{cell:width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

fn write(session: &mut Session, path: &Path, text: &str) -> Option<()> {
    match Pending::whole(path, Kind::Markup, text) {
        Ok(_) => Some(()),
        Err(refused) => session.fail(refused),
    }
}
