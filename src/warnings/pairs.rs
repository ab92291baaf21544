//! `forAll a, b in s . …` where the body is false for `a = b`: the pairs of different members were meant.

use super::ModelText;
use crate::{
    analysis::model::{DeclarationKind, Model},
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    language::{Name, Type},
    operators::{Symbol, symbols},
    source::Span,
    syntax::{
        ast::{Expr, ExprKind, GeneratorSource, PatternKind, Quantified, Quantifier, StatementKind},
        parts,
    },
};

/// The comparisons that do not hold between equal values.
const STRICT: [Symbol; 8] = [
    symbols::UNEQUAL,
    symbols::LESS,
    symbols::GREATER,
    symbols::SUBSET,
    symbols::SUPERSET,
    symbols::LEX_LESS,
    symbols::DOT_LESS,
    symbols::TILDE_LESS,
];

/// Warns of these quantifiers, as far as they can be told from the text.
pub(super) fn warn(subject: &ModelText, found: &mut Diagnostics) {
    for (quantified, [first, second]) in pairs(subject) {
        if let Some(conflict) = conflict(quantified) {
            let reason = format!("false where `{first}` and `{second}` are equal");
            found.push(about(subject, quantified, [first, second], (conflict.span, &reason)));
        }
    }
}

/// The conjuncts that these warnings point at.
pub(super) fn conflicts(subject: &ModelText) -> Vec<Span> {
    pairs(subject).into_iter().filter_map(|(quantified, _)| Some(conflict(quantified)?.span)).collect()
}

/// A quantifier over pairs, with its names.
pub(super) type Pair<'a> = (&'a Quantified, [&'a Name; 2]);

/// The quantifiers over pairs in the constraints of a text.
pub(super) fn pairs<'a>(subject: &ModelText<'a>) -> Vec<Pair<'a>> {
    fn look<'a>(expr: &'a Expr, found: &mut Vec<Pair<'a>>) {
        if let ExprKind::Quantified(quantified) = &expr.kind
            && let Some(names) = pair(quantified)
        {
            found.push((quantified, names));
        }
        parts::for_each_part(expr, &mut |part| look(part, found));
    }
    let mut found = Vec::new();
    for statement in &subject.file.statements {
        if let StatementKind::SuchThat(items) = &statement.kind {
            items.iter().for_each(|item| look(item, &mut found));
        }
    }
    found
}

/// The conjunct that is false for equal values, as far as this can be told from the text.
pub(super) fn conflict(quantified: &Quantified) -> Option<&Expr> {
    let [first, second] = pair(quantified)?;
    conjunct_against_equal(&quantified.body, first, second)
}

/// The warning about a quantifier, with its fix.
pub(super) fn about(
    subject: &ModelText,
    quantified: &Quantified,
    [first, second]: [&Name; 2],
    (conflict, reason): (Span, &str),
) -> Diagnostic {
    let (over, is_set) = match &quantified.over {
        GeneratorSource::Domain(domain) => (domain.span, false),
        GeneratorSource::Members(members) => (members.span, is_set(members, subject.model)),
        GeneratorSource::Subsets(set) => (set.span, false),
    };
    let patterns = quantified.patterns[0].span.to(quantified.patterns[1].span);
    let (edit, help) = if is_set {
        let text = format!("{{{first}, {second}}} subsetEq {}", &subject.text[over.start as usize..over.end as usize]);
        let help = format!("write `forAll {text}` for the pairs of different members");
        (Edit { span: patterns.to(over), text }, help)
    } else {
        let text = format!(", {first} != {second}");
        let at = Span { start: over.end, ..over };
        (Edit { span: at, text }, format!("write `{first} != {second}` as a condition, behind a comma"))
    };
    let warning = Diagnostic::warning(Code::EQUAL_PAIR, format!("`{first}` and `{second}` may be the same here"))
        .at(patterns, "each value is paired with itself, too")
        .at(conflict, reason)
        .help(help);
    Diagnostic { edits: vec![edit], ..warning }
}

