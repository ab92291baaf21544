//! Decides if a model treats all members of its unnamed types alike, which is the premise for breaking their
//! symmetries.
//!
//! Members of unnamed types can be compared for equality and counted, but a few operations still see the order in which
//! values happen to be stored: the orders `.<`, `~<` and `<lex`, and the order of a list built from such members. Such
//! a list is harmless if its order does not matter, as in `sum` or `allDiff`. The check is conservative: it may reject
//! a model that is symmetric.

use super::model::{
    Comprehension, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind, GeneratorRange, Index, Ints, Qualifier,
    TypedModel, expressions_in_domain,
};
use crate::{
    language::Type,
    operators::{Operator, plan_distance::CHANGES, symbols},
    source::Span,
};

/// Returns the first place that may distinguish members of an unnamed type, and the reason.
pub(crate) fn distinguishes_members(model: &TypedModel) -> Option<(Span, &'static str)> {
    let lists = &Lists::of(model);
    let mut found = None;
    let mut visit = |expr: &Expr| {
        found = found.or_else(|| find_asymmetry(expr, lists));
    };
    for declaration in &model.declarations {
        match &declaration.kind {
            DeclarationKind::Given(domain) => {
                // If data name some members, the members are no longer interchangeable.
                if declaration.ty.mentions_unnamed() {
                    return Some((declaration.span, "the data may give properties to some members"));
                }
                expressions_in_domain(domain, &mut visit);
            }
            DeclarationKind::Find(domain) => expressions_in_domain(domain, &mut visit),
            DeclarationKind::Letting(value) => visit(value),
            DeclarationKind::LettingDomain(_)
            | DeclarationKind::Enum(_)
            | DeclarationKind::GivenEnum
            | DeclarationKind::Unnamed(_) => {}
        }
    }
    model.constraints.iter().for_each(&mut visit);
    model.preferences().for_each(visit);
    found
}

/// The `letting`s that name lists.
struct Lists<'m> {
    model: &'m TypedModel,
    /// For each declaration, true if it is a `letting` of a list that may be ordered by the members of an unnamed type.
    arranged: Vec<bool>,
}

impl<'m> Lists<'m> {
    fn of(model: &'m TypedModel) -> Self {
        // A `letting` mentions only earlier declarations, so a single pass is enough.
        let mut lists = Lists { model, arranged: Vec::with_capacity(model.declarations.len()) };
        for declaration in &model.declarations {
            let arranged = matches!(&declaration.kind, DeclarationKind::Letting(value) if is_arranged(value, &lists));
            lists.arranged.push(arranged);
        }
        lists
    }
}

fn find_asymmetry(expr: &Expr, lists: &Lists) -> Option<(Span, &'static str)> {
    let here = match &expr.kind {
        ExprKind::Apply(operator, operands) => asymmetry_of_application(operator, operands, &expr.ty, lists),
        ExprKind::Matrix(..) | ExprKind::Constant(_) if is_indexed_by_unnamed(&expr.ty) => {
            Some("this gives each member of the type its own element")
        }
        // A name or a slice keeps the order of its list, so it depends on the use of the list if the order matters.
        ExprKind::Global(_) | ExprKind::Slice(..) => None,
        ExprKind::Comprehension(comprehension) => {
            let bound =
                |qualifier: &Qualifier| matches!(qualifier, Qualifier::Letting(_, value) if is_arranged(value, lists));
            let arranged = is_arranged(&comprehension.body, lists) || comprehension.qualifiers.iter().any(bound);
            arranged.then_some(ORDER)
        }
        _ => {
            let mut arranged = false;
            expr.for_each_part(&mut |part| arranged = arranged || is_arranged(part, lists));
            arranged.then_some(ORDER)
        }
    };
    let mut found = here.map(|reason| (expr.span, reason));
    expr.for_each_part(&mut |part| found = found.or_else(|| find_asymmetry(part, lists)));
    found
}

const ORDER: &str = "the members of the type determine the order of this list";

