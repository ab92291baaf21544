//! Attributes that follow from requirements: sizes, total, injective, surjective and bijective functions, regular
//! partitions, occurrences in multisets, properties of binary relations. A domain with the attribute has exactly the
//! values that satisfy the requirement, so each rule holds for all data.
//!
//! The rules follow Akgün, Gent, Jefferson, Kiziltan, Miguel and Salamon, "Automatically reformulating Essence
//! specifications".

use super::{
    Basis, EditProposal, ImprovementKind,
    edits::{AttributeList, ModelEdit},
    view::{Conjunct, DecidedPart, ModelView, renamed, sides, turned},
};
use crate::{
    language::MemberForm,
    operators::{OperatorSymbol, symbols},
    syntax::ast::{DomainKind, DomainTree, ExprTree, ExprTreeKind, GeneratorSource, Quantifier},
};

const PARTS: OperatorSymbol = OperatorSymbol::function("parts");

/// An attribute that follows from a requirement.
struct Follows {
    name: &'static str,
    value: Option<String>,
    /// True if the attribute implies the requirement.
    is_all: bool,
}

/// Adds the attributes that follow from each requirement.
pub(super) fn propose<'a>(view: &ModelView<'a>, requirements: &[Conjunct<'a>], found: &mut Vec<EditProposal>) {
    for requirement in requirements {
        for rule in [size, injective, surjective, part_sizes, occurrences, defined_at, binary] {
            if let Some((target, follows)) = rule(view, requirement) {
                add(view, requirement, &target, follows, found);
            }
        }
        total(view, requirement, found);
    }
    bijective(view, found);
}

fn add<'a>(
    view: &ModelView<'a>,
    requirement: &Conjunct<'a>,
    target: &DecidedPart<'a>,
    follows: Vec<Follows>,
    found: &mut Vec<EditProposal>,
) {
    let Some(list) = AttributeList::of(view, target.domain) else { return };
    for Follows { name, value, is_all } in follows {
        if has(target.domain, name) {
            continue;
        }
        let text = value.as_ref().map_or(name.to_owned(), |value| format!("{name} {value}"));
        let mut edits = vec![ModelEdit::Attribute { list: list.clone(), name, value }];
        if is_all && requirement.is_whole {
            edits.push(ModelEdit::Drop(requirement.item.span));
        }
        let says = format!("`{text}` becomes an attribute of `{}`", view.line(target.domain.span));
        let because = format!("this follows from `{}`", view.line(requirement.item.span));
        found.push(EditProposal { kind: ImprovementKind::Attribute, says, because, basis: Basis::Rule, edits });
    }
}

/// True if a domain has an attribute, or a stronger one.
pub(super) fn has(domain: &DomainTree, name: &str) -> bool {
    let DomainKind::Collection(_, attributes, _) = &domain.kind else { return true };
    let stronger: &[&str] = match name {
        "injective" | "surjective" => &["bijective"],
        "minSize" | "maxSize" => &["size"],
        "regular" => &["partSize"],
        "reflexive" | "symmetric" | "transitive" => &["equivalence"],
        _ => &[],
    };
    attributes.iter().any(|attribute| *attribute.name.text == *name || stronger.contains(&&*attribute.name.text))
}

/// A part of a decision variable with the attributes that follow for its domain.
type TargetAttributes<'a> = Option<(DecidedPart<'a>, Vec<Follows>)>;

fn collection_of(domain: &DomainTree) -> Option<(MemberForm, &[DomainTree])> {
    match &domain.kind {
        DomainKind::Collection(kind, _, inner) => Some((kind.form(), inner)),
        _ => None,
    }
}

