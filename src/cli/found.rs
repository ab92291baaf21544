//! The solutions of one instance as they come in: printed, counted, and what is said of them.

use super::{
    Exit,
    output::{Format, Output},
    report,
    session::Session,
    solve::{Solve, Wanted},
};
use conjure_like::{
    instance::{Instance, Solution},
    language::Value,
    picture::{self, Directive, Sheet},
    solution,
    solver::Outcome,
};
use std::{
    io,
    ops::ControlFlow,
    time::{Duration, Instant},
};

/// How often `--progress` says how many solutions there are.
const INTERVAL: Duration = Duration::from_secs(1);

/// The solutions of one instance as they come in.
pub struct Found<'a> {
    command: &'a Solve,
    instance: &'a Instance,
    output: Output,
    directives: &'a [Directive],
    /// What the pictures are of.
    title: String,
    /// Whether pictures may use bold letters.
    bold: bool,
    /// Pictures that go into one document.
    sheets: Vec<Sheet>,
    /// How many were found; with an objective, each better than the one before.
    count: usize,
    /// With an objective, the last solution is the best one so far, and only the best is printed.
    best: Option<Solution>,
    /// Why a solution could not be written.
    failure: Option<io::Error>,
    reporting: report::Options,
    /// What the lines about this instance begin with.
    name: String,
    /// The command that explains the instance if it has no solution.
    pub why: String,
    started: Instant,
    /// When something was last said of the progress.
    said: Instant,
}

impl<'a> Found<'a> {
    pub fn new(
        command: &'a Solve,
        instance: &'a Instance,
        output: Output,
        directives: &'a [Directive],
        title: String,
        reporting: report::Options,
        name: String,
    ) -> Self {
        let now = Instant::now();
        let bold = !command.output.writes_files() && reporting.styled_output();
        Found {
            command,
            instance,
            output,
            directives,
            title,
            bold,
            sheets: Vec::new(),
            count: 0,
            best: None,
            failure: None,
            reporting,
            name,
            why: String::new(),
            started: now,
            said: now,
        }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    pub fn add(&mut self, solution: &Solution) -> ControlFlow<()> {
        self.count += 1;
        if self.command.progress {
            self.say_progress(solution);
        }
        if self.instance.model.objective.is_some() {
            self.best = Some(solution.clone());
            return ControlFlow::Continue(());
        }
        self.print(solution)?;
        match self.command.wanted() {
            Wanted::First(count) if self.count >= count => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Says how good each better solution is, or now and then how many there are.
    fn say_progress(&mut self, solution: &Solution) {
        let seconds = self.started.elapsed().as_secs_f64();
        let text = match objective(self.instance, solution) {
            Some(value) => format!("objective {value} after {seconds:.1} s"),
            None if self.said.elapsed() < INTERVAL => return,
            None => format!("{} solutions after {seconds:.1} s", self.count),
        };
        self.said = Instant::now();
        self.reporting.status(&format!("{}{text}", self.name));
    }

    fn print(&mut self, solution: &Solution) -> ControlFlow<()> {
        let text = match (self.command.output.picture, self.command.output.output_format) {
            (Some(format), _) => {
                let pictures = picture::draw(self.instance, solution, self.directives);
                let sheet = Sheet { heading: format!("Solution {}", self.count), pictures };
                if self.output.is_one_document() {
                    self.sheets.push(sheet);
                    return ControlFlow::Continue(());
                }
                format.render(&self.title, &[sheet], self.bold)
            }
            (None, Format::Plain) => solution::print(self.instance, solution, self.command.output.line_width),
            (None, Format::Json | Format::Jsonstream) => solution::json::print(self.instance, solution),
        };
        match self.output.solution(&text) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Prints what is left to print, says how the search ended, and turns it into the exit code.
    /// `bound` is the best value of the objective that has not been ruled out, if the solver tells it.
    pub fn end(mut self, session: &mut Session, outcome: Outcome, bound: Option<i64>) -> Option<Exit> {
        let gap = self.best.as_ref().and_then(|best| gap(objective(self.instance, best)?, bound?));
        if let Some(best) = self.best.take() {
            let _ = self.print(&best);
        }
        if let (Some(format), false) = (self.command.output.picture, self.sheets.is_empty()) {
            let text = format.render(&self.title, &self.sheets, self.bold);
            self.failure = self.failure.or(self.output.document(&text).err());
        }
        let files = match self.failure {
            Some(error) => Err(error),
            None => self.output.end(),
        };
        match files {
            Ok(files) => files.iter().for_each(|file| session.reporting.status(&format!("Wrote {}", file.display()))),
            Err(error) => return self.command.output_failed(session, &error),
        }
        let optimising = self.instance.model.objective.is_some();
        let so_far = match (self.count, optimising) {
            (0, _) => "no solution was found so far".to_owned(),
            (_, true) => gap.unwrap_or_else(|| "the solution may not be the best one".to_owned()),
            (1, _) => "1 solution was found so far".to_owned(),
            (count, _) => format!("{count} solutions were found so far"),
        };
        let status = match &outcome {
            Outcome::Complete if self.count == 0 => format!("No solutions found.\nFor the reason: {}", self.why),
            Outcome::Complete if self.command.wanted() != Wanted::First(1) => {
                format!("{} solution{} found; there are no more.", self.count, if self.count == 1 { "" } else { "s" })
            }
            Outcome::Complete | Outcome::Stopped => String::new(),
            Outcome::TimeLimit => format!("The time limit ended the search; {so_far}."),
            Outcome::Interrupted => format!("Interrupted; {so_far}."),
            Outcome::Unknown(reason) => format!("The solver gave up ({reason}); {so_far}."),
        };
        if !status.is_empty() {
            session.reporting.status(&format!("{}{status}", self.name));
        }
        Some(match outcome {
            Outcome::TimeLimit | Outcome::Interrupted | Outcome::Unknown(_) => Exit::Limit,
            _ if !self.command.exit_status => Exit::Answer,
            _ if self.count == 0 => Exit::Unsatisfiable,
            _ if optimising => Exit::Optimal,
            _ => Exit::Satisfiable,
        })
    }
}

/// The value of the objective, if there is one.
fn objective(instance: &Instance, solution: &Solution) -> Option<i64> {
    match solution::objective_value(instance, solution) {
        Ok(Some(Value::Int(value))) => Some(value),
        _ => None,
    }
}

/// How far a solution may be from the best one; `bound` is the best value that has not been ruled out.
fn gap(value: i64, bound: i64) -> Option<String> {
    let (low, high) = (value.min(bound), value.max(bound));
    (low < high).then(|| {
        format!("the best value of the objective lies between {low} and {high}, that of the solution is {value}")
    })
}