/// The names of `forAll a, b in s` without a condition.
fn pair(quantified: &Quantified) -> Option<[&Name; 2]> {
    if quantified.quantifier != Quantifier::ForAll || quantified.guard.is_some() {
        return None;
    }
    match quantified.patterns.as_slice() {
        [first, second] => match (&first.kind, &second.kind) {
            (PatternKind::Name(first), PatternKind::Name(second)) => Some([first, second]),
            _ => None,
        },
        _ => None,
    }
}

/// A conjunct that says of two values that they differ, and the same of both names.
fn conjunct_against_equal<'a>(body: &'a Expr, first: &Name, second: &Name) -> Option<&'a Expr> {
    let ExprKind::Apply(symbol, operands) = &body.kind else { return None };
    match operands.as_slice() {
        [left, right] if *symbol == symbols::AND => {
            conjunct_against_equal(left, first, second).or_else(|| conjunct_against_equal(right, first, second))
        }
        [left, right] => {
            let names = [first, second];
            let is_false = STRICT.contains(symbol) && is_same_of_both(left, right, names)
                || is_false_without_difference(*symbol, left, right, names);
            is_false.then_some(body)
        }
        _ => None,
    }
}

/// Whether a comparison of a difference with a number is false where the difference is 0: `|a - b| >= 3`.
fn is_false_without_difference(symbol: Symbol, left: &Expr, right: &Expr, names: [&Name; 2]) -> bool {
    let number = |expr: &Expr| match expr.kind {
        ExprKind::Int(number) => Some(number),
        _ => None,
    };
    let (left, right) = match (number(left), number(right)) {
        (None, Some(number)) if is_difference(left, names) => (0, number),
        (Some(number), None) if is_difference(right, names) => (number, 0),
        _ => return false,
    };
    match symbol.text {
        "=" => left != right,
        "!=" => left == right,
        "<" => left >= right,
        "<=" => left > right,
        ">" => left <= right,
        ">=" => left < right,
        _ => false,
    }
}

/// Whether an expression is the difference of the same about two names, or its absolute value.
fn is_difference(expr: &Expr, names: [&Name; 2]) -> bool {
    let ExprKind::Apply(symbol, operands) = &expr.kind else { return false };
    match operands.as_slice() {
        [inner] => *symbol == symbols::BARS && is_difference(inner, names),
        [left, right] => *symbol == symbols::MINUS && is_same_of_both(left, right, names),
        _ => false,
    }
}

/// Whether two expressions say the same of two names, each of the other one.
fn is_same_of_both(left: &Expr, right: &Expr, [first, second]: [&Name; 2]) -> bool {
    left != right && binds_nothing(left) && renamed(left, second, first) == renamed(right, second, first)
}

/// Whether no name in an expression is bound in it.
fn binds_nothing(expr: &Expr) -> bool {
    let mut plain = !matches!(expr.kind, ExprKind::Quantified(_) | ExprKind::Comprehension(..) | ExprKind::Bubble(..));
    parts::for_each_part(expr, &mut |part| plain = plain && binds_nothing(part));
    plain
}

fn renamed(expr: &Expr, from: &Name, to: &Name) -> Expr {
    let mut copy = expr.clone();
    rename(&mut copy, from, to);
    copy
}

fn rename(expr: &mut Expr, from: &Name, to: &Name) {
    if let ExprKind::Name(name) = &mut expr.kind
        && name == from
    {
        *name = to.clone();
    }
    parts::for_each_part_mut(expr, &mut |part| rename(part, from, to));
}

fn is_set(members: &Expr, model: &Model) -> bool {
    let ExprKind::Name(name) = &members.kind else { return false };
    let is_local = model.local_names.iter().any(|local| local.name == *name);
    let declared = model.declarations.iter().find(|declaration| declaration.name == *name);
    !is_local
        && declared.is_some_and(|declaration| {
            !matches!(declaration.kind, DeclarationKind::LettingDomain(_)) && matches!(declaration.ty, Type::Set(_))
        })
}
