//! Requirements in words: the constraint as written, with known values substituted, and its spans.

use super::{
    amounts::{AmountReader, Amounts},
    finding::Findings,
    trees::Trees,
    words::{DomainInWords, InWords},
    written::{ReadLiterals, span_of_word},
};
use crate::{
    analysis::model::{
        Declaration, DeclarationId, DeclarationKind, Expr, LocalId, Pattern, Qualifier, expressions_in_domain,
    },
    diagnostic::Label,
    instance::{Environment, GroundInstance},
    language::{Name, PartName, Type, Value, domain::ValueStep, print::MemberNames},
    lowering::{DomainBound, EnclosingLayer, Requirement, RequirementOrigin},
    source::{Sources, Span},
};
use rustc_hash::FxHashMap;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A requirement for people.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Reason {
    /// The requirement as Essence; a bound, an attribute or a definedness in words. For several instances, their common
    /// form with the quantified names that vary.
    pub says: String,
    /// The requirement with amounts in their units; empty if it has no amounts.
    pub reads: String,
    /// The values of the quantified names around the requirement, `i = 2, j = 3`; may be empty.
    pub with: String,
    /// The requirement in the words of its rule; empty if the rule has none.
    pub words: InWords,
    /// The bound or the attribute of a domain, for readers who have no model.
    pub(crate) domain: Option<DomainInWords>,
    /// The findings about the requirement if all its names have values, or the reason why it cannot hold.
    pub findings: Findings,
    /// The spans of the requirement with their texts: first its own, then the data that it reads.
    pub labels: Vec<Label>,
    /// The instances, if there are several.
    pub instances: Vec<ConstraintInstance>,
}

/// One instance of a constraint.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ConstraintInstance {
    /// The instance as Essence.
    pub says: String,
    /// The values of its quantified names, `i = 2, j = 3`.
    pub with: String,
    /// The instance in the words of its rule; empty if the rule has none.
    pub words: InWords,
    /// The findings about the instance.
    pub findings: Findings,
}

/// Puts requirements into words.
pub(crate) struct Describer<'a> {
    pub(super) instance: &'a GroundInstance,
    pub(super) sources: &'a Sources,
    pub(super) trees: Trees<'a>,
    pub(super) env: Environment,
    pub(super) literals: ReadLiterals,
    /// The names that are not replaced although they have values.
    pub kept: BTreeSet<DeclarationId>,
    /// The expressions for the values that decision variables must have.
    pub written: &'a [(DeclarationId, Expr)],
    pub(super) quantified: QuantifiedNames,
    /// The amounts in the current statement, if it is shown in units.
    pub(super) amounts: Amounts,
}

/// The quantified names around a statement.
#[derive(Default)]
pub(super) struct QuantifiedNames {
    /// The values of names.
    pub bound: BTreeMap<LocalId, Value>,
    /// The names that are not replaced although they have values.
    pub unstated: BTreeSet<LocalId>,
    /// The names that are renamed in the statement.
    pub renamed: BTreeMap<LocalId, Name>,
    /// The names that vary between the instances of a common statement.
    pub generic: BTreeSet<LocalId>,
}

impl QuantifiedNames {
    /// The value that replaces a name.
    pub(super) fn value(&self, local: LocalId) -> Option<&Value> {
        self.bound.get(&local).filter(|_| !self.unstated.contains(&local))
    }

    /// Returns true if a value replaces a name, or the name stands for the values of several instances.
    pub(super) fn is_stated(&self, local: LocalId) -> bool {
        self.generic.contains(&local) || self.value(local).is_some()
    }

    /// Returns true if all names of a pattern are stated.
    pub(super) fn all_stated(&self, pattern: &Pattern) -> bool {
        let mut all = true;
        pattern.names(&mut |local| all = all && self.is_stated(local));
        all
    }
}

impl<'a> Describer<'a> {
    pub(crate) fn new(instance: &'a GroundInstance, sources: &'a Sources) -> Self {
        // A solution may have given values to decision variables, but these keep their names.
        let finds = |(position, kind): (u32, &DeclarationKind)| {
            matches!(kind, DeclarationKind::Find(_)).then_some(DeclarationId(position))
        };
        let kinds = instance.model.declarations.iter().map(|declaration| &declaration.kind);
        let kept = (0..).zip(kinds).filter_map(finds).collect();
        Describer {
            instance,
            sources,
            trees: Trees::new(sources),
            env: instance.environment.clone(),
            literals: ReadLiterals::default(),
            kept,
            written: &[],
            quantified: QuantifiedNames::default(),
            amounts: Amounts::default(),
        }
    }

