//! Evaluates expressions on values.
//!
//! An undefined expression makes the nearest enclosing Boolean expression false; only [`evaluate`] applies this rule.
//! Operators that need no more than the values of their operands are in the operators' table; the nodes that need more
//! are here: names, literals, comprehensions, slices.

use super::{Environment, attribute, choices, comprehension, ground, power_set, reads, transform};
use crate::{
    analysis::{
        model::{self, Bubble, Expr, ExprDomain, ExprKind, Index},
        wrong_number_of_elements,
    },
    diagnostic::{Code, Diagnostic},
    language::{Collection, Evaluated, GroundDomain, IntSet, Stop, Type, Value, domain::DomainRole, value::Matrix},
    operators::Operator,
    source::Span,
};
use std::sync::Arc;

/// The value of an expression whose names all have values.
pub(crate) fn evaluate(expr: &Expr, env: &mut Environment) -> Evaluated {
    match evaluate_kind(expr, env) {
        // An undefined term makes the nearest Boolean around it false, which is this expression.
        Err(Stop::Undefined) if expr.ty == Type::Bool => Ok(Value::FALSE),
        // The innermost expression gets the label, because an error that reaches an outer one already has a label.
        Err(Stop::Fault(diagnostic)) if diagnostic.labels.is_empty() => {
            Err((*diagnostic).at(expr.span, "when this is evaluated").into())
        }
        result => result,
    }
}

/// Evaluates several expressions in order.
pub(super) fn evaluate_all(exprs: &[Expr], env: &mut Environment) -> Evaluated<Vec<Value>> {
    // Every part may contain a choice, so evaluation continues after an undefined one.
    if env.choices.is_some() {
        let all: Vec<Evaluated> = exprs.iter().map(|expr| evaluate(expr, env)).collect();
        return all.into_iter().collect();
    }
    exprs.iter().map(|expr| evaluate(expr, env)).collect()
}

fn evaluate_kind(expr: &Expr, env: &mut Environment) -> Evaluated {
    match &expr.kind {
        ExprKind::Constant(value) => Ok(value.clone()),
        // A parameter without a value gives the same error: in both cases, the mistake has been reported already.
        ExprKind::Wrong => Err(Diagnostic::error(Code::MISSING_PARAMETER, "this has no value").into()),
        ExprKind::Global(id) => env.global(*id),
        // If a local name has no value, the expression of its `letting` is undefined.
        ExprKind::Local(id) => env.local(*id).cloned().ok_or(Stop::Undefined),
        ExprKind::Apply(operator, operands) => apply_operator(operator, operands, env),
        ExprKind::Tuple(items) => Ok(Value::Tuple(evaluate_all(items, env)?.into())),
        ExprKind::Component(tuple, position) => match evaluate(tuple, env)? {
            Value::Tuple(items) => Ok(items[*position as usize].clone()),
            other => unreachable!("a tuple was expected, not {other:?}"),
        },
        ExprKind::Variant(alternative, inner) => Ok(Value::Variant(*alternative, Arc::new(evaluate(inner, env)?))),
        ExprKind::Alternative(variant, wanted) => match evaluate(variant, env)? {
            Value::Variant(active, inner) if active == *wanted => Ok((*inner).clone()),
            _ => Err(Stop::Undefined),
        },
        ExprKind::Active(variant, wanted) => match evaluate(variant, env)? {
            Value::Variant(active, _) => Ok(Value::Bool(active == *wanted)),
            other => unreachable!("a variant was expected, not {other:?}"),
        },
        ExprKind::Matrix(elements, index) => matrix(elements, index.as_deref(), expr.span, env),
        ExprKind::Slice(matrix, indices) => {
            // If one part is undefined, the others are evaluated nevertheless, because they may contain local decision
            // variables.
            let matrix = evaluate(matrix, env);
            let positions: Vec<Evaluated<SliceIndex>> = indices.iter().map(|index| slice_index(index, env)).collect();
            slice(&matrix?, &positions.into_iter().collect::<Evaluated<Vec<_>>>()?)
        }
        ExprKind::Projection(relation, columns) => projection(relation, columns, env),
        ExprKind::Collection(kind, members) => collection_of_members(*kind, evaluate_all(members, env)?),
        ExprKind::Comprehension(inner) => comprehension::comprehension_values(inner, env),
        ExprKind::Domain(domain) => Ok(Value::Domain(Arc::new(ground(domain, env)?))),
        ExprKind::Transform(permutations, inner) => transform::evaluate_transform(permutations, inner, env),
        ExprKind::HasAttribute(inner, attribute) => attribute::attribute_holds(inner, attribute, env),
        ExprKind::DoesNotCare(inner) => attribute::does_not_care(inner, env),
        ExprKind::Bubble(bubble) if !bubble.locals.is_empty() && env.choices.is_none() => {
            choices::first_choice(expr, env)
        }
        ExprKind::Bubble(bubble) => evaluate_bubble(bubble, env),
    }
}

