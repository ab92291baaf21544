//! Tighter domains, from requirements that bound integers.

use super::{
    Basis, EditProposal, ImprovementKind,
    edits::ModelEdit,
    view::{Conjunct, ModelView, turned},
};
use crate::{
    operators::symbols,
    syntax::ast::{DomainTree, ExprTree, ExprTreeKind},
};

/// Adds the tighter domains that follow from requirements about all values of a domain.
pub(super) fn propose<'a>(view: &ModelView<'a>, requirements: &[Conjunct<'a>], found: &mut Vec<EditProposal>) {
    for requirement in requirements {
        let Some((symbol, left, right)) = requirement.comparison() else { continue };
        for (symbol, part, bound) in [(symbol, left, right), (turned(symbol), right, left)] {
            let is_fixed = !view.is_decided(bound) && !requirement.binds_in(bound) && view.is_defined(bound, &[]);
            let Some(target) = view.target(part, requirement).filter(|_| is_fixed) else { continue };
            let Some(domain) = within(view, target.domain, symbol, bound) else { continue };
            if !target.is_all_of(requirement) {
                continue;
            }
            let mut edits = vec![ModelEdit::Replace(target.domain.span, domain.clone())];
            // If the image is undefined, the requirement is false, so the requirement is stronger than the domain.
            if requirement.is_whole && !target.is_partial {
                edits.push(ModelEdit::Drop(requirement.item.span));
            }
            found.push(EditProposal {
                kind: ImprovementKind::Domain,
                says: format!("`{}` becomes `{domain}`", view.line(target.domain.span)),
                because: format!("this follows from `{}`", view.line(requirement.item.span)),
                basis: Basis::Rule,
                edits,
            });
        }
    }
}

/// The part of a domain of integers that satisfies a comparison.
fn within(
    view: &ModelView,
    domain: &DomainTree,
    symbol: crate::operators::OperatorSymbol,
    bound: &ExprTree,
) -> Option<String> {
    let (low, high) = view.interval(domain)?;
    let shown = |expr: &ExprTree| view.shown(expr);
    let fixed = |expr: &ExprTree| if let ExprTreeKind::Int(value) = &expr.kind { Some(*value) } else { None };
    let shifted = |by: i64| match (fixed(bound), by) {
        (Some(value), _) => (value + by).to_string(),
        (None, 0) => shown(bound),
        (None, -1) => format!("{} - 1", shown(bound)),
        (None, _) => format!("{} + 1", shown(bound)),
    };
    let at_most = |by: i64| match (fixed(bound), fixed(high)) {
        // Two fixed bounds are compared here. Otherwise, `min` or `max` decides when the data are known.
        (Some(bound), Some(high)) => (bound + by < high).then(|| (bound + by).to_string()),
        _ if bound == high => (by < 0).then(|| shifted(by)),
        _ => Some(format!("min([{}, {}])", shown(high), shifted(by))),
    };
    let at_least = |by: i64| match (fixed(bound), fixed(low)) {
        (Some(bound), Some(low)) => (bound + by > low).then(|| (bound + by).to_string()),
        _ if bound == low => (by > 0).then(|| shifted(by)),
        _ => Some(format!("max([{}, {}])", shown(low), shifted(by))),
    };
    let upper = |high: Option<String>| high.map(|high| format!("int({}..{high})", shown(low)));
    let lower = |low: Option<String>| low.map(|low| format!("int({low}..{})", shown(high)));
    match symbol {
        symbols::AT_MOST => upper(at_most(0)),
        symbols::LESS => upper(at_most(-1)),
        symbols::AT_LEAST => lower(at_least(0)),
        symbols::GREATER => lower(at_least(1)),
        symbols::UNEQUAL if bound == high => upper(Some(shifted(-1))),
        symbols::UNEQUAL if bound == low => lower(Some(shifted(1))),
        _ => None,
    }
}
