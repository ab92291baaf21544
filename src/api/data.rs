//! The values of the parameters in Essence.

use crate::{
    analysis::model::{DeclarationId, DeclarationKind, TypedModel},
    instance::Environment,
    language::{NamedType, print::MemberNames},
};

/// Returns the known values of the parameters as a parameter file in Essence.
pub(super) fn data_in_essence(typed: &TypedModel, env: &mut Environment, names: &MemberNames) -> String {
    let mut essence = String::new();
    for (declaration, id) in typed.declarations.iter().zip(0..) {
        let id = DeclarationId(id);
        let value = match &declaration.kind {
            DeclarationKind::Given(_) => env.global(id).ok().map(|value| names.show(&value, &declaration.ty)),
            DeclarationKind::GivenEnum => env
                .size_of_type(id.0)
                .map(|_| format!("new type enum {{{}}}", members(typed, env, names, id).join(", "))),
            _ => None,
        };
        if let Some(value) = value {
            essence += &format!("letting {} be {value}\n", declaration.name);
        }
    }
    essence
}

/// Returns the names of the members of a type in Essence.
pub(super) fn members(typed: &TypedModel, env: &Environment, names: &MemberNames, id: DeclarationId) -> Vec<String> {
    let size = env.size_of_type(id.0).unwrap_or(0);
    let named = NamedType { name: typed.declaration(id).name.clone(), id: id.0, unnamed: false };
    (1..=size).map(|position| names.member(&named, position).to_string()).collect()
}
