//! The text of a model, prepared for the rules: its declarations, and each requirement with the names that are bound
//! around it.

use crate::{
    api::Model,
    language::{MemberForm, Name},
    operators::{OperatorSymbol, symbols},
    source::Span,
    syntax::{
        ast::{
            DomainKind, DomainTree, ExprTree, ExprTreeKind, File, GeneratorSource, LettingValue, PatternForm,
            PatternKind, PatternTree, QualifierTree, Quantified, Quantifier, Statement, StatementKind, WrittenIndex,
            WrittenRange,
        },
        parts::{for_each_part, for_each_part_mut},
        print,
    },
};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const TO_INT: OperatorSymbol = OperatorSymbol::function("toInt");

/// A model's text and its declarations.
pub(crate) struct ModelView<'a> {
    pub model: &'a Model,
    pub text: &'a str,
    pub file: &'a File,
    /// All decision variables.
    pub variables: BTreeMap<&'a str, &'a DomainTree>,
    /// The decision variables that are declared one at a time.
    pub finds: BTreeMap<&'a str, &'a DomainTree>,
    /// The parameters with domains.
    pub givens: BTreeMap<&'a str, &'a DomainTree>,
    domains: BTreeMap<&'a str, &'a DomainTree>,
    /// The enumerated types of the model with their members.
    pub enums: BTreeMap<&'a str, Vec<&'a str>>,
    /// The names whose values depend on decision variables.
    decided: BTreeSet<&'a str>,
}

/// A quantified name and its range.
#[derive(Clone, Copy)]
pub(super) struct RuleBinder<'a> {
    pub name: &'a str,
    pub over: &'a GeneratorSource,
    /// The position in a pair; `None` for a whole value.
    part: Option<(usize, usize)>,
}

/// A requirement without its quantifiers: the body holds for all values of the binders that satisfy the guards.
#[derive(Clone)]
pub(super) struct Conjunct<'a> {
    /// The constraint that contains the requirement.
    pub item: &'a ExprTree,
    /// True if the requirement is the whole constraint.
    pub is_whole: bool,
    pub binders: Vec<RuleBinder<'a>>,
    pub guards: Vec<&'a ExprTree>,
    pub body: &'a ExprTree,
    /// True if all binders are plain names in quantifiers or comprehensions, so that the list above is complete.
    pub is_plain: bool,
}

impl<'a> ModelView<'a> {
    pub(crate) fn of(model: &'a Model) -> ModelView<'a> {
        let file = &model.read.file;
        let text = &model.sources.get(Model::SOURCE).text;
        let mut view = ModelView {
            model,
            text,
            file,
            variables: BTreeMap::new(),
            finds: BTreeMap::new(),
            givens: BTreeMap::new(),
            domains: BTreeMap::new(),
            enums: BTreeMap::new(),
            decided: BTreeSet::new(),
        };
        for statement in &file.statements {
            view.declare(statement);
        }
        view
    }

    fn declare(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Find { names, domain } => {
                self.decided.extend(names.iter().map(|name| &*name.text));
                self.variables.extend(names.iter().map(|name| (&*name.text, domain)));
                if let [name] = &names[..] {
                    self.finds.insert(&name.text, domain);
                }
            }
            StatementKind::Given { names, domain } => {
                self.givens.extend(names.iter().map(|name| (&*name.text, domain)));
            }
            StatementKind::Letting { names, value } => match value {
                LettingValue::Domain(domain) => self.domains.extend(names.iter().map(|name| (&*name.text, domain))),
                LettingValue::Enum(members) => {
                    let members: Vec<&str> = members.iter().map(|member| &*member.text).collect();
                    self.enums.extend(names.iter().map(|name| (&*name.text, members.clone())));
                }
                LettingValue::Expr(value) if self.is_decided(value) => {
                    self.decided.extend(names.iter().map(|name| &*name.text));
                }
                LettingValue::Expr(_) | LettingValue::Unnamed(_) => {}
            },
            _ => {}
        }
    }

