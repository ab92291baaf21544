//! Global constraints: `allDiff` for unequal pairs, `gcc`, `atmost` and `atleast` for counts, `table` for a case
//! distinction.

use super::{
    Basis, EditProposal, ImprovementKind,
    attribute_rules::{Different, conjuncts},
    edits::ModelEdit,
    view::{Conjunct, ModelView, RuleBinder, TO_INT, sides, turned},
};
use crate::{
    operators::symbols,
    syntax::ast::{DomainKind, ExprTree, ExprTreeKind, GeneratorSource, PatternKind, Quantifier, WrittenIndex},
};
use std::collections::BTreeMap;

/// Adds the global constraints that are equivalent to requirements.
pub(super) fn propose<'a>(view: &ModelView<'a>, requirements: &[Conjunct<'a>], found: &mut Vec<EditProposal>) {
    for requirement in requirements {
        all_different(view, requirement, found);
        counts(view, requirement, found);
        table(view, requirement, found);
    }
    clique(view, requirements, found);
}

/// The quantifiers and guards around a requirement, as text: `forAll i : D . forAll j : E, i < j .`
fn around(view: &ModelView, requirement: &Conjunct, outer: usize, guards: &[&ExprTree]) -> Option<String> {
    let mut text = String::new();
    for (at, (name, domain)) in requirement.domain_binders()?[..outer].iter().enumerate() {
        let guards = if at + 1 == outer { guards } else { &[] };
        let guards: String = guards.iter().map(|guard| format!(", {}", view.shown(guard))).collect();
        text += &format!("forAll {name} : {}{guards} . ", view.shown_domain(domain));
    }
    if outer == 0 && !guards.is_empty() {
        let guards: Vec<String> = guards.iter().map(|guard| view.shown(guard)).collect();
        text += &format!("{} -> ", guards.join(" /\\ "));
    }
    Some(text)
}

/// Replaces a requirement, or only adds the new one if the old one is a part of a larger constraint.
fn replacing(view: &ModelView, requirement: &Conjunct, text: String, what: &str, basis: Basis) -> EditProposal {
    let old = view.line(requirement.body.span);
    let edit = match requirement.is_whole {
        true => ModelEdit::Replace(requirement.item.span, text.clone()),
        false if requirement.binders.is_empty() => ModelEdit::Replace(requirement.body.span, format!("({text})")),
        false => ModelEdit::Require(text.clone()),
    };
    EditProposal {
        kind: ImprovementKind::Global,
        says: format!("`{text}` states in one constraint {what}"),
        because: format!("it has the same solutions as `{old}` for all values of the quantified names"),
        basis,
        edits: vec![edit],
    }
}

fn all_different<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>, found: &mut Vec<EditProposal>) {
    let Some(different) = Different::of_pairs(requirement) else { return };
    if !view.is_decided(different.term) {
        return;
    }
    let Some(prefix) = around(view, requirement, different.outer.len(), &different.guards) else { return };
    let over = match (different.domain, different.interval) {
        (Some(domain), _) => view.shown_domain(domain),
        (None, Some((low, high))) => format!("int({}..{})", view.shown(low), view.shown(high)),
        (None, None) => return,
    };
    let list = as_list(view, &different)
        .unwrap_or_else(|| format!("[{} | {} : {over}]", view.shown(different.term), different.name));
    // A domain with one value has no pairs, so the requirement holds even if the term is undefined, but the list would
    // be undefined.
    let basis = if view.is_defined(different.term, &requirement.binders) { Basis::Rule } else { Basis::Checked };
    let text = format!("{prefix}allDiff({list})");
    found.push(replacing(view, requirement, text, "that the terms differ", basis));
}

/// A matrix or one of its rows and columns, if the terms are its elements.
fn as_list(view: &ModelView, different: &Different) -> Option<String> {
    let ExprTreeKind::Index(base, indices) = &different.term.kind else { return None };
    let DomainKind::Matrix(domains, _) = &view.declared(base)?.kind else { return None };
    let is_own = |index: &WrittenIndex| match index {
        WrittenIndex::At(ExprTree { kind: ExprTreeKind::Name(name), .. }) => **name == *different.name,
        _ => false,
    };
    let position = indices.iter().position(is_own)?;
    if indices.len() != domains.len() || indices.iter().filter(|index| is_own(index)).count() != 1 {
        return None;
    }
    let domain = different.domain?;
    if !view.are_same(domain, &domains[position]) {
        return None;
    }
    if indices.len() == 1 {
        return Some(view.shown(base));
    }
    let shown = indices.iter().map(|index| match index {
        index if is_own(index) => Some("..".to_owned()),
        WrittenIndex::At(index) => (!super::view::names_in(index).contains(different.name)).then(|| view.shown(index)),
        WrittenIndex::Slice(..) => None,
    });
    Some(format!("{}[{}]", view.shown(base), shown.collect::<Option<Vec<_>>>()?.join(", ")))
}