    pub(crate) fn reason(&mut self, requirement: &Requirement) -> Reason {
        let label = |span: Span| Label { span, text: String::new() };
        match &requirement.origin {
            RequirementOrigin::Constraint { expr, bindings, entries, context } => {
                let said = self.instance_of(expr, bindings, context);
                let mut labels = vec![label(expr.span)];
                let holds = |span| Label { span, text: "where this holds".into() };
                labels.extend(self.conditions(context).into_iter().map(holds));
                let mut read: Vec<Span> = entries.iter().filter_map(|entry| self.span_of_entry(entry)).collect();
                // The lookups depend on the values of the requirement's own names.
                self.enter(bindings, context);
                let mut looked_up = Vec::new();
                self.lookups(expr, &mut looked_up);
                for enclosing in context {
                    enclosing.for_each_condition(&mut |part| self.lookups(part, &mut looked_up));
                }
                read.extend(looked_up.into_iter().map(|(span, _)| span));
                read.extend(self.lookups_in_lists(expr));
                read.sort_unstable();
                read.dedup();
                labels.extend(read.into_iter().map(label));
                let reads = self.reading(self.conclusion(expr), context);
                let ConstraintInstance { says, with, words, findings } = said;
                Reason { says, reads, with, words, findings, labels, ..Reason::default() }
            }
            RequirementOrigin::Defined { expr, bindings, context } => {
                self.enter(bindings, context);
                let says = format!("`{}` has a value", self.definition(expr, context));
                let findings = self.undefined_part(expr);
                let words = self.in_words(expr, bindings, context);
                Reason {
                    says,
                    with: self.with(bindings),
                    words,
                    findings,
                    labels: vec![label(expr.span)],
                    ..Reason::default()
                }
            }
            RequirementOrigin::Value { variable, path, value, ty } => {
                let declaration = self.instance.model.declaration(*variable);
                let part = described_part(&self.instance.names, &declaration.name, path, &declaration.ty);
                let says = format!("{part} = {}", self.shown(value, ty));
                let reads = match self.instance.model.units.is_empty() {
                    true => String::new(),
                    false => {
                        let whole = self.instance.model.type_in_units(declaration);
                        let read = self.instance.names.in_units().show(value, part_type(&whole, path));
                        format!("{part} = {read}")
                    }
                };
                let written = self.written.iter().find(|(id, _)| id == variable);
                let span = written.and_then(|(_, written)| self.span_in(written, path).or(Some(written.span)));
                let span = span.unwrap_or(declaration.span);
                Reason { says, reads, labels: vec![label(span)], ..Reason::default() }
            }
            RequirementOrigin::Domain { variable, says, reads, span, word, bound } => {
                let declaration = self.instance.model.declaration(*variable);
                let of_word = || span_of_word(self.sources, &self.instance.model, declaration.span, word);
                let span = span.or_else(of_word).unwrap_or(declaration.span);
                let domain = Some(self.domain_in_words(declaration, word, bound.as_ref(), span, says));
                Reason {
                    says: says.clone(),
                    reads: reads.clone(),
                    domain,
                    labels: vec![label(span)],
                    ..Reason::default()
                }
            }
        }
    }

    /// One instance of a constraint in words.
    pub(super) fn instance_of(
        &mut self,
        expr: &Expr,
        bindings: &[(LocalId, Option<Value>)],
        context: &[EnclosingLayer],
    ) -> ConstraintInstance {
        let words = self.in_words(expr, bindings, context);
        self.enter(bindings, context);
        let expr = self.conclusion(expr);
        let says = self.statement(expr, context);
        ConstraintInstance { says, with: self.with(bindings), words, findings: self.findings(expr) }
    }

    /// A bound or an attribute of a variable's domain, which is at this span, for readers who have no model.
    fn domain_in_words(
        &self,
        variable: &Declaration,
        word: &str,
        bound: Option<&DomainBound>,
        span: Span,
        says: &str,
    ) -> DomainInWords {
        let name = &variable.name;
        let Some(DomainBound { what, side, number }) = bound else {
            return DomainInWords::Sentence(match word {
                "total" => format!("`{name}` has a value everywhere"),
                "injective" => format!("no value occurs twice in `{name}`"),
                "surjective" => format!("every value occurs in `{name}`"),
                "bijective" => format!("every value occurs once in `{name}`"),
                _ => says.to_owned(),
            });
        };
        // The name of a domain says more than its position: `letting TIME be domain int(1..times)`.
        let is_named = |declaration: &&Declaration| match &declaration.kind {
            DeclarationKind::LettingDomain(domain) => {
                let mut found = false;
                expressions_in_domain(domain, &mut |part| found = found || part.span == span);
                found
            }
            _ => false,
        };
        let domain = self.instance.model.declarations.iter().find(is_named);
        let is_whole = *what == format!("`{name}`");
        let what = match domain.filter(|_| !is_whole) {
            Some(domain) => format!("each `{}` in `{name}`", domain.name),
            None => what.replace("each element of", "each value of").replace("each image of", "each value of"),
        };
        DomainInWords::Bound { what, side: *side, number: number.clone() }
    }

