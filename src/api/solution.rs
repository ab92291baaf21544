//! Solutions as values, text, JSON and pictures.

use super::{
    Value,
    stack::{Deep, deep},
};
use crate::{
    instance::{self, GroundInstance},
    json::spaced,
    picture::{self, Directive, Picture},
    solution::{self, JsonShape},
    tables::{self, TableCell, TableLayout},
};
use serde_json::Value as Json;
use std::{fmt, sync::Arc};

/// A value for each decision variable that together satisfy the model.
#[derive(Clone, Debug)]
pub struct Solution {
    instance: Arc<Deep<GroundInstance>>,
    values: instance::SolutionValues,
    /// The variables that are printed; `None` for all.
    shown: Option<Arc<[String]>>,
}

/// The line width of [`fmt::Display`], as in Conjure.
pub(super) const WIDTH: usize = 120;

impl Solution {
    pub(super) fn new(instance: Arc<Deep<GroundInstance>>, values: instance::SolutionValues) -> Self {
        Solution { instance, values, shown: None }
    }

    /// Returns the solution with only these variables printed as text or JSON.
    pub fn showing(self, names: &[String]) -> Self {
        Solution { shown: Some(names.into()), ..self }
    }

    fn is_shown(&self, name: &str) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.iter().any(|other| other == name))
    }

    /// The decision variables with their values, in the order of their declarations.
    pub fn values(&self) -> impl Iterator<Item = (&str, Value)> {
        self.values.iter().map(|(id, value)| {
            let declaration = self.instance.model.declaration(*id);
            (&*declaration.name, Value::new(value, &declaration.ty, &self.instance.names))
        })
    }

    /// The decision variables, sorted by name, with their values in Essence on one line.
    pub fn essence_values(&self) -> impl Iterator<Item = (&str, String)> {
        let names = &self.instance.names;
        let mut values: Vec<_> =
            self.values.iter().map(|(id, value)| (self.instance.model.declaration(*id), value)).collect();
        values.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        values.into_iter().map(|(found, value)| (&*found.name, deep(|| names.show(value, &found.ty))))
    }

    /// The value of a decision variable; `None` if there is no variable of this name.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.values().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// The values of the decision variables.
    pub(super) fn decided(&self) -> &instance::SolutionValues {
        &self.values
    }

    /// The instance that the solution belongs to.
    pub(super) fn instance(&self) -> &GroundInstance {
        &self.instance
    }

    /// The value of the objective: an integer, or a tuple that is compared lexicographically; `None` without an
    /// objective. Competing goals are negated if their direction differs from the first.
    pub fn objective(&self) -> Option<Value> {
        let objective = self.instance.model.objective.as_ref()?;
        let value = deep(|| solution::objective_value(&self.instance, &self.values)).ok()??;
        Some(Value::new(&value, &objective.value.ty, &self.instance.names))
    }

    /// Returns a solution file in Essence: a `letting` for each variable, with at most `width` columns.
    pub fn to_essence(&self, width: usize) -> String {
        deep(|| solution::print_some(&self.instance, &self.values, &|name| self.is_shown(name), width))
    }

    /// Returns a JSON object with a member for each variable.
    pub fn to_json(&self) -> String {
        spaced(&self.to_value())
    }

    /// Returns a JSON object with a member for each variable, as a value.
    pub fn to_value(&self) -> Json {
        self.shaped(JsonShape::Conjure)
    }

    /// Returns a JSON object with a member for each variable, in one of the shapes of JSON. Integers with a unit are
    /// decimal numbers, as in data.
    ///
    /// ```
    /// use conjure_like::{Count, JsonShape, Model, SolveOptions, Text};
    /// use std::ops::ControlFlow;
    ///
    /// let text = "find m : matrix indexed by [int(1..2)] of int(3..3)\nfind x : bool";
    /// let model = Model::read(&Text::new("m.essence", text))?;
    /// model.instance(&[])?.solve(&SolveOptions::default(), &mut |solution| {
    ///     let solution = solution.clone().showing(&["m".to_owned()]);
    ///     assert_eq!(solution.to_json(), r#"{"m": {"1": 3, "2": 3}}"#);
    ///     assert_eq!(solution.shaped(JsonShape::Plain).to_string(), r#"{"m":[3,3]}"#);
    ///     ControlFlow::Break(())
    /// })?;
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn shaped(&self, shape: JsonShape) -> Json {
        deep(|| {
            solution::json_values::solution_object(&self.instance, &self.values, &|name| self.is_shown(name), shape)
        })
    }

    /// Returns the value of a decision variable as a table whose first row has the names of the columns; `None` if
    /// there is no variable of this name, or if tables cannot hold such values. [`Text::table`](crate::Text::table)
    /// reads it.
    ///
    /// ```
    /// use conjure_like::{Model, SolveOptions, TableCell, TableLayout, Text};
    /// use std::ops::ControlFlow;
    ///
    /// let model = Model::read(&Text::new("m.essence", "find m : matrix indexed by [int(0..1)] of int(3..3)"))?;
    /// model.instance(&[])?.solve(&SolveOptions::default(), &mut |solution| {
    ///     let table = solution.table("m", TableLayout::Long).unwrap();
    ///     assert_eq!(table[0][1], TableCell::Text("m".to_owned()));
    ///     assert_eq!(table[1], ["0", "3"].map(|number| TableCell::Number(number.to_owned())));
    ///     ControlFlow::Break(())
    /// })?;
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn table(&self, name: &str, layout: TableLayout) -> Option<Vec<Vec<TableCell>>> {
        let model = &self.instance.model;
        self.values.iter().find_map(|(id, value)| {
            let declaration = model.declaration(*id);
            (*declaration.name == *name).then(|| {
                deep(|| {
                    tables::write_table(
                        &declaration.name,
                        value,
                        &declaration.ty,
                        &self.instance.names,
                        &model.units,
                        layout,
                    )
                })
            })?
        })
    }

    /// Returns the objective in JSON; integers with a unit are decimal numbers.
    pub fn objective_json(&self) -> Option<Json> {
        let value = deep(|| solution::objective_value(&self.instance, &self.values)).ok()??;
        self.instance.model.goals_in_json(&value)
    }

    /// Renders the objective, in its unit if the model declares one.
    pub fn objective_shown(&self) -> Option<String> {
        let objective = self.instance.model.objective.as_ref()?;
        let value = deep(|| solution::objective_value(&self.instance, &self.values)).ok()??;
        // Competing goals are stored with the same direction, but shown as in the model.
        let stated = || Value::new(&objective.as_stated(&value), &objective.value.ty, &self.instance.names);
        self.instance.model.goals_in_units(&value).or_else(|| Some(stated().to_json()))
    }

    /// Draws each variable.
    pub fn pictures(&self, how: &Pictures) -> Vec<Picture> {
        deep(|| picture::pictures_of_solution(&self.instance, &self.values, &how.directives))
    }
}

/// Solutions are equal if their variables have the same values.
impl PartialEq for Solution {
    fn eq(&self, other: &Self) -> bool {
        // Solutions are compared only within one instance, so names and units do not matter.
        self.values == other.values
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_essence(WIDTH))
    }
}

/// The directives for pictures in a model's comments.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    pub(super) directives: Vec<Directive>,
}
