//! `forAll a, b in s . …` with a body that is false for `a = b`: pairs of different members were meant. `forAll a in s
//! . forAll b in s . …` and `and([… | a <- s, b <- s])` are equivalent.

use super::ModelText;
use crate::{
    analysis::model::{DeclarationKind, TypedModel},
    diagnostic::{Code, Diagnostic, Diagnostics, Edit},
    language::Name,
    operators::{OperatorSymbol, symbols},
    source::Span,
    syntax::{
        ast::{ExprTree, ExprTreeKind, GeneratorSource, PatternKind, PatternTree, Quantifier, StatementKind},
        binding::{NameBinding, NameStep},
        parts,
    },
};

/// The comparisons that are false for equal values.
const STRICT: [OperatorSymbol; 8] = [
    symbols::UNEQUAL,
    symbols::LESS,
    symbols::GREATER,
    symbols::SUBSET,
    symbols::SUPERSET,
    symbols::LEX_LESS,
    symbols::DOT_LESS,
    symbols::TILDE_LESS,
];

/// Two universally quantified names with the same range.
pub(super) struct Pair<'a> {
    pub names: [&'a Name; 2],
    /// The spans that bind the names.
    pub patterns: [Span; 2],
    /// The range of the second name.
    over: &'a GeneratorSource,
    /// True if the names are in one list: `forAll a, b in s`.
    in_list: bool,
    /// True if these are the only names of a `forAll`.
    is_quantifier: bool,
    /// The conjunct that is false for equal values, if the text shows one.
    pub conflict: Option<&'a ExprTree>,
}

/// Warns about the pairs with a conflict that the text shows.
pub(super) fn warn_of_pairs(subject: &ModelText, found: &mut Diagnostics) {
    for pair in pairs_in_constraints(subject) {
        if let Some(conflict) = pair.conflict {
            found.push(warning_about_pair(subject, &pair, conflict.span));
        }
    }
}

/// The pairs in the constraints of a text.
pub(super) fn pairs_in_constraints<'a>(subject: &ModelText<'a>) -> Vec<Pair<'a>> {
    let mut found = Vec::new();
    for statement in &subject.file.statements {
        if let StatementKind::SuchThat(items) = &statement.kind {
            items.iter().for_each(|item| look(item, &[], &mut found));
        }
    }
    found
}

/// A universally quantified name.
#[derive(Clone, Copy)]
struct Bound<'a> {
    name: &'a Name,
    span: Span,
    over: &'a GeneratorSource,
}

/// Collects the pairs among the names of an expression and those around it. The expression must hold for all values of
/// these names.
fn look<'a>(expr: &'a ExprTree, around: &[Bound<'a>], found: &mut Vec<Pair<'a>>) {
    if let Some((holder, NameBinding { steps, body })) = universal(expr) {
        let mut around = around.to_vec();
        for step in steps {
            let NameStep::Generator(patterns, over) = step else { continue };
            patterns.iter().for_each(|pattern| with_names_of_pattern(pattern, patterns, over, &mut around, found));
        }
        if let ExprTreeKind::Quantified(quantified) = &expr.kind
            && let [first, second] = &quantified.patterns[..]
        {
            let is_whole = |pair: &&mut Pair| pair.patterns == [first.span, second.span];
            found.iter_mut().filter(is_whole).for_each(|pair| pair.is_quantifier = true);
        }
        parts::for_each_part(holder, &mut |part| {
            // Only the body must hold for all values of the names, because a condition or a range is another context.
            look(part, if std::ptr::eq(part, body) { &around } else { &[] }, found);
        });
        return;
    }
    let is_conjunction = matches!(expr.kind, ExprTreeKind::Apply(symbols::AND, _));
    if !is_conjunction {
        let names = |pair: &Pair| around.iter().filter(|bound| pair.patterns.contains(&bound.span)).count() == 2;
        let known = found.iter_mut().filter(|pair| names(pair));
        if let Some(pair) = known.into_iter().find(|pair| says_different(expr, pair.names)) {
            pair.conflict.get_or_insert(expr);
        }
    }
    parts::for_each_part(expr, &mut |part| look(part, if is_conjunction { around } else { &[] }, found));
}

/// A `forAll` or an `and` of a comprehension, with the names that it binds, if it has no condition.
fn universal(expr: &ExprTree) -> Option<(&ExprTree, NameBinding<'_>)> {
    let holder = match &expr.kind {
        ExprTreeKind::Quantified(quantified) if quantified.quantifier == Quantifier::ForAll => expr,
        ExprTreeKind::Apply(symbols::ALL, operands) => match &operands[..] {
            [list @ ExprTree { kind: ExprTreeKind::Comprehension(..), .. }] => list,
            _ => return None,
        },
        _ => return None,
    };
    let generates = |binding: &NameBinding| binding.steps.iter().all(|step| matches!(step, NameStep::Generator(..)));
    Some((holder, NameBinding::of(holder).filter(generates)?))
}

/// Adds the name of a pattern to the names in scope, and the pairs that it forms with them.
fn with_names_of_pattern<'a>(
    pattern: &'a PatternTree,
    listed: &[PatternTree],
    over: &'a GeneratorSource,
    around: &mut Vec<Bound<'a>>,
    found: &mut Vec<Pair<'a>>,
) {
    let name = match &pattern.kind {
        PatternKind::Name(name) => name,
        PatternKind::Wildcard => return,
        // A pattern such as `(a, b)` may hide the names around it, so these are dropped.
        _ => return around.clear(),
    };
    // If ranges depend on each other, one may be empty for some values, and a hidden name is out of scope.
    around.retain(|other| {
        other.name != name && !generator_mentions(other.over, name) && !generator_mentions(over, other.name)
    });
    for first in around.iter().filter(|other| other.over == over) {
        let (names, patterns) = ([first.name, name], [first.span, pattern.span]);
        let in_list = listed.iter().any(|pattern| pattern.span == first.span);
        found.push(Pair { names, patterns, over, in_list, is_quantifier: false, conflict: None });
    }
    around.push(Bound { name, span: pattern.span, over });
}

