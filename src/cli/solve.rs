//! `conjure-like solve`

use super::{
    Exit,
    command_line::typed,
    files::{self, output_file},
    found::Found,
    instances::Instances,
    interrupt,
    output::{self, SolutionOutput},
    proof::ProofFiles,
    session::Session,
    statistics::RunStatistics,
    stdout::Failure,
};
use clap::{Args, ValueEnum, builder::PossibleValuesParser};
use conjure_like::{
    Code, Count, Diagnostic, Limits, Model, Pictures, Solution, SolveOptions, SolverName, SymmetryBreaking, Text,
    visible,
};
use std::{
    ffi::OsString,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

/// Finds solutions of a model and prints them
///
/// Every parameter file is an instance of its own. Solutions go to standard output, everything else to
/// standard error.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solve models/futoshiki.essence params/futoshiki-4.param

Exit code: 0 for a definite answer, also if there is no solution; 1 for a fault of this program;
2 for a mistake in the command line, the files, the model or the data; 3 if a limit ended the search.")]
pub(super) struct Solve {
    #[command(flatten)]
    instances: Instances,
    /// How many solutions to find, or `all`
    #[arg(short = 'n', long, value_name = "N", default_value = "1")]
    number_of_solutions: Count,
    /// Find all solutions
    #[arg(short, long, conflicts_with = "number_of_solutions")]
    all: bool,
    /// What searches for solutions. `auto`: z3 begins, and where it takes longer, cadical and cp-sat join it. One solver
    /// alone finds the same solutions in the same order each time. `brute` tries all values, to compare with
    #[arg(long, value_name = "NAME", default_value = SolverName::default().name(), value_parser = solvers())]
    solver: String,
    /// Let at most N threads search at a time; by default, as many as there are processors
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Of solutions that differ only in which member of an unnamed type is which, keep all (none), exactly one (full), or
    /// one and perhaps some more (fast); Conjure's spellings such as Quick-AllPairs-Altogether are understood, too
    #[arg(long, value_name = "LEVEL", default_value = "none", value_parser = broken)]
    unnamed_symmetry_breaking: Broken,
    /// A number that changes the order in which the solver tries things
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Say on standard error how much there was to do and how long it took; as JSON if that is the output format
    #[arg(short, long)]
    statistics: bool,
    /// Say on standard error what is found while the search goes on: how good the best solution is so far, or how many there are
    #[arg(long)]
    pub progress: bool,
    /// If the solver finds that there is no (further, or better) solution, write a proof of that in the format LRAT, and
    /// what it refutes to FILE.cnf; with --solver=cadical. `conjure-like proof check FILE` checks it
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    proof: Option<PathBuf>,
    /// Exit with 10 if there are solutions, 20 if there are none, 30 for an optimal one
    #[arg(long)]
    pub exit_status: bool,
    /// Print what the solver would be given, and do not solve it
    #[arg(long, value_name = "WHAT")]
    emit: Option<Emit>,
    /// Represent a collection in another way than the chosen one: x=explicit for the outermost collections of x,
    /// x.1.member=explicit for a part. `--emit representations` shows the choice and the paths to parts
    #[arg(long, value_name = "PATH=NAME")]
    representation: Vec<String>,
    #[command(flatten)]
    pub output: output::OutputOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Emit {
    /// The finite-domain variables, terms and constraints
    Problem,
    /// How the decision variables are represented, and why
    Representations,
}

fn solvers() -> PossibleValuesParser {
    PossibleValuesParser::new(SolverName::all().map(SolverName::name))
}

/// A type of its own, for clap takes an `Option` for an option that may be left out.
#[derive(Clone, Copy, Debug)]
struct Broken(Option<SymmetryBreaking>);

fn broken(text: &str) -> Result<Broken, &'static str> {
    SymmetryBreaking::of(text).map(Broken)
}

/// The common part of all instances of a run.
struct Common {
    model: Model,
    options: SolveOptions,
    pictures: Pictures,
    /// The statistics of the model.
    statistics: RunStatistics,
}

impl Solve {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let options = self.options();
        let mut statistics = RunStatistics::start(self.statistics, self.output.output_format);
        let model = self.instances.read_model(session)?;
        statistics.lap("model", &[("declarations", model.declarations() as u64)]);
        self.check_together(session, &model)?;
        let pictures = match self.output.picture {
            Some(_) => session.accept(model.pictures())?,
            None => Pictures::default(),
        };
        let common = Common { model, options, pictures, statistics };
        self.instances.each(session, |session, data, path| self.solve_one(session, &common, data, path))
    }

    pub(super) fn wanted(&self) -> Count {
        if self.all { Count::All } else { self.number_of_solutions }
    }

    fn options(&self) -> SolveOptions {
        SolveOptions {
            solver: SolverName::of(&self.solver).unwrap_or_default(),
            solutions: self.wanted(),
            symmetry: self.unnamed_symmetry_breaking.0,
            representations: self.representation.clone(),
            limits: Limits { threads: self.threads, ..interrupt::limits(self.seed) },
        }
    }

    /// Checks combinations of flags that are each right by themselves.
    fn check_together(&self, session: &mut Session, model: &Model) -> Option<()> {
        if self.wanted() != Count::First(1) {
            session.accept(model.can_enumerate())?;
        }
        if self.exit_status && self.instances.are_several() {
            return session.fail(
                Diagnostic::error(Code::COMMAND_LINE, "--exit-status can tell of one instance only")
                    .help("run the parameter files one by one"),
            );
        }
        if let Err(error) = self.output.check(self.instances.parameters.len()) {
            return session.fail(error);
        }
        if let Some(file) = &self.proof {
            self.instances.parameters.iter().for_each(|path| files::reads(path));
            if let Err(refused) = ProofFiles::check(file) {
                return session.fail(refused);
            }
            if self.solver != "cadical" {
                return session.fail(
                    Diagnostic::error(Code::COMMAND_LINE, format!("the solver `{}` writes no proofs", self.solver))
                        .help("add --solver=cadical"),
                );
            }
            if self.instances.are_several() {
                return session.fail(
                    Diagnostic::error(Code::COMMAND_LINE, "--proof writes the proof of one instance only")
                        .help("run the parameter files one by one"),
                );
            }
        }
        let mut names: Vec<String> = self.instances.parameters.iter().map(|path| stem(path)).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1])
            && self.output.writes_files()
        {
            return session.fail(
                Diagnostic::error(Code::COMMAND_LINE, format!("two parameter files have the name `{}`", twice[0]))
                    .note("the names of solution files are made from those of the parameter files"),
            );
        }
        Some(())
    }

    /// Solves one instance.
    fn solve_one(
        &self,
        session: &mut Session,
        common: &Common,
        data: &[Text],
        parameters: Option<&Path>,
    ) -> Option<Exit> {
        let Common { model, options, pictures, statistics } = common;
        let mut statistics = statistics.clone();
        statistics.restart();
        interrupt::doing("the parameters were being read");
        let instance = session.accept(model.instance(data))?;
        session.keep(instance.warnings());
        statistics.lap("instance", &[("variables of the model", instance.finds() as u64)]);
        if let Some(Emit::Representations) = self.emit {
            let text = session.accept(instance.representations(options))?;
            return session.print(&text);
        }
        interrupt::doing("the constraints were being translated");
        let solver = if self.emit.is_some() { SolverName::default() } else { options.solver };
        let options = &SolveOptions { solver, ..options.clone() };
        let compiled = session.accept(instance.compile(options))?;
        if solver != SolverName::Brute {
            statistics.lap("lowering", &compiled.sizes());
        }
        if let Some(Emit::Problem) = self.emit {
            return session.print(&compiled.problem());
        }

        let output = match self.output(parameters) {
            Ok(output) => output,
            Err(Failure::NoReader) => return Some(Exit::Answer),
            Err(Failure::Refused(refused)) => return session.fail(refused),
        };
        let name = self.named(parameters);
        let title = parameters.map_or_else(
            || stem(&self.instances.model),
            |path| format!("{} · {}", stem(&self.instances.model), stem(path)),
        );
        let optimising = model.has_objective();
        let mut solutions = Found::new(self, optimising, output, pictures, title, session.reporting.clone(), name);
        solutions.why = self.why(parameters);
        let proof = match self.proof.as_deref().map(ProofFiles::new).transpose() {
            Ok(proof) => proof,
            Err(refused) => return session.fail(refused),
        };
        interrupt::doing("the solver was at work");
        let found = &mut |solution: &Solution| solutions.add(solution);
        let summary = interrupt::during(options.limits.deadline, || match &proof {
            Some(proof) => compiled.solve_with_proof(options, proof.writers(), found),
            None => compiled.solve(options, found),
        });
        let summary = session.accept(summary)?;
        let instance_name = parameters.unwrap_or(&self.instances.model).display().to_string();
        statistics.end(&instance_name, &self.solver, summary.statistics.as_ref(), summary.solutions);
        if let Some(proof) = proof {
            match proof.end() {
                Ok(Some(files)) => session.reporting.status(&files),
                Ok(None) => {}
                Err(refused) => return session.fail(refused),
            }
        }
        solutions.end(session, &summary)
    }

    /// The command that explains an instance without solutions.
    fn why(&self, parameters: Option<&Path>) -> String {
        let defined = self.instances.define.iter().flat_map(|text| ["-D".into(), OsString::from(text)]);
        let files = [Some(&*self.instances.model), parameters].into_iter().flatten().map(OsString::from);
        typed(["conjure-like".into(), "why".into()].into_iter().chain(files).chain(defined))
    }

    /// The prefix of the lines about an instance, if there are several.
    fn named(&self, parameters: Option<&Path>) -> String {
        let several = self.instances.are_several();
        parameters.filter(|_| several).map_or(String::new(), |path| format!("{}: ", path.display()))
    }

    /// The output for the solutions of an instance.
    fn output(&self, parameters: Option<&Path>) -> Result<SolutionOutput, Failure> {
        let base = match parameters {
            Some(path) => format!("{}-{}", stem(&self.instances.model), stem(path)),
            None => stem(&self.instances.model),
        };
        let mut output = SolutionOutput::new(&self.output, &base, self.wanted() != Count::First(1))?;
        if let Some(path) = parameters
            && self.instances.are_several()
        {
            output.instance(&visible::line(&path.display().to_string()))?;
        }
        Ok(output)
    }
}

/// A file's name without its folder and extension.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
