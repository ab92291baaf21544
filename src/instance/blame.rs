//! Finds the part of a written expression that causes a mistake in its value.

use super::{Environment, evaluate, for_each_binding, unbind};
use crate::{
    analysis::model::{Category, Comprehension, Expr, ExprKind},
    diagnostic::{Code, Diagnostic},
    language::{Stop, Type, Value, domain::ValueStep},
    source::Span,
};

/// The span of the part of a literal that a path into its value leads to, as far as it is written out.
pub(crate) fn locate(expr: &Expr, path: &[ValueStep], env: &mut Environment) -> Span {
    let Some((step, rest)) = path.split_first() else { return expr.span };
    let part = match (&expr.kind, step) {
        (ExprKind::Tuple(items), ValueStep::Component(position)) => items.get(*position),
        (ExprKind::Variant(_, inner), ValueStep::Alternative(_)) => Some(&**inner),
        // The path names an index, and only the value has the index domain that gives its position.
        (ExprKind::Matrix(elements, _), ValueStep::Element(index)) => match evaluate(expr, env) {
            Ok(Value::Matrix(matrix)) => {
                let position = matrix.index.members().position(|member| member == *index);
                position.and_then(|position| elements.get(position))
            }
            _ => None,
        },
        (ExprKind::Collection(_, members), ValueStep::Place(place)) => members.get(place - 1),
        (ExprKind::Collection(_, members), ValueStep::Member(wanted)) => {
            members.iter().find(|member| evaluate(member, env).as_ref() == Ok(wanted))
        }
        (ExprKind::Collection(kind, members), step) if kind.form().keeps_pairs() => {
            let (argument, which) = match step {
                ValueStep::Argument(argument) => (argument, 0),
                ValueStep::Image(argument) => (argument, 1),
                _ => return expr.span,
            };
            members.iter().find_map(|member| match &member.kind {
                ExprKind::Tuple(pair) if evaluate(&pair[0], env).as_ref() == Ok(argument) => pair.get(which),
                _ => None,
            })
        }
        _ => None,
    };
    part.map_or(expr.span, |part| locate(part, rest, env))
}

/// The diagnostic of an undefined expression, at its innermost undefined part.
pub(crate) fn report_of_undefined(what: &str, expr: &Expr, env: &mut Environment) -> Diagnostic {
    let part = innermost_undefined(expr, env);
    let (code, reason) = match &part.kind {
        ExprKind::Collection(kind, _) => (Code::BAD_LITERAL, kind.row().contradiction()),
        ExprKind::Global(_) => (Code::UNDEFINED_VALUE, "the value that this name stands for is undefined"),
        _ => (Code::UNDEFINED_VALUE, why_undefined(part).unwrap_or("this is undefined")),
    };
    Diagnostic::error(code, format!("{what} has no value")).at(part.span, reason)
}

/// The reason why an expression can be undefined although its parts have values.
pub(crate) fn why_undefined(expr: &Expr) -> Option<&'static str> {
    let operator = match &expr.kind {
        ExprKind::Apply(operator, _) => operator,
        ExprKind::Alternative(..) => return Some("another alternative of the variant is active"),
        _ => return None,
    };
    Some(match operator.symbol.text {
        "/" | "%" => "the divisor is 0",
        "**" => "the exponent is negative",
        "min" | "max" => "an empty collection has no smallest and no largest member",
        "index" => "the matrix has no element at this index",
        "image" => "the function is not defined for this argument",
        "succ" | "pred" => "the first member has no predecessor, and the last has no successor",
        _ => return None,
    })
}

/// Returns true if an operator or an alternative has a value for all decisions; `None` if that is unknown, or if a part
/// is itself undefined.
pub(crate) fn has_result(expr: &Expr, env: &mut Environment) -> Option<bool> {
    let mut known =
        |operand: &Expr| if operand.category < Category::Decision { evaluate(operand, env).ok() } else { None };
    let (operator, operands) = match &expr.kind {
        ExprKind::Apply(operator, operands) => (operator, operands.as_slice()),
        ExprKind::Alternative(variant, wanted) => {
            return match known(variant)? {
                Value::Variant(active, _) => Some(active == *wanted),
                _ => None,
            };
        }
        _ => return None,
    };
    let values = match operands {
        // The neighbours of a member depend on the domain of its type.
        [member, Expr { ty: Type::Domain(_), .. }] => vec![known(member)?, known(&operands[1])?],
        // For a division or a power, the first operand does not matter.
        [_, right] => vec![Value::Int(1), known(right)?],
        [Expr { kind: ExprKind::Comprehension(list), .. }] => return has_element(list, env),
        [operand] => vec![known(operand)?],
        _ => return None,
    };
    match (operator.eval)(&values) {
        Ok(_) => Some(true),
        Err(Stop::Undefined) => Some(false),
        Err(Stop::Fault(_)) => None,
    }
}

/// Returns true if a list has an element; `None` if decisions can change that.
fn has_element(list: &Comprehension, env: &mut Environment) -> Option<bool> {
    let mut is_known = true;
    for qualifier in &list.qualifiers {
        qualifier.for_each_part(&mut |part| is_known &= part.category < Category::Decision);
    }
    if !is_known {
        return None;
    }
    let mut found = false;
    let ended = for_each_binding(&list.qualifiers, env, &mut |_| {
        // The first element is enough, so an error ends the walk.
        found = true;
        Err(Stop::Undefined)
    });
    unbind(&list.qualifiers, env);
    (found || ended.is_ok()).then_some(found)
}

/// The innermost undefined part of an expression.
pub(crate) fn innermost_undefined<'a>(expr: &'a Expr, env: &mut Environment) -> &'a Expr {
    // The parts mention names that are bound inside, so they cannot be evaluated here.
    if matches!(expr.kind, ExprKind::Comprehension(_) | ExprKind::Bubble(_)) {
        return expr;
    }
    let mut parts = Vec::new();
    expr.for_each_part(&mut |part| parts.push(part));
    match parts.into_iter().find(|part| evaluate(part, env) == Err(Stop::Undefined)) {
        Some(part) => innermost_undefined(part, env),
        None => expr,
    }
}
