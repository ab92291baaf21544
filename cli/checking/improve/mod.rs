//! `conjure-like improve`: edits of a model that keep its solutions, each with the reason and the saved time.

mod measure;

use super::compare::{ComparedData, ComparedDataOptions};
use crate::{
    inputs::{conjure::NamedSolver, invocation::Invocation},
    runtime::{
        Exit,
        files::{FileKind, Pending, rewrite, shown_path, unwritable},
        interrupt,
        limits::parse_seconds,
    },
};
use clap::{Args, ValueEnum};
use conjure_like::{Basis, Code, Diagnostic, ImproveOptions, Improvement, Model, counted, to_json};
use measure::{Saving, savings};
use serde_json::{Value, json};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::{fmt::Write, path::PathBuf, time::Duration};

#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like improve models/futoshiki.essence params/futoshiki-4.param
          conjure-like improve mine.essence --no-measure --apply=1,3 -o better.essence

Exit code: 0 when the search for improvements is done; 2 for a mistake in the command line, the files, the model or the
data; 3 if a limit ended the run.")]
pub(crate) struct ImproveCommand {
    /// The model
    model: PathBuf,
    /// Parameter files, one for each instance. Small instances are generated, too
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
    #[command(flatten)]
    data: ComparedDataOptions,
    /// Leave out conjectures from solutions: implied requirements and symmetries
    #[arg(long)]
    no_conjectures: bool,
    /// Do not measure the savings of each improvement
    #[arg(long)]
    no_measure: bool,
    /// A solver to measure with, in addition to the default; can be given several times
    #[arg(long, value_name = "NAME", value_parser = NamedSolver::parser())]
    solver: Vec<NamedSolver>,
    /// The time for each search on an instance, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "2", value_parser = parse_seconds)]
    instance_time: Duration,
    /// Write improvements into the model: the ones with the given numbers or, without numbers, all
    /// that hold for all data
    #[arg(long, value_name = "N,…", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    #[arg(value_parser = numbers)]
    apply: Option<AppliedNumbers>,
    /// With --apply, write the new model into this file instead
    #[arg(short, long, value_name = "FILE", requires = "apply")]
    output: Option<PathBuf>,
    /// The format of the improvements: text for people, or an array of JSON objects
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: ImproveFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum ImproveFormat {
    Plain,
    Json,
}

/// The numbers of the improvements to apply; empty for all improvements that hold for all data.
#[derive(Clone, Debug)]
struct AppliedNumbers(Vec<usize>);

fn numbers(text: &str) -> Result<AppliedNumbers, &'static str> {
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|number| *number > 0);
    let all = text.split(',').filter(|_| !text.is_empty()).map(number);
    all.collect::<Option<Vec<_>>>().map(AppliedNumbers).ok_or("write the numbers of improvements: `--apply=1,3`")
}

/// The measurements of an improvement with each solver, if it was measured.
type Measured = Vec<Saving>;

