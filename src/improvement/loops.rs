//! Cheaper quantifiers: guards instead of conditions in the body, one visit for each pair, smaller ranges, and parts
//! that do not depend on the quantified name moved outside.

use super::{
    Basis, EditProposal, ImprovementKind,
    attribute_rules::conjuncts,
    edits::ModelEdit,
    view::{Conjunct, ModelView, TO_INT, names_in, renamed, sides, turned},
};
use crate::{
    operators::{OperatorSymbol, symbols},
    syntax::{
        ast::{ExprTree, ExprTreeKind, GeneratorSource, PatternKind, Quantified, Quantifier, StatementKind},
        parts::for_each_part,
    },
};

/// Adds the cheaper forms of quantifiers.
pub(super) fn propose<'a>(view: &ModelView<'a>, requirements: &[Conjunct<'a>], found: &mut Vec<EditProposal>) {
    for item in view.items() {
        quantifiers(view, item, &mut Vec::new(), found);
    }
    for statement in &view.file.statements {
        if let StatementKind::Objective { value, .. } = &statement.kind {
            quantifiers(view, value, &mut Vec::new(), found);
        }
    }
    for requirement in requirements {
        half_of_pairs(view, requirement, found);
        outside(view, requirement, found);
    }
}

fn proposal(says: String, because: String, basis: Basis, edits: Vec<ModelEdit>) -> EditProposal {
    EditProposal { kind: ImprovementKind::Quantifier, says, because, basis, edits }
}

/// Looks for quantifiers in an expression.
fn quantifiers<'a>(view: &ModelView<'a>, expr: &'a ExprTree, around: &mut Vec<&'a str>, found: &mut Vec<EditProposal>) {
    let depth = around.len();
    if let ExprTreeKind::Quantified(quantified) = &expr.kind {
        guard_of_body(view, expr, quantified, found);
        smaller_range(view, quantified, found);
        for pattern in &quantified.patterns {
            if let PatternKind::Name(name) = &pattern.kind {
                around.push(name);
            }
        }
    }
    for_each_part(expr, &mut |part| quantifiers(view, part, around, found));
    around.truncate(depth);
}

/// Proposes moving a condition of the body into the head, if no decision affects it: `c` in `forAll i : D . c -> e`,
/// and similarly for `exists` and `sum`.
fn guard_of_body(view: &ModelView, expr: &ExprTree, quantified: &Quantified, found: &mut Vec<EditProposal>) {
    let body = &quantified.body;
    let ExprTreeKind::Apply(symbol, operands) = &body.kind else { return };
    let [first, second] = &operands[..] else { return };
    let (guard, rest) = match (quantified.quantifier, *symbol) {
        (Quantifier::ForAll, symbols::IMPLIES) | (Quantifier::Exists, symbols::AND) => (first, second),
        (Quantifier::Sum, symbols::TIMES) => match (&first.kind, &second.kind) {
            (ExprTreeKind::Apply(symbol, guard), _) if *symbol == TO_INT => (&guard[0], second),
            (_, ExprTreeKind::Apply(symbol, guard)) if *symbol == TO_INT => (&guard[0], first),
            _ => return,
        },
        _ => return,
    };
    let names = quantified.patterns.iter().map(|pattern| match &pattern.kind {
        PatternKind::Name(name) => Some(name),
        _ => None,
    });
    let names: Vec<_> = names.flatten().collect();
    let is_about_names = names.iter().any(|name| names_in(guard).contains(*name));
    if view.is_decided(guard) || !is_about_names {
        return;
    }
    // If `e` is undefined, `toInt(c) * e` is undefined; after the guard `c`, `e` is not evaluated if `c` is false.
    let is_defined = quantified.quantifier != Quantifier::Sum || view.is_defined(rest, &[]);
    let joined = match &quantified.guard {
        Some(own) => ExprTree::and(own.clone(), guard.clone()),
        None => guard.clone(),
    };
    let quantified = Quantified { guard: Some(joined), body: rest.clone(), ..quantified.clone() };
    let text = view.shown(&ExprTree::made(ExprTreeKind::Quantified(Box::new(quantified))));
    let is_in_parentheses = view.text[expr.span.start as usize..].starts_with('(');
    let text = if is_in_parentheses { format!("({text})") } else { text };
    let guard = view.line(guard.span);
    found.push(proposal(
        format!("the condition `{guard}` moves into the generator: `{text}`"),
        "it depends on the data alone, so the other values of the quantified names need no constraint".to_owned(),
        if is_defined { Basis::Rule } else { Basis::Checked },
        vec![ModelEdit::Replace(expr.span, text)],
    ));
}