    /// The domain that a name stands for.
    pub(crate) fn resolved<'d>(&self, domain: &'d DomainTree) -> &'d DomainTree
    where
        'a: 'd,
    {
        let mut domain = domain;
        while let DomainKind::Named(name, None) = &domain.kind {
            match self.domains.get(&*name.text) {
                Some(next) => domain = next,
                None => break,
            }
        }
        domain
    }

    /// True if two domains are the same as far as the text shows.
    pub(crate) fn are_same(&self, one: &DomainTree, other: &DomainTree) -> bool {
        one == other || self.resolved(one) == self.resolved(other)
    }

    /// True if an expression depends on decision variables.
    pub(super) fn is_decided(&self, expr: &ExprTree) -> bool {
        names_in(expr).iter().any(|name| self.decided.contains(&**name)) || has_local_variables(expr)
    }

    /// The text of a part on one line.
    pub(super) fn line(&self, span: Span) -> String {
        self.model.on_one_line(span)
    }

    /// The text of an expression on one line.
    pub(crate) fn shown(&self, expr: &ExprTree) -> String {
        print::expr(expr, usize::MAX)
    }

    /// The text of a domain on one line.
    pub(crate) fn shown_domain(&self, domain: &DomainTree) -> String {
        print::print_domain(domain, usize::MAX)
    }

    /// The bounds of `int(a..b)`.
    pub(crate) fn interval<'d>(&self, domain: &'d DomainTree) -> Option<(&'d ExprTree, &'d ExprTree)>
    where
        'a: 'd,
    {
        let DomainKind::Int { tag: None, ranges: Some(ranges) } = &self.resolved(domain).kind else { return None };
        match &ranges[..] {
            [WrittenRange::Interval(Some(low), Some(high))] => Some((low, high)),
            _ => None,
        }
    }

    /// The requirements of a model: the conjuncts of its constraints.
    pub(super) fn requirements(&self) -> Vec<Conjunct<'a>> {
        let mut found = Vec::new();
        for item in self.items() {
            let start =
                Conjunct { item, is_whole: true, binders: Vec::new(), guards: Vec::new(), body: item, is_plain: true };
            flatten(start, &mut found);
        }
        found
    }

    /// The constraints of the model.
    pub(super) fn items(&self) -> impl Iterator<Item = &'a ExprTree> + use<'a> {
        let items = |statement: &'a Statement| match &statement.kind {
            StatementKind::SuchThat(items) => &items[..],
            _ => &[],
        };
        self.file.statements.iter().flat_map(items)
    }

    /// The domain of the values of an expression that is a decision variable or a part of one, with the binders that
    /// select the part. The other values of these binders select the other parts.
    pub(super) fn target(&self, expr: &ExprTree, requirement: &Conjunct<'a>) -> Option<DecidedPart<'a>> {
        let name_of = |expr: &ExprTree| match &expr.kind {
            ExprTreeKind::Name(name) => Some(name.clone()),
            _ => None,
        };
        match &expr.kind {
            ExprTreeKind::Name(name) => {
                if let Some(binder) = requirement.binder(name) {
                    let GeneratorSource::Members(collection) = binder.over else { return None };
                    let mut target = self.target(collection, requirement)?;
                    let DomainKind::Collection(kind, _, inner) = &self.resolved_in_place(target.domain)?.kind else {
                        return None;
                    };
                    target.domain = match (kind.form(), binder.part) {
                        (MemberForm::Values, None) => inner.first()?,
                        (MemberForm::Pairs, Some((1, 2))) => inner.get(1)?,
                        _ => return None,
                    };
                    target.used.insert(name.clone());
                    return Some(target);
                }
                Some(DecidedPart { domain: self.finds.get(&**name)?, used: BTreeSet::new(), is_partial: false })
            }
            ExprTreeKind::Index(base, indices) => {
                let mut target = self.target(base, requirement)?;
                let DomainKind::Matrix(domains, element) = &self.resolved_in_place(target.domain)?.kind else {
                    return None;
                };
                if domains.len() != indices.len() {
                    return None;
                }
                for (index, domain) in indices.iter().zip(domains) {
                    let WrittenIndex::At(index) = index else { return None };
                    target.uses(name_of(index)?, domain, self, requirement)?;
                }
                target.domain = element;
                Some(target)
            }
            ExprTreeKind::Call(function, arguments) => {
                let mut target = self.target(function, requirement)?;
                let DomainKind::Collection(kind, attributes, inner) = &self.resolved_in_place(target.domain)?.kind
                else {
                    return None;
                };
                let [argument] = &arguments[..] else { return None };
                if kind.form() != MemberForm::Pairs {
                    return None;
                }
                let domain = inner.first()?;
                match (&argument.kind, &self.resolved(domain).kind) {
                    (ExprTreeKind::Tuple(arguments), DomainKind::Tuple(domains)) => {
                        for (argument, domain) in arguments.iter().zip(domains) {
                            target.uses(name_of(argument)?, domain, self, requirement)?;
                        }
                    }
                    _ => target.uses(name_of(argument)?, domain, self, requirement)?,
                }
                target.is_partial |= !attributes.iter().any(|attribute| *attribute.name.text == *"total");
                target.domain = inner.get(1)?;
                Some(target)
            }
            _ => None,
        }
    }

    /// A domain that is written out in a declaration and can therefore be edited, unlike a name for a domain.
    fn resolved_in_place(&self, domain: &'a DomainTree) -> Option<&'a DomainTree> {
        (!matches!(domain.kind, DomainKind::Named(..))).then_some(domain)
    }

    /// True if an expression has a value for all values of the binders, as far as the text shows.
    pub(super) fn is_defined(&self, expr: &ExprTree, binders: &[RuleBinder<'a>]) -> bool {
        let binder = |name: &str| binders.iter().find(|binder| binder.name == name);
        let ranges_over = |expr: &ExprTree, domain: &DomainTree| match &expr.kind {
            ExprTreeKind::Name(name) => match binder(name) {
                Some(RuleBinder { over: GeneratorSource::Domain(over), part: None, .. }) => self.are_same(over, domain),
                _ => false,
            },
            ExprTreeKind::Int(value) => match self.interval(domain) {
                Some((
                    ExprTree { kind: ExprTreeKind::Int(low), .. },
                    ExprTree { kind: ExprTreeKind::Int(high), .. },
                )) => (low..=high).contains(&value),
                _ => false,
            },
            _ => false,
        };
        match &expr.kind {
            ExprTreeKind::Bool(_) | ExprTreeKind::Int(_) => true,
            ExprTreeKind::Name(_) => true,
            ExprTreeKind::Apply(symbol, operands) => {
                let is_total = [
                    symbols::PLUS,
                    symbols::MINUS,
                    symbols::TIMES,
                    symbols::NEGATE,
                    symbols::BARS,
                    symbols::EQUAL,
                    symbols::UNEQUAL,
                    symbols::LESS,
                    symbols::AT_MOST,
                    symbols::GREATER,
                    symbols::AT_LEAST,
                    symbols::AND,
                    symbols::OR,
                    symbols::NOT,
                    symbols::UNION,
                    symbols::INTERSECT,
                    symbols::IN,
                    symbols::SUM,
                    TO_INT,
                ];
                is_total.contains(symbol) && operands.iter().all(|operand| self.is_defined(operand, binders))
            }
            ExprTreeKind::Index(base, indices) => {
                let Some(DomainKind::Matrix(domains, _)) = self.declared(base).map(|domain| &domain.kind) else {
                    return false;
                };
                domains.len() == indices.len()
                    && indices.iter().zip(domains).all(|(index, domain)| match index {
                        WrittenIndex::At(index) => ranges_over(index, domain),
                        WrittenIndex::Slice(low, high) => low.is_none() && high.is_none(),
                    })
            }
            ExprTreeKind::Call(function, arguments) => {
                let Some(DomainKind::Collection(kind, attributes, inner)) =
                    self.declared(function).map(|domain| &domain.kind)
                else {
                    return false;
                };
                let is_total = attributes.iter().any(|attribute| *attribute.name.text == *"total");
                let domains = match &self.resolved(&inner[0]).kind {
                    DomainKind::Tuple(domains) => &domains[..],
                    _ => std::slice::from_ref(&inner[0]),
                };
                let arguments = match &arguments[..] {
                    [ExprTree { kind: ExprTreeKind::Tuple(parts), .. }] if domains.len() == parts.len() => &parts[..],
                    arguments => arguments,
                };
                kind.form() == MemberForm::Pairs
                    && is_total
                    && domains.len() == arguments.len()
                    && arguments.iter().zip(domains).all(|(argument, domain)| ranges_over(argument, domain))
            }
            _ => false,
        }
    }

    /// The domain with which a name is declared.
    pub(super) fn declared(&self, expr: &ExprTree) -> Option<&'a DomainTree> {
        let ExprTreeKind::Name(name) = &expr.kind else { return None };
        let domain = self.variables.get(&**name).or_else(|| self.givens.get(&**name)).copied()?;
        Some(self.resolved(domain))
    }

    /// True if a domain has a value in all instances, as far as the text shows.
    pub(super) fn is_inhabited(&self, domain: &DomainTree) -> bool {
        match &self.resolved(domain).kind {
            DomainKind::Bool => true,
            DomainKind::Named(name, None) => self.enums.get(&*name.text).is_some_and(|members| !members.is_empty()),
            _ => match self.interval(domain) {
                Some((low, high)) => {
                    matches!((self.largest(low), self.smallest(high)), (Some(low), Some(high)) if low <= high)
                }
                None => false,
            },
        }
    }

    /// The smallest value that an expression can have, if the text shows it.
    fn smallest(&self, expr: &ExprTree) -> Option<i64> {
        self.end_of(expr, true)
    }

    fn largest(&self, expr: &ExprTree) -> Option<i64> {
        self.end_of(expr, false)
    }

    fn end_of(&self, expr: &ExprTree, is_low: bool) -> Option<i64> {
        match &expr.kind {
            ExprTreeKind::Int(value) => Some(*value),
            ExprTreeKind::Name(name) => {
                let DomainKind::Int { ranges: Some(ranges), .. } = &self.resolved(self.givens.get(&**name)?).kind
                else {
                    return None;
                };
                let [WrittenRange::Interval(low, high)] = &ranges[..] else { return None };
                self.end_of(if is_low { low.as_ref()? } else { high.as_ref()? }, is_low)
            }
            ExprTreeKind::Apply(symbols::PLUS, operands) => {
                self.end_of(&operands[0], is_low)?.checked_add(self.end_of(operands.get(1)?, is_low)?)
            }
            ExprTreeKind::Apply(symbols::MINUS, operands) => {
                self.end_of(&operands[0], is_low)?.checked_sub(self.end_of(operands.get(1)?, !is_low)?)
            }
            // This is valid only for factors that are never negative; otherwise the product of the least factors is not
            // the least product.
            ExprTreeKind::Apply(symbols::TIMES, operands) if is_low => {
                let (one, other) = (self.smallest(&operands[0])?, self.smallest(operands.get(1)?)?);
                (one >= 0 && other >= 0).then(|| one.checked_mul(other)).flatten()
            }
            _ => None,
        }
    }
}

/// The domain of an expression that is a part of a decision variable.
pub(super) struct DecidedPart<'a> {
    pub domain: &'a DomainTree,
    /// The binders that together range over all parts.
    pub used: BTreeSet<Name>,
    /// True if the part may be absent: the image under a function that need not be total.
    pub is_partial: bool,
}

