//! `conjure-like search`

use crate::{
    inputs::{instances::Instances, invocation::Invocation, roles},
    runtime::{
        Exit, NAME,
        files::{FileKind, Pending, output_file, shown_path, stem},
        interrupt,
    },
};
use clap::Args;
use conjure_like::{Code, Diagnostic, Instance, SearchOptions, SearchPage, Strategy, StrategyRun, Verdict};
use std::{
    env,
    path::{Path, PathBuf},
};

#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like search models/latin-square.essence params/latin-square-7.param --compare
          conjure-like search models/n-queens.essence -D 'letting n be 6' --strategy=fc+mrv --trace")]
pub(crate) struct SearchCommand {
    #[command(flatten)]
    instances: Instances,
    /// The strategy, such as bt, fc+mrv or ac3+mac+dom/wdeg. The default is fc, with the variable order of the model's
    /// `heuristic` or else mrv
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<Strategy>,
    /// Compare strategies in a table: bt, fc, mac, ac3, mrv and ac3+fc+mrv, or the strategies that you name, separated
    /// by commas
    #[arg(long, value_name = "STRATEGIES", num_args = 0..=1, require_equals = true, value_delimiter = ',')]
    #[arg(default_missing_values = Strategy::COMPARED, conflicts_with = "strategy")]
    compare: Option<Vec<Strategy>>,
    /// Print every step
    #[arg(long, conflicts_with = "compare")]
    trace: bool,
    /// Write an HTML page that shows the search tree and the domains at each step
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    html: Option<PathBuf>,
    /// Replace each `allDiff` with an inequality for each pair of its variables
    #[arg(long)]
    binary: bool,
}

impl SearchCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        if self.html.is_some() && self.instances.are_several() {
            return invocation.fail(
                Diagnostic::error(Code::COMMAND_LINE, "--html shows the search of one instance only")
                    .help("name one parameter file"),
            );
        }
        let model = self.instances.read_model(invocation)?;
        let page = match &self.html {
            Some(_) => Some(
                SearchPage::default()
                    .title(stem(&self.instances.model))
                    .command(format!("{NAME} {}", roles::typed(env::args_os().skip(1))))
                    .pictures(invocation.accept(model.pictures())?),
            ),
            None => None,
        };
        let options = SearchOptions::default()
            .strategies(self.compare.clone().unwrap_or_else(|| self.strategy.into_iter().collect()))
            .binary(self.binary)
            .transcript(self.trace)
            .page(page)
            .search(interrupt::engine_options(None));
        self.instances.each(invocation, |invocation, data, path| {
            let instance = invocation.accept(model.instance(data))?;
            invocation.keep(instance.warnings());
            if let (Some(path), true) = (path, self.instances.are_several()) {
                invocation.print(&format!("{}:\n", shown_path(path)))?;
            }
            self.search(invocation, &instance, model.has_objective(), &options)
        })
    }

    /// Searches in one instance.
    fn search(
        &self,
        invocation: &mut Invocation,
        instance: &Instance,
        optimising: bool,
        options: &SearchOptions,
    ) -> Option<Exit> {
        let report = invocation.accept(interrupt::during(None, || instance.search(options)))?;
        if let (Some(path), Some(page)) = (&self.html, &report.page) {
            write_page(invocation, path, page)?;
        }
        let runs = &report.runs;
        let stopped = runs.iter().any(|run| run.verdict == Verdict::Stopped);
        let exit = if stopped { Exit::Limit } else { Exit::Answer };
        let table = strategies_table(runs, optimising);
        // With `--compare`, the table is the answer; otherwise, it is a message.
        if self.compare.is_some() {
            invocation.print(&table)?;
            return Some(exit);
        }
        for run in runs {
            invocation.print(&run.transcript)?;
            match &run.solution {
                Some(found) => {
                    let gap = if self.trace { "\n" } else { "" };
                    invocation.print(&format!("{gap}{found}"))?;
                }
                None if run.verdict == Verdict::Unsatisfiable => invocation.reporting.status("No solutions found."),
                None => invocation.reporting.status("The search was ended before it found a solution."),
            }
        }
        invocation.reporting.status(table.trim_end());
        Some(exit)
    }
}

/// The table of the strategies, their work and their results.
fn strategies_table(runs: &[StrategyRun], optimising: bool) -> String {
    let head = ["strategy", "nodes", "dead ends", "checks", "pruned", "time", "result"].map(str::to_owned);
    // Strategies that find the same solution have the same letter.
    let first = runs.iter().find(|run| run.verdict == Verdict::Solved).and_then(|run| run.solution.as_ref());
    let rows = runs.iter().map(|run| {
        let counters = &run.counters;
        let result = match run.verdict {
            Verdict::Stopped => "stopped",
            Verdict::Unsatisfiable => "no solution",
            Verdict::Solved if optimising => "best solution",
            Verdict::Solved if run.solution.as_ref() == first => "solution A",
            Verdict::Solved => "another solution",
        };
        [
            run.strategy.to_string(),
            counters.nodes.to_string(),
            counters.dead_ends.to_string(),
            counters.checks.to_string(),
            counters.prunings.to_string(),
            format!("{:.3} s", run.time.as_secs_f64()),
            result.to_owned(),
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

fn write_page(invocation: &mut Invocation, path: &Path, text: &str) -> Option<()> {
    match Pending::whole(path, FileKind::Markup, text) {
        Ok(_) => Some(()),
        Err(refused) => invocation.fail(refused),
    }
}