/// Proposes a smaller range that makes the condition redundant: `forAll i : int(a..b), i < b . …` and
/// `forAll i : int(a..b), i >= c . …`.
fn smaller_range(view: &ModelView, quantified: &Quantified, found: &mut Vec<EditProposal>) {
    let (GeneratorSource::Domain(domain), [pattern], Some(guard)) =
        (&quantified.over, &quantified.patterns[..], &quantified.guard)
    else {
        return;
    };
    let (PatternKind::Name(name), Some((low, high)), Some((symbol, left, right))) =
        (&pattern.kind, view.interval(domain), sides(guard))
    else {
        return;
    };
    let is_name = |expr: &ExprTree| matches!(&expr.kind, ExprTreeKind::Name(own) if own == name);
    let (symbol, bound) = match (is_name(left), is_name(right)) {
        (true, false) => (symbol, right),
        (false, true) => (turned(symbol), left),
        _ => return,
    };
    if view.is_decided(bound) || names_in(bound).contains(name) {
        return;
    }
    let shown = |expr: &ExprTree| view.shown(expr);
    let is_end = |end: &ExprTree| bound == end;
    let of = |bound: &ExprTree, by: i64| match &bound.kind {
        ExprTreeKind::Int(value) => (value + by).to_string(),
        _ if by < 0 => format!("{} - 1", shown(bound)),
        _ => format!("{} + 1", shown(bound)),
    };
    let both_fixed = |end: &ExprTree| match (&bound.kind, &end.kind) {
        (ExprTreeKind::Int(bound), ExprTreeKind::Int(end)) => Some((*bound, *end)),
        _ => None,
    };
    // Unless both are numbers, a condition moves only the end of the range that it names: `int(1..3), i < n` must not
    // grow to `int(1..n - 1)`.
    let (low_text, high_text) = match symbol {
        symbols::LESS if is_end(high) => (shown(low), of(high, -1)),
        symbols::UNEQUAL if is_end(high) => (shown(low), of(high, -1)),
        symbols::GREATER if is_end(low) => (of(low, 1), shown(high)),
        symbols::UNEQUAL if is_end(low) => (of(low, 1), shown(high)),
        symbols::LESS | symbols::AT_MOST => match both_fixed(high) {
            Some((bound, end)) => (shown(low), end.min(bound - i64::from(symbol == symbols::LESS)).to_string()),
            None => return,
        },
        symbols::GREATER | symbols::AT_LEAST => match both_fixed(low) {
            Some((bound, end)) => (end.max(bound + i64::from(symbol == symbols::GREATER)).to_string(), shown(high)),
            None => return,
        },
        _ => return,
    };
    let over = format!("int({low_text}..{high_text})");
    let guard_text = view.line(guard.span);
    let whole = crate::source::Span { end: guard.span.end, ..domain.span };
    found.push(proposal(
        format!("`{name}` ranges over `{over}` without the condition `{guard_text}`"),
        format!("exactly these members of `{}` satisfy it", view.line(domain.span)),
        Basis::Rule,
        vec![ModelEdit::Replace(whole, over)],
    ));
}

