//! Solutions in the simple JSON of the reference implementation: keys are sorted, sets and tuples are
//! arrays, matrices and functions are objects where their indices or arguments are simple.

use super::print::sorted_declarations;
use crate::{
    analysis::model::{DeclarationId, DeclarationKind},
    instance::Instance,
    json::spaced,
    language::Value,
};
use serde_json::Value as Json;

/// A solution as one object on one line.
pub(crate) fn print(instance: &Instance, solution: &[(DeclarationId, Value)]) -> String {
    spaced(&object(instance, solution))
}

/// A solution as an object.
pub(crate) fn object(instance: &Instance, solution: &[(DeclarationId, Value)]) -> Json {
    let mut members = Vec::new();
    for (position, declaration) in sorted_declarations(instance) {
        let id = DeclarationId(position as u32);
        let name = declaration.name.to_string();
        let size = instance.environment.size_of_type(id.0);
        if let (DeclarationKind::Unnamed(_), Some(size)) = (&declaration.kind, size) {
            let all = (1..=size).map(|member| format!("{name}_{member}")).collect();
            members.push((name, all));
        } else if let Some((_, value)) = solution.iter().find(|(found, _)| *found == id) {
            members.push((name, super::Value::new(value, &declaration.ty, &instance.names).to_value()));
        }
    }
    members.into_iter().collect()
}
