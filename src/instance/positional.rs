//! Data without index domains: what JSON holds as a plain array is indexed as its declaration says.

use crate::{
    language::{Domain, GroundDomain, Type, Value, value::Matrix},
    syntax::ast::Positional,
};
use std::rc::Rc;

/// A value whose indices from 1 on are replaced by the indices of its domain, where their numbers agree.
pub(crate) fn with_declared_indices(value: &Value, domain: &GroundDomain, ty: &Type, which: Positional) -> Value {
    let each = |items: &[Value], domain: &GroundDomain, ty: &Type| -> Vec<Value> {
        items.iter().map(|item| with_declared_indices(item, domain, ty, which)).collect()
    };
    let fields = |items: &[Value], parts: &mut dyn Iterator<Item = (&GroundDomain, &Type)>| -> Vec<Value> {
        items.iter().zip(parts).map(|(item, (domain, ty))| with_declared_indices(item, domain, ty, which)).collect()
    };
    match (value, domain, ty) {
        (Value::Matrix(matrix), Domain::Matrix(index, inner), Type::Matrix(types)) => {
            let elements = each(&matrix.elements, inner, &types.1);
            let applies = which == Positional::All || !matches!(types.0, Type::Int(_));
            let fits = index.size().is_some_and(|size| size == elements.len() as u128);
            let index = if applies && fits { (**index).clone() } else { matrix.index.clone() };
            Value::Matrix(Rc::new(Matrix { elements, index }))
        }
        (Value::Tuple(items), Domain::Tuple(domains), Type::Tuple(types)) => {
            Value::tuple(fields(items, &mut domains.iter().zip(types.iter())))
        }
        (Value::Tuple(items), Domain::Record(domains), Type::Record(types)) => {
            let parts = domains.iter().zip(types.iter()).map(|(domain, ty)| (&domain.1, &ty.1));
            Value::tuple(fields(items, &mut { parts }))
        }
        (Value::Variant(chosen, inner), Domain::Variant(domains), Type::Variant(types)) => {
            let at = *chosen as usize;
            Value::Variant(*chosen, Rc::new(with_declared_indices(inner, &domains[at].1, &types[at].1, which)))
        }
        (Value::Set(items), Domain::Set(_, inner), Type::Set(ty)) => Value::set(each(items, inner, ty)),
        (Value::MSet(items), Domain::MSet(_, inner), Type::MSet(ty)) => Value::mset(each(items, inner, ty)),
        (Value::Sequence(items), Domain::Sequence(_, inner), Type::Sequence(ty)) => {
            Value::Sequence(each(items, inner, ty).into())
        }
        (Value::Function(pairs), Domain::Function(_, from, to), Type::Function(types)) => {
            let pair = |(argument, image): &(Value, Value)| {
                let argument = with_declared_indices(argument, from, &types.0, which);
                (argument, with_declared_indices(image, to, &types.1, which))
            };
            Value::function(pairs.iter().map(pair).collect()).unwrap_or_else(|| value.clone())
        }
        (Value::Relation(tuples), Domain::Relation(_, domains), Type::Relation(types)) => {
            let tuple = |tuple: &Value| match tuple {
                Value::Tuple(items) => Value::tuple(fields(items, &mut domains.iter().zip(types.iter()))),
                other => other.clone(),
            };
            Value::relation(tuples.iter().map(tuple).collect())
        }
        (Value::Partition(parts), Domain::Partition(_, inner), Type::Partition(ty)) => {
            let part = |part: &Value| match part {
                Value::Set(items) => Value::set(each(items, inner, ty)),
                other => other.clone(),
            };
            Value::partition(parts.iter().map(part).collect()).unwrap_or_else(|| value.clone())
        }
        (other, ..) => other.clone(),
    }
}
