//! `transform([g, …], x)`: applies permutations to every occurrence of their type in a value.

use super::{Environment, evaluate, evaluate::collection_of_members};
use crate::{
    analysis::model::Expr,
    language::{Evaluated, GroundDomain, IntSet, MemberForm, Type, Value, value::Matrix},
};
use std::sync::Arc;

pub(super) fn evaluate_transform(permutations: &Expr, inner: &Expr, env: &mut Environment) -> Evaluated {
    let (list, value) = (evaluate(permutations, env), evaluate(inner, env));
    let (list, mut value) = (list?, value?);
    let Value::Matrix(list) = &list else { unreachable!("a list of permutations was expected, not {list:?}") };
    // The type of an empty list may be unknown.
    let Some(Type::Collection(_, points)) = permutations.ty.member() else { return Ok(value) };
    for permutation in &list.elements {
        let Value::Mapping(_, pairs) = permutation else {
            unreachable!("a permutation was expected, not {permutation:?}");
        };
        value = apply_permutation(pairs, &points[0], &value, &inner.ty)?;
    }
    Ok(value)
}

/// The image of a value of type `ty` under a permutation, given by the points that it moves.
pub(super) fn apply_permutation(pairs: &[(Value, Value)], points: &Type, value: &Value, ty: &Type) -> Evaluated {
    if ty == points {
        // The pairs list only the points that move; every other point is its own image.
        let moved = pairs.binary_search_by(|pair| pair.0.cmp(value)).map(|position| pairs[position].1.clone());
        return Ok(moved.unwrap_or_else(|_| value.clone()));
    }
    let on = |value: &Value, ty: &Type| apply_permutation(pairs, points, value, ty);
    let each = |items: &[Value], ty: &Type| items.iter().map(|item| on(item, ty)).collect::<Evaluated<Vec<_>>>();
    let tuple = |tuple: &Value, types: &[Type]| match tuple {
        Value::Tuple(items) => {
            let items: Evaluated<Vec<_>> = items.iter().zip(types).map(|(item, ty)| on(item, ty)).collect();
            Ok(Value::Tuple(items?.into()))
        }
        other => unreachable!("a tuple was expected, not {other:?}"),
    };
    match (value, ty) {
        (Value::Tuple(_), Type::Tuple(types)) => tuple(value, types),
        (Value::Tuple(_), Type::Record(fields)) => {
            let types: Vec<Type> = fields.iter().map(|(_, ty)| ty.clone()).collect();
            tuple(value, &types)
        }
        (Value::Variant(which, inner), Type::Variant(alternatives)) => {
            Ok(Value::Variant(*which, Arc::new(on(inner, &alternatives[*which as usize].1)?)))
        }
        (Value::Matrix(matrix), Type::Matrix(parts)) => {
            // The element at an index moves to the image of this index.
            let mut elements = Vec::with_capacity(matrix.elements.len());
            for (index, element) in matrix.index.members().zip(&matrix.elements) {
                // If one of the two Booleans is missing, the index domain has 0 or 1 instead of Booleans.
                let index = if parts[0] == Type::Bool { Value::Bool(index.as_int() == 1) } else { index };
                elements.push((on(&index, &parts[0])?, on(element, &parts[1])?));
            }
            // The index domain is in ascending order, so the elements are sorted by their new indices.
            elements.sort_unstable();
            let index = match &matrix.index {
                GroundDomain::Int(_) => {
                    GroundDomain::Int(IntSet::from_values(elements.iter().map(|(index, _)| index.as_int())))
                }
                other => other.clone(),
            };
            let elements = elements.into_iter().map(|(_, element)| element).collect();
            Ok(Value::Matrix(Arc::new(Matrix { index, elements })))
        }
        (Value::Matrix(matrix), Type::List(inner)) => Ok(Value::list(each(&matrix.elements, inner)?)),
        (_, Type::Collection(kind, parts)) => {
            // The tuples in functions and relations are not values of the type, so only their components are moved.
            let types = match kind.form() {
                MemberForm::Positions => None,
                form => form.components(parts, Type::Any),
            };
            let member = ty.listed_member().unwrap_or(Type::Any);
            let listed = value.listed();
            let moved = listed.iter().map(|item| match &types {
                Some(types) => tuple(item, types),
                None => on(item, &member),
            });
            collection_of_members(*kind, moved.collect::<Evaluated<_>>()?)
        }
        _ => Ok(value.clone()),
    }
}