impl<'a> DecidedPart<'a> {
    /// Records that a binder ranges over all values of a domain.
    fn uses(&mut self, name: Name, domain: &DomainTree, view: &ModelView<'a>, at: &Conjunct<'a>) -> Option<()> {
        let binder = at.binder(&name)?;
        let GeneratorSource::Domain(over) = binder.over else { return None };
        (binder.part.is_none() && view.are_same(over, domain) && self.used.insert(name)).then_some(())
    }

    /// True if the requirement is about all parts without a condition.
    pub(super) fn is_all_of(&self, requirement: &Conjunct) -> bool {
        requirement.is_plain
            && requirement.guards.is_empty()
            && requirement.binders.iter().all(|binder| self.used.iter().any(|name| **name == *binder.name))
    }
}

impl<'a> Conjunct<'a> {
    pub(super) fn binder(&self, name: &str) -> Option<&RuleBinder<'a>> {
        self.binders.iter().rev().find(|binder| binder.name == name)
    }

    /// True if an expression mentions a quantified name.
    pub(super) fn binds_in(&self, expr: &ExprTree) -> bool {
        names_in(expr).iter().any(|name| self.binder(name).is_some())
    }

    /// The two sides of a comparison.
    pub(super) fn comparison(&self) -> Option<(OperatorSymbol, &'a ExprTree, &'a ExprTree)> {
        sides(self.body)
    }

    /// The binders with plain names over domains, if all are.
    pub(super) fn domain_binders(&self) -> Option<Vec<(&'a str, &'a DomainTree)>> {
        let plain = |binder: &RuleBinder<'a>| match binder {
            RuleBinder { name, over: GeneratorSource::Domain(domain), part: None } => Some((*name, domain)),
            _ => None,
        };
        if self.is_plain { self.binders.iter().map(plain).collect() } else { None }
    }
}