/// Proposes half of the pairs in `forAll i, j : D, i != j . e` if exchanging `i` and `j` leaves `e` the same.
fn half_of_pairs<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>, found: &mut Vec<EditProposal>) {
    let Some(binders) = requirement.domain_binders() else { return };
    let [.., (one, first), (other, second)] = binders[..] else { return };
    if first != second {
        return;
    }
    let exchanged = |expr: &ExprTree| same_in_any_order(expr, &renamed(expr, &[(one, other), (other, one)]));
    let mut unequal = Vec::new();
    let parts: Vec<&ExprTree> = requirement.guards.iter().flat_map(|guard| conjuncts(guard)).collect();
    let implied = match &requirement.body.kind {
        ExprTreeKind::Apply(symbols::IMPLIES, sides) => conjuncts(&sides[0]),
        _ => Vec::new(),
    };
    for part in parts.iter().chain(&implied) {
        match sides(part) {
            Some((symbols::UNEQUAL, left, right)) if is_names(left, right, one, other) => unequal.push(*part),
            _ if exchanged(part) => {}
            _ => return,
        }
    }
    let ([condition], true) = (&unequal[..], exchanged(requirement.body)) else { return };
    // A guard also applies to the other conjuncts of the same constraint.
    let is_own = requirement.is_whole || requirement.body.span.contains(condition.span);
    let names = names_in(requirement.body);
    if !is_own || !names.contains(one) || !names.contains(other) {
        return;
    }
    let less = format!("{one} < {other}");
    found.push(proposal(
        format!("`{}` becomes `{less}`, so that each pair is visited once", view.line(condition.span)),
        "exchanging the two values gives the same constraint".to_owned(),
        Basis::Rule,
        vec![ModelEdit::Replace(condition.span, less)],
    ));
}

fn is_names(left: &ExprTree, right: &ExprTree, one: &str, other: &str) -> bool {
    match (&left.kind, &right.kind) {
        (ExprTreeKind::Name(left), ExprTreeKind::Name(right)) => {
            (**left == *one && **right == *other) || (**left == *other && **right == *one)
        }
        _ => false,
    }
}

/// True if two expressions are equal up to the order of the operands of commutative operators.
fn same_in_any_order(one: &ExprTree, other: &ExprTree) -> bool {
    const IN_ANY_ORDER: [OperatorSymbol; 9] = [
        symbols::EQUAL,
        symbols::UNEQUAL,
        symbols::PLUS,
        symbols::TIMES,
        symbols::AND,
        symbols::OR,
        symbols::IFF,
        symbols::UNION,
        symbols::INTERSECT,
    ];
    if one == other {
        return true;
    }
    match (&one.kind, &other.kind) {
        (ExprTreeKind::Apply(left, one), ExprTreeKind::Apply(right, other)) if left == right => {
            if IN_ANY_ORDER.contains(left) && one.len() == 2 {
                let (one, other) = (operands_of(*left, one), operands_of(*left, other));
                let mut rest = other;
                return one.iter().all(|part| {
                    let position = rest.iter().position(|candidate| same_in_any_order(part, candidate));
                    position.map(|position| rest.remove(position)).is_some()
                }) && rest.is_empty();
            }
            // `|i - j|` is the same in both orders, although `-` is not commutative.
            if let ([one], [other], symbols::BARS) = (&one[..], &other[..], *left)
                && let (ExprTreeKind::Apply(symbols::MINUS, one), ExprTreeKind::Apply(symbols::MINUS, other)) =
                    (&one.kind, &other.kind)
                && one.len() == 2
                && one[0] == other[1]
                && one[1] == other[0]
            {
                return true;
            }
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_in_any_order(one, other))
        }
        _ => false,
    }
}

/// The operands of an associative operator, in one list.
fn operands_of(symbol: OperatorSymbol, operands: &[ExprTree]) -> Vec<&ExprTree> {
    let is_associative = ![symbols::EQUAL, symbols::UNEQUAL].contains(&symbol);
    let mut all = Vec::new();
    for operand in operands {
        match &operand.kind {
            ExprTreeKind::Apply(own, inner) if *own == symbol && is_associative => {
                all.extend(operands_of(symbol, inner))
            }
            _ => all.push(operand),
        }
    }
    all
}

