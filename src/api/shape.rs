//! Results in the shape that a task requires: its keys, with an expression over the solution for each value.

use super::{Model, Report, Solution, Text, Workbench};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    solution::JsonShape,
    source::{Sources, Span},
};
use serde_json::Value as Json;

/// The shape of a result: JSON in which each string is an expression, or `$objective` for the value of the objective.
///
/// ```
/// use conjure_like::{Model, ResultShape, SolveOptions, Text};
/// use std::ops::ControlFlow;
///
/// let text = "find open : matrix indexed by [int(1..3)] of bool such that open = [true, false, true]";
/// let model = Model::read(&Text::new("m.essence", text))?;
/// let wanted = Text::new("shape.json", r#"{"plan": {"open": "[i | i : int(1..3), open[i]]"}, "version": 2}"#);
/// let shape = ResultShape::read(&wanted, &model, &[])?;
/// model.instance(&[])?.solve(&SolveOptions::default(), &mut |solution| {
///     assert_eq!(shape.of(solution).to_string(), r#"{"plan":{"open":[1,3]},"version":2}"#);
///     ControlFlow::Break(())
/// })?;
/// # Ok::<(), conjure_like::Report>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResultShape {
    shape: Json,
    model: Text,
    data: Vec<Text>,
}

/// The value of the objective in a shape.
const OBJECTIVE: &str = "$objective";

impl ResultShape {
    /// Reads a shape and checks its expressions, which may mention the names of the model.
    ///
    /// # Errors
    ///
    /// Returns the place where the text is not JSON, or all mistakes in the expressions.
    pub fn read(text: &Text, model: &Model, data: &[Text]) -> Result<Self, Report> {
        match serde_json::from_str(&text.text) {
            Ok(shape) => Self::new(shape, model, data),
            Err(error) => {
                let mut sources = Sources::default();
                let source = text.add_to(&mut sources);
                let line_start = text.text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len);
                let end = (line_start.sum::<usize>() + error.column()).min(text.text.len());
                // Columns count bytes, so this one may be inside a character.
                let start = (0..end).rev().find(|at| text.text.is_char_boundary(*at)).unwrap_or(0);
                let end = (end..=text.text.len()).find(|at| text.text.is_char_boundary(*at)).unwrap_or(start);
                let span = Span { source, start: start as u32, end: end as u32 };
                let diagnostic = Diagnostic::error(Code::JSON, "the shape of a result is not JSON")
                    .at(span, "the JSON is wrong here")
                    .help("write an object such as `{\"cost\": \"$objective\", \"route\": \"route\"}`");
                Err(Report::of(&sources, Diagnostics::from([diagnostic])))
            }
        }
    }

    /// Checks the expressions of a shape, which may mention the names of the model.
    ///
    /// # Errors
    ///
    /// Returns all mistakes in the expressions; each is a text that is named after its place.
    pub fn new(shape: Json, model: &Model, data: &[Text]) -> Result<Self, Report> {
        let made = ResultShape { shape, model: model.text(), data: data.to_vec() };
        let mut mistakes: Option<Report> = None;
        made.each(&made.shape, &mut String::new(), &mut |place, expression| {
            let name = if place.is_empty() { "the shape".to_owned() } else { format!("the shape, at `{place}`") };
            let checked = match expression.strip_prefix('$') {
                None => {
                    let bench = Workbench::new(Some(made.model.clone()), made.data.clone(), None);
                    bench.type_of(&Text::new(name, expression)).map(drop)
                }
                Some(_) if expression != OBJECTIVE => {
                    let message = format!("`{expression}` in {name} does not stand for a value");
                    let help = format!("write an expression, or `{OBJECTIVE}` for the value of the objective");
                    Err(Diagnostic::error(Code::JSON, message).help(help).into())
                }
                Some(_) if !model.has_objective() => {
                    let message = format!("{name} wants the value of the objective, but the model has none");
                    let help = "write an expression in its place, or state a goal in the model: `minimising cost`";
                    Err(Diagnostic::error(Code::JSON, message).help(help).into())
                }
                Some(_) => Ok(()),
            };
            if let (Err(report), None) = (checked, &mistakes) {
                mistakes = Some(report);
            }
        });
        match mistakes {
            Some(report) => Err(report),
            None => Ok(made),
        }
    }

    /// Calls `then` with each expression and its place, such as `plan.open` or `stops[0]`.
    fn each(&self, shape: &Json, place: &mut String, then: &mut dyn FnMut(&str, &str)) {
        let length = place.len();
        match shape {
            Json::String(expression) => then(place, expression),
            Json::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    *place += &format!("[{at}]");
                    self.each(item, place, then);
                    place.truncate(length);
                }
            }
            Json::Object(members) => {
                for (key, member) in members {
                    *place += &if length == 0 { key.clone() } else { format!(".{key}") };
                    self.each(member, place, then);
                    place.truncate(length);
                }
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }

    /// A solution in this shape. Matrices from 1 are arrays. An expression without a value in this solution, such as a
    /// division by 0, is `null`.
    pub fn of(&self, solution: &Solution) -> Json {
        let known = Text::new("the solution", solution.to_essence(usize::MAX));
        let bench = Workbench::new(Some(self.model.clone()), self.data.clone(), Some(known));
        filled(&self.shape, &|expression| {
            if expression == OBJECTIVE {
                return solution.objective_json();
            }
            // Unlike an expression, a variable may have a unit, in which its value is shown.
            let name = expression.trim();
            if solution.value(name).is_some() {
                return solution
                    .clone()
                    .showing(&[name.to_owned()])
                    .shaped(JsonShape::Plain)
                    .get_mut(name)
                    .map(Json::take);
            }
            let evaluated = bench.evaluate(&Text::new("the shape", expression));
            evaluated.ok().map(|evaluated| evaluated.value.shaped(JsonShape::Plain))
        })
    }
}

/// The shape with its expressions replaced by their values.
fn filled(shape: &Json, value: &dyn Fn(&str) -> Option<Json>) -> Json {
    match shape {
        Json::String(expression) => value(expression).unwrap_or_default(),
        Json::Array(items) => items.iter().map(|item| filled(item, value)).collect(),
        Json::Object(members) => members.iter().map(|(key, member)| (key.clone(), filled(member, value))).collect(),
        other => other.clone(),
    }
}
