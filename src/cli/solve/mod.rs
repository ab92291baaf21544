//! `conjure-like solve`

mod certificate;
mod found;
mod goals;

use super::{
    Exit,
    conjure::{ConjureOptions, NamedSolver},
    cubes::CubesFile,
    external::SolverCommand,
    files::{self, FileKind, Pending, output_file, shown, solution_file, stem},
    instances::Instances,
    interrupt,
    numbers::whole,
    output::{self, FileNames, SolutionOutput},
    proof::ProofFiles,
    records::Run,
    roles::typed,
    session::Session,
    statistics::RunStatistics,
    stdout::Failure,
};
use certificate::CertificateFiles;
use clap::{
    Args, ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use conjure_like::{
    Code, Compiled, ConfirmationEffort, Count, Decimal, Diagnostic, EngineOptions, ExamineOptions, ExportFormat,
    Instance, Model, Pictures, Report, Solution, SolveOptions, SolverName, SymmetryBreaking, SymmetryDetection, Text,
    nearest,
};
use found::SolutionWriter;
use goals::EarlierPlan;
use std::{
    cell::Cell,
    ffi::OsString,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    time::Instant,
};

#[derive(Args)]
#[command(args_override_self = true)]
#[command(after_help = "\
Example: conjure-like solve models/futoshiki.essence params/futoshiki-4.param

Exit code: 0 for a definite answer, also if there is no solution; 1 for a bug in conjure-like;
2 for a mistake in the command line, the files, the model or the data; 3 if a limit ended the search.")]
pub(super) struct SolveCommand {
    #[command(flatten)]
    instances: Instances,
    /// How many solutions to find, or `all`; by default 1, and all of them where goals compete or a dominance
    /// relation chooses
    #[arg(short = 'n', long, value_name = "N")]
    number_of_solutions: Option<Count>,
    /// Find all solutions
    #[arg(long, conflicts_with = "number_of_solutions")]
    all: bool,
    /// The number of solutions that these options mean for the model.
    #[arg(skip)]
    wanted: Count,
    /// The solver. `auto`: z3 begins; if the search takes longer, cadical and cp-sat join it. Any other solver works
    /// alone, and finds the same solutions in the same order each time. `brute` tries all values, for comparison
    #[arg(long, value_name = "NAME", default_value = SolverName::default().name())]
    #[arg(value_parser = NamedSolver::parser())]
    solver: NamedSolver,
    /// The command of --solver=external: any SAT solver with the output of SAT competitions. `{cnf}` stands for the
    /// file with the clauses, `{proof}` for a proof in the format DRAT or LRAT, which is checked
    #[arg(long, value_name = "COMMAND", value_parser = SolverCommand::parse)]
    solver_command: Option<SolverCommand>,
    /// Instead of solving, read what another solver has printed about the text of `--emit` (`--emit dimacs`, unless
    /// you name another)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["solver_command", "proof"])]
    read_assignment: Option<PathBuf>,
    /// The largest number of threads of the search; by default, the number of processors
    #[arg(long, value_name = "N", value_parser = whole::<NonZeroUsize>(1..))]
    threads: Option<NonZeroUsize>,
    /// Symmetry breaking where the model shows that values, rows or columns can be exchanged: `on`, if one solution or
    /// the best one is wanted; `auto`, only with the default solver, where Z3 has no answer at once; or `off`
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = detection())]
    symmetry: SymmetryDetection,
    /// Symmetry breaking for unnamed types: `none`, `fast` (some symmetric solutions may remain) or `full` (one
    /// solution of each class). Conjure's names, such as Quick-AllPairs-Altogether, work, too
    #[arg(long, value_name = "LEVEL", default_value = "none", value_parser = broken)]
    unnamed_symmetry_breaking: BrokenSymmetry,
    /// The seed of the solver: another number changes the order of its search
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..))]
    seed: Option<u32>,
    /// Wait until a second solver confirms that no solution is left, or none that is better. Without this option, a
    /// second solver is asked for a twenty-fifth of the time of the search
    #[arg(long, conflicts_with_all = ["proof", "certify", "emit", "read_assignment", "solver_command"])]
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
    /// If there is no solution, no better or no other one, write a certificate into FOLDER: the model as a formula, a
    /// proof for the checker VeriPB, and what they mean in words. docs/certify.md says more
    #[arg(long, value_name = "FOLDER", value_parser = output_file)]
    #[arg(conflicts_with_all = ["cubes", "better_than", "proof"])]
    certify: Option<PathBuf>,
    /// Exit with 10 if there are solutions, 20 if there are none, 30 if the solution is optimal
    #[arg(long)]
    pub exit_status: bool,
    /// Print what a solver would get, and do not solve; with -o, write it into that file
    #[arg(long, value_name = "WHAT")]
    emit: Option<EmittedText>,
    /// Choose the representation of a collection: x=explicit for the outermost collections of x, x.1.member=explicit
    /// for a part. `--emit representations` shows the representations and the paths to parts
    #[arg(long, value_name = "PATH=NAME")]
    representation: Vec<String>,
    /// Search one part of the space of solutions: a cube of a file that `conjure-like cubes make` has written
    #[arg(long, value_name = "FILE", requires = "cube", conflicts_with = "proof")]
    cubes: Option<PathBuf>,
    /// The number of the cube, from 1 on
    #[arg(long, value_name = "N", requires = "cubes", value_parser = whole::<NonZeroUsize>(1..))]
    cube: Option<NonZeroUsize>,
    /// With an objective, search only for solutions that are better than this value
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true, conflicts_with = "proof")]
    better_than: Option<Decimal>,
    /// Begin with the plan in FILE, which need not be a solution, nor fit the data any longer; if it is a solution,
    /// only better ones follow
    #[arg(long, value_name = "FILE", value_parser = solution_file, conflicts_with_all = ["proof", "cubes"])]
    start: Option<PathBuf>,
    #[command(flatten)]
    goals: goals::GoalOptions,
    #[command(flatten)]
    pub output: output::OutputOptions,
    #[command(flatten)]
    conjure: ConjureOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum EmittedText {
    /// The finite-domain variables, terms and constraints
    Problem,
    /// How the decision variables are represented, and why
    Representations,
    /// For SAT solvers: clauses, in the format DIMACS, without the objective
    Dimacs,
    /// For MaxSAT solvers: clauses, in the format WCNF, with the objective
    Wcnf,
    /// For pseudo-Boolean solvers: sums of literals, in the format OPB
    Opb,
    /// For SMT solvers: terms, in the format SMT-LIB 2
    SmtLib,
    /// For constraint solvers: FlatZinc
    Flatzinc,
}

