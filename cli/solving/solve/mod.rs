//! `conjure-like solve`: its options, and the steps of a run.
//!
//! An option is a field of [`SolveCommand`]; [`SolveCommand::options`] passes it to the library. Wrong combinations are
//! refused in [`checks`], before anything is solved. [`run`] has the steps for one instance.

mod certificate;
mod checks;
mod emit;
mod found;
mod goals;
mod run;
mod unsatisfiable;

use super::{cubes::CubesFile, external::SolverCommand};
use crate::{
    inputs::{
        conjure::{ConjureOptions, NamedSolver},
        instances::Instances,
        invocation::Invocation,
    },
    outputs::{solutions, statistics::RunStatistics},
    runtime::{
        Exit,
        files::{output_file, solution_file},
        interrupt,
        numbers::whole_number,
    },
};
use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};
use conjure_like::{
    Code, ConfirmationEffort, Count, Cube, Decimal, Diagnostic, EngineOptions, Model, Pictures, SolveOptions,
    SolverName, StreamlinerPortfolio, SymmetryBreaking, SymmetryDetection, Text,
};
use emit::EmittedText;
use run::InstanceRun;
use std::{cell::Cell, num::NonZeroUsize, path::PathBuf};

#[derive(Args)]
#[command(args_override_self = true)]
#[command(after_help = "\
Example: conjure-like solve models/futoshiki.essence params/futoshiki-4.param

Exit code: 0 for a definite answer, even if there is no solution; 1 for a bug in conjure-like;
2 for a mistake in the command line, the files, the model or the data; 3 if a limit ended the search.")]
pub(crate) struct SolveCommand {
    #[command(flatten)]
    instances: Instances,
    /// The number of solutions to find, or `all`. The default is 1, or all if goals compete or there is a dominance
    /// relation
    #[arg(short = 'n', long, value_name = "N", allow_negative_numbers = true)]
    number_of_solutions: Option<Count>,
    /// Find all solutions
    #[arg(long, conflicts_with = "number_of_solutions")]
    all: bool,
    /// The number of solutions to find for the model, by these options.
    #[arg(skip)]
    wanted: Count,
    /// The solver. `auto` starts with z3; if the search takes longer, cadical and cp-sat join it. Any other solver
    /// works alone, and finds the same solutions in the same order each time. `brute` tries all values, for comparison
    #[arg(long, value_name = "NAME", default_value = SolverName::default().name())]
    #[arg(value_parser = NamedSolver::parser())]
    solver: NamedSolver,
    /// The command of --solver=external: any SAT solver with the output of SAT competitions. `{cnf}` stands for the
    /// file with the clauses, `{proof}` for a proof in the format DRAT or LRAT, which is checked
    #[arg(long, value_name = "COMMAND", value_parser = SolverCommand::parse)]
    solver_command: Option<SolverCommand>,
    /// Instead of solving, read the output of another solver for the text of `--emit` (by default, `--emit dimacs`)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["solver_command", "proof"])]
    read_assignment: Option<PathBuf>,
    /// The maximum number of threads for the search; the default is the number of processors
    #[arg(long, value_name = "N", value_parser = whole_number::<NonZeroUsize>(1..))]
    threads: Option<NonZeroUsize>,
    /// Symmetry breaking if the model shows that values, rows or columns can be exchanged: `on` (if one solution or the
    /// best one is wanted), `auto` (the same, but only if the default solver is used and Z3 has no answer at once) or
    /// `off`
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = detection())]
    symmetry: SymmetryDetection,
    /// Symmetry breaking for unnamed types: `none`, `fast` (some symmetric solutions may remain) or `full` (one
    /// solution of each class). Conjure's names also work, such as Quick-AllPairs-Altogether
    #[arg(long, value_name = "LEVEL", default_value = "none", value_parser = parse_unnamed_symmetry)]
    unnamed_symmetry_breaking: BrokenSymmetry,
    /// The seed of the solver; another seed changes the order of its search
    #[arg(long, value_name = "N", value_parser = whole_number::<u32>(0..))]
    seed: Option<u32>,
    /// Run the engines of the default solver one after another on one thread: the same input gives the same solutions
    /// in the same order, unless a limit ends the search
    #[arg(long)]
    repeatable: bool,
    /// Wait until a second solver confirms that there is no further or better solution. By default, the second solver
    /// gets a twenty-fifth of the search time
    #[arg(long, conflicts_with_all = ["proof", "certify"])]
    double_check: bool,
    /// Print sizes and times on standard error; as JSON if that is the output format
    #[arg(short, long)]
    statistics: bool,
    /// Print progress on standard error: the best objective so far, or the number of solutions so far
    #[arg(long)]
    pub progress: bool,
    /// If there is no solution, or no further or better one, write a proof in the format LRAT to FILE, and the clauses
    /// that it refutes to FILE.cnf. Needs --solver=cadical. `conjure-like proof check FILE` checks the proof
    #[arg(long, value_name = "FILE", value_parser = output_file)]
    proof: Option<PathBuf>,
    /// If there is no solution, or no further or better one, write a certificate into FOLDER: the model as a formula, a
    /// proof for the checker VeriPB, and their meaning in words. `conjure-like certificate check FOLDER MODEL DATA`
    /// checks it; see docs/certify.md
    #[arg(long, value_name = "FOLDER", value_parser = output_file)]
    #[arg(conflicts_with_all = ["cubes", "better_than", "proof"])]
    certify: Option<PathBuf>,
    /// Exit with 10 if there are solutions, 20 if there are none, 30 if the solution is optimal
    #[arg(long)]
    pub exit_status: bool,
    /// Print the problem for a solver instead of solving it; with -o, write it into that file
    #[arg(long, value_name = "WHAT")]
    emit: Option<EmittedText>,
    /// Choose the representation of a collection: x=explicit for the outermost collections of x, x.1.member=explicit
    /// for a part. `--emit representations` shows the representations and the paths to parts
    #[arg(long, value_name = "PATH=NAME")]
    representation: Vec<String>,
    /// Search one part of the space of solutions: a cube from a file written by `conjure-like cubes make`
    #[arg(long, value_name = "FILE", requires = "cube", conflicts_with = "proof")]
    cubes: Option<PathBuf>,
    /// The number of the cube, starting from 1
    #[arg(long, value_name = "N", requires = "cubes", value_parser = whole_number::<NonZeroUsize>(1..))]
    cube: Option<NonZeroUsize>,
    /// With an objective, search only for solutions that are better than this value; with several goals, the first one
    /// may equal it
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, conflicts_with = "proof")]
    better_than: Option<Decimal>,
    /// Start with the plan in FILE, which need not be a solution or fit the current data; if it is a solution, only
    /// better ones follow
    #[arg(long, value_name = "FILE", value_parser = solution_file, conflicts_with_all = ["proof", "cubes"])]
    start: Vec<PathBuf>,
    /// First search under each combination in FILE, written by `conjure-like streamline`, with a budget of conflicts.
    /// The search of the whole space follows, unless a solution was found and there is no objective
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "cubes", "better_than", "start", "different"])]
    #[arg(conflicts_with_all = ["emit", "read_assignment", "solver_command"])]
    streamliners: Option<PathBuf>,
    #[command(flatten)]
    goals: goals::GoalOptions,
    /// Write each solution in the shape of FILE, a JSON object in which each string is an expression or `$objective`:
    /// {"cost": "$objective", "route": "route"}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["picture", "show"])]
    shape: Option<PathBuf>,
    #[command(flatten)]
    pub output: solutions::OutputOptions,
    #[command(flatten)]
    conjure: ConjureOptions,
}