/// The value of an operator's application, if one operand alone decides it.
fn decided_by(operator: &Operator, position: usize, operand: &Value) -> Option<Value> {
    match operand {
        Value::Bool(value) => operator.decided_by(position, *value).map(Value::Bool),
        _ => None,
    }
}

fn apply_operator(operator: &'static Operator, operands: &[Expr], env: &mut Environment) -> Evaluated {
    // A power set has 2^n members, so it is not listed if the operator works without them.
    if let Some(value) = power_set::unlisted(operator, operands, env)? {
        return Ok(value);
    }
    if env.reads.is_on()
        && let Some(value) = reads::looked_up(operator, operands, env)
    {
        return value;
    }
    match operands {
        [operand] => {
            if let ExprKind::Comprehension(inner) = &operand.kind
                && let Some(decisive) = operator.absorbing
            {
                return comprehension::junction(inner, 0, decisive, env);
            }
            (operator.eval)(&[evaluate(operand, env)?])
        }
        [left, right] => {
            // With choices, all operands are evaluated, so that all of their choices are made.
            let thorough = env.choices.is_some();
            if operator.catches_undefined {
                // The second operand is evaluated only if the first is undefined, or if it may contain a choice.
                let left = evaluate(left, env);
                if left != Err(Stop::Undefined) && !thorough {
                    return left;
                }
                let right = evaluate(right, env);
                return if left == Err(Stop::Undefined) { right } else { left };
            }
            if thorough && !operator.is_implication() {
                return (operator.eval)(&evaluate_all(operands, env)?);
            }
            let left = match evaluate(left, env) {
                // If the left operand is too large, the right one may decide the result alone.
                Err(Stop::Fault(fault)) if fault.code == Code::TOO_LARGE => {
                    return decided_by(operator, 1, &evaluate(right, env)?).ok_or(Stop::Fault(fault));
                }
                left => left?,
            };
            // If the left operand decides the result, the right one cannot change it, defined or not.
            if let Some(decided) = decided_by(operator, 0, &left) {
                return Ok(decided);
            }
            let right = evaluate(right, env)?;
            (operator.eval)(&[left, right])
        }
        _ => (operator.eval)(&evaluate_all(operands, env)?),
    }
}

fn matrix(elements: &[Expr], index: Option<&ExprDomain>, span: Span, env: &mut Environment) -> Evaluated {
    let elements = evaluate_all(elements, env)?;
    let Some(index) = index else { return Ok(Value::list(elements)) };
    let index = index_of_literal(index, elements.len(), span, env)?;
    Ok(Value::Matrix(Arc::new(Matrix { index, elements })))
}

