//! Solutions in JSON: an object with a member for each decision variable, sorted by name. Integers with a unit are
//! decimal numbers, as in data.

use super::{
    JsonShape,
    print::{DeclarationContent, contents},
};
use crate::{
    analysis::{
        model::{Declaration, DeclarationId},
        units::PartUnits,
    },
    instance::GroundInstance,
    language::{Value, quotation::unquoted},
};
use serde_json::Value as Json;

/// A solution as an object with the variables that `shown` accepts.
pub(crate) fn solution_object(
    instance: &GroundInstance,
    solution: &[(DeclarationId, Value)],
    shown: &dyn Fn(&str) -> bool,
    shape: JsonShape,
) -> Json {
    let member = |(declaration, content): (&Declaration, DeclarationContent)| {
        let name = unquoted(&declaration.name).into_owned();
        let value = match content {
            DeclarationContent::Members(members) => members.iter().map(|member| unquoted(member)).collect(),
            DeclarationContent::Value(value) => {
                let units = &mut PartUnits::of(&instance.model.units, &declaration.name);
                super::Value::new(value, &declaration.ty, &instance.names).in_units(shape, units)
            }
        };
        (name, value)
    };
    contents(instance, solution, shown).into_iter().map(member).collect()
}
