//! Attributes as constraints: `injective(f)`, `size(s, 3)`, `reflexive(r)`.

use super::{Environment, domain_of, evaluate};
use crate::{
    analysis::model::{AttributeUse, Expr},
    diagnostic::{Code, Diagnostic},
    language::{
        Evaluated, GroundDomain, Value,
        attributes::{Meaning, Property, Size, is_within, points_between},
    },
};

pub(super) fn attribute_holds(expr: &Expr, attribute: &AttributeUse, env: &mut Environment) -> Evaluated {
    let value = evaluate(expr, env);
    let number = attribute.number.as_ref().map(|number| evaluate(number, env)).transpose();
    let (value, number) = (value?, number?.map(|number| number.as_int()));
    let Some(number) = number else {
        let properties = attribute.row.properties();
        let domain = properties.iter().any(|property| property.asks_of_all()).then(|| domain_of(expr, env));
        let sides = domain.as_ref().map_or(Vec::new(), GroundDomain::sides);
        // This call only refuses a domain with too many points; the points themselves are not needed.
        if domain.is_some() && attribute.row.is_of_binary_relations() {
            points_of(expr, attribute, &sides)?;
        }
        let has =
            |property: &Property| !property.asks_too_much(&sides) && property.counterexample(&value, &sides).is_none();
        return Ok(Value::Bool(properties.iter().all(has)));
    };
    let Meaning::Bound(measure, limit) = attribute.row.meaning else {
        unreachable!("{:?} takes no number", attribute.row)
    };
    let bounds = Size::of(limit, number);
    Ok(Value::Bool(measure.of(&value).iter().all(|(_, number)| is_within(&bounds, *number as i64))))
}

/// The values of both sides of a binary relation, to which its properties apply; `None` if there are infinitely many.
pub(crate) fn points_of(
    expr: &Expr,
    attribute: &AttributeUse,
    sides: &[&GroundDomain],
) -> Evaluated<Option<Vec<Value>>> {
    if !sides.iter().all(|side| side.is_finite()) {
        return Ok(None);
    }
    if sides.iter().any(|side| side.size().is_none_or(|size| size > MOST_POINTS)) {
        let message = format!("`{}` would have to check more than {MOST_POINTS} values", attribute.row.word);
        return Err(Diagnostic::error(Code::TOO_LARGE, message).at(expr.span, "this has too many values").into());
    }
    Ok(Some(points_between(sides)))
}

/// The maximum number of values for which a property is checked. Chosen.
const MOST_POINTS: u128 = 1_000_000;

/// The first value of an expression's domain; `None` if the domain is empty.
pub(crate) fn first_value(expr: &Expr, env: &mut Environment) -> Evaluated<Option<Value>> {
    let domain = domain_of(expr, env);
    if !domain.is_finite() {
        let message = "`dontCare` needs the first value of a domain, but the domain of this expression has none";
        return Err(Diagnostic::error(Code::BAD_ATTRIBUTE, message)
            .at(expr.span, "its values have no bound")
            .help("apply `dontCare` to a decision variable, because its domain is declared")
            .into());
    }
    Ok(domain.members().next())
}

/// `dontCare(e)`: the expression has the first value of its domain.
pub(super) fn does_not_care(expr: &Expr, env: &mut Environment) -> Evaluated {
    let value = evaluate(expr, env)?;
    Ok(Value::Bool(first_value(expr, env)? == Some(value)))
}