/// The index domain of a matrix literal at this span with this many elements. Another number of indices is a mistake:
/// unlike an undefined term, it makes nothing false.
pub(crate) fn index_of_literal(
    index: &ExprDomain,
    elements: usize,
    span: Span,
    env: &mut Environment,
) -> Evaluated<GroundDomain> {
    let written = index;
    let mut index = ground(written, env)?;
    // `[1, 2; int(5..)]` starts at 5.
    if let GroundDomain::Int(set) = &index
        && set.max() == Some(IntSet::INFINITY)
        && let Some(first) = set.min().filter(|first| *first != IntSet::MINUS_INFINITY)
    {
        index = GroundDomain::Int(IntSet::range(first, first.saturating_add(elements as i64 - 1)));
    }
    if index.size() != Some(elements as u128) {
        let mut fault = wrong_number_of_elements(elements, &index, span);
        model::expressions_in_domain(written, &mut |bound| note_locals(bound, env, &mut fault));
        return Err(fault.into());
    }
    Ok(index)
}

/// Adds notes with the values of the quantified names in an expression, each once.
fn note_locals(expr: &Expr, env: &Environment, fault: &mut Diagnostic) {
    if let ExprKind::Local(id) = expr.kind
        && let Some(Value::Int(number)) = env.local(id)
        && let Some(local) = env.model().local_names.get(id.0 as usize)
        && matches!(local.ty, Type::Int(_))
    {
        let note = format!("{} = {number}", local.name);
        if !fault.notes.contains(&note) {
            fault.notes.push(note);
        }
    }
    expr.for_each_part(&mut |part| note_locals(part, env, fault));
}

/// Builds a collection from its members in the order of the literal. Repeated members count only in multisets,
/// sequences and cycles; a literal that contradicts itself is undefined.
pub(crate) fn collection_of_members(kind: Collection, members: Vec<Value>) -> Evaluated {
    kind.row().value(members).ok_or(Stop::Undefined)
}

/// One index of a slice.
enum SliceIndex {
    At(Value),
    /// The indices that are kept; Booleans count as 0 and 1.
    Between(IntSet),
}

fn slice_index(index: &Index, env: &mut Environment) -> Evaluated<SliceIndex> {
    match index {
        Index::At(index) => Ok(SliceIndex::At(evaluate(index, env)?)),
        Index::Slice(low, high) => {
            let mut bound = |bound: &Option<Expr>, open: i64| match bound {
                Some(bound) => evaluate(bound, env).map(|value| value.as_int()),
                None => Ok(open),
            };
            let (low, high) = (bound(low, IntSet::MINUS_INFINITY), bound(high, IntSet::INFINITY));
            Ok(SliceIndex::Between(IntSet::range(low?, high?)))
        }
    }
}

/// The elements at these indices. A slice keeps its indices.
fn slice(value: &Value, positions: &[SliceIndex]) -> Evaluated {
    let Some((first, rest)) = positions.split_first() else { return Ok(value.clone()) };
    let Value::Matrix(matrix) = value else { unreachable!("a matrix was expected, not {value:?}") };
    match first {
        SliceIndex::At(index) => {
            let place = position_in_domain(&matrix.index, index).ok_or(Stop::Undefined)?;
            slice(&matrix.elements[place], rest)
        }
        SliceIndex::Between(wanted) => {
            let mut elements = Vec::new();
            for (index, element) in matrix.index.members().zip(&matrix.elements) {
                if wanted.contains(index.as_int()) {
                    elements.push(slice(element, rest)?);
                }
            }
            // A slice keeps its indices, so `m[2..]` is indexed from 2.
            let index = match &matrix.index {
                GroundDomain::Int(set) => GroundDomain::Int(set.intersect(wanted)),
                // If one of the two Booleans is missing, the other one is the index 0 or 1.
                _ if elements.len() < matrix.elements.len() => GroundDomain::Int(IntSet::range(0, 1).intersect(wanted)),
                other => other.clone(),
            };
            Ok(Value::Matrix(Arc::new(Matrix { index, elements })))
        }
    }
}