/// Proposes dropping `j` from `forAll i : I . forAll j : J . e` if `e` does not depend on `j`.
fn outside<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>, found: &mut Vec<EditProposal>) {
    let ExprTreeKind::Quantified(_) = &requirement.item.kind else { return };
    let Some(binders) = requirement.domain_binders() else { return };
    let names = names_in(requirement.body);
    let is_used = |name: &str| {
        names.iter().any(|own| **own == *name)
            || requirement.guards.iter().any(|guard| names_in(guard).contains(name))
            || binders.iter().any(|(_, domain)| {
                let mut found = false;
                crate::syntax::parts::in_domain(domain, &mut |expr| found = found || names_in(expr).contains(name));
                found
            })
    };
    let (needed, unneeded): (Vec<_>, Vec<_>) = binders.iter().partition(|(name, _)| is_used(name));
    if unneeded.is_empty() || !requirement.is_whole {
        return;
    }
    let mut text = String::new();
    let guards: Vec<String> = requirement.guards.iter().map(|guard| view.line(guard.span)).collect();
    for (at, (name, domain)) in needed.iter().enumerate() {
        let guard = if at + 1 == needed.len() && !guards.is_empty() {
            format!(", {}", guards.join(" /\\ "))
        } else {
            String::new()
        };
        text += &format!("forAll {name} : {}{guard} . ", view.line(domain.span));
    }
    if needed.is_empty() && !guards.is_empty() {
        return;
    }
    text += &view.line(requirement.body.span);
    let are_inhabited = unneeded.iter().all(|(_, domain)| view.is_inhabited(domain));
    let shown: Vec<String> = unneeded.iter().map(|(name, _)| format!("`{name}`")).collect();
    found.push(proposal(
        format!("the constraint needs no {}: `{text}`", shown.join(", ")),
        "it says the same for each value of this name".to_owned(),
        // If the range is empty, the constraint holds whatever `e` is.
        if are_inhabited { Basis::Rule } else { Basis::Checked },
        vec![ModelEdit::Replace(requirement.item.span, text)],
    ));
}

/// Adds a `letting` for each sum over data that is inside a quantifier but depends on no quantified name.
pub(super) fn constant_sums<'a>(view: &ModelView<'a>, requirements: &[Conjunct<'a>], found: &mut Vec<EditProposal>) {
    fn sums<'a>(expr: &'a ExprTree, all: &mut Vec<&'a ExprTree>) {
        match &expr.kind {
            ExprTreeKind::Quantified(quantified) if quantified.quantifier == Quantifier::Sum => all.push(expr),
            _ => for_each_part(expr, &mut |part| sums(part, all)),
        }
    }
    for requirement in requirements.iter().filter(|requirement| !requirement.binders.is_empty()) {
        let mut all = Vec::new();
        sums(requirement.body, &mut all);
        for sum in all {
            let ExprTreeKind::Quantified(inner) = &sum.kind else { continue };
            if view.is_decided(sum) || requirement.binds_in(sum) {
                continue;
            }
            let Some(statement) = view
                .file
                .statements
                .iter()
                .find(|statement| statement.span.start <= sum.span.start && sum.span.end <= statement.span.end)
            else {
                continue;
            };
            // The name must be new to the whole text, comments included, so that no quantifier captures it.
            let name = (1..).map(|at| format!("total{at}")).find(|name| !view.text.contains(name.as_str()));
            let name = name.unwrap_or_default();
            let text = view.shown(sum);
            let binders = inner.patterns.iter().filter_map(|pattern| match &pattern.kind {
                PatternKind::Name(name) => Some(super::view::RuleBinder::plain(name, &inner.over)),
                _ => None,
            });
            let binders: Vec<_> = binders.collect();
            let is_defined = matches!(inner.over, GeneratorSource::Domain(_))
                && [Some(&inner.body), inner.guard.as_ref()]
                    .into_iter()
                    .flatten()
                    .all(|part| view.is_defined(part, &binders));
            found.push(proposal(
                format!("`{text}` gets a name before the quantifier"),
                "it depends on no quantified name and on no decision".to_owned(),
                if is_defined { Basis::Rule } else { Basis::Checked },
                vec![
                    ModelEdit::Declare(statement.span.start as usize, format!("letting {name} be {text}")),
                    ModelEdit::Replace(sum.span, name),
                ],
            ));
        }
    }
}