/// Proposes `allDiff` for `x != y, y != z, x != z`.
fn clique<'a>(view: &ModelView<'a>, requirements: &[Conjunct<'a>], found: &mut Vec<EditProposal>) {
    let mut pairs: BTreeMap<(String, String), &Conjunct> = BTreeMap::new();
    for requirement in requirements.iter().filter(|requirement| requirement.binders.is_empty()) {
        if let Some((symbols::UNEQUAL, left, right)) = requirement.comparison()
            && requirement.guards.is_empty()
            && [left, right].iter().all(|side| view.is_decided(side) && view.is_defined(side, &[]))
        {
            let mut pair = [view.shown(left), view.shown(right)];
            pair.sort();
            let [one, other] = pair;
            pairs.insert((one, other), requirement);
        }
    }
    let is_pair = |one: &String, other: &String| pairs.contains_key(&(one.min(other).clone(), one.max(other).clone()));
    // The terms are partitioned greedily into cliques: each term is in one clique, so no pair is replaced twice.
    let mut rest: Vec<&String> = pairs.keys().flat_map(|(one, other)| [one, other]).collect();
    rest.sort();
    rest.dedup();
    while let Some(first) = rest.first().copied() {
        let mut members = vec![first];
        for other in &rest[1..] {
            if members.iter().all(|member| is_pair(member, other)) {
                members.push(other);
            }
        }
        rest.retain(|term| !members.contains(term));
        if members.len() < 3 {
            continue;
        }
        let members: Vec<&str> = members.into_iter().map(String::as_str).collect();
        let inside = pairs
            .iter()
            .filter(|((one, other), _)| members.contains(&one.as_str()) && members.contains(&other.as_str()));
        let mut edits: Vec<ModelEdit> = Vec::new();
        let text = format!("allDiff([{}])", members.join(", "));
        let mut whole: Vec<&Conjunct> = inside.map(|(_, requirement)| *requirement).collect();
        whole.sort_by_key(|requirement| requirement.item.span.start);
        // If the requirement is part of a larger constraint, it stays, because dropping the constraint would drop the
        // other parts.
        whole.retain(|requirement| requirement.is_whole);
        match whole.split_first() {
            Some((first, others)) => {
                edits.push(ModelEdit::Replace(first.item.span, text.clone()));
                edits.extend(others.iter().map(|requirement| ModelEdit::Drop(requirement.item.span)));
            }
            None => edits.push(ModelEdit::Require(text.clone())),
        }
        found.push(EditProposal {
            kind: ImprovementKind::Global,
            says: format!("`{text}` states in one constraint that the terms differ"),
            because: "any two of the terms are unequal".to_owned(),
            basis: Basis::Rule,
            edits,
        });
    }
}

/// Proposes a global constraint for counts: `forAll v : D . (sum i : I . toInt(m[i] = v)) = e`.
fn counts<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>, found: &mut Vec<EditProposal>) {
    let Some((symbol, left, right)) = requirement.comparison() else { return };
    let Some(binders) = requirement.domain_binders() else { return };
    let Some((value, values)) = binders.last().copied() else { return };
    for (symbol, count, wanted) in [(symbol, left, right), (turned(symbol), right, left)] {
        let counted = counted_list(view, count, value, &requirement.binders);
        let Some((term, generators, is_defined)) = counted else { continue };
        let list = format!("[{term} | {generators}]");
        if !view.is_decided(count) || !requirement.guards.is_empty() {
            return;
        }
        let values = view.shown_domain(values);
        let all = format!("[{value} | {value} : {values}]");
        let amounts = format!("[{} | {value} : {values}]", view.shown(wanted));
        let global = match symbol {
            symbols::EQUAL => format!("gcc({list}, {all}, {amounts})"),
            symbols::AT_MOST => format!("atmost({list}, {amounts}, {all})"),
            symbols::AT_LEAST => format!("atleast({list}, {amounts}, {all})"),
            _ => return,
        };
        let Some(prefix) = around(view, requirement, binders.len() - 1, &[]) else { return };
        // An undefined term only makes its own equation false, but it makes the whole list undefined.
        let is_defined = is_defined && view.is_defined(wanted, &requirement.binders);
        let basis = if is_defined { Basis::Rule } else { Basis::Checked };
        found.push(replacing(view, requirement, prefix + &global, "how often the values occur", basis));
        return;
    }
}

