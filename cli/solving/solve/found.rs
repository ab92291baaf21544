//! Writes, counts and reports the solutions of one instance as they arrive.

use super::SolveCommand;
use crate::{
    inputs::invocation::Invocation,
    outputs::{
        csv,
        solutions::{FileNames, PictureOption, Remark, SolutionFormat, SolutionOutput, json_number, with_members},
        workbook::{self, NamedTable},
    },
    runtime::{
        Exit,
        interrupt::{self, Cause},
        report,
        stdout::{self, Failure},
    },
};
use conjure_like::{
    Code, Count, Diagnostic, Goal, Model, Pictures, Report, ResultShape, Sheet, Solution, SolveStatus, Summary,
    TableCell, counted,
    protocol::{Line, ProgressLine, Reply, SearchEnded, SearchProgress, SolutionLine},
    to_json, to_spaced_json,
};
use serde_json::{Value, json};
use std::{
    ops::ControlFlow,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

/// The interval between progress reports. Chosen.
const INTERVAL: Duration = Duration::from_secs(1);

/// Writes the solutions of one instance as they arrive.
pub(super) struct SolutionWriter<'a> {
    command: &'a SolveCommand,
    pictures: &'a Pictures,
    /// The variable that is written as a table.
    table: Option<String>,
    /// The model, if its goals compete.
    trade_offs: Option<Model>,
    /// The noun for a solution in messages.
    noun: &'static str,
    /// The number of solutions so far; with an objective, each is better than the one before.
    count: usize,
    written: SharedOutput,
    /// The reason why a solution could not be written.
    failure: Option<Failure>,
    reporting: report::ReportOptions,
    /// The prefix of messages about this instance.
    name: String,
    /// The message if the whole space was searched and there is no solution.
    pub why: Option<String>,
    /// The start of the work on the instance.
    pub started: Instant,
    /// The time of the last progress report.
    said: Instant,
    /// The shape of solutions in JSON that `--shape` wants.
    pub shape: Option<ResultShape>,
    /// The solution that was found under streamliners, with their names.
    pub streamlined: Option<(String, Solution)>,
}

/// The output. The watchdog completes it if the search does not end in time.
type SharedOutput = Arc<Mutex<Option<WrittenSolutions>>>;

/// The solutions that were written, and those to write at the end of the search.
struct WrittenSolutions {
    /// True if solutions are lines of the protocol.
    lines: bool,
    /// One output for each format.
    outputs: Vec<SolutionOutput>,
    picture: Option<PictureOption>,
    /// The title of the pictures.
    title: String,
    /// True if pictures may use bold letters.
    bold: bool,
    /// The pictures for one document.
    sheets: Vec<Sheet>,
    /// The tables for one workbook.
    tables: Vec<NamedTable>,
    count: usize,
    optimising: bool,
    /// The first of several competing goals, and true if the bound has the opposite sign.
    first_goal: Option<(Goal, bool)>,
    /// The noun for a solution in messages.
    noun: &'static str,
    /// The best solution so far; with an objective, only the best one is printed.
    best: Option<WritableSolution>,
    /// The objective value of the best solution.
    value: Option<i64>,
    /// Formats values of the objective for people.
    shown: ShownObjective,
}

/// The name of the table of competing goals.
const GOALS: &str = "trade-offs";

/// Formats a value of the objective for people.
type ShownObjective = Box<dyn Fn(i64) -> String + Send>;

/// The style of the output for one instance.
pub(super) struct WriterStyle<'a> {
    /// True if only the best solution is printed.
    pub optimising: bool,
    pub pictures: &'a Pictures,
    /// The variable that is written as a table.
    pub table: Option<String>,
    /// Formats values of the objective for people.
    pub shown: ShownObjective,
    /// The title of the pictures.
    pub title: String,
    /// The prefix of messages about this instance.
    pub name: String,
}

/// A solution that is ready to be written.
enum WritableSolution {
    /// A text for each output.
    Texts(Vec<String>),
    Sheet(Sheet),
    Tables(Vec<NamedTable>),
}