impl EmittedText {
    fn kind(self) -> FileKind {
        match self {
            EmittedText::Problem | EmittedText::Representations => FileKind::Essence,
            EmittedText::Dimacs | EmittedText::Wcnf => FileKind::Dimacs,
            EmittedText::Opb => FileKind::Opb,
            EmittedText::SmtLib => FileKind::SmtLib,
            EmittedText::Flatzinc => FileKind::FlatZinc,
        }
    }

    /// The format of a text whose answer can be read.
    fn format(self) -> Option<ExportFormat> {
        match self {
            EmittedText::Problem | EmittedText::Representations => None,
            EmittedText::Dimacs => Some(ExportFormat::Dimacs),
            EmittedText::Wcnf => Some(ExportFormat::Wcnf),
            EmittedText::Opb => Some(ExportFormat::Opb),
            EmittedText::SmtLib => Some(ExportFormat::SmtLib),
            EmittedText::Flatzinc => Some(ExportFormat::FlatZinc),
        }
    }
}

fn detection() -> impl TypedValueParser<Value = SymmetryDetection> {
    PossibleValuesParser::new(["auto", "on", "off"]).map(|word| match word.as_str() {
        "on" => SymmetryDetection::On,
        "off" => SymmetryDetection::Off,
        _ => SymmetryDetection::Auto,
    })
}

/// A type of its own, for clap takes an `Option` for an option that may be left out.
#[derive(Clone, Copy, Debug)]
struct BrokenSymmetry(Option<SymmetryBreaking>);