/// The two sides of a comparison.
pub(super) fn sides(expr: &ExprTree) -> Option<(OperatorSymbol, &ExprTree, &ExprTree)> {
    let ExprTreeKind::Apply(symbol, operands) = &expr.kind else { return None };
    match (&operands[..], is_comparison(*symbol)) {
        ([left, right], true) => Some((*symbol, left, right)),
        _ => None,
    }
}

fn is_comparison(symbol: OperatorSymbol) -> bool {
    [symbols::EQUAL, symbols::UNEQUAL, symbols::LESS, symbols::AT_MOST, symbols::GREATER, symbols::AT_LEAST]
        .contains(&symbol)
}

/// The comparison with its sides exchanged.
pub(super) fn turned(symbol: OperatorSymbol) -> OperatorSymbol {
    match symbol {
        symbols::LESS => symbols::GREATER,
        symbols::GREATER => symbols::LESS,
        symbols::AT_MOST => symbols::AT_LEAST,
        symbols::AT_LEAST => symbols::AT_MOST,
        other => other,
    }
}

/// The names in an expression, bound ones included.
pub(super) fn names_in(expr: &ExprTree) -> BTreeSet<Name> {
    fn collect(expr: &ExprTree, names: &mut BTreeSet<Name>) {
        if let ExprTreeKind::Name(name) = &expr.kind {
            names.insert(name.clone());
        }
        for_each_part(expr, &mut |part| collect(part, names));
    }
    let mut names = BTreeSet::new();
    collect(expr, &mut names);
    names
}

