//! Completes the type of a literal from its context: the member type of `{}`, and the other alternatives of `variant {a
//! = 1}`.

use super::model::{Expr, ExprKind};
use crate::language::{Name, Type, Value, value::Matrix};
use std::sync::Arc;

/// Gives a literal the type `ty`, with which its own type joins. Other expressions keep their type.
pub(crate) fn coerce(expr: &mut Expr, ty: &Type) {
    if expr.ty == *ty {
        return;
    }
    match (&mut expr.kind, ty) {
        (ExprKind::Constant(value), _) => {
            // Types differ in the numbers of alternatives, so only the value of a variant can change.
            if expr.ty.mentions_variant() {
                *value = adapt(value, &expr.ty, ty);
            }
        }
        (ExprKind::Tuple(items), Type::Tuple(types)) => {
            items.iter_mut().zip(types.iter()).for_each(|(item, ty)| coerce(item, ty));
        }
        (ExprKind::Tuple(items), Type::Record(fields)) => {
            items.iter_mut().zip(fields.iter()).for_each(|(item, (_, ty))| coerce(item, ty));
        }
        (ExprKind::Variant(which, inner), Type::Variant(whole)) => {
            let Type::Variant(known) = &expr.ty else { return };
            // In the whole type, the alternative may have another number.
            *which = renumber(known, whole, *which);
            coerce(inner, &whole[*which as usize].1);
        }
        (ExprKind::Matrix(elements, _), Type::Matrix(parts)) => {
            elements.iter_mut().for_each(|element| coerce(element, &parts[1]));
        }
        (ExprKind::Collection(_, members), ty) => {
            if let Some(member) = ty.listed_member() {
                members.iter_mut().for_each(|item| coerce(item, &member));
            }
        }
        // Parts of a type can be open only in literals.
        _ => return,
    }
    expr.ty = ty.clone();
}

fn renumber(known: &[(Name, Type)], whole: &[(Name, Type)], which: u32) -> u32 {
    let name = &known[which as usize].0;
    whole.iter().position(|(other, _)| other == name).map_or(which, |position| position as u32)
}

/// Returns the value with its variants renumbered for the new type.
fn adapt(value: &Value, from: &Type, to: &Type) -> Value {
    let each = |items: &[Value], from: &Type, to: &Type| -> Vec<Value> {
        items.iter().map(|item| adapt(item, from, to)).collect()
    };
    match (value, from, to) {
        (Value::Variant(which, inner), Type::Variant(known), Type::Variant(whole)) => {
            let (from, number) = (&known[*which as usize].1, renumber(known, whole, *which));
            Value::Variant(number, Arc::new(adapt(inner, from, &whole[number as usize].1)))
        }
        (Value::Tuple(items), Type::Tuple(from), Type::Tuple(to)) => {
            let types = from.iter().zip(to.iter());
            Value::Tuple(items.iter().zip(types).map(|(item, (from, to))| adapt(item, from, to)).collect())
        }
        (Value::Tuple(items), Type::Record(from), Type::Record(to)) => {
            let types = from.iter().zip(to.iter());
            Value::Tuple(items.iter().zip(types).map(|(item, (from, to))| adapt(item, &from.1, &to.1)).collect())
        }
        (Value::Matrix(matrix), Type::Matrix(from), Type::Matrix(to)) => Value::Matrix(Arc::new(Matrix {
            index: matrix.index.clone(),
            elements: each(&matrix.elements, &from[1], &to[1]),
        })),
        (_, Type::Collection(kind, _), Type::Collection(..)) => match (from.listed_member(), to.listed_member()) {
            (Some(from), Some(to)) => {
                kind.row().value(each(&value.listed(), &from, &to)).unwrap_or_else(|| value.clone())
            }
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}
