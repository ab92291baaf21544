//! The run of one instance, from its data to the last message.

use super::{
    Common, SolveCommand,
    certificate::{CertificateEnd, CertificateFiles},
    emit::EmittedText,
    found::{SolutionWriter, WriterStyle},
    goals::{AppliedGoals, EarlierPlan, GoalStages, StagedGoals},
};
use crate::{
    checking::{certificate::CertifiedInstance, proof::ProofFiles},
    inputs::invocation::Invocation,
    outputs::{
        records::Run,
        solutions::{FileNames, SolutionOutput},
        statistics::RunStatistics,
    },
    runtime::{
        Exit,
        files::{FileKind, Pending, shown_path, stem},
        interrupt, report,
        stdout::Failure,
    },
};
use conjure_like::{
    Code, Compiled, Count, EngineOptions, ExamineOptions, ExportFormat, Instance, Model, Report, ResultShape, Solution,
    SolveOptions, SolverName, StreamlinedSearch, Summary, Text,
};
use std::{
    borrow::Cow,
    ops::ControlFlow,
    path::Path,
    time::{Duration, Instant},
};

/// After a refutation, an instance is examined if it has at most [`LEAST_EXAMINED`] terms, which takes some 10 ms, plus
/// one term for every [`EXAMINATION_SHARE`] microseconds of the search: a term takes about a microsecond.
const LEAST_EXAMINED: usize = 20_000;
const EXAMINATION_SHARE: usize = 10;

/// The run of one instance.
pub(super) struct InstanceRun<'a> {
    command: &'a SolveCommand,
    common: &'a Common,
    /// The data, before options change them.
    given: &'a [Text],
    /// The parameter file, if there is one.
    parameters: Option<&'a Path>,
    started: Instant,
    statistics: RunStatistics,
}

/// The instance to solve: the written one, with the goals of the command line.
struct SolvedInstance<'a> {
    model: Model,
    data: Cow<'a, [Text]>,
    instance: Instance,
    /// The instance without the goals of the command line; `None` if that is not a valid instance.
    written: Option<Instance>,
    options: SolveOptions,
    /// The options for the certificate, which may take longer than the search.
    certifying: EngineOptions,
    /// True if there are no goals on the command line and the whole space is searched.
    is_whole: bool,
    /// The plan that solutions are compared with.
    plan: Option<EarlierPlan>,
    /// The searches before the goals of the model are optimised together.
    stages: Option<GoalStages>,
    /// The answer, if a limit has ended the search for the first goals.
    ended: Option<(Summary, Solution)>,
}

impl SolvedInstance<'_> {
    /// True if the options restrict the search to a part of the space.
    fn is_part(&self) -> bool {
        self.options.cube.is_some() || self.options.better_than.is_some()
    }
}

/// The search that remains for an instance.
enum SearchLeft {
    /// None, because a limit has ended the search for the first goals.
    Over(Box<(Summary, Solution)>),
    Open(Box<Compiled>),
}

/// The receivers of each solution.
struct FoundSolutions<'a> {
    writer: SolutionWriter<'a>,
    /// The plan that solutions are compared with.
    plan: Option<EarlierPlan>,
    /// The last solution, which is kept if the model has wishes.
    last: Option<Solution>,
    has_wishes: bool,
    /// The solutions to certify, if a certificate is wanted.
    certified: Option<Vec<Solution>>,
    /// True if each solution replaces the one before.
    optimising: bool,
}

impl FoundSolutions<'_> {
    fn add(&mut self, solution: &Solution) -> ControlFlow<()> {
        if self.has_wishes {
            self.last = Some(solution.clone());
        }
        if let Some(certified) = &mut self.certified {
            // With an objective, only the last solution is the answer, so only it is certified.
            if self.optimising {
                certified.clear();
            }
            certified.push(solution.clone());
        }
        if let Some(plan) = &mut self.plan {
            plan.compare(solution);
        }
        self.writer.add(solution)
    }
}