/// Returns the reason if an operator distinguishes members.
fn asymmetry_of_application(
    operator: &Operator,
    operands: &[Expr],
    result: &Type,
    lists: &Lists,
) -> Option<&'static str> {
    if *operator == CHANGES && operands[0].ty.mentions_unnamed() {
        return Some("the earlier plan names members of the type");
    }
    if operator.orders_members && operands.iter().any(|operand| operand.ty.mentions_unnamed()) {
        return Some("this compares members, but an unnamed type has no order");
    }
    // A list that is made from an ordered list is ordered, too, and is reported where it is used.
    if is_list(result) && !is_element(operator) {
        return None;
    }
    let by_position = |position: usize| {
        Some(position) != operator.any_order && {
            let operand = &operands[position];
            // `m[x]` and `m = n` treat all indices alike if both matrices have the same index type.
            let keeps_indices = is_element(operator) || [symbols::EQUAL, symbols::UNEQUAL].contains(&operator.symbol);
            is_arranged(operand, lists) || (is_indexed_by_unnamed(&operand.ty) && !keeps_indices)
        }
    };
    (0..operands.len()).any(by_position).then_some(ORDER)
}

/// Returns true for `m[i]`.
fn is_element(operator: &Operator) -> bool {
    operator.symbol == symbols::INDEX || operator.symbol.text == "elementId"
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::Matrix(_) | Type::List(_))
}

/// Returns true if a dimension of the matrix is indexed by the members of an unnamed type.
fn is_indexed_by_unnamed(ty: &Type) -> bool {
    match ty {
        Type::Matrix(parts) => parts[0].mentions_unnamed() || is_indexed_by_unnamed(&parts[1]),
        Type::List(inner) => is_indexed_by_unnamed(inner),
        _ => false,
    }
}

/// The index types of a matrix, the outermost first.
fn dimensions(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Matrix(parts) => [vec![&parts[0]], dimensions(&parts[1])].concat(),
        _ => Vec::new(),
    }
}

/// Returns true for a list that may be ordered by the members of an unnamed type.
fn is_arranged(expr: &Expr, lists: &Lists) -> bool {
    if !is_list(&expr.ty) {
        return false;
    }
    match &expr.kind {
        ExprKind::Comprehension(comprehension) => ranges_over_unnamed(comprehension, lists),
        ExprKind::Global(id) => lists.arranged.get(id.0 as usize).is_some_and(|arranged| *arranged),
        ExprKind::Apply(operator, operands) if is_element(operator) => is_arranged(&operands[0], lists),
        ExprKind::Apply(_, operands) => {
            operands.iter().any(|operand| operand.ty.mentions_unnamed() || is_arranged(operand, lists))
        }
        ExprKind::Slice(matrix, indices) => {
            is_arranged(matrix, lists) || {
                let sliced = indices.iter().zip(dimensions(&matrix.ty));
                sliced.into_iter().any(|(index, ty)| matches!(index, Index::Slice(..)) && ty.mentions_unnamed())
            }
        }
        // An ordered list inside any other expression is reported at its own position.
        _ => false,
    }
}

fn ranges_over_unnamed(comprehension: &Comprehension, lists: &Lists) -> bool {
    comprehension.qualifiers.iter().any(|qualifier| match qualifier {
        Qualifier::Generator(_, GeneratorRange::Domain(domain)) => has_unnamed(domain, lists.model),
        Qualifier::Generator(_, GeneratorRange::Members(source) | GeneratorRange::Subsets(source)) => {
            source.ty.mentions_unnamed() || is_arranged(source, lists)
        }
        Qualifier::Condition(_) | Qualifier::Letting(..) => false,
    })
}

/// Returns true if the members of a domain contain members of an unnamed type.
fn has_unnamed(domain: &ExprDomain, model: &TypedModel) -> bool {
    let is_unnamed = |id: &DeclarationId| matches!(model.declaration(*id).kind, DeclarationKind::Unnamed(_));
    let mut found = false;
    domain.for_each_set(&mut |ints| found |= matches!(ints, Ints::Named(id, _) if is_unnamed(id)));
    found
}
