//! `conjure-like instances`: data of a wanted difficulty, similar to examples.
//!
//! A search over sizes and densities ([`arms`]) makes data, each of which is solved in a separate process ([`worker`]).
//! Data with the wanted difficulty are kept; every attempt is a line in a file ([`attempts`]), from which a later run
//! continues.

mod arms;
mod attempts;
mod instance_search;
pub(crate) mod worker;

use crate::{
    inputs::{digest::Digest, instances::files_among, invocation::Invocation},
    runtime::{
        Exit,
        files::{stem, unwritable},
        interrupt,
        limits::parse_seconds,
        numbers::whole_number,
    },
};
use attempts::Attempts;
use clap::{Args, ValueEnum};
use conjure_like::{Code, Diagnostic, Model, ParameterManner, SolverName, Text, counted};
use instance_search::{InstanceSearch, WantedInstances};
use std::{fs, num::NonZeroUsize, path::PathBuf, time::Duration};

#[derive(Args)]
#[command(after_help = "\
Examples: conjure-like instances models/knapsack.essence params/knapsack-5.param --number 20 --output new
          conjure-like instances models/bibd.essence --number 10 --output new --graded --seconds 1..30

Each attempt makes data that fit the domains and each `where`. Their sizes and densities are as in the examples. One
thread solves them. The folder gets a parameter file for each instance that is kept, and attempts.jsonl, from
which the same command continues after it was stopped.

Exit code: 0 if all instances were made; 2 for a mistake in the command line, the files, the model or the data, and if
too few instances meet the conditions; 3 if a limit ended the search.")]
pub(crate) struct InstancesCommand {
    /// The model
    model: PathBuf,
    /// Example parameter files: the new ones have similar sizes, ranges of numbers and densities
    #[arg(value_name = "EXAMPLE")]
    parameters: Vec<PathBuf>,
    /// The number of instances to make
    #[arg(long, value_name = "N", default_value = "10", value_parser = whole_number::<usize>(1..=100_000))]
    number: usize,
    /// The folder for the parameter files; a run that was stopped continues there
    #[arg(long, value_name = "FOLDER")]
    output: PathBuf,
    /// Instances with or without a solution
    #[arg(long, value_name = "ANSWER", default_value = "any")]
    solution: WantedAnswer,
    /// The processor time for an answer in seconds: the limit TO, or with --graded the range FROM..TO
    #[arg(long, value_name = "SECONDS", default_value = "1..30", value_parser = range_of_seconds)]
    seconds: SecondsRange,
    /// Keep only instances that are answered within the range of --seconds; with an objective, this includes the proof
    /// that nothing is better
    #[arg(long)]
    graded: bool,
    /// Keep only instances that the first solver answers at least five times as fast as the second one
    #[arg(long, value_name = "SOLVER,SOLVER", value_delimiter = ',', num_args = 1, value_parser = solver_name)]
    #[arg(conflicts_with = "solver")]
    discriminate: Vec<SolverName>,
    /// The solver
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = solver_name)]
    solver: SolverName,
    /// The seed of the search
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<u32>(0..))]
    seed: u32,
    /// The number of instances to solve at a time. More than the number of processors makes times unreliable
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number::<NonZeroUsize>(1..=1_000))]
    jobs: NonZeroUsize,
    /// The memory limit of each solving process, in megabytes
    #[arg(long, value_name = "MB", default_value = "2000", value_parser = whole_number::<u64>(1..))]
    memory: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WantedAnswer {
    Yes,
    No,
    Any,
}

#[derive(Clone, Copy, Debug)]
struct SecondsRange {
    least: Duration,
    most: Duration,
}

fn range_of_seconds(text: &str) -> Result<SecondsRange, String> {
    let seconds = |text: &str| parse_seconds(text).map_err(str::to_owned);
    let (least, most) = match text.split_once("..") {
        Some((least, most)) => (seconds(least)?, seconds(most)?),
        None => (Duration::ZERO, seconds(text)?),
    };
    // With an empty range, no instance would be kept.
    if least < most { Ok(SecondsRange { least, most }) } else { Err("two times, the shorter one first".to_owned()) }
}

fn solver_name(text: &str) -> Result<SolverName, String> {
    let names = || SolverName::all().map(|solver| solver.name()).collect::<Vec<_>>().join(", ");
    SolverName::all().find(|solver| solver.name() == text).ok_or_else(|| format!("one of {}", names()))
}

