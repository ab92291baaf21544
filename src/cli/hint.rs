//! `conjure-like hint`

use super::{
    Exit,
    answer::{self, Answer, Steps},
    files::solution_file,
    instances::Instances,
    interrupt,
    session::Session,
    why::{Known, answered, known, partial as partial_of},
};
use clap::Args;
use conjure_like::{
    explain::{self, Board, Case, Guide, Next, Step, Trouble, Verdict},
    pipeline,
    solver::Limits,
    source::SourceId,
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
            let known = self.known(session, model, data, partial)?;
            let answer = self.hints(session, &known, &limits)?;
            self.answers.print(session, &answer, path.filter(|_| self.instances.are_several()))
        })
    }

    fn known(
        &self,
        session: &mut Session,
        model: SourceId,
        data: &[SourceId],
        partial: Option<SourceId>,
    ) -> Option<Known> {
        let Some(partial) = partial else {
            let model = pipeline::model(&session.sources, model, &mut session.diagnostics)?;
            let instance = pipeline::instance(&model, &session.sources, data, &mut session.diagnostics)?;
            return Some(Known { instance, values: Vec::new(), written: Vec::new() });
        };
        let file = pipeline::parse(&session.sources, model, &mut session.diagnostics)?;
        let partial = partial_of(session, &file, partial)?;
        known(session, file, data, &partial)
    }

    fn hints(&self, session: &mut Session, known: &Known, limits: &Limits) -> Option<Answer> {
        let case = Case { values: &known.values, written: &known.written, ..Case::of(&known.instance, limits) };
        let verdict = interrupt::explaining(limits.deadline, || explain::why(&case, &session.sources));
        let solution = match answered(session, verdict, "nothing is known yet")? {
            Some(Verdict::Solvable(solution)) => solution,
            Some(Verdict::Conflict(explanation)) => {
                return Some(Answer::conflict("none", "There is no solution", explanation));
            }
            None => return Some(Answer::unknown()),
        };
        let mut taken = Vec::new();
        let end = interrupt::explaining(limits.deadline, || {
            let board = Board::new(&case, &solution, &session.sources)?;
            explain::guided(&case, &board, &session.sources, |guide| self.follow(guide, &mut taken))
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
        let open = match end {
            Some(Some(Next::Open(names))) => names,
            _ => Vec::new(),
        };
        Some(Answer { steps: Some(Steps { taken, all: self.all, ending, open }), ..answer })
    }

    /// Takes one step, or all; returns what there was instead of a further one.
    fn follow(&self, guide: &mut Guide, steps: &mut Vec<Step>) -> Result<Option<Next>, Trouble> {
        guide.given()?;
        loop {
            match guide.next_step()? {
                Next::Step(step) => steps.push(step),
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