fn broken(text: &str) -> Result<BrokenSymmetry, &'static str> {
    Ok(BrokenSymmetry(if text == "none" { None } else { Some(text.parse()?) }))
}

/// The common part of all instances of a run.
struct Common {
    model: Model,
    options: SolveOptions,
    /// The file of the cube that is to be searched.
    cubes: Option<CubesFile>,
    pictures: Pictures,
    /// The statistics of the model.
    statistics: RunStatistics,
    /// Whether the warnings about the model have been told.
    warned: Cell<bool>,
}

impl SolveCommand {
    pub(super) fn run(mut self, session: &mut Session) -> Option<Exit> {
        let note = self.conjure.note().map_err(Report::from);
        let notes = [self.solver.note(), session.accept(note)?];
        notes.iter().flatten().for_each(|note| session.reporting.status(&format!("note: {note}")));
        let cubes = self.cubes.as_deref().map(CubesFile::read).transpose().map_err(Report::from);
        let cubes = session.accept(cubes)?;
        let cube = match (&cubes, self.cube) {
            (Some(file), Some(number)) => Some(session.accept(file.cube(number.get()).map_err(Report::from))?),
            _ => None,
        };
        let start = match &self.start {
            Some(path) => Some(session.read(path)?),
            None => None,
        };
        let mut statistics = RunStatistics::start(self.statistics, self.output.format());
        let model = self.instances.read_model(session)?;
        self.wanted = match self.number_of_solutions {
            _ if self.all => Count::All,
            Some(number) => number,
            None if self.goals.different.is_some() => Count::First(self.goals.different.map_or(1, NonZeroUsize::get)),
            None if model.has_trade_offs() || model.has_dominance() => Count::All,
            None => Count::First(1),
        };
        let better_than = match &self.better_than {
            Some(value) => {
                // The first goal is the price of the wishes, if there are any.
                let soft = self.goals.soft(session, &model)?;
                let steps = goals::steps(soft.as_ref().unwrap_or(&model), "--better-than", value);
                Some(session.accept(steps.map_err(Report::from))?)
            }
            None => None,
        };
        let options = self.options().cube(cube).better_than(better_than).start(start);
        statistics.lap("model", &[("declarations", model.declarations() as u64)]);
        self.check_together(session, &model)?;
        if self.emit.is_none() {
            session.accept(self.output.keep_model(&model.text()).map_err(Report::from))?;
        }
        let pictures = match self.output.picture {
            Some(_) => session.accept(model.pictures())?,
            None => Pictures::default(),
        };
        let common = Common { model, options, cubes, pictures, statistics, warned: Cell::new(false) };
        self.instances.each(session, |session, data, path| self.solve_one(session, &common, data, path))
    }

    pub(super) fn wanted(&self) -> Count {
        self.wanted
    }

    fn options(&self) -> SolveOptions {
        SolveOptions::default()
            .solver(self.solver.solver)
            .solutions(self.wanted())
            .unnamed_symmetry(self.unnamed_symmetry_breaking.0)
            .symmetry(self.symmetry)
            .representations(self.representation.clone())
            .cube(None)
            .search(interrupt::engine_options(self.seed).threads(self.threads).confirmation(self.confirmation()))
    }

    fn confirmation(&self) -> ConfirmationEffort {
        if self.double_check { ConfirmationEffort::Full } else { ConfirmationEffort::default() }
    }