impl<'a> SolutionWriter<'a> {
    pub(super) fn new(
        command: &'a SolveCommand,
        style: WriterStyle<'a>,
        outputs: Vec<SolutionOutput>,
        reporting: report::ReportOptions,
    ) -> Self {
        let WriterStyle { optimising, pictures, table, shown, title, name } = style;
        let now = Instant::now();
        // Control sequences are for terminals, not for files.
        let bold = !command.output.writes_files() && reporting.styled_output();
        let written = WrittenSolutions {
            lines: reporting.lines,
            outputs,
            picture: command.output.picture,
            title,
            bold,
            sheets: Vec::new(),
            tables: Vec::new(),
            count: 0,
            optimising,
            first_goal: None,
            noun: "solution",
            best: None,
            value: None,
            shown,
        };
        let written = Arc::new(Mutex::new(Some(written)));
        SolutionWriter {
            command,
            pictures,
            table,
            trade_offs: None,
            noun: "solution",
            count: 0,
            written,
            failure: None,
            reporting,
            name,
            why: None,
            started: now,
            said: now,
            shape: None,
            streamlined: None,
        }
    }

    /// Sets the model of competing goals.
    pub(super) fn with_trade_offs(mut self, model: &Model) -> Self {
        let first = model.goals().into_iter().next();
        let first = first.map(|goal| (model.maximises() != Some(goal.maximises), goal));
        if let Some(written) = self.written.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_mut() {
            written.first_goal = first.map(|(negated, goal)| (goal, negated));
        }
        self.trade_offs = Some(model.clone());
        self.called("trade-off")
    }

    /// Sets the noun for solutions chosen by a dominance relation.
    pub(super) fn with_dominance(self) -> Self {
        self.called("undominated solution")
    }

    fn called(mut self, noun: &'static str) -> Self {
        self.noun = noun;
        if let Some(written) = self.written.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_mut() {
            written.noun = noun;
        }
        self
    }

    /// Registers the last words: from now on, solutions found are written even if the run is ended.
    pub(super) fn watch(&self) {
        interrupt::set_last_words(last_words(self.written.clone(), self.reporting.clone(), self.name.clone()));
    }

    /// Keeps a solution that is known before the search, in case a limit ends the run before the search starts. The
    /// search reports the solution again. Only for searches that print the best solution.
    pub(super) fn know(&self, solution: &Solution) {
        let drawn = self.draw(solution);
        let mut known = self.written.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let (Ok(drawn), Some(written)) = (drawn, known.as_mut()) {
            written.best = Some(drawn);
            written.count = 1;
            written.value = solution.objective().and_then(|value| value.as_int());
        }
        drop(known);
        self.watch();
    }

    pub(super) fn add(&mut self, solution: &Solution) -> ControlFlow<()> {
        self.count += 1;
        // The solution is rendered before the lock is taken, so that the watchdog does not have to wait.
        let drawn = match self.draw(solution) {
            Ok(drawn) => drawn,
            Err(refused) => {
                self.failure = Some(Failure::Refused(refused));
                return ControlFlow::Break(());
            }
        };
        let value = solution.objective().and_then(|value| value.as_int());
        // If the reader is slower than the search, the lock is hardly ever free, but the watchdog needs it.
        if interrupt::ending() {
            return ControlFlow::Break(());
        }
        let output = self.written.clone();
        let mut output = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        // If the output is gone, the watchdog has taken it and is about to end the program.
        let Some(written) = output.as_mut() else { return ControlFlow::Break(()) };
        written.count = self.count;
        written.value = value;
        // Each solution is better than the previous one, so only the last one is printed.
        if written.optimising {
            written.best = Some(drawn);
        } else if let Err(failure) = written.write(drawn) {
            self.failure = Some(failure);
            return ControlFlow::Break(());
        }
        // The lock is held until the solution is written: a run that is ended must not have reported more solutions
        // than it has written, nor report any after the last line.
        if self.command.progress {
            self.say_progress(solution);
        }
        ControlFlow::Continue(())
    }