/// The measured side of a comparison whose other side depends on no decision and no quantified name.
fn bounded<'a, 'r>(
    view: &ModelView<'a>,
    requirement: &'r Conjunct<'a>,
    measured: impl Fn(&'a ExprTree) -> Option<&'a ExprTree>,
) -> Option<(&'a ExprTree, OperatorSymbol, &'a ExprTree)> {
    let (symbol, left, right) = requirement.comparison()?;
    let of = |symbol, part: &'a ExprTree, bound: &'a ExprTree| {
        let part = measured(part)?;
        let is_fixed = !view.is_decided(bound) && !requirement.binds_in(bound) && view.is_defined(bound, &[]);
        is_fixed.then_some((part, symbol, bound))
    };
    of(symbol, left, right).or_else(|| of(turned(symbol), right, left))
}

/// The attributes for a bound on a measure.
fn by_bound(
    view: &ModelView,
    symbol: OperatorSymbol,
    bound: &ExprTree,
    names: [&'static str; 3],
) -> Option<Vec<Follows>> {
    let [exact, least, most] = names;
    let shifted = |by: i64| match &bound.kind {
        ExprTreeKind::Int(value) => (value + by).to_string(),
        _ if by < 0 => format!("{} - 1", view.shown(bound)),
        _ => format!("{} + 1", view.shown(bound)),
    };
    let (name, value) = match symbol {
        symbols::EQUAL => (exact, view.shown(bound)),
        symbols::AT_MOST => (most, view.shown(bound)),
        symbols::LESS => (most, shifted(-1)),
        symbols::AT_LEAST => (least, view.shown(bound)),
        symbols::GREATER => (least, shifted(1)),
        _ => return None,
    };
    Some(vec![Follows { name, value: Some(value), is_all: true }])
}

/// Finds the attributes of a size: `|s| <= n` becomes `maxSize n`.
fn size<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> TargetAttributes<'a> {
    let measured = |expr: &'a ExprTree| match &expr.kind {
        ExprTreeKind::Apply(symbols::BARS, operands) => operands.first(),
        _ => None,
    };
    let (part, symbol, bound) = bounded(view, requirement, measured)?;
    let (collection, names) = match &part.kind {
        ExprTreeKind::Apply(PARTS, operands) => (operands.first()?, ["numParts", "minNumParts", "maxNumParts"]),
        _ => (part, ["size", "minSize", "maxSize"]),
    };
    let target = view.target(collection, requirement)?;
    let (kind, _) = collection_of(target.domain)?;
    let is_partition = kind == MemberForm::Blocks;
    if is_partition != (names[0] == "numParts") || kind == MemberForm::Cycles {
        return None;
    }
    // The size of an absent collection is undefined and makes the requirement false, so the requirement is stronger
    // than the attribute.
    let mut follows = by_bound(view, symbol, bound, names)?;
    follows[0].is_all &= !target.is_partial;
    target.is_all_of(requirement).then_some((target, follows))
}

/// Finds `injective`: `forAll i, j : D, i != j . f(i) != f(j)`, `forAll i, j : D . f(i) = f(j) -> i = j` and
/// `allDiff([f(i) | i : D])`.
fn injective<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> TargetAttributes<'a> {
    let injective = |is_all| Follows { name: "injective", value: None, is_all };
    if let Some(different) = Different::of(requirement)
        && different.outer.is_empty()
        && different.guards.is_empty()
        && let ExprTreeKind::Call(function, arguments) = &different.term.kind
        && let [ExprTree { kind: ExprTreeKind::Name(argument), .. }] = &arguments[..]
        && **argument == *different.name
    {
        let target = view.target(function, requirement)?;
        let (kind, inner) = collection_of(target.domain)?;
        let covers = kind == MemberForm::Pairs && view.are_same(inner.first()?, different.domain?);
        // An undefined image makes the requirement false, so the requirement is stronger than the attribute unless the
        // function is total.
        let is_total = has(target.domain, "total");
        return (covers && target.used.is_empty()).then(|| (target, vec![injective(is_total)]));
    }
    if let ExprTreeKind::Apply(symbols::IMPLIES, implied) = &requirement.body.kind
        && requirement.guards.is_empty()
        && let [condition, conclusion] = &implied[..]
        && let (Some((symbols::EQUAL, one, other)), Some((symbols::EQUAL, i, j))) =
            (sides(condition), sides(conclusion))
        && let [(first, domain), (second, same)] = requirement.domain_binders()?[..]
        && *other == renamed(one, &[(first, second)])
        && is_pair(i, j, first, second)
        && let ExprTreeKind::Call(function, arguments) = &one.kind
        && let [ExprTree { kind: ExprTreeKind::Name(argument), .. }] = &arguments[..]
        && **argument == *first
    {
        let target = view.target(function, requirement)?;
        let (kind, inner) = collection_of(target.domain)?;
        let covers = kind == MemberForm::Pairs && view.are_same(inner.first()?, domain) && view.are_same(domain, same);
        return (covers && target.used.is_empty()).then(|| (target, vec![injective(true)]));
    }
    None
}