    /// A statement with amounts in their units; empty if it has no amounts.
    fn reading(&mut self, expr: &Expr, context: &[EnclosingLayer]) -> String {
        if self.instance.model.units.is_empty() {
            return String::new();
        }
        let is_known = |part: &Expr| self.is_known(part);
        let (locals, amounts) = (FxHashMap::default(), Amounts::default());
        let reader = AmountReader { model: &self.instance.model, is_known: &is_known, locals, amounts };
        let amounts = reader.of_statement(expr, context).unwrap_or_default();
        // Without amounts, the text would repeat the statement.
        if amounts.is_empty() {
            return String::new();
        }
        self.amounts = amounts;
        let reads = self.statement(expr, context);
        // The amounts apply to this statement only.
        self.amounts.clear();
        reads
    }

    /// The equation `i = 2` in Essence.
    pub(crate) fn equation(&self, local: LocalId, value: &Value) -> String {
        let (name, ty) = self.local(local);
        format!("{name} = {}", self.instance.names.show(value, ty))
    }

    pub(crate) fn names(&self) -> &'a MemberNames {
        &self.instance.names
    }

    /// Binds the names around a requirement to their values.
    pub(super) fn enter(&mut self, bindings: &[(LocalId, Option<Value>)], context: &[EnclosingLayer]) {
        let bound = bindings.iter().filter_map(|(local, value)| Some((*local, value.clone()?))).collect();
        self.quantified = QuantifiedNames { bound, ..QuantifiedNames::default() };
        for (local, value) in bindings {
            match value {
                Some(value) => self.env.bind_local(*local, value.clone()),
                // The environment may still have the value from an earlier requirement.
                None => self.env.unbind_local(*local),
            }
        }
        for enclosing in context {
            if let EnclosingLayer::Qualifier(qualifier) = enclosing
                && let Qualifier::Letting(pattern, value) = &**qualifier
                && !self.is_known(value)
            {
                // The name stands for an expression with decisions, so its value must not be used.
                pattern.names(&mut |local| {
                    self.quantified.unstated.insert(local);
                });
            }
        }
    }

    pub(super) fn with(&self, bindings: &[(LocalId, Option<Value>)]) -> String {
        let show = |(local, value): &(LocalId, Option<Value>)| {
            let (name, ty) = self.local(*local);
            Some(format!("{name} = {}", self.instance.names.show_briefly(value.as_ref()?, ty)))
        };
        bindings.iter().filter_map(show).collect::<Vec<_>>().join(", ")
    }

    /// The name and the type of a quantified name.
    pub(super) fn local(&self, local: LocalId) -> (&'a str, &'a Type) {
        let local = &self.instance.model.local_names[local.0 as usize];
        (&local.name, &local.ty)
    }

    /// The spans of the conditions of a requirement that depend on decisions.
    fn conditions(&self, context: &[EnclosingLayer]) -> Vec<Span> {
        let condition = |enclosing: &EnclosingLayer| match enclosing {
            EnclosingLayer::Assumed(condition) => Some(condition.clone()),
            EnclosingLayer::Qualifier(qualifier) => match &**qualifier {
                Qualifier::Condition(condition) => Some(Arc::new(condition.clone())),
                _ => None,
            },
        };
        let open = context.iter().filter_map(condition).filter(|condition| !self.is_known(condition));
        open.map(|condition| condition.span).collect()
    }
}

/// The name of a part of a decision variable: `board[1, 2]`, `pair[1]`, `person[age]`.
pub(crate) fn described_part(names: &MemberNames, variable: &str, path: &[ValueStep], ty: &Type) -> PartName {
    let mut name = PartName::of(variable);
    let mut ty = ty.clone();
    for step in path {
        let next = match (step, &ty) {
            (ValueStep::Element(index), Type::Matrix(parts)) => {
                name = name.element(names.show(index, &parts[0]));
                parts[1].clone()
            }
            (ValueStep::Component(position), Type::Record(fields)) => {
                name = name.component(&fields[*position].0);
                fields[*position].1.clone()
            }
            (ValueStep::Component(position), Type::Tuple(types)) => {
                // Essence counts the components of a tuple from 1.
                name = name.component(position + 1);
                types[*position].clone()
            }
            _ => return name,
        };
        ty = next;
    }
    name
}

/// The type of the part of a value at a path.
fn part_type<'t>(ty: &'t Type, path: &[ValueStep]) -> &'t Type {
    path.iter().fold(ty, |ty, step| match (step, ty) {
        (ValueStep::Element(_), Type::Matrix(sides)) => &sides[1],
        (ValueStep::Component(at), Type::Tuple(types)) => &types[*at],
        (ValueStep::Component(at), Type::Record(fields)) => &fields[*at].1,
        _ => &Type::Any,
    })
}

/// Replaces each run of white space with one blank.
pub(crate) fn with_single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
