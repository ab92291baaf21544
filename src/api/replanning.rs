//! Plans that change: models with further requirements, goals one after the other, and the distance to an earlier plan
//! as a goal. All of it is said in Essence, by statements at the end of the model.

use super::{Model, Report, Text, Value, Values, changes::literal, stack::deep};
use crate::{
    diagnostic::{Code, Diagnostic},
    language::Sense,
    syntax::{
        ast::{ExprTreeKind, StatementKind},
        parse::name_of,
    },
};

/// A goal of a model: an expression, and whether large values of it are better.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Goal {
    /// The expression in Essence.
    pub expression: String,
    /// Whether large values are better.
    pub maximises: bool,
}

impl Goal {
    /// The requirement that the goal is at least as good as a value, but for a tolerance.
    pub fn at_least_as_good_as(&self, value: i64, tolerance: i64) -> String {
        let Goal { expression, maximises } = self;
        match maximises {
            true => format!("({expression}) >= {}", value.saturating_sub(tolerance)),
            false => format!("({expression}) <= {}", value.saturating_add(tolerance)),
        }
    }
}

impl Model {
    /// The model with further requirements, each an expression or several ones separated by commas.
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
    /// What is wrong with the requirements.
    pub fn requiring(&self, requirements: &[String]) -> Result<Model, Report> {
        let statements: String = requirements.iter().map(|text| format!("\nsuch that {text}")).collect();
        let Text { name, text, .. } = self.text();
        Model::read(&Text::new(name, text + &statements))
    }

    /// The goals of the model in the order of their importance: none, one, or the items of a tuple.
    pub fn goals(&self) -> Vec<Goal> {
        let Some((sense, value)) = self.objective() else { return Vec::new() };
        let items = match &value.kind {
            ExprTreeKind::Tuple(items) | ExprTreeKind::Matrix(items, None) => items.as_slice(),
            _ => std::slice::from_ref(value),
        };
        let text = |span| self.sources.text(span).to_owned();
        let goal = |expression| Goal { expression, maximises: sense == Sense::Maximise };
        items.iter().map(|item| goal(text(item.span))).collect()
    }

    /// The model with other goals, the most important one first; the sense of the first one counts for all.
    ///
    /// # Errors
    ///
    /// What is wrong with the goals.
    pub fn with_goals(&self, goals: &[Goal]) -> Result<Model, Report> {
        let (name, mut text) = (self.text().name, self.text().text);
        let statements = self.read.file.statements.iter();
        let objective = statements.filter(|statement| matches!(statement.kind, StatementKind::Objective { .. }));
        for statement in objective {
            // The places of all other statements stay.
            let (start, end) = (statement.span.start as usize, statement.span.end as usize);
            let blank: String =
                text[start..end].chars().map(|letter| if letter == '\n' { '\n' } else { ' ' }).collect();
            text.replace_range(start..end, &blank);
        }
        if let Some(first) = goals.first() {
            let word = if first.maximises { "maximising" } else { "minimising" };
            let item = |goal: &Goal| match goal.maximises == first.maximises {
                true => format!("({})", goal.expression),
                false => format!("-({})", goal.expression),
            };
            let items: Vec<String> = goals.iter().map(item).collect();
            text += &match items.as_slice() {
                [only] => format!("\n{word} {only}"),
                several => format!("\n{word} ({})", several.join(", ")),
            };
        }
        Model::read(&Text::new(name, text))
    }

    /// The goal to differ as little as possible from a plan, in Essence or JSON, that need not be a solution.
    ///
    /// # Errors
    ///
    /// What is wrong with the text; a plan without a value for any decision variable.
    pub fn nearness(&self, plan: &Text) -> Result<Goal, Report> {
        let values = Values::read(Some(self), plan)?;
        let mut terms = Vec::new();
        deep(|| {
            for name in self.finds() {
                if let Some(value) = values.get(name) {
                    add_differences(name, value, &mut terms);
                }
            }
        });
        if terms.is_empty() {
            let message = format!("`{}` has no value for a decision variable of the model", plan.name);
            let finds: Vec<&str> = self.finds().collect();
            let error = Diagnostic::error(Code::COMMAND_LINE, message);
            return Err(error.help(format!("the variables are {}", finds.join(", "))).into());
        }
        Ok(Goal { expression: format!("sum([{}])", terms.join(", ")), maximises: false })
    }

