//! The properties that the values of a parameter share in some examples.

use crate::{
    analysis::model::DeclarationId,
    instance::GroundInstance,
    language::{GroundDomain, MemberForm, Name, Type, Value},
};
use std::sync::Arc;

/// The manner of a parameter: the properties that its values share in the examples.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ParameterManner {
    /// The name of the parameter.
    pub name: String,
    /// True if the parameter is an integer, such as the size of a board.
    pub is_integer: bool,
    /// True if the parameter is an enumerated type, which has members.
    pub is_type: bool,
    /// The least and the largest integer in its values.
    pub numbers: Option<(i64, i64)>,
    /// The least and the largest number of members, if the parameter is a collection.
    pub members: Option<(usize, usize)>,
    /// The mean share of the possible members that are present, or of the Booleans that are true.
    pub density: Option<f64>,
}

impl ParameterManner {
    /// The manner of a parameter in some instances.
    pub(crate) fn of(name: &str, ty: &Type, instances: &[&GroundInstance]) -> ParameterManner {
        let mut manner = ParameterManner {
            name: name.to_owned(),
            is_integer: matches!(ty, Type::Int(_)),
            is_type: false,
            numbers: None,
            members: None,
            density: None,
        };
        let mut densities = Vec::new();
        for instance in instances {
            let Some((value, domain)) = value_of(instance, &name.into()) else { continue };
            each_number(&value, ty, &mut |number| {
                let (least, most) = manner.numbers.unwrap_or((number, number));
                manner.numbers = Some((least.min(number), most.max(number)));
            });
            if let Value::Collection(..) | Value::Mapping(..) = &value {
                let count = value.members().len();
                let (least, most) = manner.members.unwrap_or((count, count));
                manner.members = Some((least.min(count), most.max(count)));
                densities.extend(domain.as_deref().and_then(candidates).map(|all| count as f64 / all.max(1) as f64));
            }
            let mut truths = Vec::new();
            each_truth(&value, &mut truths);
            if !truths.is_empty() {
                densities.push(truths.iter().filter(|truth| **truth).count() as f64 / truths.len() as f64);
            }
        }
        // A density of 1 in all examples is not a coincidence: for example, functions may have to be total.
        if densities.iter().any(|density| *density < 1.0) {
            manner.density = Some(densities.iter().sum::<f64>() / densities.len() as f64);
        }
        manner
    }
}

impl ParameterManner {
    /// The manner of an enumerated type whose members are data.
    pub(crate) fn of_type(name: &str, position: usize, instances: &[&GroundInstance]) -> ParameterManner {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        let sizes = instances.iter().filter_map(|instance| instance.environment.size_of_type(position));
        let sizes: Vec<usize> = sizes.filter_map(|size| usize::try_from(size).ok()).collect();
        ParameterManner {
            name: name.to_owned(),
            is_integer: false,
            is_type: true,
            numbers: None,
            members: sizes.iter().min().copied().zip(sizes.iter().max().copied()),
            density: None,
        }
    }
}

/// The value of a parameter, and its domain if it is finite.
fn value_of(instance: &GroundInstance, name: &Name) -> Option<(Value, Option<Arc<GroundDomain>>)> {
    let position = instance.model.declarations.iter().position(|declaration| declaration.name == *name)?;
    let id = DeclarationId(u32::try_from(position).ok()?);
    let mut environment = instance.environment.clone();
    Some((environment.global(id).ok()?, instance.environment.domain(id).cloned()))
}

/// The number of possible members of a collection.
fn candidates(domain: &GroundDomain) -> Option<u128> {
    let GroundDomain::Collection(kind, _, sides) = domain else { return None };
    match kind.form() {
        MemberForm::Pairs | MemberForm::Values => sides[0].size(),
        MemberForm::Tuples => sides.iter().try_fold(1_u128, |product, side| product.checked_mul(side.size()?)),
        _ => None,
    }
}

/// Calls `visit` for each integer in a value that is not an index or an argument.
fn each_number(value: &Value, ty: &Type, visit: &mut dyn FnMut(i64)) {
    match (value, ty) {
        (Value::Int(number), Type::Int(_)) => visit(*number),
        (Value::Tuple(items), Type::Tuple(types)) => {
            items.iter().zip(types.iter()).for_each(|(item, ty)| each_number(item, ty, visit));
        }
        (Value::Matrix(matrix), Type::Matrix(parts)) => {
            matrix.elements.iter().for_each(|element| each_number(element, &parts[1], visit));
        }
        (Value::Mapping(_, pairs), Type::Collection(_, types)) => {
            pairs.iter().for_each(|(_, image)| each_number(image, &types[types.len() - 1], visit));
        }
        (Value::Collection(_, items), Type::Collection(_, types)) if types.len() == 1 => {
            items.iter().for_each(|item| each_number(item, &types[0], visit));
        }
        _ => {}
    }
}

/// Collects the Booleans in matrices.
fn each_truth(value: &Value, truths: &mut Vec<bool>) {
    match value {
        Value::Bool(truth) => truths.push(*truth),
        Value::Matrix(matrix) => matrix.elements.iter().for_each(|element| each_truth(element, truths)),
        _ => {}
    }
}