    /// Reports the objective of each better solution, or the number of solutions once in a while.
    fn say_progress(&mut self, solution: &Solution) {
        let seconds = self.started.elapsed().as_secs_f64();
        let objective = self.objective(solution);
        // An enumeration may find thousands of solutions in a second, so reports have a minimum interval.
        if objective.is_none() && self.said.elapsed() < INTERVAL {
            return;
        }
        self.said = Instant::now();
        if self.reporting.lines {
            let progress = SearchProgress { seconds, solutions: self.count, objective };
            // If there is no reader, the next solution will notice it.
            let _ = stdout::write_line(&Line::Progress(ProgressLine::Found(progress)));
            return;
        }
        let text = match solution.objective_shown() {
            Some(value) => format!("objective {value} after {seconds:.1} s"),
            None => format!("{} solutions after {seconds:.1} s", self.count),
        };
        self.reporting.status(&format!("{}{text}", self.name));
    }

    fn draw(&self, solution: &Solution) -> Result<WritableSolution, Diagnostic> {
        let options = &self.command.output;
        if options.picture.is_some() {
            let pictures = solution.pictures(self.pictures);
            let goals = self.trade_offs.as_ref().map_or(Vec::new(), |model| model.goal_values(solution));
            return Ok(WritableSolution::Sheet(Sheet { heading: format!("Solution {}", self.count), pictures, goals }));
        }
        if let Some(shape) = &self.shape {
            let shaped = shape.of(solution);
            let text = |format| match format {
                SolutionFormat::Lines => {
                    let json = solution.shaped(options.shape());
                    let (shaped, objective) = (Some(shaped.clone()), self.objective(solution));
                    let line = SolutionLine { number: self.count, json, objective, shaped, ..SolutionLine::default() };
                    to_json(&json!(Line::Solution(line)))
                }
                _ => to_spaced_json(&shaped),
            };
            return Ok(WritableSolution::Texts(options.formats().into_iter().map(text).collect()));
        }
        let solution = match &options.show[..] {
            [] => solution.clone(),
            names => solution.clone().showing(names),
        };
        if options.format() == SolutionFormat::Xlsx {
            return self.tables(&solution).map(WritableSolution::Tables);
        }
        let table = self.table.as_deref().map(|name| self.table_of(&solution, name)).transpose()?;
        let under = self.streamlined.as_ref().filter(|(_, known)| *known == solution).map(|(names, _)| names);
        // Clients of Conjure would take a further member for a decision variable.
        let under = under.filter(|_| !options.is_for_clients());
        let json = || {
            let json = to_spaced_json(&solution.shaped(options.shape()));
            under.map_or(json.clone(), |names| with_members(&json, &format!("\"$streamliner\": {}", json!(names))))
        };
        let text = |format| match (format, self.objective(&solution)) {
            (SolutionFormat::Plain, _) => {
                let comment = under.map_or(String::new(), |names| format!("$ found under the streamliner: {names}\n"));
                solution.to_essence(options.line_width) + &comment
            }
            (SolutionFormat::Lines, objective) => {
                let json = solution.shaped(options.shape());
                let line = SolutionLine { number: self.count, json, objective, ..SolutionLine::default() };
                to_json(&json!(Line::Solution(line)))
            }
            (SolutionFormat::Csv, _) => {
                // A blank line separates the tables of different solutions.
                let is_next = self.count > 1 && self.command.wanted() != Count::First(1);
                match &table {
                    Some(table) => format!("{}{}", if is_next { "\n" } else { "" }, csv::csv_lines(table)),
                    None => csv::csv_lines(&self.goals(&solution)),
                }
            }
            // Clients of Conjure would take a further member for a decision variable.
            (_, Some(objective)) if !options.is_for_clients() => {
                with_members(&json(), &format!("\"$objective\": {}", to_spaced_json(&objective)))
            }
            _ => json(),
        };
        Ok(WritableSolution::Texts(options.formats().into_iter().map(text).collect()))
    }

