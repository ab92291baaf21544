//! Operators on power sets that are not listed: the subset test uses the set itself, so that it may have many members.

use super::{Environment, evaluate};
use crate::{
    analysis::model::{DeclarationKind, Expr, ExprKind},
    language::{Evaluated, Value},
    operators::{
        Operator,
        evaluation::{integer, is_subset, items, overflow},
        symbols,
    },
};

/// A set of sets.
enum Sets {
    Listed(Value),
    /// The set of all subsets of this set.
    All(Value),
}

/// The operand of `powerSet` in an expression that is a power set.
pub(super) fn base(expr: &Expr, env: &mut Environment) -> Evaluated<Option<Value>> {
    match &expr.kind {
        ExprKind::Apply(operator, sets) if operator.symbol == symbols::POWER_SET => evaluate(&sets[0], env).map(Some),
        ExprKind::Global(id) => {
            let model = env.model().clone();
            match &model.declarations[id.0 as usize].kind {
                DeclarationKind::Letting(value) => base(value, env),
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// The value of an operator on power sets that does not need them listed; `None` for other operators and operands.
pub(super) fn unlisted(operator: &Operator, operands: &[Expr], env: &mut Environment) -> Evaluated<Option<Value>> {
    let [first, others @ ..] = operands else { return Ok(None) };
    match (operator.symbol, others) {
        (symbols::BARS, []) => match base(first, env)? {
            Some(base) => subsets(&base).ok_or_else(overflow).and_then(integer).map(Some),
            None => Ok(None),
        },
        (symbols::IN, [second]) => match base(second, env)? {
            Some(base) => {
                let member = evaluate(first, env)?;
                Ok(Some(Value::Bool(is_subset(items(&member), items(&base)))))
            }
            None => Ok(None),
        },
        (
            symbols::EQUAL
            | symbols::UNEQUAL
            | symbols::SUBSET
            | symbols::SUBSET_EQ
            | symbols::SUPERSET
            | symbols::SUPERSET_EQ
            | symbols::INTERSECT
            | symbols::MINUS,
            [second],
        ) => {
            let (left, right) = match (base(first, env)?, base(second, env)?) {
                (None, None) => return Ok(None),
                (Some(left), Some(right)) => (Sets::All(left), Sets::All(right)),
                (Some(left), None) => (Sets::All(left), Sets::Listed(evaluate(second, env)?)),
                (None, Some(right)) => (Sets::Listed(evaluate(first, env)?), Sets::All(right)),
            };
            Ok(combined(operator, &left, &right))
        }
        _ => Ok(None),
    }
}

fn combined(operator: &Operator, left: &Sets, right: &Sets) -> Option<Value> {
    let (forth, back) = (included(left, right), included(right, left));
    let result = match operator.symbol {
        symbols::EQUAL => forth && back,
        symbols::UNEQUAL => !(forth && back),
        symbols::SUBSET => forth && !back,
        symbols::SUBSET_EQ => forth,
        symbols::SUPERSET => back && !forth,
        symbols::SUPERSET_EQ => back,
        // A listed operand is filtered.
        symbols::INTERSECT | symbols::MINUS => {
            let (listed, base) = match (left, right) {
                (Sets::Listed(listed), Sets::All(base)) => (listed, base),
                (Sets::All(base), Sets::Listed(listed)) if operator.symbol == symbols::INTERSECT => (listed, base),
                _ => return None,
            };
            let wanted = operator.symbol == symbols::INTERSECT;
            let kept = items(listed).iter().filter(|set| is_subset(items(set), items(base)) == wanted);
            return Some(Value::Set(kept.cloned().collect()));
        }
        _ => return None,
    };
    Some(Value::Bool(result))
}

fn included(left: &Sets, right: &Sets) -> bool {
    match (left, right) {
        (Sets::Listed(left), Sets::Listed(right)) => is_subset(items(left), items(right)),
        (Sets::All(left), Sets::All(right)) => is_subset(items(left), items(right)),
        (Sets::Listed(sets), Sets::All(base)) => items(sets).iter().all(|set| is_subset(items(set), items(base))),
        (Sets::All(base), Sets::Listed(sets)) => {
            let inside = items(sets).iter().filter(|set| is_subset(items(set), items(base))).count();
            subsets(base) == Some(inside as i128)
        }
    }
}

/// The number of subsets of a set, if it can be counted.
fn subsets(base: &Value) -> Option<i128> {
    let members = u32::try_from(items(base).len()).ok()?;
    1i128.checked_shl(members).filter(|count| *count > 0)
}