/// The position of an index in an index domain.
fn position_in_domain(domain: &GroundDomain, index: &Value) -> Option<usize> {
    match (domain, index) {
        (GroundDomain::Bool, Value::Bool(index)) => Some(usize::from(*index)),
        (GroundDomain::Int(set), index) => set.position(index.as_int()),
        _ => None,
    }
}

fn projection(relation: &Expr, columns: &[Option<Expr>], env: &mut Environment) -> Evaluated {
    let relation = evaluate(relation, env);
    let fixed: Vec<Evaluated<Option<Value>>> =
        columns.iter().map(|column| column.as_ref().map(|column| evaluate(column, env)).transpose()).collect();
    let relation = relation?;
    let Value::Collection(kind, tuples) = &relation else { unreachable!("a relation was expected, not {relation:?}") };
    let fixed = fixed.into_iter().collect::<Evaluated<Vec<Option<Value>>>>()?;
    let mut selected = Vec::new();
    for tuple in tuples.iter() {
        let Value::Tuple(items) = tuple else { unreachable!("a tuple was expected, not {tuple:?}") };
        if items.iter().zip(&fixed).all(|(item, fixed)| fixed.as_ref().is_none_or(|fixed| fixed == item)) {
            let kept = items.iter().zip(&fixed).filter(|(_, fixed)| fixed.is_none()).map(|(item, _)| item.clone());
            selected.push(Value::Tuple(kept.collect()));
        }
    }
    collection_of_members(*kind, selected)
}

/// Evaluates a bubble. Without decision variables, it is undefined unless its conditions hold. With decision variables,
/// it makes a choice that satisfies the conditions.
fn evaluate_bubble(bubble: &Bubble, env: &mut Environment) -> Evaluated {
    let Some((first, _)) = bubble.locals.first() else {
        let holds = satisfied(bubble, env)?;
        // The value of an undefined bubble is evaluated as well, because it may contain local decision variables.
        let value = if holds || env.choices.is_some() { evaluate(&bubble.value, env) } else { Err(Stop::Undefined) };
        return if holds { value } else { value.and(Err(Stop::Undefined)) };
    };
    let domains: Vec<GroundDomain> =
        bubble.locals.iter().map(|(_, domain)| ground(domain, env)).collect::<Evaluated<_>>()?;
    // Witnesses that are known come first, because they make the check of a solver's solution fast.
    let mut known = env.witnesses_of(*first);
    known.retain(|values| {
        domains.iter().zip(values).all(|(domain, value)| domain.check(value, DomainRole::Decision).is_ok())
    });
    let all = GroundDomain::Tuple(domains).members().map(|choice| match choice {
        Value::Tuple(values) => values.to_vec(),
        other => unreachable!("a tuple domain has tuples, not {other:?}"),
    });
    let place = env.choices.get_or_insert_default().ask(known.into_iter().chain(all));
    while let Some(values) = env.choices.get_or_insert_default().at(place)? {
        for ((local, _), value) in bubble.locals.iter().zip(values) {
            env.bind_local(*local, value);
        }
        if satisfied(bubble, env)? {
            return evaluate(&bubble.value, env);
        }
        if !env.choices.get_or_insert_default().change_last(place) {
            // Under the earlier choices, no value of the domains satisfies the conditions.
            return Err(Stop::Undefined);
        }
    }
    env.choices.get_or_insert_default().reject(place);
    Err(Stop::Undefined)
}

/// Returns true if the conditions of a bubble hold.
fn satisfied(bubble: &Bubble, env: &mut Environment) -> Evaluated<bool> {
    // Each condition may contain choices, which must be made even if another condition fails. If the bubble has
    // variables, its conditions are evaluated again for the next choice.
    let thorough = env.choices.is_some() && bubble.locals.is_empty();
    let mut holds = true;
    for condition in &bubble.constraints {
        if holds || thorough {
            holds &= evaluate(condition, env)?.as_bool();
        }
    }
    Ok(holds)
}