impl ImproveCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let text = invocation.read(&self.model)?;
        let model = invocation.accept(Model::read(&text))?;
        let ComparedData { instances: given, are_made_up } = self.data.read(&self.parameters, &[&model], invocation)?;
        let mut all = given.clone();
        if !are_made_up && model.givens().next().is_some() {
            // If no data can be generated, the given data are enough.
            all.extend(self.data.made_up(&model).unwrap_or_default());
        }
        let options = ImproveOptions::default()
            .with_conjectures(!self.no_conjectures)
            .search_time(self.instance_time)
            .search(interrupt::engine_options(None));
        let found = interrupt::during(options.search.limits.deadline, || model.improvements(&all, &options));
        let found = invocation.accept(found)?;
        let measured = match self.no_measure || found.is_empty() {
            true => Vec::new(),
            false => {
                let solvers: Vec<_> = self.solver.iter().map(|solver| solver.solver).collect();
                invocation.accept(savings(&model, &found, &given, &solvers, self.instance_time))?
            }
        };
        match self.output_format {
            ImproveFormat::Plain => invocation.print(&self.plain(&model, &found, &measured, all.len()))?,
            ImproveFormat::Json => {
                let objects = found.iter().enumerate().map(|(at, found)| object(found, measured.get(at)));
                invocation.print(&(to_json(&Value::Array(objects.collect())) + "\n"))?
            }
        };
        if let Some(numbers) = &self.apply {
            self.apply(numbers, &model, &found, invocation)?;
        }
        Some(if options.search.reached().is_some() { Exit::Limit } else { Exit::Answer })
    }

    /// Writes the chosen improvements into the model.
    fn apply(
        &self,
        AppliedNumbers(numbers): &AppliedNumbers,
        model: &Model,
        found: &[Improvement],
        invocation: &mut Invocation,
    ) -> Option<()> {
        let chosen: Vec<&Improvement> = match &numbers[..] {
            // By default, only improvements that hold for all instances are applied.
            [] => {
                let certain: Vec<_> = found.iter().filter(|found| found.basis == Basis::Rule).collect();
                model.compatible_improvements(&certain)
            }
            numbers => {
                let chosen = numbers.iter().map(|number| found.get(number - 1).ok_or(number));
                match chosen.collect::<Result<Vec<_>, _>>() {
                    Ok(chosen) => chosen,
                    Err(number) => {
                        let error =
                            Diagnostic::error(Code::COMMAND_LINE, format!("there is no improvement {number} to apply"));
                        let all = counted(found.len(), "improvement");
                        return invocation.fail(error.note(format!("{all} were found, numbered from 1")));
                    }
                }
            }
        };
        if chosen.is_empty() {
            invocation.reporting.status("No improvement holds for all data, so the model stays as it is.");
            return Some(());
        }
        let text = invocation.accept(model.with_improvements(&chosen))?.text;
        let path = match &self.output {
            Some(path) => match Pending::whole(path, FileKind::Essence, &text) {
                Ok(path) => path,
                Err(error) => return invocation.fail(error),
            },
            None => match rewrite(&self.model, &text) {
                Ok(()) => self.model.clone(),
                Err(error) => return invocation.fail(unwritable(&self.model, error)),
            },
        };
        let number = counted(chosen.len(), "improvement");
        invocation.reporting.status(&format!("Wrote {number} into {}.", shown_path(&path)));
        Some(())
    }

    fn plain(&self, model: &Model, found: &[Improvement], measured: &[Measured], instances: usize) -> String {
        let instances = counted(instances, "instance");
        if found.is_empty() {
            return format!("No improvements were found on {instances}.\n");
        }
        let old = model.text().text;
        let mut text = format!("{}, on {instances}:\n", counted(found.len(), "improvement"));
        for (at, improvement) in found.iter().enumerate() {
            let (line, kind, basis) = (improvement.line, improvement.kind.word(), improvement.basis);
            let _ = write!(text, "\n{}. line {line}: {kind}, {basis}\n   {}\n", at + 1, improvement.says);
            let _ = writeln!(text, "   Why: {}.", improvement.because);
            if matches!(improvement.basis, Basis::Rule | Basis::OtherForm) {
                let compared = counted(improvement.compared, "instance");
                let _ = writeln!(text, "   Compared with the model on {compared}: the same solutions.");
            }
            for saving in measured.get(at).into_iter().flatten() {
                let _ = writeln!(text, "   {saving}");
            }
            text.push('\n');
            for (sign, line) in changed_lines(&old, &improvement.text.text) {
                let _ = writeln!(text, "    {sign} {line}");
            }
        }
        let certain = found.iter().any(|found| found.basis == Basis::Rule);
        if self.apply.is_none() {
            text += match certain {
                true => "\n--apply writes those that hold for all data into the model, --apply=1 the first.\n",
                false => "\n--apply=1 writes the first into the model.\n",
            };
        }
        text
    }
}

/// The removed and the added lines, in order; blank lines are left out.
fn changed_lines<'t>(old: &'t str, new: &'t str) -> Vec<(char, &'t str)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut changed = Vec::new();
    for edit in capture_diff_slices(Algorithm::Lcs, &old, &new) {
        if edit.tag() != DiffTag::Equal {
            changed.extend(old[edit.old_range()].iter().map(|line| ('-', *line)));
            changed.extend(new[edit.new_range()].iter().map(|line| ('+', *line)));
        }
    }
    changed.retain(|(_, line)| !line.trim().is_empty());
    changed
}

/// An improvement as data.
fn object(improvement: &Improvement, measured: Option<&Measured>) -> Value {
    json!({
        "line": improvement.line,
        "kind": improvement.kind.word(),
        "says": improvement.says,
        "because": improvement.because,
        "basis": match improvement.basis {
            Basis::Rule => "rule",
            Basis::Checked => "checked",
            Basis::OneOfEachClass => "one of each class",
            Basis::OtherForm => "another form",
        },
        "compared": improvement.compared,
        "model": improvement.text.text,
        "saves": measured.map(|measured| measured.iter().map(Saving::to_value).collect::<Vec<_>>()),
    })
}