fn is_pair(i: &ExprTree, j: &ExprTree, first: &str, second: &str) -> bool {
    let is = |expr: &ExprTree, name: &str| matches!(&expr.kind, ExprTreeKind::Name(own) if **own == *name);
    (is(i, first) && is(j, second)) || (is(i, second) && is(j, first))
}

/// Finds `surjective`: `forAll y : R . exists x : D . f(x) = y` and `forAll y : R . y in range(f)`.
fn surjective<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> TargetAttributes<'a> {
    let [(image, range)] = requirement.domain_binders()?[..] else { return None };
    if !requirement.guards.is_empty() {
        return None;
    }
    let is_image = |expr: &ExprTree| matches!(&expr.kind, ExprTreeKind::Name(name) if **name == *image);
    let function = match &requirement.body.kind {
        ExprTreeKind::Quantified(exists) if exists.quantifier == Quantifier::Exists && exists.guard.is_none() => {
            let (symbols::EQUAL, left, right) = sides(&exists.body)? else { return None };
            let call = if is_image(right) {
                left
            } else if is_image(left) {
                right
            } else {
                return None;
            };
            let ExprTreeKind::Call(function, arguments) = &call.kind else { return None };
            let GeneratorSource::Domain(domain) = &exists.over else { return None };
            let ([argument], [pattern]) = (&arguments[..], &exists.patterns[..]) else { return None };
            let names = (&argument.kind, &pattern.kind);
            let (ExprTreeKind::Name(argument), crate::syntax::ast::PatternKind::Name(bound)) = names else {
                return None;
            };
            let target = view.target(function, requirement)?;
            let (_, inner) = collection_of(target.domain)?;
            (argument == bound && view.are_same(inner.first()?, domain)).then_some(&**function)?
        }
        ExprTreeKind::Apply(symbols::IN, operands) if is_image(&operands[0]) => match &operands.get(1)?.kind {
            ExprTreeKind::Apply(symbols::RANGE, function) => function.first()?,
            _ => return None,
        },
        _ => return None,
    };
    let target = view.target(function, requirement)?;
    let (kind, inner) = collection_of(target.domain)?;
    // If the quantifier covers only a part of the range, the requirement is weaker than the attribute.
    let covers = kind == MemberForm::Pairs && view.are_same(inner.get(1)?, range) && target.used.is_empty();
    covers.then(|| (target, vec![Follows { name: "surjective", value: None, is_all: true }]))
}

/// Finds the attributes of the sizes of parts: `forAll part in parts(p) . |part| = k` becomes `partSize k`, and
/// `forAll a, b in parts(p) . |a| = |b|` becomes `regular`.
fn part_sizes<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> TargetAttributes<'a> {
    let partition = |name: &str| match requirement.binder(name)?.over {
        GeneratorSource::Members(ExprTree { kind: ExprTreeKind::Apply(PARTS, operands), .. }) => operands.first(),
        _ => None,
    };
    let measured = |expr: &'a ExprTree| match &expr.kind {
        ExprTreeKind::Apply(symbols::BARS, operands) => operands.first(),
        _ => None,
    };
    if !requirement.is_plain || !requirement.guards.is_empty() {
        return None;
    }
    let part_of = |expr: &ExprTree| match &expr.kind {
        ExprTreeKind::Name(name) => partition(name),
        _ => None,
    };
    let is_partition = |target: &DecidedPart| {
        matches!(collection_of(target.domain), Some((MemberForm::Blocks, _))) && target.used.is_empty()
    };
    if let Some((part, symbol, bound)) = bounded(view, requirement, measured) {
        let target = view.target(part_of(part)?, requirement)?;
        let follows = by_bound(view, symbol, bound, ["partSize", "minPartSize", "maxPartSize"])?;
        return (requirement.binders.len() == 1 && is_partition(&target)).then_some((target, follows));
    }
    let (symbols::EQUAL, left, right) = requirement.comparison()? else { return None };
    let (one, other) = (measured(left)?, measured(right)?);
    let (first, second) = (part_of(one)?, part_of(other)?);
    let target = view.target(first, requirement)?;
    let is_regular = first == second && one != other && requirement.binders.len() == 2 && is_partition(&target);
    is_regular.then(|| (target, vec![Follows { name: "regular", value: None, is_all: true }]))
}