impl<'a> InstanceRun<'a> {
    pub(super) fn new(
        command: &'a SolveCommand,
        common: &'a Common,
        given: &'a [Text],
        parameters: Option<&'a Path>,
    ) -> Self {
        let mut statistics = common.statistics.clone();
        statistics.restart();
        InstanceRun { command, common, given, parameters, started: Instant::now(), statistics }
    }

    /// Solves the instance.
    pub(super) fn run(mut self, invocation: &mut Invocation) -> Option<Exit> {
        let mut solved = self.solved_instance(invocation)?;
        self.keep_warnings(invocation, &solved);
        self.statistics.lap("instance", &[("variables of the model", solved.instance.finds() as u64)]);
        // With --read-assignment, --emit is the format of the answer to read.
        if let Some(emit) = self.command.emit.filter(|_| self.command.read_assignment.is_none()) {
            self.staged(invocation, &mut solved, None)?;
            return self.emit(invocation, emit, &solved);
        }
        let names = self.command.output.names(&self.command.instances.model, self.parameters);
        let shape = self.common.shape.as_ref().map(|text| ResultShape::read(text, &solved.model, &solved.data));
        let shape = invocation.accept(shape.transpose())?;
        // An unwritable file should be reported early, so the output is opened before the instance is compiled.
        let mut writer = match self.writer(invocation, &solved, names.as_ref()) {
            Ok(writer) => writer,
            Err(Failure::NoReader) => return Some(Exit::Answer),
            Err(Failure::Refused(refused)) => return invocation.fail(refused),
        };
        writer.shape = shape;
        let writer = self.streamlined(invocation, &mut solved, writer)?;
        self.staged(invocation, &mut solved, Some(&writer))?;
        let left = self.search_left(invocation, &mut solved)?;
        // From here on, if a limit ends the run, the watchdog writes the solutions so far.
        writer.watch();
        // An unwritable file should be reported early, so the files are opened before the search.
        let proof = invocation.accept(self.command.proof.as_deref().map(ProofFiles::new).transpose())?;
        // Users can read the warnings while the solver works, so they are reported now.
        invocation.report();
        interrupt::doing("the solver was running");
        let certificate = invocation.accept(self.command.certify.as_deref().map(CertificateFiles::new).transpose())?;
        let mut found = self.found(writer, &mut solved, certificate.is_some());
        let searching = Instant::now();
        let summary = self.search(invocation, &solved, left, proof.as_ref(), &mut found)?;
        self.end_statistics(&summary);
        end_proof(invocation, proof)?;
        let search = searching.elapsed();
        // If the certificate contradicts the best solution, the solution must not be printed, so it is certified first.
        let certified = self.certify(invocation, &solved, certificate, &summary, &found)?;
        let mut exit = found.writer.end(invocation, &summary, names.as_ref())?;
        self.examine(invocation, &solved, &summary, search);
        self.say_claim(invocation, &summary);
        self.say_wishes(invocation, found.last.as_ref());
        if let Some(made) = certified {
            match invocation.accept(made)? {
                CertificateEnd::Written(said) | CertificateEnd::None(said) => invocation.reporting.status(&said),
                CertificateEnd::Limit(said) => {
                    report::say(&said);
                    exit = exit.worse(Exit::Limit);
                }
            }
        }
        if let Some(plan) = found.plan.filter(EarlierPlan::was_compared) {
            plan.report(invocation);
        }
        if let Some(names) = names.filter(|_| self.command.output.is_for_clients()) {
            self.write_records(invocation, &names, &summary, search)?;
        }
        Some(exit)
    }

