//! `conjure-like hint`

use super::{
    Exit, interrupt,
    session::Session,
    why::{Known, Selection, answered, certainty, conflict, known, partial as partial_of, reasons},
};
use clap::Args;
use conjure_like::{
    explain::{self, Board, Case, Guide, Next, Step, Trouble, Verdict},
    instance::Solution,
    pipeline, solution,
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
    instance: Selection,
    /// What is known already: a solution without the variables that are not known, or with `_` for parts of them
    #[arg(long, value_name = "SOLUTION")]
    partial: Option<PathBuf>,
    /// All steps to the solution
    #[arg(long)]
    all: bool,
}

impl Hint {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let limits = self.instance.limits();
        let partial = match &self.partial {
            Some(path) => Some(session.read(path)?),
            None => None,
        };
        self.instance.each(session, |session, model, data, title| {
            let known = self.known(session, model, data, partial)?;
            let (exit, text) = self.hints(session, &known, &limits)?;
            session.print(&format!("{title}{text}"))?;
            Some(exit)
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

    fn hints(&self, session: &mut Session, known: &Known, limits: &Limits) -> Option<(Exit, String)> {
        let case = Case { values: &known.values, written: &known.written, ..Case::of(&known.instance, limits) };
        let verdict = interrupt::during(limits.deadline, || explain::why(&case, &session.sources));
        let solution = match answered(session, verdict)? {
            Some(Verdict::Solvable(solution)) => solution,
            Some(Verdict::Conflict(explanation)) => {
                return Some((certainty(&explanation), conflict(session, &explanation, "There is no solution")));
            }
            None => return Some((Exit::Limit, String::new())),
        };
        let mut steps = Vec::new();
        let end = interrupt::during(limits.deadline, || {
            let board = Board::new(&case, &session.sources)?;
            explain::guided(&case, &board, &session.sources, |guide| self.follow(guide, &mut steps))
        });
        let mut text = String::new();
        if self.all {
            text += &steps.iter().zip(1..).map(|(step, number)| numbered(step, number)).collect::<String>();
        } else if let [step] = steps.as_slice() {
            text += &format!("Next: {}\n\n{}\n", step.says, bullets(step, "  - "));
            text += &reasons(session, &step.reasons);
        }
        match answered(session, end)? {
            Some(end) => Some((Exit::Answer, text + &self.ending(&case, end.as_ref(), steps.len(), &solution))),
            None => Some((Exit::Limit, text)),
        }
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

    fn ending(&self, case: &Case, end: Option<&Next>, steps: usize, found: &Solution) -> String {
        match end {
            None | Some(Next::Step(_)) => String::new(),
            Some(Next::Solved) => {
                let printed = solution::print(case.instance, found, 120);
                let how = match (self.all, steps) {
                    (true, 1..) => format!("That is all, in {steps} step{}.", if steps == 1 { "" } else { "s" }),
                    _ => "There is nothing left to find.".to_owned(),
                };
                format!("{}{how}\n\n{printed}", if steps > 0 { "\n" } else { "" })
            }
            Some(Next::Open(names)) => {
                let shown: Vec<&str> = names.iter().take(10).map(String::as_str).collect();
                let more = names.len() - shown.len();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let several = if names.len() == 1 { "is not the same" } else { "are not the same" };
                format!(
                    "{}Nothing more follows: {}{more} {several} in all solutions.\n",
                    if steps > 0 { "\n" } else { "" },
                    shown.join(", ")
                )
            }
        }
    }
}

fn bullets(step: &Step, mark: &str) -> String {
    step.lines.iter().map(|line| format!("{mark}{line}\n")).collect()
}

fn numbered(step: &Step, number: usize) -> String {
    format!("{number:>3}. {}\n{}", step.says, bullets(step, "       "))
}
