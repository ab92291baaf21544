//! Attributes as constraints: `injective(f)`, `size(s, 3)`, `reflexive(r)`.

use super::{Environment, evaluate};
use crate::{
    analysis::model::{Attribute, DeclarationKind, Expr, ExprKind},
    diagnostic::{Code, Diagnostic},
    language::{
        Evaluated, GroundDomain, Value,
        domain::{BinaryProperty, Size},
    },
    operators::symbols,
};
use rustc_hash::FxHashSet;
use std::rc::Rc;

pub(super) fn holds(expr: &Expr, attribute: &Attribute, env: &mut Environment) -> Evaluated {
    let value = evaluate(expr, env)?;
    let number = match &attribute.value {
        Some(number) => Some(evaluate(number, env)?.as_int()),
        None => None,
    };
    let exactly = Size { min: number, max: number };
    let least = Size { min: number, max: None };
    let most = Size { min: None, max: number };
    let word = &*attribute.name;
    let result = match (word, &value) {
        ("size", _) => within(&exactly, count(&value)),
        ("minSize", _) => within(&least, count(&value)),
        ("maxSize", _) => within(&most, count(&value)),
        ("minOccur" | "maxOccur", Value::MSet(members)) => {
            let bounds = if word == "minOccur" { least } else { most };
            members.chunk_by(|left, right| left == right).all(|run| within(&bounds, run.len() as i64))
        }
        ("numParts", Value::Partition(parts)) => within(&exactly, parts.len() as i64),
        ("minNumParts", Value::Partition(parts)) => within(&least, parts.len() as i64),
        ("maxNumParts", Value::Partition(parts)) => within(&most, parts.len() as i64),
        ("partSize", Value::Partition(parts)) => parts.iter().all(|part| within(&exactly, count(part))),
        ("minPartSize", Value::Partition(parts)) => parts.iter().all(|part| within(&least, count(part))),
        ("maxPartSize", Value::Partition(parts)) => parts.iter().all(|part| within(&most, count(part))),
        ("regular", Value::Partition(parts)) => parts.windows(2).all(|two| count(&two[0]) == count(&two[1])),
        ("numMoved", Value::Permutation(pairs)) => within(&exactly, pairs.len() as i64),
        ("minNumMoved", Value::Permutation(pairs)) => within(&least, pairs.len() as i64),
        ("maxNumMoved", Value::Permutation(pairs)) => within(&most, pairs.len() as i64),
        ("total", Value::Function(pairs)) => {
            let domain = known_domain(expr, word, env)?;
            matches!(&*domain, GroundDomain::Function(_, from, _) if from.size() == Some(pairs.len() as u128))
        }
        ("injective", Value::Function(_) | Value::Sequence(_)) => images(&value).len() as i64 == count(&value),
        ("surjective" | "bijective", Value::Function(_) | Value::Sequence(_)) => {
            let domain = known_domain(expr, word, env)?;
            let images = images(&value).len();
            let onto = match &*domain {
                GroundDomain::Function(_, _, to) | GroundDomain::Sequence(_, to) => to.size() == Some(images as u128),
                _ => false,
            };
            onto && (word == "surjective" || images as i64 == count(&value))
        }
        (_, Value::Relation(pairs)) => {
            let Some(properties) = BinaryProperty::of_attribute(word) else { return Err(unsupported(word).into()) };
            let points: Vec<Value> = match properties.iter().any(|property| property.is_about_all_points()) {
                true => match &*known_domain(expr, word, env)? {
                    GroundDomain::Relation(_, columns) => points_of(columns),
                    _ => return Err(unsupported(word).into()),
                },
                false => Vec::new(),
            };
            properties.iter().all(|property| property.counterexample(pairs, &points).is_none())
        }
        _ => return Err(unsupported(word).into()),
    };
    Ok(Value::Bool(result))
}

/// What a binary relation between these columns relates: a property speaks about the values of both.
pub fn points_of(columns: &[GroundDomain]) -> Vec<Value> {
    let mut points: Vec<Value> = columns.iter().flat_map(GroundDomain::members).collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// Whether a number lies within bounds.
fn within(bounds: &Size<i64>, number: i64) -> bool {
    bounds.min.is_none_or(|min| min <= number) && bounds.max.is_none_or(|max| number <= max)
}

fn unsupported(word: &str) -> Diagnostic {
    Diagnostic::error(Code::NOT_SUPPORTED, format!("`{word}` cannot be used as a constraint here"))
}

fn count(value: &Value) -> i64 {
    let count = match value {
        Value::Set(items) | Value::MSet(items) | Value::Sequence(items) | Value::Relation(items) => items.len(),
        Value::Function(pairs) | Value::Permutation(pairs) => pairs.len(),
        // The participants.
        Value::Partition(parts) => return parts.iter().map(count).sum(),
        other => unreachable!("a collection was expected, not {other:?}"),
    };
    count as i64
}

fn images(value: &Value) -> FxHashSet<&Value> {
    match value {
        Value::Function(pairs) => pairs.iter().map(|(_, image)| image).collect(),
        Value::Sequence(items) => items.iter().collect(),
        other => unreachable!("a function was expected, not {other:?}"),
    }
}

fn known_domain(expr: &Expr, word: &str, env: &mut Environment) -> Evaluated<Rc<GroundDomain>> {
    domain_of(expr, env).ok_or_else(|| {
        Diagnostic::error(Code::NOT_SUPPORTED, format!("`{word}` needs an operand whose domain is declared"))
            .help("apply it to a parameter or a decision variable")
            .into()
    })
}

/// The declared domain of what an expression denotes, where there is one.
pub fn domain_of(expr: &Expr, env: &Environment) -> Option<Rc<GroundDomain>> {
    match &expr.kind {
        ExprKind::Global(id) => match &env.model().declarations[id.0 as usize].kind {
            DeclarationKind::Letting(value) => domain_of(value, env),
            _ => env.domain(*id).cloned(),
        },
        ExprKind::Component(tuple, position) => match &*domain_of(tuple, env)? {
            GroundDomain::Tuple(items) => Some(Rc::new(items[*position as usize].clone())),
            GroundDomain::Record(fields) => Some(Rc::new(fields[*position as usize].1.clone())),
            _ => None,
        },
        ExprKind::Alternative(variant, position) => match &*domain_of(variant, env)? {
            GroundDomain::Variant(alternatives) => Some(Rc::new(alternatives[*position as usize].1.clone())),
            _ => None,
        },
        ExprKind::Apply(operator, operands) if operator.symbol == symbols::INDEX => {
            operands[1..].iter().try_fold(domain_of(&operands[0], env)?, |domain, _| match &*domain {
                GroundDomain::Matrix(_, element) => Some(Rc::new((**element).clone())),
                _ => None,
            })
        }
        ExprKind::Apply(operator, operands) if operator.symbol == symbols::IMAGE => {
            match &*domain_of(&operands[0], env)? {
                GroundDomain::Function(_, _, to) | GroundDomain::Sequence(_, to) => Some(Rc::new((**to).clone())),
                _ => None,
            }
        }
        _ => None,
    }
}