fn detection() -> impl TypedValueParser<Value = SymmetryDetection> {
    PossibleValuesParser::new(["auto", "on", "off"]).map(|word| match word.as_str() {
        "on" => SymmetryDetection::On,
        "off" => SymmetryDetection::Off,
        _ => SymmetryDetection::Auto,
    })
}

/// A newtype, because clap would treat a plain `Option` as an option that may be left out.
#[derive(Clone, Copy, Debug)]
struct BrokenSymmetry(Option<SymmetryBreaking>);

fn parse_unnamed_symmetry(text: &str) -> Result<BrokenSymmetry, &'static str> {
    Ok(BrokenSymmetry(if text == "none" { None } else { Some(text.parse()?) }))
}

/// The common parts of all instances of a run.
struct Common {
    model: Model,
    options: SolveOptions,
    /// The file of the cube to search.
    cubes: Option<CubesFile>,
    /// The combinations of streamliners to try first.
    streamliners: Option<StreamlinerPortfolio>,
    pictures: Pictures,
    /// The text of `--shape`.
    shape: Option<Text>,
    /// The statistics of the model.
    statistics: RunStatistics,
    /// True once the warnings about the model have been shown.
    warned: Cell<bool>,
}

impl SolveCommand {
    /// Runs the command: first the common part of all instances, then each instance.
    pub(crate) fn run(mut self, invocation: &mut Invocation) -> Option<Exit> {
        self.note_options_of_conjure(invocation)?;
        let cubes = invocation.accept(self.cubes.as_deref().map(CubesFile::read).transpose())?;
        let cube = invocation.accept(self.chosen_cube(cubes.as_ref()))?;
        let start = invocation.read_plan("--start", &self.start)?;
        let mut statistics = RunStatistics::start(self.statistics, self.output.format());
        let model = self.instances.read_model(invocation)?;
        // If goals compete, all solutions are wanted by default, so the model decides.
        self.wanted = self.wanted_of(&model);
        // The unit in the model determines the size of a step.
        let better_than = self.steps_of_better_than(invocation, &model)?;
        let options = self.options().cube(cube).better_than(better_than).start(start);
        statistics.lap("model", &[("declarations", model.declarations() as u64)]);
        if let Some(note) = self.note_on_branching(&model) {
            invocation.reporting.status(&format!("note: {note}"));
        }
        self.check_together(invocation, &model)?;
        let shape = match &self.shape {
            Some(file) => Some(invocation.read(file)?),
            None => None,
        };
        let streamliners = self.read_streamliners(invocation, &model)?;
        if self.emit.is_none() {
            invocation.accept(self.output.keep_model(&model.text()))?;
        }
        let pictures = match self.output.picture {
            Some(_) => invocation.accept(model.pictures())?,
            None => Pictures::default(),
        };
        let common =
            Common { model, options, cubes, streamliners, pictures, shape, statistics, warned: Cell::new(false) };
        self.instances
            .each(invocation, |invocation, data, path| InstanceRun::new(&self, &common, data, path).run(invocation))
    }