    /// The value of the objective in its unit, or the values of several goals.
    fn objective(&self, solution: &Solution) -> Option<Value> {
        let objective = solution.objective_json()?;
        // If goals have different senses, some of their values are negated in the objective; here and in tables, they
        // have their original sign.
        let goals = self.trade_offs.as_ref().map_or(Vec::new(), |model| model.goal_values(solution));
        Some(match goals.is_empty() {
            true => objective,
            false => goals.iter().map(|goal| json_number(&goal.shown)).collect(),
        })
    }

    /// The table of a decision variable.
    fn table_of(&self, solution: &Solution, name: &str) -> Result<Vec<Vec<TableCell>>, Diagnostic> {
        solution.table(name, self.command.output.table_layout.into()).ok_or_else(|| {
            let message = format!("tables do not hold the value of `{name}`");
            Diagnostic::error(Code::COMMAND_LINE, message).help("choose other variables with --show, or another format")
        })
    }

    /// The tables of a solution: the competing goals, then its decision variables, with the number of the solution in
    /// their names if there are several.
    fn tables(&self, solution: &Solution) -> Result<Vec<NamedTable>, Diagnostic> {
        let is_numbered = self.command.wanted() != Count::First(1);
        let mut tables = Vec::new();
        if self.trade_offs.is_some() {
            tables.push(NamedTable { name: GOALS.to_owned(), rows: self.goals(solution) });
        }
        let names: Vec<String> = match &self.command.output.show[..] {
            [] => solution.values().map(|(name, _)| name.to_owned()).collect(),
            names => names.to_vec(),
        };
        for name in names {
            let rows = self.table_of(solution, &name)?;
            let name = if is_numbered { format!("{name} {}", self.count) } else { name };
            tables.push(NamedTable { name, rows });
        }
        Ok(tables)
    }

    /// A row with the values of the competing goals, after a row of headings for the first solution.
    fn goals(&self, solution: &Solution) -> Vec<Vec<TableCell>> {
        let goals = self.trade_offs.as_ref().map_or(Vec::new(), |model| model.goal_values(solution));
        let names = goals.iter().map(|goal| TableCell::Text(goal.goal.clone())).collect();
        let values = goals.iter().map(|goal| TableCell::Number(goal.shown.clone())).collect();
        if self.count == 1 { vec![names, values] } else { vec![values] }
    }

    /// Prints the best solution so far after a solution has refuted a solver's claim.
    pub(super) fn end_by_false_claim(&self, invocation: &mut Invocation, report: &Report) {
        let is_refuted = report.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::FALSE_CLAIM);
        let written = self.written.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        if let Some(written) = written.filter(|_| is_refuted) {
            match written.end(None, Some("a false claim of a solver"), None) {
                Ok((files, _)) => {
                    files.iter().for_each(|file| invocation.reporting.status(&format!("Wrote {}", file.display())));
                }
                Err(Failure::NoReader) => {}
                Err(Failure::Refused(refused)) => invocation.keep(Report::from(refused)),
            }
            interrupt::forget_last_words();
        }
    }

    /// Completes the output, reports the end of the search, and returns the exit code.
    pub(super) fn end(self, invocation: &mut Invocation, summary: &Summary, names: Option<&FileNames>) -> Option<Exit> {
        let bound = summary.statistics.as_ref().and_then(|statistics| statistics.bound);
        let written = self.written.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
        let Some(written) = written else {
            // The watchdog has taken the output and is ending the program.
            thread::sleep(INTERVAL);
            return Some(Exit::Limit);
        };
        let stopped = stopped(&summary.status);
        let ended = match self.failure {
            Some(failure) => Err(failure),
            None => written.end(Some(&summary.status), stopped.as_ref().map(|(by, _)| by.as_str()), bound),
        };
        interrupt::forget_last_words();
        let so_far = match ended {
            Ok((files, so_far)) => {
                files.iter().for_each(|file| invocation.reporting.status(&format!("Wrote {}", file.display())));
                let numbered = self.command.wanted() != Count::First(1);
                let copied = names.map_or(Vec::new(), |names| names.copied(&files, numbered));
                copied.iter().for_each(|said| invocation.reporting.status(said));
                so_far
            }
            // In `conjure-like solve … | head -1`, the output is closed early, which is not a mistake.
            Err(Failure::NoReader) => return Some(Exit::Answer),
            Err(Failure::Refused(refused)) => return invocation.fail(refused),
        };
        let status = match (&summary.status, stopped) {
            (_, Some((_, says))) => format!("{says}; {so_far}."),
            (SolveStatus::Unsatisfiable, _) => match &self.why {
                Some(why) => why.clone(),
                None => "No solutions found in this part of the search.".to_owned(),
            },
            (SolveStatus::AllSolutions, _) if self.command.wanted() != Count::First(1) => {
                format!("{} found; there are no more.", counted(self.count, self.noun))
            }
            _ => String::new(),
        };
        if !status.is_empty() {
            invocation.reporting.status(&format!("{}{status}", self.name));
        }
        Some(match summary.status {
            ref status if !status.is_definite() => Exit::Limit,
            _ if !self.command.exit_status => Exit::Answer,
            SolveStatus::Unsatisfiable => Exit::Unsatisfiable,
            SolveStatus::Optimal => Exit::Optimal,
            _ => Exit::Satisfiable,
        })
    }
}