fn has_local_variables(expr: &ExprTree) -> bool {
    let mut found = matches!(expr.kind, ExprTreeKind::Bubble(..));
    for_each_part(expr, &mut |part| found = found || has_local_variables(part));
    found
}

/// An expression in which names are replaced simultaneously.
pub(super) fn renamed(expr: &ExprTree, names: &[(&str, &str)]) -> ExprTree {
    fn rename(expr: &mut ExprTree, names: &[(&str, &str)]) {
        if let ExprTreeKind::Name(name) = &mut expr.kind
            && let Some((_, new)) = names.iter().find(|(old, _)| **old == **name)
        {
            *name = (*new).into();
        }
        for_each_part_mut(expr, &mut |part| rename(part, names));
    }
    let mut expr = expr.clone();
    rename(&mut expr, names);
    expr
}

/// Adds the conjuncts of a requirement.
fn flatten<'a>(mut requirement: Conjunct<'a>, found: &mut Vec<Conjunct<'a>>) {
    match &requirement.body.kind {
        ExprTreeKind::Quantified(quantified) if quantified.quantifier == Quantifier::ForAll => {
            let Quantified { patterns, over, guard, body, .. } = &**quantified;
            requirement.bind(patterns, over);
            requirement.guards.extend(guard);
            requirement.body = body;
            flatten(requirement, found);
        }
        ExprTreeKind::Apply(symbols::ALL, operands) => match &operands[..] {
            [ExprTree { kind: ExprTreeKind::Comprehension(body, qualifiers), .. }] => {
                requirement.qualify(qualifiers);
                requirement.body = body;
                flatten(requirement, found);
            }
            _ => found.push(requirement),
        },
        ExprTreeKind::Apply(symbols::AND, operands) => {
            requirement.is_whole = false;
            for operand in operands {
                flatten(Conjunct { body: operand, ..requirement.clone() }, found);
            }
        }
        _ => found.push(requirement),
    }
}