/// Finds `maxOccur k`: `forAll x : D . freq(m, x) <= k`.
fn occurrences<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> TargetAttributes<'a> {
    let measured = |expr: &'a ExprTree| match &expr.kind {
        ExprTreeKind::Apply(symbols::FREQUENCY, _) => Some(expr),
        _ => None,
    };
    let (counted, symbol, bound) = bounded(view, requirement, measured)?;
    let ExprTreeKind::Apply(_, operands) = &counted.kind else { return None };
    let [(name, over)] = requirement.domain_binders()?[..] else { return None };
    let is_member = matches!(&operands.get(1)?.kind, ExprTreeKind::Name(own) if **own == *name);
    let target = view.target(&operands[0], requirement)?;
    let (kind, inner) = collection_of(target.domain)?;
    let covers = is_member
        && kind == MemberForm::Values
        && target.used.is_empty()
        && view.are_same(inner.first()?, over)
        && requirement.guards.is_empty();
    // `minOccur` constrains only members that occur, and no attribute sets an exact number.
    let follows = match symbol {
        symbols::AT_MOST | symbols::LESS => by_bound(view, symbol, bound, ["maxOccur", "minOccur", "maxOccur"])?,
        _ => return None,
    };
    covers.then_some((target, follows))
}

/// Finds `total`: `forAll i : D . i in defined(f)`.
fn defined_at<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> TargetAttributes<'a> {
    let (member, collection) = requirement.body.membership()?;
    let ExprTreeKind::Apply(symbols::DEFINED, function) = &collection.kind else { return None };
    let ExprTreeKind::Name(name) = &member.kind else { return None };
    let [(bound, over)] = requirement.domain_binders()?[..] else { return None };
    let target = view.target(function.first()?, requirement)?;
    let (kind, inner) = collection_of(target.domain)?;
    let covers = **name == *bound
        && kind == MemberForm::Pairs
        && target.used.is_empty()
        && view.are_same(inner.first()?, over)
        && requirement.guards.is_empty();
    covers.then(|| (target, vec![Follows { name: "total", value: None, is_all: true }]))
}

/// The properties of binary relations. A requirement matches by the number of its binders, the pairs that it
/// presupposes, and the pair or equation that follows.
fn binary<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>) -> TargetAttributes<'a> {
    let binders = requirement.domain_binders()?;
    let (mut premises, mut conclusion) = (Vec::new(), requirement.body);
    let mut conditions: Vec<&ExprTree> = requirement.guards.clone();
    while let ExprTreeKind::Apply(symbols::IMPLIES, sides) = &conclusion.kind {
        conditions.push(sides.first()?);
        conclusion = sides.get(1)?;
    }
    let mut relation = None;
    let mut pair = |expr: &'a ExprTree| -> Option<(&'a str, &'a str)> {
        let (own, arguments) = match &expr.kind {
            ExprTreeKind::Call(relation, arguments) => (&**relation, &arguments[..]),
            ExprTreeKind::Apply(symbols::IN, operands) => match &operands[0].kind {
                ExprTreeKind::Tuple(arguments) => (operands.get(1)?, &arguments[..]),
                _ => return None,
            },
            _ => return None,
        };
        let ([one, other], true) = (arguments, relation.is_none_or(|known| known == own)) else { return None };
        relation = Some(own);
        match (&one.kind, &other.kind) {
            (ExprTreeKind::Name(one), ExprTreeKind::Name(other)) => Some((one, other)),
            _ => None,
        }
    };
    for condition in conditions {
        for part in conjuncts(condition) {
            premises.push(pair(part)?);
        }
    }
    let (is_denied, conclusion) = match &conclusion.kind {
        ExprTreeKind::Apply(symbols::NOT, operands) => (true, operands.first()?),
        _ => (false, conclusion),
    };
    let equal = match sides(conclusion) {
        Some((symbols::EQUAL, left, right)) => match (&left.kind, &right.kind) {
            (ExprTreeKind::Name(left), ExprTreeKind::Name(right)) => Some((&**left, &**right)),
            _ => return None,
        },
        _ => None,
    };
    let follows = if equal.is_some() { None } else { Some(pair(conclusion)?) };
    let name = match (&premises[..], follows, equal, is_denied) {
        ([], Some((a, b)), None, false) if a == b => "reflexive",
        ([], Some((a, b)), None, true) if a == b => "irreflexive",
        ([(a, b)], Some((c, d)), None, false) if *a == d && *b == c && a != b => "symmetric",
        ([(a, b)], Some((c, d)), None, true) if *a == d && *b == c && a != b => "aSymmetric",
        ([(a, b), (c, d)], None, Some((e, f)), false)
            if a == d && b == c && a != b && is_same_pair((*a, *b), (e, f)) =>
        {
            "antiSymmetric"
        }
        ([(a, b), (c, d)], Some((e, f)), None, false) if b == c && a == &e && d == &f && a != b && b != d && a != d => {
            "transitive"
        }
        _ => return None,
    };
    let target = view.target(relation?, requirement)?;
    let (kind, inner) = collection_of(target.domain)?;
    let covers = kind == MemberForm::Tuples
        && inner.len() == 2
        && target.used.is_empty()
        && inner.iter().all(|own| binders.iter().all(|(_, over)| view.are_same(own, over)));
    covers.then(|| (target, vec![Follows { name, value: None, is_all: true }]))
}