/// The cause that stopped a search without an answer: for the output, and as the first part of a status line.
fn stopped(status: &SolveStatus) -> Option<(String, String)> {
    let cause = match status {
        SolveStatus::TimeLimit => Cause::Time,
        SolveStatus::Interrupted => interrupt::cause_of_interruption(),
        SolveStatus::Unknown(reason) => {
            return Some((format!("the solver ({reason})"), format!("The solver gave up ({reason})")));
        }
        _ => return None,
    };
    Some((cause.name().to_owned(), cause.ended_the_search()))
}

/// The last words, for a search that does not end in time.
fn last_words(
    written: SharedOutput,
    reporting: report::ReportOptions,
    name: String,
) -> impl FnOnce(Cause) -> bool + Send + 'static {
    move |cause| {
        // The search may be writing a solution, and it holds the lock until the reader accepts it.
        let pause = Duration::from_millis(10);
        let taken = (0..100).find_map(|_| match written.try_lock() {
            Ok(mut written) => Some(written.take()),
            Err(_) => {
                thread::sleep(pause);
                None
            }
        });
        let Some(written) = taken else { return false };
        let Some(written) = written else {
            // The search has ended normally after all, and the main thread is completing the output.
            thread::sleep(INTERVAL);
            return true;
        };
        let status = if cause == Cause::Time { SolveStatus::TimeLimit } else { SolveStatus::Interrupted };
        match written.end(Some(&status), Some(cause.name()), None) {
            Ok((files, so_far)) => {
                files.iter().for_each(|file| reporting.status(&format!("Wrote {}", file.display())));
                reporting.status(&format!("{name}{}; {so_far}.", cause.ended_the_search()));
            }
            Err(Failure::NoReader) => {}
            Err(Failure::Refused(refused)) => reporting.diagnostics(&Report::from(refused)),
        }
        true
    }
}

impl WrittenSolutions {
    fn write(&mut self, drawn: WritableSolution) -> Result<(), Failure> {
        match drawn {
            WritableSolution::Texts(texts) => {
                self.outputs.iter_mut().zip(&texts).try_for_each(|(output, text)| output.solution(text))
            }
            WritableSolution::Tables(tables) => {
                for table in tables {
                    // If goals compete, each solution is a row in the table of the goals.
                    match self.tables.iter_mut().find(|known| known.name == table.name) {
                        Some(known) => known.rows.extend(table.rows),
                        None => self.tables.push(table),
                    }
                }
                Ok(())
            }
            // If one document shows all solutions, it is written at the end.
            WritableSolution::Sheet(sheet) if self.outputs.iter().any(SolutionOutput::is_one_document) => {
                self.sheets.push(sheet);
                Ok(())
            }
            WritableSolution::Sheet(sheet) => {
                let text = self.render(&[sheet]);
                self.outputs.iter_mut().try_for_each(|output| output.solution(&text))
            }
        }
    }

