//! Solutions in JSON: an object with a member for each decision variable, sorted by name.

use super::{JsonShape, print::sorted_declarations};
use crate::{
    analysis::model::{DeclarationId, DeclarationKind},
    instance::Instance,
    language::{Value, quotation::unquoted},
};
use serde_json::Value as Json;

/// A solution as an object with the variables that `shown` lets through.
pub(crate) fn object(
    instance: &Instance,
    solution: &[(DeclarationId, Value)],
    shown: &dyn Fn(&str) -> bool,
    shape: JsonShape,
) -> Json {
    let mut members = Vec::new();
    for (position, declaration) in sorted_declarations(instance) {
        let id = DeclarationId(position as u32);
        let name = unquoted(&declaration.name).into_owned();
        let size = instance.environment.size_of_type(id.0);
        if let (DeclarationKind::Unnamed(_), Some(size)) = (&declaration.kind, size) {
            let all = (1..=size).map(|member| format!("{name}_{member}")).collect();
            members.push((name, all));
        } else if let Some((_, value)) = solution.iter().find(|(found, _)| *found == id)
            && shown(&declaration.name)
        {
            members.push((name, super::Value::new(value, &declaration.ty, &instance.names).shaped(shape)));
        }
    }
    members.into_iter().collect()
}
