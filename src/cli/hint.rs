//! `conjure-like hint`

use super::{
    Exit,
    answer::{self, Answer, Asking, Steps},
    files::solution_file,
    instances::Instances,
    interrupt,
    session::Session,
    why::{answered, known, verdict},
};
use clap::Args;
use conjure_like::{
    diagnostic::Diagnostics,
    explain::{self, Board, Case, Guide, Known, Next, Step, Trouble, Verdict},
    pipeline,
    source::Sources,
};
use std::path::PathBuf;

/// Says what follows next, and why
///
/// The next step towards the solution is the value that follows from the fewest requirements, or, where that would be
/// too many, what some part cannot be.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like hint models/futoshiki.essence params/futoshiki-5-less.param

Exit code: 0 for a definite answer; 2 for a mistake in the command line, the files, the model or the data; 3 if a
limit ended the search before it had an answer.")]
pub struct Hint {
    #[command(flatten)]
    instances: Instances,
    /// What is known already: a solution without the variables that are not known, or with `_` for parts of them
    #[arg(long, value_name = "SOLUTION", value_parser = solution_file)]
    partial: Option<PathBuf>,
    /// All steps to the solution
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    answers: answer::Options,
}

impl Hint {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let limits = self.answers.limits();
        let partial = match &self.partial {
            Some(path) => Some(session.read(path)?),
            None => None,
        };
        let model = session.read(&self.instances.model)?;
        self.instances.each(session, |session, data, path| {
            let instance = path.filter(|_| self.instances.are_several());
            let asking = Asking { limits: &limits, answers: &self.answers, instance };
            let read = |sources: &Sources, diagnostics: &mut Diagnostics| match partial {
                Some(partial) => known(sources, model, data, partial, diagnostics),
                None => {
                    let model = pipeline::model(sources, model, diagnostics)?;
                    pipeline::instance(&model, sources, data, diagnostics).map(Known::from)
                }
            };
            let known = read(&session.sources, &mut session.diagnostics)?;
            let again = |sources: &Sources| read(sources, &mut Vec::new());
            let case = Case { again: Some(&again), ..known.case(&limits) };
            let answer = self.hints(session, &case, &asking)?;
            self.answers.print(session, &answer, instance)
        })
    }

    fn hints(&self, session: &mut Session, case: &Case, asking: &Asking) -> Option<Answer> {
        let conflict = |explanation| Answer::conflict("none", "There is no solution", explanation);
        let solution = match verdict(session, case, asking, &conflict)? {
            Some(Verdict::Solvable(solution)) => solution,
            Some(Verdict::Conflict(explanation)) => return Some(conflict(explanation)),
            None => return Some(Answer::unknown()),
        };
        let mut taken = Vec::new();
        let end = interrupt::explaining(asking.limits.deadline, "no step is known yet", || {
            let board = Board::new(case, &solution, &session.sources)?;
            let mut step = |step: Step| {
                taken.push(step);
                let steps = Steps { taken: taken.clone(), all: self.all, ending: String::new(), open: Vec::new() };
                let answer = Answer { steps: Some(steps), ..Answer::unknown() };
                asking.leave(session, &answer, "no further step is known yet");
            };
            explain::guided(case, &board, &session.sources, |guide| self.follow(guide, &mut step))
        });
        let so_far = if taken.is_empty() { "no step is known yet" } else { "no further step is known yet" };
        let end = answered(session, end, so_far)?;
        let answer = match &end {
            None => Answer::unknown(),
            Some(None | Some(Next::Step(_))) => Answer::new("next", ""),
            Some(Some(Next::Solved)) => Answer::new("solved", "").with_solution(case.instance, &solution),
            Some(Some(Next::Open(_))) => Answer::new("open", ""),
        };
        let ending = match &end {
            Some(Some(end)) => ending(end, taken.len()),
            _ => String::new(),
        };
        let ending = match &case.instance.model.objective {
            Some(objective) if !ending.is_empty() || !self.all => {
                let word = if objective.maximising { "maximising" } else { "minimising" };
                let value = session.sources.text(objective.value.span);
                let value: Vec<&str> = value.split_whitespace().collect();
                let value = value.join(" ");
                let space = if ending.is_empty() { "" } else { "\n" };
                format!("{ending}{space}Hints are about all solutions: the objective, `{word} {value}`, is not used.\n")
            }
            _ => ending,
        };
        let open = match end {
            Some(Some(Next::Open(names))) => names,
            _ => Vec::new(),
        };
        Some(Answer { steps: Some(Steps { taken, all: self.all, ending, open }), ..answer })
    }

    /// Takes one step, or all; returns what there was instead of a further one.
    fn follow(&self, guide: &mut Guide, take: &mut dyn FnMut(Step)) -> Result<Option<Next>, Trouble> {
        guide.with_values = self.all;
        guide.given()?;
        loop {
            match guide.next_step()? {
                Next::Step(step) => take(step),
                end => return Ok(Some(end)),
            }
            if !self.all {
                return Ok(None);
            }
        }
    }
}

/// Why there is no further step, for people.
fn ending(end: &Next, steps: usize) -> String {
    match end {
        Next::Step(_) => String::new(),
        Next::Solved => match steps {
            0 => "There is nothing left to find.\n".to_owned(),
            1 => "That is all, in 1 step.\n".to_owned(),
            steps => format!("That is all, in {steps} steps.\n"),
        },
        Next::Open(names) => {
            let shown: Vec<&str> = names.iter().take(10).map(String::as_str).collect();
            let rest = match names.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let several = if names.len() == 1 { "is not the same" } else { "are not the same" };
            format!("Nothing more follows: {}{rest} {several} in all solutions.\n", shown.join(", "))
        }
    }
}
