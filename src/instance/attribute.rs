//! Attributes as constraints: `injective(f)`, `size(s, 3)`, `reflexive(r)`.

use super::{Environment, domain_of, evaluate};
use crate::{
    analysis::model::{Attribute, Expr},
    diagnostic::{Code, Diagnostic},
    language::{
        Evaluated, GroundDomain, Value,
        domain::{BinaryProperty, Size},
    },
};
use rustc_hash::FxHashSet;

pub(super) fn holds(expr: &Expr, attribute: &Attribute, env: &mut Environment) -> Evaluated {
    let value = evaluate(expr, env);
    let number = attribute.value.as_ref().map(|number| evaluate(number, env)).transpose();
    let (value, number) = (value?, number?.map(|number| number.as_int()));
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
        ("total", Value::Function(pairs)) => match domain_of(expr, env) {
            GroundDomain::Function(_, from, _) => all_among(&from, &pairs.iter().map(|pair| &pair.0).collect()),
            other => unreachable!("the domain of a function was expected, not {other:?}"),
        },
        ("injective", Value::Function(_) | Value::Sequence(_)) => images(&value).len() as i64 == count(&value),
        ("surjective" | "bijective", Value::Function(_) | Value::Sequence(_)) => {
            let images = images(&value);
            let onto = match domain_of(expr, env) {
                GroundDomain::Function(_, _, to) | GroundDomain::Sequence(_, to) => all_among(&to, &images),
                other => unreachable!("the domain of a function was expected, not {other:?}"),
            };
            onto && (word == "surjective" || images.len() as i64 == count(&value))
        }
        (_, Value::Relation(pairs)) => {
            let properties = BinaryProperty::of_attribute(word).unwrap_or_default();
            let points = match properties.iter().any(|property| property.is_about_all_points()) {
                true => points_of(expr, word, env)?,
                false => Some(Vec::new()),
            };
            points.is_some_and(|points| {
                properties.iter().all(|property| property.counterexample(pairs, &points).is_none())
            })
        }
        _ => unreachable!("`{word}` is no property of {value:?}"),
    };
    Ok(Value::Bool(result))
}

/// What a binary relation relates: a property speaks about the values of both columns. `None` if they are infinitely
/// many, of which no property that asks something of all can hold.
pub fn points_of(expr: &Expr, word: &str, env: &mut Environment) -> Evaluated<Option<Vec<Value>>> {
    match domain_of(expr, env) {
        GroundDomain::Relation(_, columns) if columns.iter().all(GroundDomain::is_finite) => {
            if columns.iter().any(|column| column.size().is_none_or(|size| size > MOST_POINTS)) {
                let message = format!("`{word}` speaks about more than {MOST_POINTS} values");
                return Err(Diagnostic::error(Code::TOO_LARGE, message)
                    .at(expr.span, "too many values in here")
                    .into());
            }
            Ok(Some(points(&columns)))
        }
        GroundDomain::Relation(..) => Ok(None),
        other => unreachable!("the domain of a relation was expected, not {other:?}"),
    }
}

/// A property is not about more values than these.
const MOST_POINTS: u128 = 1_000_000;

/// The values of finite columns.
pub fn points(columns: &[GroundDomain]) -> Vec<Value> {
    let mut points: Vec<Value> = columns.iter().flat_map(GroundDomain::members).collect();
    points.sort_unstable();
    points.dedup();
    points
}

/// Whether a number lies within bounds.
fn within(bounds: &Size<i64>, number: i64) -> bool {
    bounds.min.is_none_or(|min| min <= number) && bounds.max.is_none_or(|max| number <= max)
}

/// Whether all values of a domain are among these.
fn all_among(domain: &GroundDomain, values: &FxHashSet<&Value>) -> bool {
    let enough = domain.size().is_some_and(|size| size <= values.len() as u128);
    enough && domain.members().all(|value| values.contains(&value))
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

/// The first value of an expression's domain; `None` if the domain is empty.
pub fn first_value(expr: &Expr, env: &mut Environment) -> Evaluated<Option<Value>> {
    let domain = domain_of(expr, env);
    if !domain.is_finite() {
        let message = "`dontCare` needs the first value of a domain, and this expression's domain has none";
        return Err(Diagnostic::error(Code::BAD_ATTRIBUTE, message)
            .at(expr.span, "nothing bounds what is in it")
            .help("apply it to a decision variable, whose domain is declared")
            .into());
    }
    Ok(domain.members().next())
}

/// `dontCare(e)`: the expression has the first value of its domain.
pub(super) fn does_not_care(expr: &Expr, env: &mut Environment) -> Evaluated {
    let value = evaluate(expr, env)?;
    Ok(Value::Bool(first_value(expr, env)? == Some(value)))
}