fn is_same_pair(one: (&str, &str), other: (&str, &str)) -> bool {
    one == other || one == (other.1, other.0)
}

pub(super) fn conjuncts(expr: &ExprTree) -> Vec<&ExprTree> {
    match &expr.kind {
        ExprTreeKind::Apply(symbols::AND, operands) => operands.iter().flat_map(conjuncts).collect(),
        _ => vec![expr],
    }
}

/// A requirement that needs the images of all arguments, because an undefined image makes it false.
fn total<'a>(view: &ModelView<'a>, requirement: &Conjunct<'a>, found: &mut Vec<EditProposal>) {
    let mut calls = Vec::new();
    // `allDiff([f(i) | i : D])` is undefined if one of its elements is.
    let inner = all_different_of(requirement);
    let requirement = inner.as_ref().unwrap_or(requirement);
    match &requirement.body.kind {
        ExprTreeKind::Apply(symbol, operands) if sides(requirement.body).is_some() || *symbol == symbols::IN => {
            operands.iter().for_each(|operand| strict_calls(operand, &mut calls));
        }
        ExprTreeKind::Call(..) if inner.is_some() => calls.push(requirement.body),
        _ => return,
    }
    for call in calls {
        let ExprTreeKind::Call(function, _) = &call.kind else { continue };
        let (Some(image), Some(target)) = (view.target(call, requirement), view.target(function, requirement)) else {
            continue;
        };
        let is_function = matches!(collection_of(target.domain), Some((MemberForm::Pairs, _)));
        let is_direct = matches!(function.kind, ExprTreeKind::Name(_)) && target.used.is_empty();
        if is_function && is_direct && image.is_partial && image.is_all_of(requirement) {
            add(view, requirement, &target, vec![Follows { name: "total", value: None, is_all: false }], found);
        }
    }
}

/// The elements of `allDiff([e | …])` as a requirement about each of them.
fn all_different_of<'a>(requirement: &Conjunct<'a>) -> Option<Conjunct<'a>> {
    let ExprTreeKind::Apply(symbols::ALL_DIFFERENT, operands) = &requirement.body.kind else { return None };
    let ExprTreeKind::Comprehension(body, qualifiers) = &operands.first()?.kind else { return None };
    let mut inner = Conjunct { body, ..requirement.clone() };
    inner.qualify(qualifiers);
    Some(inner)
}

/// The calls whose images the value of an expression needs.
fn strict_calls<'a>(expr: &'a ExprTree, found: &mut Vec<&'a ExprTree>) {
    match &expr.kind {
        ExprTreeKind::Call(_, arguments) => {
            found.push(expr);
            arguments.iter().for_each(|argument| strict_calls(argument, found));
        }
        ExprTreeKind::Apply(symbols::PLUS | symbols::MINUS | symbols::TIMES | symbols::NEGATE, operands) => {
            operands.iter().for_each(|operand| strict_calls(operand, found));
        }
        ExprTreeKind::Index(base, _) => strict_calls(base, found),
        ExprTreeKind::Tuple(parts) => parts.iter().for_each(|part| strict_calls(part, found)),
        _ => {}
    }
}

/// A total function from a domain to itself is bijective if it is injective or surjective.
fn bijective(view: &ModelView, found: &mut Vec<EditProposal>) {
    for (name, domain) in &view.finds {
        let Some((MemberForm::Pairs, [from, to])) = collection_of(domain) else { continue };
        let one = ["injective", "surjective"].into_iter().find(|one| has(domain, one));
        if let (Some(one), true, true, false) =
            (one, view.are_same(from, to), has(domain, "total"), has(domain, "bijective"))
            && let Some(list) = AttributeList::of(view, domain)
        {
            found.push(EditProposal {
                kind: ImprovementKind::Attribute,
                says: format!("`{name}` becomes `bijective`"),
                because: format!("a total {one} function from a finite domain to itself is bijective"),
                basis: Basis::Rule,
                edits: vec![ModelEdit::Attribute { list, name: "bijective", value: None }],
            });
        }
    }
}

