//! Solutions in the simple JSON of the reference implementation: keys are sorted, sets and tuples are
//! arrays, matrices and functions are objects where their indices or arguments are simple.

use super::print::sorted_declarations;
use crate::{
    analysis::model::{DeclarationId, DeclarationKind},
    instance::Instance,
    json::spaced,
    language::{GroundDomain, Type, Value, print::MemberNames},
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
            members.push((name, json(value, &declaration.ty, &instance.names)));
        }
    }
    members.into_iter().collect()
}

fn json(value: &Value, ty: &Type, names: &MemberNames) -> Json {
    let each = |items: &[Value], ty: &Type| -> Json { items.iter().map(|item| json(item, ty, names)).collect() };
    match (value, ty) {
        (Value::Bool(value), _) => (*value).into(),
        (Value::Int(position), Type::Named(named)) => names.member(named, *position).to_string().into(),
        (Value::Int(value), _) => (*value).into(),
        (Value::Tuple(items), Type::Tuple(types)) => {
            items.iter().zip(types.iter()).map(|(item, ty)| json(item, ty, names)).collect()
        }
        (Value::Tuple(items), Type::Record(fields)) => items
            .iter()
            .zip(fields.iter())
            .map(|(item, (name, ty))| (name.to_string(), json(item, ty, names)))
            .collect(),
        (Value::Variant(which, inner), Type::Variant(alternatives)) => {
            let (name, ty) = &alternatives[*which as usize];
            [(name.to_string(), json(inner, ty, names))].into_iter().collect()
        }
        (Value::Matrix(matrix), ty) => {
            let (index, element) = match ty {
                Type::Matrix(parts) => (&parts.0, &parts.1),
                Type::List(inner) => (&Type::INT, &**inner),
                _ => (&Type::Any, &Type::Any),
            };
            match (&matrix.index, index) {
                (GroundDomain::Int(_), Type::Int(_)) => {
                    let elements = matrix.index.members().zip(&matrix.elements);
                    elements.map(|(index, item)| (key(&index, &Type::Any, names), json(item, element, names))).collect()
                }
                _ => each(&matrix.elements, element),
            }
        }
        (Value::Set(items), Type::Set(inner) | Type::Partition(inner))
        | (Value::MSet(items), Type::MSet(inner))
        | (Value::Sequence(items), Type::Sequence(inner)) => each(items, inner),
        (Value::Relation(tuples), Type::Relation(types)) => each(tuples, &Type::Tuple(types.clone())),
        (Value::Partition(parts), Type::Partition(_)) => each(parts, ty),
        (Value::Permutation(pairs), Type::Permutation(inner)) => {
            crate::language::print::cycles(pairs).iter().map(|cycle| each(cycle, inner)).collect()
        }
        (Value::Function(pairs), Type::Function(types)) => {
            let member =
                |(argument, image): &(Value, Value)| (key(argument, &types.0, names), json(image, &types.1, names));
            let pair = |(argument, image): &(Value, Value)| {
                Json::from([json(argument, &types.0, names), json(image, &types.1, names)])
            };
            let simple = pairs.iter().all(|(argument, _)| matches!(argument, Value::Bool(_) | Value::Int(_)));
            if simple { pairs.iter().map(member).collect() } else { pairs.iter().map(pair).collect() }
        }
        (other, _) => unreachable!("a value of another type: {other:?}"),
    }
}

/// A simple value as the key of an object.
fn key(value: &Value, ty: &Type, names: &MemberNames) -> String {
    match json(value, ty, names) {
        Json::String(text) => text,
        other => other.to_string(),
    }
}
