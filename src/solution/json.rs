//! Solutions in the simple JSON of the reference implementation: keys are sorted, sets and tuples are
//! arrays, matrices and functions are objects where their indices or arguments are simple.

use super::print::sorted_declarations;
use crate::{
    analysis::model::{DeclarationId, DeclarationKind},
    diagnostic::json::quoted,
    instance::Instance,
    language::{GroundDomain, Type, Value, print::MemberNames},
};

/// A solution as one object on one line.
pub fn print(instance: &Instance, solution: &[(DeclarationId, Value)]) -> String {
    let mut fields = Vec::new();
    for (position, declaration) in sorted_declarations(instance) {
        let id = DeclarationId(position as u32);
        let size = instance.environment.size_of_type(id.0);
        if let (DeclarationKind::Unnamed(_), Some(size)) = (&declaration.kind, size) {
            let members = (1..=size).map(|member| quoted(&format!("{}_{member}", declaration.name)));
            fields.push((quoted(&declaration.name), array(members)));
        } else if let Some((_, value)) = solution.iter().find(|(found, _)| *found == id) {
            fields.push((quoted(&declaration.name), json(value, &declaration.ty, &instance.names)));
        }
    }
    object(fields)
}

fn json(value: &Value, ty: &Type, names: &MemberNames) -> String {
    let each = |items: &[Value], ty: &Type| array(items.iter().map(|item| json(item, ty, names)));
    match (value, ty) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(position), Type::Named(named)) => quoted(&names.member(named, *position)),
        (Value::Int(value), _) => value.to_string(),
        (Value::Tuple(items), Type::Tuple(types)) => {
            array(items.iter().zip(types.iter()).map(|(item, ty)| json(item, ty, names)))
        }
        (Value::Tuple(items), Type::Record(fields)) => {
            object(items.iter().zip(fields.iter()).map(|(item, (name, ty))| (quoted(name), json(item, ty, names))))
        }
        (Value::Variant(which, inner), Type::Variant(alternatives)) => {
            let (name, ty) = &alternatives[*which as usize];
            object([(quoted(name), json(inner, ty, names))])
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
                    object(elements.map(|(index, item)| (key(&index, &Type::Any, names), json(item, element, names))))
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
            array(crate::language::print::cycles(pairs).iter().map(|cycle| each(cycle, inner)))
        }
        (Value::Function(pairs), Type::Function(types)) => {
            let simple = pairs.iter().all(|(argument, _)| matches!(argument, Value::Bool(_) | Value::Int(_)));
            if simple {
                let entry =
                    |(argument, image): &(Value, Value)| (key(argument, &types.0, names), json(image, &types.1, names));
                return object(pairs.iter().map(entry));
            }
            let pair = |(argument, image): &(Value, Value)| {
                array([json(argument, &types.0, names), json(image, &types.1, names)])
            };
            array(pairs.iter().map(pair))
        }
        (other, _) => unreachable!("a value of another type: {other:?}"),
    }
}

/// A simple value as the key of an object.
fn key(value: &Value, ty: &Type, names: &MemberNames) -> String {
    match json(value, ty, names) {
        text if text.starts_with('"') => text,
        text => quoted(&text),
    }
}

fn array(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

fn object(fields: impl IntoIterator<Item = (String, String)>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{{{}}}", fields.join(", "))
}