/// A requirement that terms for different values of a name differ.
pub(super) struct Different<'a> {
    /// The term for one value of the name.
    pub term: &'a ExprTree,
    pub name: &'a str,
    /// The domain that the name ranges over, if the text has it.
    pub domain: Option<&'a DomainTree>,
    /// The bounds `1` and `n` of a pair `i : int(1..n - 1), j : int(i + 1..n)`.
    pub interval: Option<(&'a ExprTree, &'a ExprTree)>,
    /// The binders around the pair.
    pub outer: Vec<super::view::RuleBinder<'a>>,
    /// The other guards.
    pub guards: Vec<&'a ExprTree>,
}

impl<'a> Different<'a> {
    /// Matches `forAll i, j : D, i < j . e(i) != e(j)`, `forAll i : int(1..n - 1) . forAll j : int(i + 1..n) . …` and
    /// `allDiff([e(i) | i : D])`.
    pub(super) fn of(requirement: &Conjunct<'a>) -> Option<Different<'a>> {
        if let Some(inner) = all_different_of(requirement) {
            let added = &inner.binders[requirement.binders.len()..];
            let [binder] = added else { return None };
            let GeneratorSource::Domain(domain) = binder.over else { return None };
            return (inner.guards.len() == requirement.guards.len()).then(|| Different {
                term: inner.body,
                name: binder.name,
                domain: Some(domain),
                interval: None,
                outer: requirement.binders.clone(),
                guards: requirement.guards.clone(),
            });
        }
        Different::of_pairs(requirement)
    }

    /// The same without `allDiff`.
    pub(super) fn of_pairs(requirement: &Conjunct<'a>) -> Option<Different<'a>> {
        let (mut guards, mut body) = (requirement.guards.clone(), requirement.body);
        if let ExprTreeKind::Apply(symbols::IMPLIES, sides) = &body.kind {
            guards.push(sides.first()?);
            body = sides.get(1)?;
        }
        let (left, right) = match &body.kind {
            ExprTreeKind::Apply(symbols::NOT, operands) => match sides(operands.first()?)? {
                (symbols::EQUAL, left, right) => (left, right),
                _ => return None,
            },
            _ => match sides(body)? {
                (symbols::UNEQUAL, left, right) => (left, right),
                _ => return None,
            },
        };
        let [outer @ .., one, other] = &requirement.binders[..] else { return None };
        if !requirement.is_plain || one.part().is_some() || other.part().is_some() {
            return None;
        }
        let is_term = *right == renamed(left, &[(one.name, other.name)])
            && !super::view::names_in(left).contains(other.name)
            && super::view::names_in(left).contains(one.name);
        let (GeneratorSource::Domain(first), GeneratorSource::Domain(second)) = (one.over, other.over) else {
            return None;
        };
        let mut different = Different {
            term: left,
            name: one.name,
            domain: Some(first),
            interval: None,
            outer: outer.to_vec(),
            guards: Vec::new(),
        };
        let orders = |guard: &&&ExprTree| {
            let pair = match sides(guard) {
                Some((symbols::UNEQUAL | symbols::LESS | symbols::GREATER, i, j)) => Some((i, j)),
                _ => None,
            };
            pair.is_some_and(|(i, j)| is_pair(i, j, one.name, other.name))
        };
        let ordering = guards.iter().flat_map(|guard| conjuncts(guard)).collect::<Vec<_>>();
        let pairs = ordering.iter().filter(orders).count();
        different.guards = ordering.into_iter().filter(|guard| !orders(&guard)).collect();
        let about_pair = |guard: &&ExprTree| {
            let names = super::view::names_in(guard);
            names.contains(one.name) || names.contains(other.name)
        };
        if !is_term || different.guards.iter().any(about_pair) {
            return None;
        }
        // Exactly one condition may order the pair, because two, such as `i < j` and `i > j`, may exclude all pairs.
        match pairs {
            1 if first == second => Some(different),
            0 => {
                different.interval = Some(super::view::upper_triangle(first, second, one.name)?);
                different.domain = None;
                Some(different)
            }
            _ => None,
        }
    }
}
