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

/// A value for each decision variable, which satisfies the model.
#[derive(Clone, Debug)]
pub struct Solution {
    instance: Arc<Deep<GroundInstance>>,
    values: instance::SolutionValues,
    /// The variables that are written, if not all of them.
    shown: Option<Arc<[String]>>,
}

/// The width that [`fmt::Display`] breaks lines to.
pub(super) const WIDTH: usize = 120;

impl Solution {
    pub(super) fn new(instance: Arc<Deep<GroundInstance>>, values: instance::SolutionValues) -> Self {
        Solution { instance, values, shown: None }
    }

    /// The same solution, of which only these variables are written as text or JSON.
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

    /// The decision variables, sorted by name, with their values as Essence writes them on one line.
    pub fn essence_values(&self) -> impl Iterator<Item = (&str, String)> {
        let names = &self.instance.names;
        let mut values: Vec<_> =
            self.values.iter().map(|(id, value)| (self.instance.model.declaration(*id), value)).collect();
        values.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        values.into_iter().map(|(found, value)| (&*found.name, deep(|| names.show(value, &found.ty))))
    }

    /// The value of a decision variable; `None` if there is none of this name.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.values().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// The values of the decision variables.
    pub(super) fn decided(&self) -> &instance::SolutionValues {
        &self.values
    }

    /// The instance that it solves.
    pub(super) fn instance(&self) -> &GroundInstance {
        &self.instance
    }

    /// The value of the objective, an integer or several of them, compared one after the other; `None` without an
    /// objective. Of goals that compete, those in another direction than the first one have the other sign.
    pub fn objective(&self) -> Option<Value> {
        let objective = self.instance.model.objective.as_ref()?;
        let value = deep(|| solution::objective_value(&self.instance, &self.values)).ok()??;
        Some(Value::new(&value, &objective.value.ty, &self.instance.names))
    }

    /// A solution file in Essence: a `letting` for each variable, broken to this many columns.
    pub fn to_essence(&self, width: usize) -> String {
        deep(|| solution::print_some(&self.instance, &self.values, &|name| self.is_shown(name), width))
    }

    /// A JSON object with a member for each variable.
    pub fn to_json(&self) -> String {
        spaced(&self.to_value())
    }

    /// A JSON object with a member for each variable, as a value.
    pub fn to_value(&self) -> Json {
        self.shaped(JsonShape::Conjure)
    }

    /// A JSON object with a member for each variable, in one of the shapes of JSON. Integers that have a unit are
    /// decimal numbers, as data are read.
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

    /// The value of a decision variable as a table, whose first row holds the names of the columns. `None` if there is
    /// no variable of this name, or if tables do not hold such values. [`Text::table`](crate::Text::table) reads it.
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
            let subject = (&*declaration.name, value, &declaration.ty);
            (*declaration.name == *name)
                .then(|| deep(|| tables::write_table(subject, &self.instance.names, &model.units, layout)))?
        })
    }

    /// The objective in JSON, with decimal numbers for integers that have a unit.
    pub fn objective_json(&self) -> Option<Json> {
        let value = deep(|| solution::objective_value(&self.instance, &self.values)).ok()??;
        self.instance.model.goals_in_json(&value)
    }

    /// The objective as people write it: in its unit, if the model declares one.
    pub fn objective_shown(&self) -> Option<String> {
        let objective = self.instance.model.objective.as_ref()?;
        let value = deep(|| solution::objective_value(&self.instance, &self.values)).ok()??;
        let stated = || Value::new(&objective.as_stated(&value), &objective.value.ty, &self.instance.names);
        self.instance.model.goals_in_units(&value).or_else(|| Some(stated().to_json()))
    }

    /// A picture of each variable.
    pub fn pictures(&self, how: &Pictures) -> Vec<Picture> {
        deep(|| picture::pictures_of_solution(&self.instance, &self.values, &how.directives))
    }
}

/// Solutions are equal if their variables have the same values.
impl PartialEq for Solution {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_essence(WIDTH))
    }
}

/// The pictures that a model's comments describe.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    pub(super) directives: Vec<Directive>,
}
