//! `conjure-like puzzle`: data with exactly one solution, as hard as you want.

mod sheet;

use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, stem, unwritable},
        interrupt,
        numbers::whole_number,
    },
};
use clap::Args;
use conjure_like::{Model, Puzzle, PuzzleBand, PuzzleOptions, PuzzleSeries, Text, counted};
use std::{fs, ops::ControlFlow, path::PathBuf};

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like puzzle models/latin-square.essence -D 'letting n be 5' --number 6 --easy -o sheet.html

The data keep their values, such as the size of a board, except for the clues. Missing parameters are generated.
Each puzzle is solved again: it has one solution, and without any one of its clues it would have several.

Exit code: 0 if all puzzles were made; 2 for a mistake in the command line, the files, the model or the data, and if
some puzzle cannot be made; 3 if a limit ended the search.")]
pub(crate) struct PuzzleCommand {
    #[command(flatten)]
    instances: Instances,
    /// The parameters to choose clues for, separated by commas; by default, the ones that fix parts of the answer
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    clues: Vec<String>,
    /// Easy puzzles only: the third of the puzzles with the fewest requirements in their steps
    #[arg(long, conflicts_with_all = ["medium", "hard"])]
    easy: bool,
    /// Puzzles of medium difficulty only
    #[arg(long, conflicts_with = "hard")]
    medium: bool,
    /// Hard puzzles only
    #[arg(long)]
    hard: bool,
    /// The number of puzzles for each parameter file
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<usize>(1..=10_000))]
    number: usize,
    /// The seed: the same seed makes the same puzzles
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u32>(0..))]
    seed: u32,
    /// Make the pattern of clues symmetric under a half turn of the board
    #[arg(long)]
    symmetric: bool,
    /// Write a page that prints well: the puzzles, then their solutions
    #[arg(short = 'o', long = "sheet", value_name = "FILE", value_parser = output_file)]
    sheet: Option<PathBuf>,
    /// Write each puzzle as a parameter file into this folder instead of standard output
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl PuzzleCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let model = self.instances.read_model(invocation)?;
        let pictures = invocation.accept(model.pictures())?;
        let mut made: Vec<Puzzle> = Vec::new();
        let name = stem(&self.instances.model);
        let exit = self.instances.each(invocation, |invocation, data, _| {
            let before = made.len();
            let options = self.options();
            let series = self.series(&model, data, &options, &mut made, invocation)?;
            for (number, puzzle) in (1..).zip(&made).skip(before) {
                self.hand_on(&name, number, puzzle, invocation)?;
            }
            self.account(&series, &options, &made[before..], invocation)
        })?;
        if let Some(path) = &self.sheet
            && !made.is_empty()
        {
            let page = sheet::sheet(&sheet::title(&model, &name), &made, &pictures);
            if let Err(error) = Pending::whole(path, FileKind::Markup, &page) {
                return invocation.fail(error);
            }
        }
        Some(exit)
    }

    fn options(&self) -> PuzzleOptions {
        let band = match (self.easy, self.medium, self.hard) {
            (true, ..) => Some(PuzzleBand::Easy),
            (_, true, _) => Some(PuzzleBand::Medium),
            (.., true) => Some(PuzzleBand::Hard),
            _ => None,
        };
        PuzzleOptions::default()
            .clues(self.clues.clone())
            .symmetric(self.symmetric)
            .band(band)
            .number(self.number)
            .seed(u64::from(self.seed))
            .search(interrupt::engine_options(None))
    }

    fn series(
        &self,
        model: &Model,
        data: &[Text],
        options: &PuzzleOptions,
        made: &mut Vec<Puzzle>,
        invocation: &mut Invocation,
    ) -> Option<PuzzleSeries> {
        let deadline = options.search.limits.deadline;
        let series = interrupt::during(deadline, || {
            model.puzzles(data, options, &mut |puzzle| {
                made.push(puzzle.clone());
                ControlFlow::Continue(())
            })
        });
        invocation.accept(series)
    }

    /// Writes a puzzle as a parameter file, or prints it.
    fn hand_on(&self, name: &str, number: usize, puzzle: &Puzzle, invocation: &mut Invocation) -> Option<()> {
        let text = format!("{}{}", comment(puzzle), puzzle.data);
        let Some(folder) = &self.output else {
            if self.sheet.is_none() {
                let heading = if self.number > 1 { format!("$ Puzzle {number}\n") } else { String::new() };
                invocation.print(&format!("{heading}{text}"))?;
            }
            return Some(());
        };
        if let Err(error) = fs::create_dir_all(folder) {
            return invocation.fail(unwritable(folder, error));
        }
        let file = folder.join(format!("{name}-puzzle-{number:02}.param"));
        match Pending::whole(&file, FileKind::Essence, &text) {
            Ok(_) => Some(()),
            Err(error) => invocation.fail(error),
        }
    }

    /// Reports the puzzles and, if there are fewer than requested, the attempts.
    fn account(
        &self,
        series: &PuzzleSeries,
        options: &PuzzleOptions,
        made: &[Puzzle],
        invocation: &mut Invocation,
    ) -> Option<Exit> {
        let clues = series.clues.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let from = if clues.is_empty() { String::new() } else { format!(" with clues in {clues}") };
        let range = |of: &dyn Fn(&Puzzle) -> usize| {
            let (least, most) = (made.iter().map(of).min().unwrap_or(0), made.iter().map(of).max().unwrap_or(0));
            if least == most { least.to_string() } else { format!("{least} to {most}") }
        };
        if !made.is_empty() {
            invocation.reporting.status(&format!(
                "{}{from}: {}{} steps, up to {} in a step{}.",
                counted(made.len(), "puzzle"),
                if clues.is_empty() { String::new() } else { format!("{} clues, ", range(&|puzzle| puzzle.clues)) },
                range(&|puzzle| puzzle.difficulty.steps),
                counted(made.iter().map(|puzzle| puzzle.difficulty.requirements).max().unwrap_or(0), "requirement"),
                series.band_in_words().map(|band| format!("; {band}")).unwrap_or_default()
            ));
        }
        if made.len() < self.number
            && let Some(cause) = series.stopped.as_ref().and_then(interrupt::cause)
        {
            invocation.reporting.status(&format!("{}.", cause.ended_the_search()));
            return Some(Exit::Limit);
        }
        invocation.accept(series.failure(options).map_or(Ok(Exit::Answer), Err))
    }
}

/// The comment at the top of the data of a puzzle.
fn comment(puzzle: &Puzzle) -> String {
    format!("$ {} (seed {})\n$ solutions: 1\nlanguage Essence 1.3\n\n", sheet::difficulty(puzzle), puzzle.seed)
}