    fn objective(&self) -> Option<(Sense, &crate::syntax::ast::ExprTree)> {
        self.read.file.statements.iter().find_map(|statement| match &statement.kind {
            StatementKind::Objective { sense, value } => Some((*sense, value)),
            _ => None,
        })
    }
}

/// Adds terms whose sum is the number of differences between an expression and a value.
fn add_differences(x: &str, value: &Value, terms: &mut Vec<String>) {
    match value {
        Value::Tuple(items) => {
            (1..).zip(items).for_each(|(at, item)| add_differences(&format!("{x}[{at}]"), item, terms));
        }
        Value::Record(fields) => {
            fields.iter().for_each(|(name, item)| add_differences(&format!("{x}[{}]", name_of(name)), item, terms))
        }
        Value::Matrix(entries) => {
            entries.iter().for_each(|(index, item)| add_differences(&format!("{x}[{}]", literal(index)), item, terms))
        }
        // Members that go and members that come.
        Value::Set(members) => {
            let members: Vec<String> = members.iter().map(literal).collect();
            add_members(x, &members, terms);
        }
        Value::Relation(rows) => {
            let rows: Vec<String> = rows.iter().map(|row| literal(&Value::Tuple(row.clone()))).collect();
            add_members(x, &rows, terms);
        }
        Value::MSet(members) => {
            let mut distinct: Vec<(String, usize)> = Vec::new();
            for member in members.iter().map(literal) {
                match distinct.iter_mut().find(|(other, _)| *other == member) {
                    Some((_, count)) => *count += 1,
                    None => distinct.push((member, 1)),
                }
            }
            let known = distinct.iter().map(|(member, _)| format!("freq({x}, {member})")).collect::<Vec<_>>();
            terms.extend(distinct.iter().map(|(member, count)| format!("|freq({x}, {member}) - {count}|")));
            terms.push(format!("|{x}| - sum([{}])", with_zero(known)));
        }
        // Images that change or go, and arguments that come.
        Value::Function(pairs) => {
            let mut known = Vec::new();
            for (argument, image) in pairs {
                let argument = literal(argument);
                terms.push(format!("1 - toInt({x}({argument}) = {})", literal(image)));
                known.push(format!("toInt({argument} in defined({x}))"));
            }
            terms.push(format!("|defined({x})| - sum([{}])", with_zero(known)));
        }
        Value::Sequence(members) => {
            for (at, member) in (1..).zip(members) {
                terms.push(format!("1 - toInt({x}({at}) = {})", literal(member)));
            }
            terms.push(format!("max([|{x}| - {}, 0])", members.len()));
        }
        // Pairs of elements that are together in one of the two partitions.
        Value::Partition(parts) => {
            let elements: Vec<(usize, String)> = parts
                .iter()
                .enumerate()
                .flat_map(|(part, items)| items.iter().map(move |item| (part, literal(item))))
                .collect();
            for (at, (part, one)) in elements.iter().enumerate() {
                for (other_part, other) in &elements[at + 1..] {
                    let together = format!("toInt(together({{{one}, {other}}}, {x}))");
                    terms.push(if part == other_part { format!("1 - {together}") } else { together });
                }
            }
        }
        _ => terms.push(format!("toInt({x} != {})", literal(value))),
    }
}

fn add_members(x: &str, members: &[String], terms: &mut Vec<String>) {
    terms.extend(members.iter().map(|member| format!("1 - 2 * toInt({member} in {x})")));
    terms.push(format!("|{x}|"));
}

/// A list that is not empty.
fn with_zero(mut items: Vec<String>) -> String {
    if items.is_empty() {
        items.push("0".to_owned());
    }
    items.join(", ")
}