fn generator_mentions(over: &GeneratorSource, name: &Name) -> bool {
    fn look(expr: &ExprTree, name: &Name) -> bool {
        let mut found = matches!(&expr.kind, ExprTreeKind::Name(other) if other == name);
        parts::for_each_part(expr, &mut |part| found = found || look(part, name));
        found
    }
    let mut found = false;
    parts::in_over(over, &mut |expr| found = found || look(expr, name));
    found
}

/// The warning about a pair, with a fix; `conflict` is the conjunct that is false for equal values.
pub(super) fn warning_about_pair(subject: &ModelText, pair: &Pair, conflict: Span) -> Diagnostic {
    let Pair { names: [first, second], patterns, over, in_list, is_quantifier, .. } = pair;
    let (over, is_set) = match over {
        GeneratorSource::Domain(domain) => (domain.span, false),
        GeneratorSource::Members(members) => (members.span, is_set(members, subject.model)),
        GeneratorSource::Subsets(set) => (set.span, false),
    };
    // `{a, b} subsetEq s` ranges over the pairs of different members.
    let (edit, help) = if *is_quantifier && is_set {
        let text = format!("{{{first}, {second}}} subsetEq {}", &subject.text[over.start as usize..over.end as usize]);
        let help = format!("write `forAll {text}` for the pairs of different members");
        (Edit { span: patterns[0].to(over), text }, help)
    } else {
        let text = format!(", {first} != {second}");
        let at = Span { start: over.end, ..over };
        (Edit { span: at, text }, format!("write `{first} != {second}` as a condition, after a comma"))
    };
    let warning = Diagnostic::warning(Code::EQUAL_PAIR, format!("`{first}` and `{second}` may be the same here"));
    let warning = match in_list {
        true => warning.at(patterns[0].to(patterns[1]), "each value is paired with itself, too"),
        false => warning.at(patterns[1], format!("takes each value of `{first}`, too")),
    };
    let warning = warning.at(conflict, format!("false where `{first}` and `{second}` are equal")).help(help);
    Diagnostic { edits: vec![edit], ..warning }
}

/// Returns true if a comparison requires two values to differ and treats both names alike.
fn says_different(expr: &ExprTree, names: [&Name; 2]) -> bool {
    let ExprTreeKind::Apply(symbol, operands) = &expr.kind else { return false };
    let [left, right] = &operands[..] else { return false };
    STRICT.contains(symbol) && is_same_of_both(left, right, names)
        || is_false_without_difference(*symbol, left, right, names)
}

/// Returns true if a comparison of a difference with a number is false for the difference 0: `|a - b| >= 3`.
fn is_false_without_difference(symbol: OperatorSymbol, left: &ExprTree, right: &ExprTree, names: [&Name; 2]) -> bool {
    let number = |expr: &ExprTree| match expr.kind {
        ExprTreeKind::Int(number) => Some(number),
        _ => None,
    };
    let (left, right) = match (number(left), number(right)) {
        // If the two names are equal, their difference is 0.
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

/// Returns true if an expression is a difference of equal expressions in the two names, or its absolute value.
fn is_difference(expr: &ExprTree, names: [&Name; 2]) -> bool {
    let ExprTreeKind::Apply(symbol, operands) = &expr.kind else { return false };
    match operands.as_slice() {
        [inner] => *symbol == symbols::BARS && is_difference(inner, names),
        [left, right] => *symbol == symbols::MINUS && is_same_of_both(left, right, names),
        _ => false,
    }
}

/// Returns true if two expressions are equal after exchanging the two names.
fn is_same_of_both(left: &ExprTree, right: &ExprTree, [first, second]: [&Name; 2]) -> bool {
    // If one of the names is bound again, renaming would be wrong.
    left != right && binds_nothing(left) && renamed(left, second, first) == renamed(right, second, first)
}

/// Returns true if an expression binds no names.
fn binds_nothing(expr: &ExprTree) -> bool {
    let mut plain =
        !matches!(expr.kind, ExprTreeKind::Quantified(_) | ExprTreeKind::Comprehension(..) | ExprTreeKind::Bubble(..));
    parts::for_each_part(expr, &mut |part| plain = plain && binds_nothing(part));
    plain
}

fn renamed(expr: &ExprTree, from: &Name, to: &Name) -> ExprTree {
    let mut copy = expr.clone();
    rename_in_expr(&mut copy, from, to);
    copy
}

fn rename_in_expr(expr: &mut ExprTree, from: &Name, to: &Name) {
    if let ExprTreeKind::Name(name) = &mut expr.kind
        && name == from
    {
        *name = to.clone();
    }
    parts::for_each_part_mut(expr, &mut |part| rename_in_expr(part, from, to));
}

fn is_set(members: &ExprTree, model: &TypedModel) -> bool {
    let ExprTreeKind::Name(name) = &members.kind else { return false };
    // A local name may hide the declaration.
    let is_local = model.local_names.iter().any(|local| local.name == *name);
    let declared = model.declarations.iter().find(|declaration| declaration.name == *name);
    !is_local
        && declared.is_some_and(|declaration| {
            !matches!(declaration.kind, DeclarationKind::LettingDomain(_)) && declaration.ty.as_set().is_some()
        })
}
