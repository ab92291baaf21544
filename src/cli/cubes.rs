//! `conjure-like cubes`: an instance in parts, for many machines. The files hold a line of JSON for each cube.

use super::{
    Exit,
    files::{FileKind, Pending, output_file},
    instances::Instances,
    interrupt,
    session::Session,
    solve::stem,
};
use clap::{Args, Subcommand};
use conjure_like::{
    Code, Count, CoverFault, Cube, CubeStep, Cubes, Diagnostic, Instance, Report, SolveOptions, Text, counted, to_json,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(super) struct CubesCommand {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Splits the space of solutions into parts
    #[command(after_help = "\
Example: conjure-like cubes make models/langford.essence params/langford-7.param -n 100

The parts are written to langford-7.cubes, a line for each. `conjure-like solve MODEL PARAM --cubes FILE --cube N` searches part N. A
plan of `conjure-like campaign` searches all of them.")]
    Make {
        #[command(flatten)]
        instances: Instances,
        /// The number of parts; there may be fewer, or a few more
        #[arg(short = 'n', long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
        number: u32,
        /// Make cubes for a search for all solutions: symmetric ones are in cubes, too
        #[arg(long)]
        all: bool,
        /// The file. The default is the name of the data with the ending `cubes`
        #[arg(short, long, value_name = "FILE", value_parser = output_file)]
        output: Option<PathBuf>,
    },
    /// Proves that each solution is in exactly one part
    Check {
        /// The file that `cubes make` has written
        file: PathBuf,
        #[command(flatten)]
        instances: Instances,
    },
}

impl CubesCommand {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        match self.command {
            Action::Make { instances, number, all, output } => {
                let instance = one(&instances, session)?;
                let solutions = if all { Count::All } else { Count::First(1) };
                let search = interrupt::solver_options(None);
                let options = SolveOptions { solutions, search, ..SolveOptions::default() };
                let cubes = interrupt::during(options.search.deadline, || instance.cubes(number as usize, &options));
                let cubes = session.accept(cubes)?;
                let named = instances.parameters.first().unwrap_or(&instances.model);
                let path = output.unwrap_or_else(|| PathBuf::from(stem(named) + ".cubes"));
                if let Err(refused) = Pending::whole(&path, FileKind::Json, &text(&cubes)) {
                    return session.fail(refused);
                }
                session.print(&said(&cubes, &path))
            }
            Action::Check { file, instances } => {
                let cubes = read_all(&file, session)?;
                let instance = one(&instances, session)?;
                let options = SolveOptions { search: interrupt::solver_options(None), ..SolveOptions::default() };
                let fault = interrupt::during(options.search.deadline, || instance.check_cubes(&cubes, &options));
                let why = match session.accept(fault)? {
                    None => {
                        return session.print(&proved(&cubes));
                    }
                    Some(CoverFault::Missing) => "a solution could be in none of them".to_owned(),
                    Some(CoverFault::Overlap(one, other)) => {
                        format!("a solution could be in cube {} and in cube {}", one + 1, other + 1)
                    }
                };
                session.fail(Diagnostic::error(Code::CUBES, format!("these cubes are wrong: {why}")))
            }
        }
    }
}

/// The one instance that a command is about.
fn one(instances: &Instances, session: &mut Session) -> Option<Instance> {
    if instances.are_several() {
        let error = Diagnostic::error(Code::COMMAND_LINE, "cubes are made of one instance");
        return session.fail(error.help("name one parameter file"));
    }
    let model = instances.read_model(session)?;
    let mut found = None;
    instances.each(session, |session, data, _| {
        found = Some(session.accept(model.instance(data))?);
        Some(Exit::Answer)
    })?;
    found
}

fn said(cubes: &Cubes, path: &Path) -> String {
    let largest = cubes.cubes.first().map_or(String::new(), |largest| {
        format!(" The largest is estimated to be {:.1}% of the work.", largest.share * 100.0)
    });
    let refuted = match cubes.refuted {
        0 => String::new(),
        1 => " Another part is refuted already.".to_owned(),
        refuted => format!(" Another {refuted} parts are refuted already."),
    };
    match cubes.cubes.len() {
        1 if cubes.cubes[0].steps.is_empty() => {
            format!("1 cube in `{}`: a brief search has an answer, and there is nothing to split.\n", path.display())
        }
        1 => format!("1 cube in `{}`.{refuted}\n", path.display()),
        count => format!("{count} cubes in `{}`.{largest}{refuted}\n", path.display()),
    }
}

fn proved(cubes: &[Cube]) -> String {
    let cubes_in_words = counted(cubes.len(), "cube");
    let all = if cubes.iter().any(|cube| cube.up_to_symmetry) { ", or a symmetric one," } else { "" };
    format!("Each solution{all} is in exactly one of {cubes_in_words}.\n")
}

/// A line of JSON for each cube.
fn text(cubes: &Cubes) -> String {
    let line = |(position, cube): (usize, &Cube)| {
        let steps = cube.steps.iter().map(|step| json!({"part": step.cell, "values": step.options, "says": step.says}));
        let object = json!({
            "cube": position + 1,
            "essence": cube.to_string(),
            "share": cube.share,
            "upToSymmetry": cube.up_to_symmetry,
            "steps": steps.collect::<Vec<_>>(),
        });
        to_json(&object) + "\n"
    };
    cubes.cubes.iter().enumerate().map(line).collect()
}

/// The cube of this number, from 1 on, in a file of cubes.
pub(super) fn read(file: &Path, number: usize, session: &mut Session) -> Option<Cube> {
    let text = session.read(file)?;
    let cubes = counted(text.text.lines().count(), "cube");
    let Some(line) = text.text.lines().nth(number - 1) else {
        let error = Diagnostic::error(Code::CUBES, format!("`{}` has {cubes}, and no cube {number}", text.name));
        return session.fail(error);
    };
    session.accept(parsed(line, number, &text))
}

/// The number of cubes in a file; nothing if it is none.
pub(super) fn count(text: &Text) -> Result<usize, Diagnostic> {
    text.text.lines().next().map_or(Ok(()), |first| understood(first, 1, text).map(drop))?;
    Ok(text.text.lines().count())
}

fn read_all(file: &Path, session: &mut Session) -> Option<Vec<Cube>> {
    let text = session.read(file)?;
    let cubes = text.text.lines().enumerate().map(|(position, line)| parsed(line, position + 1, &text));
    session.accept(cubes.collect())
}

fn parsed(line: &str, number: usize, text: &Text) -> Result<Cube, Report> {
    understood(line, number, text).map_err(Report::from)
}

fn understood(line: &str, number: usize, text: &Text) -> Result<Cube, Diagnostic> {
    let read = || {
        let object: Value = serde_json::from_str(line).ok()?;
        let steps = object.get("steps")?.as_array()?.iter().map(|step| {
            let word = |key: &str| Some(step.get(key)?.as_str()?.to_owned());
            let values = step.get("values")?.as_array()?.iter().map(|value| Some(value.as_str()?.to_owned()));
            Some(CubeStep { cell: word("part")?, options: values.collect::<Option<_>>()?, says: word("says")? })
        });
        let (steps, share) = (steps.collect::<Option<_>>()?, object.get("share")?.as_f64()?);
        Some(Cube { steps, share, up_to_symmetry: object.get("upToSymmetry")?.as_bool()? })
    };
    read().ok_or_else(|| {
        let error = Diagnostic::error(Code::CUBES, format!("line {number} of `{}` is not a cube", text.name));
        error.help("make cubes with `conjure-like cubes make`")
    })
}