impl InstancesCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let text = invocation.read(&self.model)?;
        let model = invocation.accept(Model::read(&text))?;
        if model.givens().next().is_none() {
            let error =
                Diagnostic::error(Code::COMMAND_LINE, "the model has no parameters, so it is its only instance");
            return invocation.fail(error.help("give it a parameter, such as `given n : int(1..)`"));
        }
        // If the option is missing, the list is empty.
        if !matches!(self.discriminate.len(), 0 | 2) {
            let error = Diagnostic::error(Code::COMMAND_LINE, "--discriminate takes two solvers");
            return invocation.fail(error.help("write the faster one first: `--discriminate cadical,z3`"));
        }
        let mut examples = Vec::new();
        for path in files_among(&self.parameters) {
            examples.extend(invocation.read(path)?.instances().map(|text| vec![text]));
        }
        let manner = invocation.accept(model.manner(&examples))?;
        for line in described(&manner, examples.len()) {
            invocation.reporting.status(&line);
        }
        if let Err(error) = fs::create_dir_all(&self.output) {
            return invocation.fail(unwritable(&self.output, error));
        }
        let attempts = match Attempts::open(&self.output, &self.subject(&text, &examples)) {
            Ok(attempts) => attempts,
            Err(error) => return invocation.fail(error),
        };
        if attempts.kept() > 0 {
            let kept = counted(attempts.kept(), "instance");
            invocation.reporting.status(&format!("Continues with {kept} of an earlier run."));
        }
        let search = InstanceSearch::new(&model, &manner, self.wanted(&model), attempts);
        invocation.accept(interrupt::during(None, || search.run(self.jobs.get())))?;
        self.account(&search, invocation)
    }

    /// The texts and options that the attempts in a folder belong to. Attempts for other ones cannot be continued.
    fn subject(&self, model: &Text, examples: &[Vec<Text>]) -> String {
        let texts = [model.text.as_str()].into_iter().chain(examples.iter().flatten().map(|text| text.text.as_str()));
        let wishes = format!(
            "{:?} {:?} {} {:?} {} {}",
            self.solution,
            self.seconds,
            self.graded,
            self.discriminate,
            self.solver.name(),
            self.seed
        );
        Digest::of(texts.chain([wishes.as_str()])).to_string()
    }

    fn wanted(&self, model: &Model) -> WantedInstances {
        WantedInstances {
            number: self.number,
            folder: self.output.clone(),
            name: stem(&self.model),
            solution: match self.solution {
                WantedAnswer::Yes => Some(true),
                WantedAnswer::No => Some(false),
                WantedAnswer::Any => None,
            },
            graded: self.graded.then_some(self.seconds.least),
            most: self.seconds.most,
            solvers: if self.discriminate.is_empty() { vec![self.solver] } else { self.discriminate.clone() },
            seed: u64::from(self.seed),
            memory: self.memory,
            is_optimising: model.has_objective(),
        }
    }

    /// Reports the instances and, if there are fewer than requested, the attempts.
    fn account(&self, search: &InstanceSearch, invocation: &mut Invocation) -> Option<Exit> {
        let kept = search.attempts().kept();
        for line in search.attempts().table() {
            invocation.reporting.status(&line);
        }
        invocation.reporting.status(&format!(
            "{} in `{}`, of {}.",
            counted(kept, "instance"),
            self.output.display(),
            counted(search.attempts().len(), "attempt")
        ));
        if kept >= self.number {
            return Some(Exit::Answer);
        }
        if interrupt::stopping() {
            invocation.reporting.status("The search was stopped; the same command continues it.");
            return Some(Exit::Limit);
        }
        let message = match kept {
            0 => "no instance meets the conditions".to_owned(),
            some => format!("only {some} of {} meet the conditions", counted(self.number, "instance")),
        };
        let error = Diagnostic::error(Code::COMMAND_LINE, message).note(search.attempts().tried());
        invocation
            .fail(error.help("give examples of about the wanted size, another time (`--seconds`), or another seed"))
    }
}

/// The properties that were learnt from the examples, a line for each parameter.
fn described(manner: &[ParameterManner], examples: usize) -> Vec<String> {
    if examples == 0 {
        return vec!["Without examples, sizes start small.".to_owned()];
    }
    let describe = |parameter: &ParameterManner| {
        let mut parts = Vec::new();
        let range = |least: String, most: String| if least == most { least } else { format!("{least} to {most}") };
        parts.extend(
            parameter.members.map(|(least, most)| format!("{} members", range(least.to_string(), most.to_string()))),
        );
        parts.extend(parameter.numbers.map(|(least, most)| {
            let numbers = range(least.to_string(), most.to_string());
            if parameter.is_integer { numbers } else { format!("numbers {numbers}") }
        }));
        parts.extend(parameter.density.map(|density| format!("density {density:.2}")));
        format!("  {}: {}", parameter.name, if parts.is_empty() { "any value".to_owned() } else { parts.join(", ") })
    };
    let heading = format!("In {}:", counted(examples, "example"));
    [heading].into_iter().chain(manner.iter().map(describe)).collect()
}