impl<'a> RuleBinder<'a> {
    pub(super) fn part(&self) -> Option<(usize, usize)> {
        self.part
    }
}

/// The bounds `a` and `b` of a pair `i : int(a..b - 1)`, or `i : int(a..b)`, and `j : int(i + 1..b)`.
pub(super) fn upper_triangle<'a>(
    first: &'a DomainTree,
    second: &'a DomainTree,
    name: &str,
) -> Option<(&'a ExprTree, &'a ExprTree)> {
    let ends = |domain: &'a DomainTree| match &domain.kind {
        DomainKind::Int { tag: None, ranges: Some(ranges) } => match &ranges[..] {
            [WrittenRange::Interval(Some(low), Some(high))] => Some((low, high)),
            _ => None,
        },
        _ => None,
    };
    let ((low, before), (next, high)) = (ends(first)?, ends(second)?);
    let is_one = |expr: &ExprTree| matches!(expr.kind, ExprTreeKind::Int(1));
    let follows = match &next.kind {
        ExprTreeKind::Apply(symbols::PLUS, operands) => {
            matches!(&operands[0].kind, ExprTreeKind::Name(own) if **own == *name) && is_one(operands.get(1)?)
        }
        _ => false,
    };
    let precedes = match (&before.kind, &high.kind) {
        (ExprTreeKind::Int(before), ExprTreeKind::Int(high)) => before + 1 == *high || before == high,
        (ExprTreeKind::Apply(symbols::MINUS, operands), _) if operands[0] == *high => is_one(operands.get(1)?),
        _ => before == high,
    };
    (follows && precedes).then_some((low, high))
}

impl<'a> Conjunct<'a> {
    /// Adds the generators and conditions of a comprehension.
    pub(super) fn qualify(&mut self, qualifiers: &'a [QualifierTree]) {
        for qualifier in qualifiers {
            match qualifier {
                QualifierTree::Generator(patterns, over) => self.bind(patterns, over),
                QualifierTree::Condition(guard) => self.guards.push(guard),
                QualifierTree::Letting(..) => self.is_plain = false,
            }
        }
    }

    fn bind(&mut self, patterns: &'a [PatternTree], over: &'a GeneratorSource) {
        for pattern in patterns {
            match &pattern.kind {
                PatternKind::Name(name) => self.binders.push(RuleBinder { name, over, part: None }),
                PatternKind::Parts(PatternForm::Tuple, parts) => {
                    for (at, part) in parts.iter().enumerate() {
                        match &part.kind {
                            PatternKind::Name(name) => {
                                self.binders.push(RuleBinder { name, over, part: Some((at, parts.len())) });
                            }
                            PatternKind::Wildcard => {}
                            PatternKind::Parts(..) => self.is_plain = false,
                        }
                    }
                }
                PatternKind::Wildcard | PatternKind::Parts(..) => self.is_plain = false,
            }
        }
    }
}

impl<'a> RuleBinder<'a> {
    /// A name over all values.
    pub(super) fn plain(name: &'a str, over: &'a GeneratorSource) -> Self {
        RuleBinder { name, over, part: None }
    }
}
