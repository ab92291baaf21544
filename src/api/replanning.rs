//! Changes to a model for replanning: further requirements, and goals in order. Each change is a statement in Essence
//! at the end of the model.

use super::{ExplainOptions, Model, Report, Solution, SolveOptions, Text, Value};
use crate::{
    diagnostic::{Code, Diagnostic},
    explain::Answer,
    language::{Sense, unit::Unit},
    picture::GoalValue,
    source::{REQUIRED, Span},
    syntax::ast::{ExprTree, ExprTreeKind, StatementKind},
};
use std::ops::ControlFlow;

/// The replacement for a constraint that is left out.
const HOLDS: &str = "true";

/// A goal of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Goal {
    /// The expression in Essence.
    pub expression: String,
    /// True if large values are better.
    pub maximises: bool,
    /// True if the goal is a price of wishes, which has no unit.
    pub(super) is_price: bool,
}

impl Goal {
    /// The requirement that the goal is at least as good as a value, up to a tolerance.
    pub fn at_least_as_good_as(&self, value: i64, tolerance: i64) -> String {
        let Goal { expression, maximises, .. } = self;
        match maximises {
            true => format!("({expression}) >= {}", value.saturating_sub(tolerance)),
            false => format!("({expression}) <= {}", value.saturating_add(tolerance)),
        }
    }
}

impl Model {
    /// Returns the model with further requirements, each of which is an expression or several separated by commas.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "find x : int(1..9)"))?;
    /// assert!(model.requiring(&["x > 3".to_owned()])?.instance(&[]).is_ok());
    /// assert!(model.requiring(&["x > y".to_owned()]).is_err());
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors in the requirements.
    pub fn requiring(&self, requirements: &[String]) -> Result<Model, Report> {
        let (mut text, mut added) = (self.text().text, self.sources.added().to_vec());
        for requirement in requirements {
            text += REQUIRED;
            added.push(text.len()..text.len() + requirement.len());
            text += requirement;
        }
        match self.with_text(text) {
            Ok(mut model) => {
                model.sources.note_added(added);
                Ok(model)
            }
            Err(mut report) => {
                report.sources.note_added(added);
                Err(report.with_added_apart())
            }
        }
    }

