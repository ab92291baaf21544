//! `conjure-like cubes`: splits an instance into parts for many machines.

mod file;

use crate::{
    inputs::{instances::Instances, invocation::Invocation},
    runtime::{
        Exit,
        files::{FileKind, Pending, output_file, shown_path, stem},
        interrupt,
        numbers::whole_number,
    },
};
use clap::{Args, Subcommand};
use conjure_like::{
    Code, Count, CoverFault, Cube, Cubes, Diagnostic, Instance, Model, Report, SolveOptions, StopReason, Text,
};
pub(crate) use file::CubesFile;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub(crate) struct CubesCommand {
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Splits the space of solutions into parts
    #[command(after_help = "\
Example: conjure-like cubes make models/langford.essence params/langford-7.param -n 100

The parts are written to langford-7.cubes, a line for each. `conjure-like solve MODEL PARAM --cubes FILE --cube N`
searches part N. A plan of `conjure-like campaign` searches all of them.")]
    Make {
        #[command(flatten)]
        instances: Instances,
        /// The number of parts; there may be fewer, or a few more
        #[arg(short = 'n', long, value_name = "N", default_value = "100")]
        #[arg(value_parser = whole_number::<u32>(1..=1_000_000))]
        number: u32,
        /// Make cubes for a search for all solutions, including symmetric ones
        #[arg(long)]
        all: bool,
        /// The file. The default is the name of the data with the extension `cubes`
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
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        match self.command {
            Action::Make { instances, number, all, output } => {
                let (model, data, instance) = one_instance(&instances, invocation)?;
                // If one solution is enough, the cubes may leave out symmetric ones.
                let solutions = if all { Count::All } else { Count::First(1) };
                let search = interrupt::engine_options(None);
                let options = SolveOptions::default().solutions(solutions).search(search);
                let cubes =
                    interrupt::during(options.search.limits.deadline, || instance.cubes(number as usize, &options));
                let cubes = match invocation.accept(cubes)? {
                    Ok(cubes) => cubes,
                    Err(status) => return end_at_limit(&status, "no cubes are made", invocation),
                };
                let named = instances.files().next().unwrap_or(&instances.model);
                let path = output.unwrap_or_else(|| PathBuf::from(stem(named) + ".cubes"));
                if let Err(refused) =
                    Pending::whole(&path, FileKind::Json, &file::cubes_text(&cubes, &model.text(), &data))
                {
                    return invocation.fail(refused);
                }
                invocation.print(&cubes_written(&cubes, number, &path))
            }
            Action::Check { file, instances } => {
                let file = CubesFile::read(&file).map_err(Report::from);
                let file = invocation.accept(file)?;
                let cubes = invocation.accept(file.cubes())?;
                let (model, data, instance) = one_instance(&instances, invocation)?;
                if let Err(other) = file.must_be_of(&model.text(), &data) {
                    return invocation.fail(other);
                }
                let options = SolveOptions::default().search(interrupt::engine_options(None));
                let fault =
                    interrupt::during(options.search.limits.deadline, || instance.check_cubes(&cubes, &options));
                let fault = match invocation.accept(fault)? {
                    Ok(fault) => fault,
                    Err(status) => return end_at_limit(&status, "nothing is proved", invocation),
                };
                let why = match fault {
                    None => {
                        return invocation.print(&proved(&cubes));
                    }
                    Some(CoverFault::Missing) => "a solution could be in none of them".to_owned(),
                    Some(CoverFault::Overlap(one, other)) => {
                        format!("a solution could be in cube {} and in cube {}", one + 1, other + 1)
                    }
                };
                invocation.fail(Diagnostic::error(Code::CUBES, format!("these cubes are wrong: {why}")))
            }
        }
    }
}

/// The single instance of a command, with its model and its data.
fn one_instance(instances: &Instances, invocation: &mut Invocation) -> Option<(Model, Vec<Text>, Instance)> {
    if instances.are_several() {
        let error = Diagnostic::error(Code::COMMAND_LINE, "cubes are made of one instance");
        return invocation.fail(error.help("name one parameter file"));
    }
    let model = instances.read_model(invocation)?;
    let mut found = None;
    instances.each(invocation, |invocation, data, _| {
        found = Some((data.to_vec(), invocation.accept(model.instance(data))?));
        Some(Exit::Answer)
    })?;
    let (data, instance) = found?;
    Some((model, data, instance))
}

/// Reports that a limit has ended the work.
fn end_at_limit(status: &StopReason, so_far: &str, invocation: &Invocation) -> Option<Exit> {
    let why = interrupt::cause(status).unwrap_or(interrupt::Cause::Time).ended_the_search();
    invocation.reporting.status(&format!("{why}; {so_far}."));
    Some(Exit::Limit)
}

fn cubes_written(cubes: &Cubes, number: u32, path: &Path) -> String {
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
            let why = match (cubes.refuted, number) {
                (0, 1) => "the whole instance",
                (0, _) => {
                    "there is nothing to split, because propagation leaves one value for each part of the variables"
                }
                _ => "there is nothing to split, because the instance has no solution",
            };
            format!("1 cube in `{}`: {why}.\n", shown_path(path))
        }
        1 => format!("1 cube in `{}`.{refuted}\n", shown_path(path)),
        count => format!("{count} cubes in `{}`.{largest}{refuted}\n", shown_path(path)),
    }
}

fn proved(cubes: &[Cube]) -> String {
    let all = if cubes.iter().any(|cube| cube.up_to_symmetry) { ", or a symmetric one," } else { "" };
    match cubes.len() {
        1 => format!("Each solution{all} is in the cube.\n"),
        _ => format!("Each solution{all} is in exactly one of {} cubes.\n", cubes.len()),
    }
}