    /// The streamliners to try first. Several solutions and competing goals need the whole space.
    fn read_streamliners(&self, invocation: &mut Invocation, model: &Model) -> Option<Option<StreamlinerPortfolio>> {
        let Some(file) = &self.streamliners else { return Some(None) };
        let text = invocation.read(file)?;
        let portfolio = invocation.accept(model.read_portfolio(&text))?;
        if self.wanted() != Count::First(1) || model.has_several_goals() || model.has_dominance() {
            let note = "the streamliners are not tried: they are for one solution, or one best solution";
            invocation.reporting.status(&format!("note: {note}"));
            return Some(None);
        }
        Some(Some(portfolio))
    }

    /// Reports the options of Conjure that have another meaning here.
    fn note_options_of_conjure(&self, invocation: &mut Invocation) -> Option<()> {
        let notes = [self.solver.note(), invocation.accept(self.conjure.note())?];
        notes.iter().flatten().for_each(|note| invocation.reporting.status(&format!("note: {note}")));
        Some(())
    }

    /// The cube of `--cube`.
    fn chosen_cube(&self, cubes: Option<&CubesFile>) -> Result<Option<Cube>, Diagnostic> {
        cubes.zip(self.cube).map(|(file, number)| file.cube(number.get())).transpose()
    }

    /// The number of solutions to find for a model, by the options.
    fn wanted_of(&self, model: &Model) -> Count {
        match self.number_of_solutions {
            _ if self.all => Count::All,
            Some(number) => number,
            None if self.goals.different.is_some() => Count::First(self.goals.different.map_or(1, NonZeroUsize::get)),
            None if model.has_trade_offs() || model.has_dominance() => Count::All,
            None => Count::First(1),
        }
    }

    /// The value of `--better-than` in steps of the first goal, which is the price of the wishes if there are any.
    fn steps_of_better_than(&self, invocation: &mut Invocation, model: &Model) -> Option<Option<i64>> {
        let Some(value) = &self.better_than else { return Some(None) };
        let model = self.goals.soft(invocation, model)?.unwrap_or_else(|| model.clone());
        if (!model.has_objective() || model.has_trade_offs()) && !model.has_dominance() {
            let message = "--better-than needs a goal, or goals in order of importance";
            let error = Diagnostic::error(Code::COMMAND_LINE, message);
            return invocation.fail(error.help("state a goal in the model, such as `minimising cost`"));
        }
        invocation.accept(goals::steps_of_goal(&model, "--better-than", value)).map(Some)
    }

    pub(crate) fn wanted(&self) -> Count {
        self.wanted
    }

    /// The options for all instances, except those that are read from files.
    fn options(&self) -> SolveOptions {
        SolveOptions::default()
            .solver(self.solver.solver)
            .solutions(self.wanted())
            .unnamed_symmetry(self.unnamed_symmetry_breaking.0)
            .symmetry(self.symmetry)
            .representations(self.representation.clone())
            .search(self.engine_options())
    }

    fn engine_options(&self) -> EngineOptions {
        let options = interrupt::engine_options(self.seed).threads(self.threads);
        options.repeatable(self.repeatable).confirmation(self.confirmation())
    }

    fn confirmation(&self) -> ConfirmationEffort {
        if self.double_check { ConfirmationEffort::Full } else { ConfirmationEffort::default() }
    }

    /// The note that Conjure would find fewer solutions.
    fn note_on_branching(&self, model: &Model) -> Option<&'static str> {
        let finds_others = self.wanted() != Count::First(1) && model.has_branching();
        finds_others.then_some(
            "all solutions are found, including solutions that agree on the variables of `branching on`; Conjure finds \
             one of them",
        )
    }
}