    fn render(&self, sheets: &[Sheet]) -> String {
        self.picture.map_or(String::new(), |format| format.render(&self.title, sheets, self.bold))
    }

    /// Writes the remaining output. `by` is the cause that stopped the search, and `bound` the bound on the objective.
    /// Returns the files, and the result so far in words. With lines, the last one has the status.
    fn end(
        mut self,
        status: Option<&SolveStatus>,
        by: Option<&str>,
        bound: Option<i64>,
    ) -> Result<(Vec<PathBuf>, String), Failure> {
        // The search is limited by a bound on the first goal, and solutions beyond it may be missing.
        let missing = self.first_goal.as_ref().map(|(goal, negated)| {
            let bound = bound.map(|bound| if *negated { -bound } else { bound });
            let side = if goal.maximises { "at most" } else { "at least" };
            let with = bound.map(|bound| format!(" with {} of {side} {}", goal.expression, (self.shown)(bound)));
            format!("{} found; there may be more{}", counted(self.count, self.noun), with.unwrap_or_default())
        });
        // `missing` already mentions the bound on the first goal.
        let bound = bound.filter(|_| missing.is_none());
        let between = self.value.zip(bound).map(|(value, bound)| (value.min(bound), value.max(bound)));
        let between = between.filter(|(low, high)| low < high);
        // With `--all` and an objective, all best solutions are searched for, so there is a bound, too.
        let (optimising, found) = (self.optimising || bound.is_some(), self.count > 0);
        let between = between.map(|(low, high)| ((self.shown)(low), (self.shown)(high)));
        let shown = between.clone();
        let ended = status.filter(|_| self.lines).map(|status| SearchEnded {
            stopped_by: by.map(str::to_owned),
            between: between.as_ref().map(|(low, high)| [json_number(low), json_number(high)]),
            ..SearchEnded::new(status, self.count)
        });
        let by = by.filter(|_| !self.lines);
        let remark = by.map(|by| Remark { by: by.to_owned(), optimising, found, between });
        let mut remarked = false;
        if let Some(best) = self.best.take() {
            let best = match (best, &remark) {
                (WritableSolution::Texts(texts), Some(remark)) => {
                    remarked = true;
                    let outputs = self.outputs.iter().zip(&texts);
                    WritableSolution::Texts(
                        outputs.map(|(output, text)| remark.added_to(text, output.kind())).collect(),
                    )
                }
                (best, _) => best,
            };
            self.write(best)?;
        }
        if !self.sheets.is_empty() {
            let text = self.render(&self.sheets);
            self.outputs.iter_mut().try_for_each(|output| output.document(&text))?;
        }
        if !self.tables.is_empty() {
            stdout::write_bytes(&workbook::workbook_file(&self.tables)?)?;
        }
        if let (Some(remark), false) = (&remark, remarked) {
            self.outputs.iter_mut().try_for_each(|output| output.remark(remark))?;
        }
        let so_far = match (self.count, optimising, self.value, shown) {
            _ if missing.is_some() => missing.unwrap_or_default(),
            (count, ..) if self.noun != "solution" => {
                format!("{} found; there may be more", counted(count, self.noun))
            }
            (0, ..) => "no solution has been found so far".to_owned(),
            (_, true, Some(value), Some((low, high))) => {
                let value = (self.shown)(value);
                format!("the solution has objective {value}; the best value lies between {low} and {high}")
            }
            (_, true, ..) => "the solution may not be the best one".to_owned(),
            (1, ..) => "1 solution has been found so far".to_owned(),
            (count, ..) => format!("{count} solutions have been found so far"),
        };
        let text = self.outputs.iter().find_map(SolutionOutput::for_last_line).map(str::to_owned);
        let mut files = Vec::new();
        for output in self.outputs {
            files.extend(output.end()?);
        }
        if let Some(ended) = ended {
            stdout::write_line(&Line::Result(Reply::Ended(SearchEnded { text, ..ended })))?;
        }
        Ok((files, so_far))
    }
}
