//! Goals beyond what the model says: to be near to an earlier plan, and how much one goal may give for the next one.

use crate::cli::{files::solution_file, interrupt, session::Session};
use clap::Args;
use conjure_like::{Code, Count, Diagnostic, Goal, Model, Solution, SolveOptions, SolveStatus, Text, Values, counted};
use std::{ops::ControlFlow, path::PathBuf, str::FromStr};

#[derive(Args, Clone, Debug)]
pub(super) struct GoalOptions {
    /// Require this, too, and leave the model as it is: --fix 'x[1] = 3'
    #[arg(long, value_name = "EXPRESSION")]
    fix: Vec<String>,
    /// Find a solution (with an objective, a best one) that differs as little as possible from the one in FILE, which
    /// need not fit the data any longer, and say what changes
    #[arg(long, value_name = "FILE", value_parser = solution_file, conflicts_with = "cubes")]
    near: Option<PathBuf>,
    /// With several goals, how much each one may give for the next one: a number, or a percentage of its best value
    #[arg(long, value_name = "AMOUNT", conflicts_with = "cubes")]
    within: Option<Tolerance>,
}

/// How much worse than its best value a goal may be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tolerance {
    Absolute(i64),
    /// In percent of the best value.
    Relative(f64),
}

impl FromStr for Tolerance {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "write a number such as 10, or a percentage such as 5%";
        match text.strip_suffix('%') {
            Some(percent) => match percent.parse::<f64>() {
                Ok(percent) if (0.0..=1e6).contains(&percent) => Ok(Tolerance::Relative(percent)),
                _ => Err(wrong),
            },
            None => text.parse().ok().filter(|amount| *amount >= 0).map(Tolerance::Absolute).ok_or(wrong),
        }
    }
}

impl Tolerance {
    /// The amount by which a value may be missed, rounded down.
    fn of(self, best: i64) -> i64 {
        match self {
            Tolerance::Absolute(amount) => amount,
            Tolerance::Relative(percent) => (best.unsigned_abs() as f64 * percent / 100.0).floor() as i64,
        }
    }
}

/// An earlier plan, and what changes.
pub(super) struct EarlierPlan {
    name: String,
    values: Values,
    /// What changes to the last solution; `None` as long as there is none.
    changes: Option<Vec<String>>,
}

impl EarlierPlan {
    /// Notes what changes to a solution.
    pub(super) fn compare(&mut self, solution: &Solution) {
        self.changes = Some(self.values.changes(solution));
    }

    /// Whether there was a solution.
    pub(super) fn was_compared(&self) -> bool {
        self.changes.is_some()
    }

    /// Says what has changed.
    pub(super) fn report(&self, session: &Session) {
        const MOST: usize = 20;
        let changes = self.changes.as_deref().unwrap_or_default();
        let mut text = format!("{} from `{}`", counted(changes.len(), "change"), self.name);
        for (at, line) in changes.iter().take(MOST).enumerate() {
            text += if at == 0 { ":\n  " } else { "\n  " };
            text += line;
        }
        if changes.len() > MOST {
            text += &format!("\n  and {} more", changes.len() - MOST);
        }
        session.reporting.status(&text);
    }
}

impl GoalOptions {
    /// Whether the model is solved as it is.
    pub(super) fn are_none(&self) -> bool {
        self.fix.is_empty() && self.near.is_none() && self.within.is_none()
    }

    /// The model to solve instead of the given one, and the plan to compare its solutions with.
    pub(super) fn applied(
        &self,
        session: &mut Session,
        model: &Model,
        data: &[Text],
        options: &SolveOptions,
    ) -> Option<(Model, Option<EarlierPlan>)> {
        let mut model = model.clone();
        if !self.fix.is_empty() {
            model = session.accept(model.requiring(&self.fix))?;
        }
        let mut goals = model.goals();
        let mut plan = None;
        if let Some(path) = &self.near {
            let text = session.read(path)?;
            goals.push(session.accept(model.nearness(&text))?);
            let values = session.accept(Values::read(Some(&model), &text))?;
            plan = Some(EarlierPlan { name: text.name, values, changes: None });
        }
        match (self.within, goals.split_last()) {
            (None, _) if self.near.is_none() => {}
            (None, _) => model = session.accept(model.with_goals(&goals))?,
            (Some(within), Some((last, first))) if !first.is_empty() => {
                model = self.staged(session, &model, data, options, (first, last), within)?;
            }
            (Some(_), _) => {
                return session.fail(
                    Diagnostic::error(Code::COMMAND_LINE, "--within needs a goal that gives and a goal that gains")
                        .help("minimise a tuple, as in `minimising (late, cost)`, or add --near FILE"),
                );
            }
        }
        Some((model, plan))
    }

    /// The model with the last goal, in which the others are as good as they can be one after the other, but for the
    /// tolerance.
    fn staged(
        &self,
        session: &mut Session,
        model: &Model,
        data: &[Text],
        options: &SolveOptions,
        (first, last): (&[Goal], &Goal),
        within: Tolerance,
    ) -> Option<Model> {
        let options = options.clone().solutions(Count::First(1));
        let mut bounded = model.clone();
        for goal in first {
            interrupt::doing("the best values of the first goals were looked for");
            let stage = session.accept(bounded.with_goals(std::slice::from_ref(goal)))?;
            let instance = session.accept(stage.instance(data))?;
            let mut best = None;
            let summary = instance.solve(&options, &mut |solution| {
                best = solution.objective().and_then(|value| value.as_int());
                ControlFlow::Continue(())
            });
            let summary = session.accept(summary)?;
            // The search that follows says that there is no solution, or that a limit was reached.
            let Some(best) = best else { return Some(stage) };
            let (tolerance, shown) = (within.of(best), &goal.expression);
            let proved = if summary.status == SolveStatus::Optimal { "best" } else { "best known" };
            session
                .reporting
                .status(&format!("The {proved} value of {shown} is {best}; it may be missed by {tolerance}."));
            bounded = session.accept(bounded.requiring(&[goal.at_least_as_good_as(best, tolerance)]))?;
        }
        session.accept(bounded.with_goals(std::slice::from_ref(last)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tolerance_is_a_number_or_a_percentage() {
        assert_eq!("5%".parse(), Ok(Tolerance::Relative(5.0)));
        assert_eq!("12".parse(), Ok(Tolerance::Absolute(12)));
        assert!(["-1", "x", "-5%", ""].iter().all(|text| text.parse::<Tolerance>().is_err()));
        assert_eq!(Tolerance::Relative(5.0).of(-139), 6);
        assert_eq!(Tolerance::Absolute(3).of(100), 3);
    }
}
