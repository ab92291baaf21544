//! Data and declarations without index domains. A plain array in JSON gets the indices of its declaration; a
//! declaration without the bounds of an index domain gets them from the data.

use crate::{
    language::{Domain, GroundDomain, IntSet, Type, Value, domain::shapes::listed_member, value::Matrix},
    syntax::ast::Positional,
};
use std::sync::Arc;

/// Replaces the indices 1, 2, … with the indices of the domain, if it has as many of them.
pub(crate) fn with_declared_indices(value: &Value, domain: &GroundDomain, ty: &Type, which: Positional) -> Value {
    let each = |items: &[Value], domain: &GroundDomain, ty: &Type| -> Vec<Value> {
        items.iter().map(|item| with_declared_indices(item, domain, ty, which)).collect()
    };
    let fields = |items: &[Value], parts: &mut dyn Iterator<Item = (&GroundDomain, &Type)>| -> Vec<Value> {
        items.iter().zip(parts).map(|(item, (domain, ty))| with_declared_indices(item, domain, ty, which)).collect()
    };
    match (value, domain, ty) {
        (Value::Matrix(matrix), Domain::Matrix(index, inner), Type::Matrix(types)) => {
            let elements = each(&matrix.elements, inner, &types[1]);
            // If one index is Boolean and the other is not, the value keeps its own indices.
            let applies = if matches!(types[0], Type::Int(_)) { which.integers } else { which.names };
            // If the numbers of elements differ, the value keeps its indices, and the check of its domain reports the
            // error.
            let index = match index_domain_of_length(index, elements.len()).filter(|_| applies) {
                Some(index) => index,
                None => matrix.index.clone(),
            };
            Value::Matrix(Arc::new(Matrix { elements, index }))
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
            Value::Variant(*chosen, Arc::new(with_declared_indices(inner, &domains[at].1, &types[at].1, which)))
        }
        (Value::Collection(..) | Value::Mapping(..), Domain::Collection(kind, ..), Type::Collection(..)) => {
            let (Some(members), Some(ty)) = (listed_member(domain), ty.listed_member()) else { return value.clone() };
            kind.row().value(each(&value.listed(), &members, &ty)).unwrap_or_else(|| value.clone())
        }
        (other, ..) => other.clone(),
    }
}

/// The index domain of a matrix with this many elements, if the declared one allows that number.
fn index_domain_of_length(index: &GroundDomain, count: usize) -> Option<GroundDomain> {
    match index {
        Domain::Int(set) if !set.is_finite() => {
            let first = set.min().filter(|first| *first != IntSet::MINUS_INFINITY)?;
            let range = IntSet::range(first, first + count as i64 - 1);
            range.is_subset(set).then_some(Domain::Int(range))
        }
        _ => index.size().is_some_and(|size| size == count as u128).then(|| index.clone()),
    }
}

/// The domain of a parameter with the index domains of its value, if the declaration leaves bounds open, as `matrix
/// indexed by [int] of int` does. All matrices at one place of the declaration need the indices of the first one.
pub(crate) fn with_inferred_indices(domain: &GroundDomain, value: &Value) -> GroundDomain {
    if has_open_index(domain) { inferred(domain, &[value]) } else { domain.clone() }
}

fn has_open_index(domain: &GroundDomain) -> bool {
    let mut found = matches!(domain, Domain::Matrix(index, _) if !index.is_finite());
    domain.for_each_part(&mut |part| found = found || has_open_index(part));
    found
}

fn inferred(domain: &GroundDomain, values: &[&Value]) -> GroundDomain {
    let component = |at: usize| -> Vec<&Value> {
        let parts = values.iter().map(|value| if let Value::Tuple(parts) = value { parts.get(at) } else { None });
        parts.flatten().collect()
    };
    match domain {
        Domain::Matrix(index, element) => {
            let matrices: Vec<&Matrix> = values
                .iter()
                .filter_map(|value| if let Value::Matrix(matrix) = value { Some(&**matrix) } else { None })
                .collect();
            let index = match (matrices.first().map(|first| &first.index), &**index) {
                // If the declared index domain is open, the value determines the indices.
                (Some(Domain::Int(found)), Domain::Int(open)) if !open.is_finite() && found.is_subset(open) => {
                    Box::new(Domain::Int(found.clone()))
                }
                _ => index.clone(),
            };
            let elements: Vec<&Value> = matrices.iter().flat_map(|matrix| &matrix.elements).collect();
            Domain::Matrix(index, Box::new(inferred(element, &elements)))
        }
        Domain::Tuple(parts) => {
            Domain::Tuple(parts.iter().enumerate().map(|(at, part)| inferred(part, &component(at))).collect())
        }
        Domain::Record(fields) => {
            let fields = fields.iter().enumerate();
            Domain::Record(fields.map(|(at, (name, part))| (name.clone(), inferred(part, &component(at)))).collect())
        }
        Domain::Variant(fields) => {
            let chosen = |at: usize| -> Vec<&Value> {
                values
                    .iter()
                    .filter_map(|value| match value {
                        Value::Variant(which, inner) if *which as usize == at => Some(&**inner),
                        _ => None,
                    })
                    .collect()
            };
            Domain::Variant(
                fields
                    .iter()
                    .enumerate()
                    .map(|(at, (name, part))| (name.clone(), inferred(part, &chosen(at))))
                    .collect(),
            )
        }
        Domain::Collection(kind, attributes, parts) if !kind.form().open_parts(parts.len()).is_empty() => {
            let members: Vec<Value> = values.iter().flat_map(|value| value.members()).collect();
            let found = |part: usize| -> Vec<&Value> {
                match kind.form().item(part) {
                    Some(item) => members.iter().filter_map(|member| member.components().get(item)).collect(),
                    None => members.iter().collect(),
                }
            };
            let parts = parts.iter().enumerate().map(|(at, part)| inferred(part, &found(at)));
            Domain::Collection(*kind, attributes.clone(), parts.collect())
        }
        other => other.clone(),
    }
}