    /// Reads the data and makes the instance to solve.
    fn solved_instance(&self, invocation: &mut Invocation) -> Option<SolvedInstance<'a>> {
        let Common { model: own, options, cubes, .. } = self.common;
        let (goals, given) = (&self.command.goals, self.given);
        interrupt::doing("the parameters were being read");
        let is_changed = !goals.are_none(own);
        let AppliedGoals { model, data, plan, known, stages } = match is_changed {
            true => goals.applied(invocation, own, given, options)?,
            false => AppliedGoals::none(own, given),
        };
        let mut options = options.clone();
        options.start = known.or(options.start);
        let instance = invocation.accept(model.instance(&data))?;
        invocation.accept(cubes.as_ref().map_or(Ok(()), |cubes| cubes.must_be_of(&model.text(), &data)))?;
        // Warnings refer to the original instance, so it is kept in addition to the changed one.
        let written = if is_changed { own.instance(given).ok() } else { Some(instance.clone()) };
        if self.command.emit.is_some() || self.command.read_assignment.is_some() {
            options.solver = SolverName::default();
        }
        let (options, certifying) = self.command.with_time_to_certify(options, &model);
        let is_whole = !is_changed && options.cube.is_none() && options.better_than.is_none();
        let ended = None;
        Some(SolvedInstance { model, data, instance, written, options, certifying, is_whole, plan, stages, ended })
    }

    /// Optimises the goals one after the other if they have tolerances. The writer gets each better solution, in case a
    /// limit ends the run.
    fn staged(
        &mut self,
        invocation: &mut Invocation,
        solved: &mut SolvedInstance,
        writer: Option<&SolutionWriter>,
    ) -> Option<()> {
        let Some(stages) = solved.stages.take() else { return Some(()) };
        let mut know = |text: &Text| {
            if let (Some(writer), Ok(solution)) = (writer, solved.model.solution(&solved.data, text)) {
                writer.know(&solution);
            }
        };
        let StagedGoals { model, known, ended } =
            stages.search(invocation, &solved.data, &solved.options, &mut know)?;
        // A limit has ended the search for the first goals, so the best solution so far is the answer.
        if let (Some(summary), Some(known)) = (ended, &known) {
            solved.ended = Some((summary, invocation.accept(model.solution(&solved.data, known))?));
        }
        solved.instance = invocation.accept(model.instance(&solved.data))?;
        solved.model = model;
        solved.options.start = known.or(solved.options.start.take());
        Some(())
    }

    /// Keeps the warnings about the model (once) and about the instance. They refer to the written model and data, not
    /// to the changes by options.
    fn keep_warnings(&self, invocation: &mut Invocation, solved: &SolvedInstance) {
        if invocation.reporting.shows_warnings() && !self.common.warned.replace(true) {
            invocation.keep(self.common.model.warnings());
        }
        solved.written.iter().for_each(|written| invocation.keep(written.warnings()));
    }

    /// Prints the text of `--emit`, or writes it into the file of `-o`.
    fn emit(mut self, invocation: &mut Invocation, emit: EmittedText, solved: &SolvedInstance) -> Option<Exit> {
        let text = if let EmittedText::Representations = emit {
            invocation.accept(solved.instance.representations(&solved.options))?
        } else {
            let compiled = self.compiled(invocation, solved)?;
            match emit.format() {
                Some(format) => invocation.accept(compiled.export(format, &solved.options))?,
                None => compiled.problem(),
            }
        };
        match self.command.output.directory() {
            None => invocation.print(&text),
            Some(file) => {
                let kind = emit.kind();
                // `Pending` writes the mark, so it is left out here.
                let written = Pending::whole(file, kind, text.strip_prefix(kind.mark()).unwrap_or(&text));
                invocation.accept(written).map(|_| Exit::Answer)
            }
        }
    }

    /// Opens the output for the solutions.
    fn writer(
        &self,
        invocation: &Invocation,
        solved: &SolvedInstance,
        names: Option<&FileNames>,
    ) -> Result<SolutionWriter<'a>, Failure> {
        let (command, model) = (self.command, &solved.model);
        let outputs = self.outputs(names)?;
        let table = command.output.table(model)?.map(str::to_owned);
        let of_model = stem(&command.instances.model);
        let title = self.parameters.map_or_else(|| of_model.clone(), |path| format!("{of_model} · {}", stem(path)));
        let shown = Box::new({
            let model = model.clone();
            move |value| model.objective_shown(value)
        });
        let optimising = self.is_optimising(solved);
        let pictures = &self.common.pictures;
        let style = WriterStyle { optimising, pictures, table, shown, title, name: self.prefix() };
        let mut writer = SolutionWriter::new(command, style, outputs, invocation.reporting.clone());
        writer.started = self.started;
        if model.has_trade_offs() {
            writer = writer.with_trade_offs(model);
        } else if model.has_dominance() {
            writer = writer.with_dominance();
        }
        writer.why = match &command.better_than {
            Some(_) if solved.options.cube.is_none() => {
                let steps = solved.options.better_than;
                Some(command.no_better_solutions(&self.common.model, steps, self.parameters))
            }
            // If a part has no solutions, the instance may still have some.
            _ if solved.is_part() => None,
            _ => Some(command.no_solutions(&self.common.model, self.parameters)),
        };
        // The start may be outside the part that is searched, so it counts only if the whole space is searched.
        if let Some(start) = solved.options.start.as_ref().filter(|_| optimising && !solved.is_part())
            && let Ok(start) = model.solution(&solved.data, start)
        {
            writer.know(&start);
        }
        Ok(writer)
    }

    /// Searches under the streamliners. A solution is the answer if there is no objective; otherwise the search of the
    /// whole space starts with it.
    fn streamlined(
        &mut self,
        invocation: &mut Invocation,
        solved: &mut SolvedInstance,
        mut writer: SolutionWriter<'a>,
    ) -> Option<SolutionWriter<'a>> {
        let Some(portfolio) = &self.common.streamliners else { return Some(writer) };
        if solved.stages.is_some() || solved.options.start.is_some() || solved.model.has_several_goals() {
            return Some(writer);
        }
        interrupt::doing("the streamliners were being tried");
        let search = &solved.options.search;
        let tried =
            interrupt::during(search.limits.deadline, || solved.model.streamlined(&solved.data, portfolio, search));
        let StreamlinedSearch { tried, conflicts, found, answer, .. } = invocation.accept(tried)?;
        self.statistics.lap("streamliners", &[("streamliners tried", tried as u64), ("conflicts", conflicts)]);
        if let Some((name, solution)) = found {
            self.statistics.streamliner = Some(name.clone());
            solved.options.start = Some(Text::new("", solution.to_essence(usize::MAX)));
            writer.streamlined = Some((name, solution.clone()));
            match answer {
                Some(answer) => solved.ended = Some((answer, solution)),
                None => writer.know(&solution),
            }
        }
        Some(writer)
    }

    /// The outputs for the solutions, one for each format.
    fn outputs(&self, names: Option<&FileNames>) -> Result<Vec<SolutionOutput>, Failure> {
        let SolveCommand { output, instances, .. } = self.command;
        if let Some(names) = names {
            names.prepare(output.picture)?;
        }
        let numbered = self.command.wanted() != Count::First(1);
        let new = |format| SolutionOutput::new(output, names, format, numbered);
        let mut outputs = output.formats().into_iter().map(new).collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = self.parameters.filter(|_| instances.are_several()) {
            for output in &mut outputs {
                output.instance(&shown_path(path))?;
            }
        }
        Ok(outputs)
    }

    /// True if each solution replaces the one before, so that the last one is the answer.
    fn is_optimising(&self, solved: &SolvedInstance) -> bool {
        let is_one = self.command.wanted() == Count::First(1) && self.command.goals.different.is_none();
        solved.model.has_objective() && !solved.model.has_trade_offs() && is_one
    }

    /// The prefix of messages about this instance, if there are several.
    fn prefix(&self) -> String {
        let several = self.command.instances.are_several();
        self.parameters.filter(|_| several).map_or(String::new(), |path| format!("{}: ", path.display()))
    }

    /// Compiles the instance, unless its search is over.
    fn search_left(&mut self, invocation: &mut Invocation, solved: &mut SolvedInstance) -> Option<SearchLeft> {
        match solved.ended.take() {
            Some(answer) => Some(SearchLeft::Over(Box::new(answer))),
            None => self.compiled(invocation, solved).map(|compiled| SearchLeft::Open(Box::new(compiled))),
        }
    }

    /// Compiles the instance to a finite-domain problem.
    fn compiled(&mut self, invocation: &mut Invocation, solved: &SolvedInstance) -> Option<Compiled> {
        interrupt::doing("the constraints were being translated");
        // The watchdog ends the compilation and reports the activity set above, so no other limit is needed.
        let unlimited = solved.options.clone().search(EngineOptions::default());
        let compiled = invocation.accept(solved.instance.compile(&unlimited))?;
        if let Some(written) = solved.written.as_ref().filter(|_| invocation.reporting.shows_warnings()) {
            invocation.keep(written.warnings_of_rewritten(&compiled.warnings()));
        }
        if solved.options.solver != SolverName::Brute {
            self.statistics.lap("lowering", &compiled.sizes());
        }
        Some(compiled)
    }

    fn found(&self, writer: SolutionWriter<'a>, solved: &mut SolvedInstance, is_certified: bool) -> FoundSolutions<'a> {
        let optimising = self.is_optimising(solved);
        let certified = is_certified.then(Vec::new);
        let has_wishes = !self.common.model.wishes().is_empty();
        FoundSolutions { writer, plan: solved.plan.take(), last: None, has_wishes, certified, optimising }
    }

    /// Runs the search and passes on each solution.
    fn search(
        &self,
        invocation: &mut Invocation,
        solved: &SolvedInstance,
        left: SearchLeft,
        proof: Option<&ProofFiles>,
        found: &mut FoundSolutions,
    ) -> Option<Summary> {
        let (command, options) = (self.command, &solved.options);
        let compiled = match left {
            SearchLeft::Open(compiled) => compiled,
            SearchLeft::Over(answer) => {
                // The later goals were not optimised, but the best solution for the first goals is still the answer.
                let (summary, solution) = *answer;
                let _ = found.add(&solution);
                return Some(summary);
            }
        };
        let deadline = options.search.limits.deadline;
        if let Some(most) = command.goals.different {
            let mut add = |solution: &Solution| found.add(solution);
            return interrupt::during(deadline, || {
                command.goals.different(invocation, &solved.model, &solved.data, options, most, &mut add)
            });
        }
        let program = match &command.solver_command {
            Some(command) => Some(invocation.accept(command.program(&options.search))?),
            None => None,
        };
        let answer = match &command.read_assignment {
            Some(file) => Some(invocation.read(file)?),
            None => None,
        };
        let mut add = |solution: &Solution| found.add(solution);
        let summary = interrupt::during(deadline, || match (&answer, proof, program) {
            (Some(answer), ..) => {
                let format = command.emit.and_then(EmittedText::format).unwrap_or(ExportFormat::Dimacs);
                compiled.read_answer(format, answer, options, &mut add)
            }
            (None, _, Some(program)) => compiled.solve_with_program(options, program, &mut add),
            (None, Some(proof), None) => compiled.solve_with_proof(options, proof.writers(), &mut add),
            (None, None, None) => compiled.solve(options, &mut add),
        });
        // If a verified solution has refuted a solver's claim, it is printed in addition to the error.
        if let Err(report) = &summary {
            found.writer.end_by_false_claim(invocation, report);
        }
        invocation.accept(summary)
    }

    fn end_statistics(&self, summary: &Summary) {
        let instance = self.parameters.unwrap_or(&self.command.instances.model).display().to_string();
        self.statistics.clone().end(&instance, self.command.solver.name(), summary);
    }

    /// Makes the certificate if one is wanted, and returns the message about it. An answer that cannot be certified is
    /// still printed, unless the certificate contradicts it.
    fn certify(
        &self,
        invocation: &mut Invocation,
        solved: &SolvedInstance,
        certificate: Option<CertificateFiles>,
        summary: &Summary,
        found: &FoundSolutions,
    ) -> Option<Option<Result<CertificateEnd, Report>>> {
        let Some(files) = certificate else { return Some(None) };
        let (search, solutions) = (&solved.certifying, found.certified.as_deref().unwrap_or_default());
        interrupt::doing("the certificate was being made");
        let made = interrupt::during(search.limits.deadline, || {
            solved.instance.certify(&summary.status, solutions, files.proof(), search)
        });
        let made = made.and_then(|made| {
            let status = &summary.status;
            let Some(certificate) = &made else { return Ok(CertificateFiles::without(status)) };
            let SolvedInstance { model, data, instance, .. } = solved;
            let certified = CertifiedInstance { model, data, instance, status, certificate };
            Ok(files.end(&certified, self.command.input_words(self.parameters))?)
        });
        // Only a contradiction shows that the answer is wrong. After any other failure, the answer is printed without a
        // certificate.
        let contradicts =
            |report: &Report| report.diagnostics.iter().any(|wrong| wrong.code == Code::CERTIFICATE_DIFFERS);
        match made {
            Err(report) if contradicts(&report) => invocation.accept(Err(report)),
            made => Some(Some(made)),
        }
    }

    /// Looks for a simple reason if there is no solution. The answer is already printed, so nothing waits for this.
    fn examine(&self, invocation: &mut Invocation, solved: &SolvedInstance, summary: &Summary, search: Duration) {
        if summary.status.is_unsatisfiable() && solved.is_whole && invocation.reporting.shows_warnings() {
            let terms = LEAST_EXAMINED + search.as_micros() as usize / EXAMINATION_SHARE;
            let examine = ExamineOptions::default().most_terms(Some(terms)).search(solved.options.search.clone());
            invocation.keep(solved.model.examine(std::slice::from_ref(&solved.instance), &examine));
        }
    }

    /// Reports the solver that has confirmed the answer.
    fn say_claim(&self, invocation: &Invocation, summary: &Summary) {
        if let Some(claim) = summary.statistics.as_ref().and_then(|statistics| statistics.claim.as_ref())
            && self.command.double_check
        {
            invocation.reporting.status(&format!("{}The answer is {claim}.", self.prefix()));
        }
    }

    /// Reports the wishes that the answer breaks.
    fn say_wishes(&self, invocation: &mut Invocation, last: Option<&Solution>) {
        if let Some(last) = last.filter(|_| self.command.wanted() == Count::First(1)) {
            self.command.goals.report_wishes(invocation, &self.common.model, self.given, last);
        }
    }

    /// Writes the files with statistics that clients of Conjure read.
    fn write_records(
        &self,
        invocation: &mut Invocation,
        names: &FileNames,
        summary: &Summary,
        search: Duration,
    ) -> Option<()> {
        let (model, solver) = (&*self.command.instances.model, self.command.solver.name());
        let note = self.command.note_on_branching(&self.common.model);
        let run =
            Run { model, parameters: self.parameters, solver, summary, time: self.started.elapsed(), search, note };
        let statistics = names.whole("stats.json");
        let written = Pending::whole(&names.whole("eprime-info"), FileKind::Numbers, &run.info())
            .and_then(|_| Pending::whole(&statistics, FileKind::Json, &run.statistics()));
        invocation.accept(written)?;
        names.copied(&[statistics], false).iter().for_each(|said| invocation.reporting.status(said));
        Some(())
    }
}

/// Completes the files of the proof.
fn end_proof(invocation: &mut Invocation, proof: Option<ProofFiles>) -> Option<()> {
    if let Some(files) = invocation.accept(proof.map_or(Ok(None), ProofFiles::end))? {
        invocation.reporting.status(&files);
    }
    Some(())
}
