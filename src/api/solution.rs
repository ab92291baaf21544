//! Solutions as values, text, JSON and pictures.

use super::{
    Pictures, Value,
    stack::{Deep, deep},
};
use crate::{
    instance::{self, Instance},
    picture::{self, Picture},
    solution,
};
use serde_json::Value as Json;
use std::{fmt, rc::Rc};

/// A value for each decision variable, which satisfies the model.
#[derive(Clone, Debug)]
pub struct Solution {
    instance: Rc<Deep<Instance>>,
    values: instance::Solution,
}

/// The width that [`fmt::Display`] breaks lines to.
pub(super) const WIDTH: usize = 120;

impl Solution {
    pub(super) fn new(instance: Rc<Deep<Instance>>, values: instance::Solution) -> Self {
        Solution { instance, values }
    }

    /// The decision variables with their values, in the order of their declarations.
    pub fn values(&self) -> impl Iterator<Item = (&str, Value)> {
        self.values.iter().map(|(id, value)| {
            let declaration = &self.instance.model.declarations[id.0 as usize];
            (&*declaration.name, Value::new(value, &declaration.ty, &self.instance.names))
        })
    }

    /// The value of a decision variable; `None` if there is none of this name.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.values().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// The value of the objective, an integer or several of them, compared one after the other; `None` without an objective.
    pub fn objective(&self) -> Option<Value> {
        let objective = self.instance.model.objective.as_ref()?;
        let value = deep(|| solution::objective_value(&self.instance, &self.values)).ok()??;
        Some(Value::new(&value, &objective.value.ty, &self.instance.names))
    }

    /// A solution file in Essence: a `letting` for each variable, broken to this many columns.
    pub fn to_essence(&self, width: usize) -> String {
        deep(|| solution::print(&self.instance, &self.values, width))
    }

    /// A JSON object with a member for each variable.
    pub fn to_json(&self) -> String {
        deep(|| solution::json::print(&self.instance, &self.values))
    }

    /// A JSON object with a member for each variable, as a value.
    pub fn to_value(&self) -> Json {
        deep(|| solution::json::object(&self.instance, &self.values))
    }

    /// A picture of each variable.
    pub fn pictures(&self, how: &Pictures) -> Vec<Picture> {
        deep(|| picture::draw(&self.instance, &self.values, &how.directives))
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