    /// Returns the model without the constraints that start on the given lines.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "find x : int(1..9)\nsuch that x > 3,\n  x < 2"))?;
    /// assert_eq!(model.relaxing(&[3])?.text().text, "find x : int(1..9)\nsuch that x > 3,\n  true ");
    /// assert!(model.relaxing(&[1]).is_err());
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error for a line on which no constraint starts.
    pub fn relaxing(&self, lines: &[usize]) -> Result<Model, Report> {
        let Text { name, text, .. } = self.text();
        let constraints = self.read.file.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::SuchThat(items) => Some(items),
            _ => None,
        });
        let line_of = |start: usize| text[..start].matches('\n').count() + 1;
        let place = |item: &ExprTree| (line_of(item.span.start as usize), item.span);
        let places: Vec<(usize, Span)> = constraints.flatten().map(place).collect();
        if let Some(wrong) = lines.iter().find(|line| !places.iter().any(|(known, _)| known == *line)) {
            let mut known: Vec<String> = places.iter().map(|(line, _)| line.to_string()).collect();
            known.dedup();
            let error =
                Diagnostic::error(Code::COMMAND_LINE, format!("no constraint starts on line {wrong} of `{name}`"));
            return Err(error.help(format!("constraints start on these lines: {}", known.join(", "))).into());
        }
        let chosen = places.into_iter().filter(|(line, _)| lines.contains(line));
        self.without(&chosen.map(|(_, span)| span).collect::<Vec<_>>())
    }

    /// Returns the model without some constraints, given in the order of the text. All other spans stay valid.
    pub(super) fn without(&self, constraints: &[Span]) -> Result<Model, Report> {
        let mut text = self.text().text;
        for span in constraints.iter().rev() {
            let (start, end) = (span.start as usize, span.end as usize);
            // Blanks preserve the length and the lines of the text.
            let rest: String = text[start..end].chars().skip(HOLDS.len()).map(blank_for).collect();
            text.replace_range(start..end, &format!("{HOLDS}{rest}"));
        }
        self.with_text(text)
    }

    /// Explains why a part of an earlier plan, such as `board[2, 3]`, changes: the requirements that force the change,
    /// or the number of changes if it stayed. [`Model::with_members`] returns a model that can name the members of all
    /// types.
    ///
    /// # Errors
    ///
    /// Returns all errors in the texts, or an error if the instance is too large or if the part has no value in the
    /// plan.
    pub fn why_changed(
        &self,
        data: &[Text],
        plan: &Text,
        part: &Text,
        options: &ExplainOptions,
    ) -> Result<Answer, Report> {
        // Wishes may be broken, so they are not a reason for a change.
        let soft = self.with_wishes_as_goal()?;
        soft.as_ref().unwrap_or(self).why_part_changed(data, plan, part, options)
    }

    fn why_part_changed(
        &self,
        data: &[Text],
        plan: &Text,
        part: &Text,
        options: &ExplainOptions,
    ) -> Result<Answer, Report> {
        let instance = self.instance(data)?;
        let old = instance.part_of_plan(plan, part).map_err(|mut report| {
            for diagnostic in &mut report.diagnostics {
                match diagnostic.code {
                    // The part was evaluated in the plan, so the help refers to the plan.
                    Code::UNDEFINED_VALUE => {
                        let help = format!("`{}` has no such part; ask about the whole variable", plan.name);
                        diagnostic.help.push(help);
                    }
                    Code::MISSING_PARAMETER => diagnostic.help.push(format!("`{}` does not mention it", plan.name)),
                    _ => {}
                }
            }
            report
        })?;
        let Some(literal) = &old.literal else {
            let says = format!("`{}` cannot stay {}.", part.text, old.shown);
            return Ok(Answer::new("forced", says));
        };
        let keeps = format!("({}) = {literal}", part.text);
        let changes = Text::new(part.name.as_str(), format!("!({keeps})"));
        let answer = self.forced(data, &changes, options)?;
        let (part, shown) = (&part.text, &old.shown);
        match answer.verdict {
            "not forced" => {}
            "forced" => {
                let says = match answer.reasons.len() {
                    0 => format!("`{part}` cannot stay {shown}."),
                    1 => format!("`{part}` cannot stay {shown}, because of this requirement."),
                    count => format!("`{part}` cannot stay {shown}, because of these {count} requirements."),
                };
                return Ok(Answer { says, ..answer });
            }
            _ => return Ok(answer),
        }
        let least = |model: &Model| -> Result<Option<(Solution, Value)>, Report> {
            let (mut last, options) = (None, SolveOptions::default().search(options.search.clone()));
            model.nearest_to(plan)?.instance(data)?.solve(&options, &mut |solution| {
                last = solution.objective().map(|value| (solution.clone(), value));
                ControlFlow::Continue(())
            })?;
            Ok(last)
        };
        // The change is not forced, so the optimum is compared with the optimum that keeps the part.
        let (free, kept) = (least(self)?, least(&self.requiring(&[keeps])?)?);
        let says = match (&free, &kept) {
            // The plan could keep this part at no cost.
            (Some((solution, free)), Some((_, kept))) if free == kept => {
                let now = Text::new("", solution.to_essence(120));
                let now = instance.part_of_plan(&now, &Text::new("", part.as_str()));
                let stays = now.is_ok_and(|now| now.shown == *shown);
                match stays {
                    true => format!("`{part}` does not change: it stays {shown}."),
                    false => format!("`{part}` can stay {shown}: as good a plan with as few changes keeps it."),
                }
            }
            (Some((free, _)), Some((kept, _))) => {
                let [free, kept] = [free, kept].map(|solution| solution.objective_shown().unwrap_or_default());
                let unit = if self.has_objective() {
                    "the objective with the number of changes"
                } else {
                    "the number of changes"
                };
                format!("`{part}` can stay {shown}, but at a price: {unit} is then {kept} instead of {free}.")
            }
            _ => return Ok(answer),
        };
        let changes = kept.map_or(Vec::new(), |(solution, _)| solution.changes());
        let listed: String = changes.iter().map(|line| format!("\n  {line}")).collect();
        Ok(Answer { verdict: "not forced", says: says + &listed, solution: None, ..answer })
    }

    /// The goals of the model in the order of their importance: none, one, or the items of a tuple.
    pub fn goals(&self) -> Vec<Goal> {
        let Some((sense, value, directions)) = self.objective() else { return Vec::new() };
        let items = match (&value.kind, value.trade_offs()) {
            (_, Some(items)) if self.has_trade_offs() => items,
            (ExprTreeKind::Tuple(items) | ExprTreeKind::Matrix(items, None), _) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let goal = |(position, item): (usize, &ExprTree)| {
            let sense = directions.get(position).copied().unwrap_or(sense);
            let expression = self.sources.text(item.span).to_owned();
            Goal { expression, maximises: sense == Sense::Maximise, is_price: position < self.read.file.prices }
        };
        items.iter().enumerate().map(goal).collect()
    }

    /// The values of the goals in a solution; empty if a goal is not a number.
    pub fn goal_values(&self, solution: &Solution) -> Vec<GoalValue> {
        let values: Vec<i64> = match solution.objective() {
            Some(Value::Tuple(items)) => items.iter().filter_map(Value::as_int).collect(),
            value => value.iter().filter_map(Value::as_int).collect(),
        };
        let (goals, units) = (self.goals(), self.typed().goal_units());
        if values.len() != goals.len() {
            return Vec::new();
        }
        let value = |((goal, value), unit): ((Goal, i64), Option<Unit>)| {
            // In the objective, goals are negated if their direction differs from the first goal's.
            let value = if self.maximises() == Some(goal.maximises) { value } else { -value };
            let shown = unit.map_or_else(|| value.to_string(), |unit| unit.shown(value));
            GoalValue { goal: goal.expression, value, shown }
        };
        goals.into_iter().zip(values).zip(units).map(value).collect()
    }

    /// Returns the model with other goals, the most important one first. The direction of the first one is the
    /// direction of the objective.
    ///
    /// # Errors
    ///
    /// Returns the errors in the goals.
    pub fn with_goals(&self, goals: &[Goal]) -> Result<Model, Report> {
        let mut text = self.text().text;
        let statements = self.read.file.statements.iter();
        let objective = statements.filter(|statement| matches!(statement.kind, StatementKind::Objective { .. }));
        for statement in objective {
            // Blanks preserve the spans of all other statements.
            let (start, end) = (statement.span.start as usize, statement.span.end as usize);
            let blank: String = text[start..end].chars().map(blank_for).collect();
            text.replace_range(start..end, &blank);
        }
        if let Some(first) = goals.first() {
            let word = if first.maximises { "maximising" } else { "minimising" };
            let item = |goal: &Goal| match goal.maximises == first.maximises {
                true => format!("({})", goal.expression),
                // All goals of a tuple have the same direction, so the others are negated.
                false => format!("-({})", goal.expression),
            };
            let items: Vec<String> = goals.iter().map(item).collect();
            text += &match items.as_slice() {
                [only] => format!("\n{word} {only}"),
                several => format!("\n{word} ({})", several.join(", ")),
            };
        }
        let prices = goals.iter().take_while(|goal| goal.is_price).count();
        self.with_text_and(text, &self.read.file.decided, prices)
    }

    fn objective(&self) -> Option<(Sense, &ExprTree, &[Sense])> {
        self.read.file.statements.iter().find_map(|statement| match &statement.kind {
            StatementKind::Objective { sense, value, directions } => Some((*sense, value, &**directions)),
            _ => None,
        })
    }
}

/// The replacement for a removed character; line ends stay.
fn blank_for(letter: char) -> char {
    if letter == '\n' { '\n' } else { ' ' }
}