/// The list in which a sum counts the elements that have a value, without brackets: the term, the generators, and
/// whether the term has a value everywhere.
fn counted_list<'a>(
    view: &ModelView<'a>,
    count: &'a ExprTree,
    value: &str,
    binders: &[RuleBinder<'a>],
) -> Option<(String, String, bool)> {
    let ExprTreeKind::Quantified(sum) = &count.kind else { return None };
    if sum.quantifier != Quantifier::Sum || sum.guard.is_some() {
        return None;
    }
    let names = sum.patterns.iter().map(|pattern| match &pattern.kind {
        PatternKind::Name(name) => Some(&**name),
        _ => None,
    });
    let names = names.collect::<Option<Vec<&str>>>()?;
    let GeneratorSource::Domain(over) = &sum.over else { return None };
    let generators = format!("{} : {}", names.join(", "), view.shown_domain(over));
    // An inner name hides an outer one.
    let inner = names.iter().map(|name| RuleBinder::plain(name, &sum.over));
    let binders: Vec<RuleBinder> = inner.chain(binders.iter().copied()).collect();
    let operands = match &sum.body.kind {
        ExprTreeKind::Apply(TO_INT, operands) => operands,
        _ => {
            let (term, more, is_defined) = counted_list(view, &sum.body, value, &binders)?;
            return Some((term, format!("{generators}, {more}"), is_defined));
        }
    };
    let (symbols::EQUAL, left, right) = sides(operands.first()?)? else { return None };
    let is_value = |expr: &ExprTree| matches!(&expr.kind, ExprTreeKind::Name(name) if **name == *value);
    let term = match (is_value(left), is_value(right)) {
        (false, true) => left,
        (true, false) => right,
        _ => return None,
    };
    let is_other = !super::view::names_in(term).contains(value) && !names.contains(&value);
    is_other.then(|| (view.shown(term), generators, view.is_defined(term, &binders)))
}

/// Proposes a table for cases such as `(x = 1 /\ y = 2) \/ (x = 2 /\ y = 3)`.
fn table<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>, found: &mut Vec<EditProposal>) {
    let cases = disjuncts(requirement.body);
    if cases.len() < 2 {
        return;
    }
    let mut terms: Option<Vec<&ExprTree>> = None;
    let (mut rows, mut are_defined) = (Vec::new(), true);
    for case in &cases {
        let mut row = Vec::new();
        for equality in conjuncts(case) {
            let Some((symbols::EQUAL, left, right)) = sides(equality) else { return };
            match (view.is_decided(left), view.is_decided(right)) {
                (true, false) => row.push((left, right)),
                (false, true) => row.push((right, left)),
                _ => return,
            }
        }
        let known = terms.get_or_insert_with(|| row.iter().map(|(term, _)| *term).collect());
        let value = |term: &&ExprTree| row.iter().find(|(own, _)| own == term).map(|(_, value)| *value);
        let Some(values) = known.iter().map(value).collect::<Option<Vec<_>>>() else { return };
        if row.len() != known.len() {
            return;
        }
        are_defined &= values.iter().all(|value| view.is_defined(value, &requirement.binders));
        rows.push(format!("[{}]", values.iter().map(|value| view.shown(value)).collect::<Vec<_>>().join(", ")));
    }
    let Some(terms) = terms.filter(|terms| terms.len() > 1) else { return };
    are_defined &= terms.iter().all(|term| view.is_defined(term, &requirement.binders));
    let terms: Vec<String> = terms.iter().map(|term| view.shown(term)).collect();
    let text = format!("table([{}], [{}])", terms.join(", "), rows.join(", "));
    let old = view.line(requirement.body.span);
    found.push(EditProposal {
        kind: ImprovementKind::Global,
        says: format!("`{text}` lists the cases"),
        because: format!("it has a row for each case of `{old}`"),
        basis: if are_defined { Basis::Rule } else { Basis::Checked },
        edits: vec![ModelEdit::Replace(requirement.body.span, text)],
    });
}

fn disjuncts(expr: &ExprTree) -> Vec<&ExprTree> {
    match &expr.kind {
        ExprTreeKind::Apply(symbols::OR, operands) => operands.iter().flat_map(disjuncts).collect(),
        _ => vec![expr],
    }
}