    /// The note that Conjure would find fewer solutions.
    fn note_on_branching(&self, model: &Model) -> Option<&'static str> {
        let finds_others = self.wanted() != Count::First(1) && model.has_branching();
        finds_others.then_some(
            "all solutions are found, also those that agree in the variables of `branching on`; Conjure finds one of \
             them",
        )
    }

    /// Checks combinations of flags that are each right by themselves.
    fn check_together(&self, session: &mut Session, model: &Model) -> Option<()> {
        if let Some(note) = self.note_on_branching(model) {
            session.reporting.status(&format!("note: {note}"));
        }
        if self.exit_status && self.instances.are_several() {
            return session.fail(
                Diagnostic::error(Code::COMMAND_LINE, "--exit-status works for one instance only")
                    .help("run the parameter files one by one"),
            );
        }
        match (&self.solver_command, self.solver.is_external()) {
            (None, true) => {
                let error = Diagnostic::error(Code::COMMAND_LINE, "--solver=external needs a command");
                return session.fail(error.help("add --solver-command 'kissat {cnf}', or another solver's command"));
            }
            (Some(_), false) => {
                let error = Diagnostic::error(Code::COMMAND_LINE, "--solver-command is for --solver=external");
                return session.fail(error.help("add --solver=external"));
            }
            _ => {}
        }
        if self.read_assignment.is_some() && self.emit.is_some_and(|emit| emit.format().is_none()) {
            let error = Diagnostic::error(Code::COMMAND_LINE, "no solver answers to this text of --emit");
            return session.fail(error.help("name the format of the text that was solved, such as --emit flatzinc"));
        }
        if self.instances.are_several() && self.read_assignment.is_some() {
            let error = Diagnostic::error(Code::COMMAND_LINE, "an answer belongs to one instance");
            return session.fail(error.help("read the answers one by one, each with its parameter file"));
        }
        let asks_others = self.proof.is_some() || self.certify.is_some() || self.solver_command.is_some();
        let is_exported = self.read_assignment.is_some() || self.emit.is_some_and(|emit| emit.format().is_some());
        if model.has_dominance() && (asks_others || is_exported) {
            let message = "proofs, certificates and other solvers know nothing of a dominance relation";
            let error = Diagnostic::error(Code::COMMAND_LINE, message);
            return session.fail(error.help("solve the model without these options"));
        }
        if let Some(unknown) = self.output.show.iter().find(|name| !model.finds().any(|find| find == **name)) {
            let error =
                Diagnostic::error(Code::COMMAND_LINE, format!("there is no decision variable `{unknown}` to show"));
            return session.fail(match nearest(unknown, model.finds()) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help(format!("the variables are {}", model.finds().collect::<Vec<_>>().join(", "))),
            });
        }
        if let Err(error) = self.output.check(self.instances.count()) {
            return session.fail(error);
        }
        if let Some(file) = &self.proof {
            self.instances.files().for_each(|path| files::reads(path));
            if let Err(refused) = ProofFiles::check(file) {
                return session.fail(refused);
            }
            if self.solver.solver != SolverName::Cadical {
                return session.fail(
                    Diagnostic::error(
                        Code::COMMAND_LINE,
                        format!("the solver `{}` writes no proofs", self.solver.name()),
                    )
                    .help("add --solver=cadical"),
                );
            }
            if self.wanted() != Count::First(1) && model.has_objective() {
                return session.fail(
                    Diagnostic::error(Code::COMMAND_LINE, "--proof works for one best solution only")
                        .help("leave out -n and --number-of-solutions"),
                );
            }
            if self.instances.are_several() {
                return session.fail(
                    Diagnostic::error(Code::COMMAND_LINE, "--proof works for one instance only")
                        .help("run the parameter files one by one"),
                );
            }
        }
        if self.certify.is_some() {
            self.check_certify(session, model)?;
        }
        let mut names: Vec<String> = self.instances.files().map(|path| stem(path)).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1])
            && self.output.writes_files()
        {
            return session.fail(
                Diagnostic::error(Code::COMMAND_LINE, format!("two parameter files have the name `{}`", twice[0]))
                    .note("the names of the parameter files become the names of the solution files"),
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
        let Common { model, options, cubes, pictures, statistics, warned } = common;
        let (started, given) = (Instant::now(), data);
        let mut statistics = statistics.clone();
        statistics.restart();
        interrupt::doing("the parameters were being read");
        let mut applied = match self.goals.are_none(model) {
            true => None,
            false => Some(self.goals.applied(session, model, data, options)?),
        };
        let mut plan = applied.as_mut().and_then(|applied| applied.plan.take());
        let ended = applied.as_mut().and_then(|applied| applied.ended.take());
        let (model, data) = applied.as_ref().map_or((model, data), |applied| (&applied.model, &*applied.data));
        let known = applied.as_ref().and_then(|applied| applied.known.clone());
        let ended = match (ended, &known) {
            (Some(summary), Some(known)) => Some((summary, session.accept(model.solution(data, known))?)),
            _ => None,
        };
        let options = &match known {
            Some(known) => options.clone().start(Some(known)),
            None => options.clone(),
        };
        let instance = session.accept(model.instance(data))?;
        let fits = cubes.as_ref().map_or(Ok(()), |cubes| cubes.must_be_of(&model.text(), data));
        session.accept(fits.map_err(Report::from))?;
        if session.reporting.shows_warnings() && !warned.replace(true) {
            // The author of the model is not answerable for what the options change.
            session.keep(common.model.warnings());
        }
        // Warnings are about the text and the data that the user has written, not about what the options make of them.
        let written = match applied {
            Some(_) => common.model.instance(given).ok(),
            None => Some(instance.clone()),
        };
        written.iter().for_each(|written| session.keep(written.warnings()));
        statistics.lap("instance", &[("variables of the model", instance.finds() as u64)]);
        let solver =
            if self.emit.is_some() || self.read_assignment.is_some() { SolverName::default() } else { options.solver };
        let options = &options.clone().solver(solver);
        if let Some(emit) = self.emit.filter(|_| self.read_assignment.is_none()) {
            return self.emitted(session, emit, (written.as_ref(), &instance, options), &mut statistics);
        }

        let names = self.output.names(&self.instances.model, parameters);
        let outputs = match self.outputs(names.as_ref(), parameters) {
            Ok(outputs) => outputs,
            Err(Failure::NoReader) => return Some(Exit::Answer),
            Err(Failure::Refused(refused)) => return session.fail(refused),
        };
        let name = self.named(parameters);
        let table = match self.output.table(model) {
            Ok(table) => table.map(str::to_owned),
            Err(refused) => return session.fail(refused),
        };
        let title = parameters.map_or_else(
            || stem(&self.instances.model),
            |path| format!("{} · {}", stem(&self.instances.model), stem(path)),
        );
        let shown = Box::new({
            let model = model.clone();
            move |value| model.objective_shown(value)
        });
        let is_one = self.wanted() == Count::First(1) && self.goals.different.is_none();
        let optimising = model.has_objective() && !model.has_trade_offs() && is_one;
        let mut solutions = SolutionWriter::new(
            self,
            optimising,
            outputs,
            (pictures, table, shown),
            title,
            session.reporting.clone(),
            name,
        );
        let is_part = options.cube.is_some() || options.better_than.is_some();
        if let Some(start) = options.start.as_ref().filter(|_| optimising && !is_part)
            && let Ok(start) = model.solution(data, start)
        {
            solutions.know(&start);
        }
        let compiled = match ended {
            Some(_) => None,
            None => Some(self.compiled(session, (written.as_ref(), &instance, options), &mut statistics)?),
        };
        solutions.watch();
        if model.has_trade_offs() {
            solutions = solutions.with_trade_offs(model);
        } else if model.has_dominance() {
            solutions = solutions.with_dominance();
        }
        let is_whole = !is_part && self.goals.are_none(&common.model);
        solutions.why = match &self.better_than {
            Some(value) if options.cube.is_none() => Some(self.why_not_better(&common.model, value, parameters)),
            _ => (!is_part).then(|| self.why(&common.model, parameters)),
        };
        solutions.started = started;
        let proof = match self.proof.as_deref().map(ProofFiles::new).transpose() {
            Ok(proof) => proof,
            Err(refused) => return session.fail(refused),
        };
        // Whoever waits for the solver reads them now.
        session.report();
        interrupt::doing("the solver was at work");
        let certificate = self.certify.as_deref().map(CertificateFiles::new).transpose();
        let certificate = session.accept(certificate.map_err(Report::from))?;
        let has_wishes = !common.model.wishes().is_empty();
        let mut last = None;
        let mut kept: Vec<Solution> = Vec::new();
        let found = &mut |solution: &Solution| {
            if has_wishes {
                last = Some(solution.clone());
            }
            if certificate.is_some() {
                if optimising {
                    kept.clear();
                }
                kept.push(solution.clone());
            }
            if let Some(plan) = &mut plan {
                plan.compare(solution);
            }
            solutions.add(solution)
        };
        let searching = Instant::now();
        let program = match &self.solver_command {
            Some(command) => Some(session.accept(command.program(&options.search).map_err(Report::from))?),
            None => None,
        };
        let answer = match &self.read_assignment {
            Some(file) => Some(session.read(file)?),
            None => None,
        };
        let deadline = options.search.limits.deadline;
        let summary = match (self.goals.different, compiled, ended) {
            (.., Some((summary, solution))) => {
                let _ = found(&solution);
                summary
            }
            (Some(most), ..) => {
                interrupt::during(deadline, || self.goals.different(session, (model, data), options, most, found))?
            }
            (_, None, _) => unreachable!("what has not ended was compiled"),
            (None, Some(compiled), None) => {
                let summary = interrupt::during(deadline, || match (&answer, &proof, program) {
                    (Some(answer), ..) => {
                        let format = self.emit.and_then(EmittedText::format).unwrap_or(ExportFormat::Dimacs);
                        compiled.read_answer(format, answer, options, found)
                    }
                    (None, _, Some(program)) => compiled.solve_with_program(options, program, found),
                    (None, Some(proof), None) => compiled.solve_with_proof(options, proof.writers(), found),
                    (None, None, None) => compiled.solve(options, found),
                });
                match summary {
                    Ok(summary) => summary,
                    Err(report) => {
                        solutions.end_by_false_claim(session, &report);
                        return session.accept(Err(report));
                    }
                }
            }
        };
        let instance_name = parameters.unwrap_or(&self.instances.model).display().to_string();
        statistics.end(&instance_name, self.solver.name(), &summary);
        if let Some(proof) = proof {
            match proof.end() {
                Ok(Some(files)) => session.reporting.status(&files),
                Ok(None) => {}
                Err(refused) => return session.fail(refused),
            }
        }
        let search = searching.elapsed();
        let mut certified = certificate.map(|certificate| {
            interrupt::doing("the certificate was being made");
            let made = interrupt::during(options.search.limits.deadline, || {
                instance.certify(&summary.status, &kept, certificate.proof(), &options.search)
            });
            made.and_then(|made| certificate.end(made.as_ref(), &summary.status).map_err(Report::from))
        });
        let is_contradicted =
            |report: &Report| report.diagnostics.iter().any(|wrong| wrong.code == Code::CERTIFICATE_DIFFERS);
        // An answer that cannot be certified is given all the same, but not one that is contradicted.
        let contradiction = certified.take_if(|made| made.as_ref().is_err_and(is_contradicted));
        if let Some(made) = contradiction {
            session.accept(made)?;
        }
        if summary.status.is_unsatisfiable() && is_whole && session.reporting.shows_warnings() {
            // The reason may be plain, and nobody waits for a solution.
            let examine = ExamineOptions::default().deep(false).search(options.search.clone());
            session.keep(model.examine(std::slice::from_ref(&instance), &examine));
            session.report();
        }
        let exit = solutions.end(session, &summary, names.as_ref())?;
        if let Some(claim) = summary.statistics.as_ref().and_then(|statistics| statistics.claim.as_ref())
            && self.double_check
        {
            session.reporting.status(&format!("{}The answer is {claim}.", self.named(parameters)));
        }
        if let Some(last) = last.filter(|_| self.wanted() == Count::First(1)) {
            self.goals.report_wishes(session, (&common.model, given), &last);
        }
        if let Some(made) = certified {
            let said = session.accept(made)?;
            session.reporting.status(&said);
        }
        if let Some(plan) = plan.filter(EarlierPlan::was_compared) {
            plan.report(session);
        }
        if let Some(names) = names.filter(|_| self.output.is_for_clients()) {
            let note = self.note_on_branching(model);
            let (model, solver) = (&*self.instances.model, self.solver.name());
            let run = Run { model, parameters, solver, summary: &summary, time: started.elapsed(), search, note };
            let statistics = names.whole("stats.json");
            let written = Pending::whole(&names.whole("eprime-info"), FileKind::Numbers, &run.info())
                .and_then(|_| Pending::whole(&statistics, FileKind::Json, &run.statistics()));
            session.accept(written.map_err(Report::from))?;
            names.copied(&[statistics], false).iter().for_each(|said| session.reporting.status(said));
        }
        Some(exit)
    }

    /// The finite-domain problem of an instance, which the options may have made of the one that was written.
    fn compiled(
        &self,
        session: &mut Session,
        (written, instance, options): (Option<&Instance>, &Instance, &SolveOptions),
        statistics: &mut RunStatistics,
    ) -> Option<Compiled> {
        interrupt::doing("the constraints were being translated");
        // The watchdog ends this, and says what the program was doing.
        let unlimited = options.clone().search(EngineOptions::default());
        let compiled = session.accept(instance.compile(&unlimited))?;
        if let Some(written) = written.filter(|_| session.reporting.shows_warnings()) {
            session.keep(written.warnings_of_rewritten(&compiled.warnings()));
        }
        if options.solver != SolverName::Brute {
            statistics.lap("lowering", &compiled.sizes());
        }
        Some(compiled)
    }

    /// Prints the text of `--emit`, or writes it into the file that `-o` names.
    fn emitted(
        &self,
        session: &mut Session,
        emit: EmittedText,
        (written, instance, options): (Option<&Instance>, &Instance, &SolveOptions),
        statistics: &mut RunStatistics,
    ) -> Option<Exit> {
        let text = if let EmittedText::Representations = emit {
            session.accept(instance.representations(options))?
        } else {
            let compiled = self.compiled(session, (written, instance, options), statistics)?;
            match emit.format() {
                Some(format) => session.accept(compiled.export(format, options))?,
                None => compiled.problem(),
            }
        };
        match self.output.directory() {
            None => session.print(&text),
            Some(file) => {
                let kind = emit.kind();
                let written = Pending::whole(file, kind, text.strip_prefix(kind.mark()).unwrap_or(&text));
                session.accept(written.map_err(Report::from)).map(|_| Exit::Answer)
            }
        }
    }

    /// What is said of an instance without solutions, with the command that explains it.
    fn why(&self, model: &Model, parameters: Option<&Path>) -> String {
        let (what_if, said) = self.goals.without_solutions(model);
        format!("{said}\nRun `{}` to see why.", typed(self.why_words(parameters).chain(what_if.words())))
    }

    /// What is said if no solution is better than the value of `--better-than`. The best solution may be worse.
    fn why_not_better(&self, model: &Model, value: &Decimal, parameters: Option<&Path>) -> String {
        let said = format!("No solutions found that are better than {value}.");
        if self.goals.has_wishes(model) {
            return said;
        }
        let words = self.why_words(parameters).chain(["--better".into()]).chain(self.goals.what_if.words());
        format!("{said}\nRun `{}` to see why the best solution is not better.", typed(words))
    }

    /// The command `why` with the files of an instance.
    fn why_words<'a>(&'a self, parameters: Option<&'a Path>) -> impl Iterator<Item = OsString> + use<'a> {
        let defined = self.instances.define.iter().flat_map(|text| ["-D".into(), OsString::from(text)]);
        let files = [Some(&*self.instances.model), parameters].into_iter().flatten().map(OsString::from);
        let files = files.chain(self.instances.tables().map(OsString::from));
        ["conjure-like".into(), "why".into()].into_iter().chain(files).chain(defined)
    }

    /// The prefix of the lines about an instance, if there are several.
    fn named(&self, parameters: Option<&Path>) -> String {
        let several = self.instances.are_several();
        parameters.filter(|_| several).map_or(String::new(), |path| format!("{}: ", path.display()))
    }

    /// The outputs for the solutions of an instance, one for each format.
    fn outputs(&self, names: Option<&FileNames>, parameters: Option<&Path>) -> Result<Vec<SolutionOutput>, Failure> {
        if let Some(names) = names {
            names.prepare(self.output.picture)?;
        }
        let numbered = self.wanted() != Count::First(1);
        let new = |format| SolutionOutput::new(&self.output, names, format, numbered);
        let mut outputs = self.output.formats().into_iter().map(new).collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = parameters
            && self.instances.are_several()
        {
            for output in &mut outputs {
                output.instance(&shown(path))?;
            }
        }
        Ok(outputs)
    }
}
