//! The domains of the typed model: their types, bounds and attributes.

use super::{
    Analysis, Reports,
    extent::ExprSize,
    mistakes::described_type,
    model::{
        self, Category, DeclarationId, DeclarationKind, Expr, ExprDomain, ExprKind, ExprSearch, Ints, Range, TypedModel,
    },
    names::{Infinite, NameMeaning},
};
use crate::{
    diagnostic::{Code, Diagnostic, Edit},
    language::{
        Collection, NamedType, Type, Value,
        attributes::{Attributes, Measure, Property, Size},
    },
    operators::symbols,
    source::Span,
    syntax::{
        self,
        ast::{self, DomainKind, Identifier, WrittenAttribute},
    },
};
use std::{borrow::Cow, sync::Arc};

/// A domain with its type and other properties.
#[derive(Clone, Debug)]
pub(crate) struct TypedDomain {
    pub domain: ExprDomain,
    /// The type of its members.
    pub ty: Type,
    pub category: Category,
    /// The reason why the domain has infinitely many members, if it does.
    pub infinite: Option<Infinite>,
}

const NO_BOUND: (&str, &str) = ("has no bound", "write two bounds, such as `int(1..9)`");

/// The analysis of a domain.
pub(super) struct Domains<'a, 'd> {
    pub analysis: &'a mut Analysis<'d>,
    /// True if the domain belongs to a generator, so that its numbers may depend on decisions.
    in_generator: bool,
}

impl<'d> Analysis<'d> {
    /// Returns the analysis of domains outside generators.
    pub(super) fn domains(&mut self) -> Domains<'_, 'd> {
        Domains { analysis: self, in_generator: false }
    }

    /// Reports an expression that depends on decision variables in a place that takes only data.
    pub(super) fn only_data(&mut self, expr: Expr, place: &str, help: Option<&str>) -> Expr {
        if expr.category < Category::Decision {
            return expr;
        }
        let mistake =
            Diagnostic::error(Code::DECISION_IN_DOMAIN, format!("{place} cannot depend on a decision variable"));
        let mistake = match self.model.first_decision(&expr) {
            Some((id, span)) => {
                let found = self.model.declaration(id);
                mistake.at(span, format!("`{}` is found by the solver", found.name)).at(found.span, "declared here")
            }
            // If no declared variable occurs, the decision is a local one: `{ e @ find x : D }`.
            None => mistake.at(expr.span, "has a local decision variable, whose value is not known before solving"),
        };
        self.reports.add(match help {
            Some(help) => mistake.help(help),
            None => mistake,
        });
        Expr::wrong(expr.span)
    }
}

impl Domains<'_, '_> {
    pub(super) fn domain(&mut self, domain: &ast::DomainTree) -> TypedDomain {
        let span = domain.span;
        match &domain.kind {
            DomainKind::Bool => finite(ExprDomain::Bool, Type::Bool),
            DomainKind::Int { tag, ranges } => {
                let ty = Type::tagged(tag.as_ref().map(|tag| tag.text.clone()));
                self.int_domain(ranges.as_deref(), ty, span)
            }
            DomainKind::Named(name, ranges) => self.domain_by_name(name, ranges.as_deref(), span),
            DomainKind::Tuple(items) => {
                let items: Vec<TypedDomain> = items.iter().map(|item| self.domain(item)).collect();
                let ty = Type::Tuple(items.iter().map(|item| item.ty.clone()).collect());
                combined(items, ty, ExprDomain::Tuple)
            }
            DomainKind::Record(fields) => {
                // The order of fields does not matter for equality, so types and values have sorted fields.
                let fields = self.with_all_domains(fields);
                let mut fields = self.fields(&fields);
                fields.sort_by(|left, right| left.0.text.cmp(&right.0.text));
                with_fields(fields, Type::Record, ExprDomain::Record)
            }
            DomainKind::Variant(fields) => {
                let fields = self.fields(fields);
                with_fields(fields, Type::Variant, ExprDomain::Variant)
            }
            DomainKind::Matrix(indices, element) => {
                // `matrix indexed by [A, B] of E` is a matrix of matrices, which is built from the innermost dimension.
                let indices: Vec<TypedDomain> = indices.iter().map(|index| self.index(index)).collect();
                let element = self.domain(element);
                indices.into_iter().rev().fold(element, |element, index| {
                    let ty = Type::matrix(index.ty.clone(), element.ty.clone());
                    domain_pair(index, element, ty, ExprDomain::Matrix)
                })
            }
            DomainKind::Collection(kind, attributes, parts) => self.collection_domain(*kind, attributes, parts, span),
        }
    }

    /// Analyses a domain whose values must be enumerable.
    pub(super) fn finite(&mut self, domain: &ast::DomainTree, what: &str) -> TypedDomain {
        let typed = self.domain(domain);
        if let Some(infinite) = &typed.infinite {
            let mistake = Diagnostic::error(Code::INFINITE_DOMAIN, format!("{what} must be finite"));
            // The reason may be in the declaration of another domain that this one names, so both places are shown.
            let mistake = if infinite.span.source == domain.span.source
                && (domain.span.start..domain.span.end).contains(&infinite.span.start)
            {
                mistake.at(infinite.span, infinite.why)
            } else {
                mistake.at(domain.span, "stands for an infinite domain").at(infinite.span, infinite.why)
            };
            self.analysis.reports.add(mistake.help(infinite.help));
        }
        typed
    }

    /// Analyses the index domain of a matrix: bool, int, an enumerated or an unnamed type.
    pub(super) fn index(&mut self, index: &ast::DomainTree) -> TypedDomain {
        let typed = self.domain(index);
        if !matches!(typed.ty, Type::Any | Type::Bool | Type::Int(_) | Type::Named(_)) {
            self.analysis.reports.add(
                Diagnostic::error(Code::NOT_INDEXABLE, format!("a matrix cannot be indexed by `{}`", typed.ty))
                    .at(index.span, "not bool, int or an enumerated type")
                    .help("use a function: `function (total) (…) --> …`"),
            );
            return wrong(index.span);
        }
        typed
    }

    /// Analyses the domain of a generator. Its bounds and sizes may depend on decisions.
    pub(super) fn of_generator(self, domain: &ast::DomainTree) -> TypedDomain {
        Domains { in_generator: true, ..self }.finite(domain, "the domain of a generator")
    }

    /// Analyses an expression within a domain, which may depend on decisions only in a generator.
    pub(super) fn datum(&mut self, expr: &ast::ExprTree, ty: &Type, what: &str) -> Expr {
        let typed = self.analysis.expr(expr);
        let typed = self.analysis.reports.expect(typed, ty, what);
        self.data_in_domain(typed)
    }

    fn data_in_domain(&mut self, expr: Expr) -> Expr {
        if self.in_generator && matches!(expr.ty, Type::Int(_) | Type::Named(_)) {
            return expr;
        }
        let help = match self.in_generator {
            true => "write `in` to range over the members of a collection",
            false => "use a larger domain, and add a constraint that excludes the values that you do not want",
        };
        self.analysis.only_data(expr, "a domain", Some(help))
    }

    fn int_domain(&mut self, ranges: Option<&[ast::WrittenRange]>, ty: Type, span: Span) -> TypedDomain {
        let Some(ranges) = ranges else {
            return TypedDomain {
                infinite: infinite(span, NO_BOUND),
                ..finite(ExprDomain::Int(Ints::Ranges(Vec::new())), ty)
            };
        };
        // `int(S)` has the members of the collection `S`, but `int(3)` has a single value.
        if let [ast::WrittenRange::Single(single)] = ranges {
            let value = self.analysis.expr(single);
            let value = self.data_in_domain(value);
            let members = match &value.ty {
                Type::List(_) | Type::Matrix(_) => value.ty.member(),
                other => other.as_set().cloned(),
            };
            let category = value.category;
            let ints = match members {
                Some(member) if member.join(&Type::INT).is_some() => Ints::Members(value),
                Some(_) => {
                    self.analysis.reports.expect(
                        value,
                        &Type::set(Type::INT),
                        "the collection of the values of `int(…)`",
                    );
                    Ints::Ranges(Vec::new())
                }
                None => {
                    let bounds = bounds_of(&ty, &value);
                    Ints::Ranges(vec![Range::Single(self.analysis.reports.number_of_domain(value, single, &bounds))])
                }
            };
            return TypedDomain { category, ..finite(ExprDomain::Int(ints), ty) };
        }
        let (ranges, category, open) = self.ranges(ranges, &ty, span);
        let infinite = open.and_then(|span| infinite(span, NO_BOUND));
        TypedDomain { domain: ExprDomain::Int(Ints::Ranges(ranges)), ty, category, infinite }
    }

    /// Returns the ranges, the category of their bounds, and the span if a range is open.
    fn ranges(&mut self, ranges: &[ast::WrittenRange], ty: &Type, span: Span) -> (Vec<Range>, Category, Option<Span>) {
        let (mut category, mut open) = (Category::Constant, None);
        let mut typed = Vec::with_capacity(ranges.len());
        let mut bound = |domains: &mut Self, bound: &ast::ExprTree| {
            // Data for an earlier model may have indices that are no longer members. Only in this case do unknown names
            // get this type.
            let takes_strangers = domains.analysis.has_strange_indices && matches!(ty, Type::Named(_));
            let bound = domains.analysis.expr_expecting(bound, if takes_strangers { ty } else { &Type::Any });
            let ty = bounds_of(ty, &bound);
            let bound = domains.analysis.reports.expect(bound, &ty, "a bound of a domain");
            let bound = domains.data_in_domain(bound);
            category = category.max(bound.category);
            bound
        };
        for range in ranges {
            typed.push(match range {
                ast::WrittenRange::Single(value) => Range::Single(bound(self, value)),
                ast::WrittenRange::Interval(low, high) => {
                    if low.is_none() || high.is_none() {
                        open = Some(span);
                    }
                    let low = low.as_ref().map(|low| bound(self, low));
                    Range::Interval(low, high.as_ref().map(|high| bound(self, high)))
                }
            });
        }
        (typed, category, open)
    }

    fn domain_by_name(&mut self, name: &Identifier, ranges: Option<&[ast::WrittenRange]>, span: Span) -> TypedDomain {
        let analysis = &mut *self.analysis;
        let meaning = analysis.names.get(&name.text);
        let id = match meaning {
            Some(NameMeaning::Global(id)) => id,
            Some(NameMeaning::Domain(domain, ty)) => {
                analysis.names.note_use(&name.text);
                // A name that the analysis has inserted stands for a copy of its domain, which counts towards the limit
                // on copies.
                return match analysis.copies.admit(&mut analysis.reports, ExprSize::of_domain(&domain), span) {
                    true => finite((*domain).clone(), ty),
                    false => wrong(span),
                };
            }
            Some(NameMeaning::Member(named, _)) => {
                let what = format!("`{}` is a value of type `{}`", name.text, named.name);
                return analysis.reports.no_domain(name, what, None);
            }
            Some(NameMeaning::Local(_, ty, _)) => return analysis.reports.no_domain_of_type(name, &ty, None),
            Some(NameMeaning::Value(value)) => return analysis.reports.no_domain_of_type(name, &value.ty, None),
            None => {
                let help = meant_domain(&name.text).map(|word| format!("write `{word}`"));
                analysis.unknown(&name.text, name.span, help);
                return wrong(span);
            }
        };
        let extent = match &analysis.model.declaration(id).kind {
            DeclarationKind::LettingDomain(domain) => ExprSize::of_domain(domain),
            DeclarationKind::Letting(value) => ExprSize::of(value),
            _ => ExprSize::default(),
        };
        if !analysis.copies.admit(&mut analysis.reports, extent, span) {
            return wrong(span);
        }
        self.domain_of_declaration(id, name, ranges, span)
    }

    /// Returns the domain that a declared name stands for.
    fn domain_of_declaration(
        &mut self,
        id: DeclarationId,
        name: &Identifier,
        ranges: Option<&[ast::WrittenRange]>,
        span: Span,
    ) -> TypedDomain {
        let declaration = self.analysis.model.declaration(id);
        let (ty, place) = (declaration.ty.clone(), declaration.span);
        let no_ranges = |message, label| {
            let error = Diagnostic::error(Code::WRONG_KIND_OF_NAME, message);
            error.at(span, label).at(place, "declared here")
        };
        match &declaration.kind {
            DeclarationKind::LettingDomain(domain) => {
                let domain = domain.clone();
                if let Some(ranges) = ranges {
                    // The ranges are analysed only to find the errors in them.
                    self.ranges(ranges, &Type::Any, span);
                    let message = "only an enumerated type can be restricted to ranges";
                    self.analysis.reports.add(no_ranges(message, "not an enumerated type"));
                }
                // The `letting` may depend on parameters, which the use of its name does not show.
                let mut category = Category::Constant;
                model::expressions_in_domain(&domain, &mut |part| category = category.max(part.category));
                let infinite = self.analysis.names.infinite.get(&id).cloned();
                TypedDomain { domain, ty, category, infinite }
            }
            DeclarationKind::Enum(_) | DeclarationKind::GivenEnum | DeclarationKind::Unnamed(_) => {
                let category = match &declaration.kind {
                    // The data define its members.
                    DeclarationKind::GivenEnum => Category::Parameter,
                    DeclarationKind::Unnamed(size) => size.category,
                    _ => Category::Constant,
                };
                if let (DeclarationKind::Unnamed(_), Some(_)) = (&declaration.kind, ranges) {
                    let message = "the members of an unnamed type have no order";
                    self.analysis.reports.add(no_ranges(message, "cannot be restricted to ranges"));
                    return finite(ExprDomain::Int(Ints::Named(id, Vec::new())), ty);
                }
                let (ranges, bounds, _) = self.ranges(ranges.unwrap_or_default(), &ty, span);
                TypedDomain { category: category.max(bounds), ..finite(ExprDomain::Int(Ints::Named(id, ranges)), ty) }
            }
            DeclarationKind::Letting(value) => match (&value.kind, &value.ty) {
                (ExprKind::Domain(domain), Type::Domain(inner)) => {
                    let category = value.category;
                    TypedDomain { category, ..finite((**domain).clone(), (**inner).clone()) }
                }
                _ => self.analysis.reports.no_domain_of_type(name, &ty, Some(place)),
            },
            DeclarationKind::Given(_) | DeclarationKind::Find(_) => {
                self.analysis.reports.no_domain_of_type(name, &ty, Some(place))
            }
        }
    }

    /// Reports a field of a record without a domain, and gives it the domain of the next field that has one, as was
    /// meant by `record {a, b : int(0..9)}`.
    fn with_all_domains<'a>(
        &mut self,
        fields: &'a [(Identifier, Option<ast::DomainTree>)],
    ) -> Cow<'a, [(Identifier, Option<ast::DomainTree>)]> {
        let Some((first, _)) = fields.iter().find(|(_, domain)| domain.is_none()) else { return fields.into() };
        let mut meant = fields.to_vec();
        let mut known = None;
        // The domain follows the names that share it, so the loop runs from the last field to the first.
        for (_, domain) in meant.iter_mut().rev() {
            match domain {
                Some(domain) => known = Some(domain.clone()),
                None => domain.clone_from(&known),
            }
        }
        let mut mistake =
            Diagnostic::error(Code::UNKNOWN_TYPE, format!("the field `{}` of this record has no domain", first.text));
        let missing = fields.iter().zip(&meant).filter(|((_, written), _)| written.is_none());
        for ((name, _), (_, meant)) in missing {
            mistake = mistake.at(name.span, "a domain is missing here");
            mistake.edits.extend(meant.iter().map(|meant| Edit {
                span: Span { start: name.span.end, ..name.span },
                text: format!(" : {}", syntax::print::print_domain(meant, usize::MAX)),
            }));
        }
        let help = if meant.iter().all(|(_, domain)| domain.is_some()) {
            let kind = DomainKind::Record(meant.clone());
            syntax::print::print_domain(&ast::DomainTree { kind, span: first.span }, usize::MAX)
        } else {
            // If even the last field has no domain, no edit can complete the record.
            mistake.edits.clear();
            format!("{} : int(0..9)", first.text)
        };
        self.analysis.reports.add(mistake.help(format!("write `{help}`")));
        meant.into()
    }

    /// Returns the fields of a record, or the alternatives of a variant. An alternative without a domain carries no
    /// information: its only value is 0.
    fn fields<'a>(
        &mut self,
        fields: &'a [(Identifier, Option<ast::DomainTree>)],
    ) -> Vec<(&'a Identifier, TypedDomain)> {
        let mut typed: Vec<(&Identifier, TypedDomain)> = Vec::with_capacity(fields.len());
        for (name, domain) in fields {
            let domain = match domain {
                Some(domain) => self.domain(domain),
                None => {
                    let zero = Expr::constant(crate::language::Value::Int(0), Type::INT, name.span);
                    finite(ExprDomain::Int(Ints::Ranges(vec![Range::Single(zero)])), Type::INT)
                }
            };
            match typed.iter().find(|(field, _)| field.text == name.text) {
                Some((first, _)) => {
                    let first = first.span;
                    self.analysis.reports.add(
                        Diagnostic::error(Code::DUPLICATE_NAME, format!("the field `{}` is declared twice", name.text))
                            .at(name.span, "again")
                            .at(first, "first here"),
                    );
                }
                None => typed.push((name, domain)),
            }
        }
        typed
    }

    fn collection_domain(
        &mut self,
        kind: Collection,
        written: &[WrittenAttribute],
        parts: &[ast::DomainTree],
        span: Span,
    ) -> TypedDomain {
        let typed: Vec<TypedDomain> = parts.iter().map(|part| self.domain(part)).collect();
        let (mut attributes, category) = self.attributes(kind, written);
        self.analysis.reports.check_properties(kind, written, parts, &typed);
        let is_bounded =
            [Measure::Size, Measure::Occurrences].iter().any(|measure| attributes.bounds(*measure).max.is_some());
        let mut unbounded = None;
        if let (Some(advice), [inner], false) = (kind.row().size_advice(), &typed[..], is_bounded) {
            // A collection without repetitions cannot have more members than there are values, and if every value
            // occurs, it has exactly this number.
            if attributes.has(Property::Injective) && inner.infinite.is_none() {
                let ty = Type::Domain(Arc::new(inner.ty.clone()));
                let kind = ExprKind::Domain(Box::new(inner.domain.clone()));
                let members = Expr::new(kind, ty, inner.category, parts[0].span);
                let count = self.analysis.resolve(symbols::BARS, vec![members], parts[0].span);
                let onto = attributes.has(Property::Surjective).then(|| count.clone());
                let min = attributes.size().min.clone().or(onto);
                attributes = attributes.bounding(Measure::Size, Size { min, max: Some(count) });
            } else {
                // Without a bound on sizes or occurrences, `mset of int(1..3)` has infinitely many values.
                unbounded = infinite(span, ("has no largest size", advice));
            }
        }
        let whole = applied_attributes(kind, attributes, category, typed);
        TypedDomain { infinite: whole.infinite.or(unbounded), ..whole }
    }
}

impl Reports<'_> {
    fn no_domain(&mut self, name: &Identifier, what: String, declared: Option<Span>) -> TypedDomain {
        self.no_domain_with(name, what, declared, None)
    }

    fn no_domain_of_type(&mut self, name: &Identifier, ty: &Type, declared: Option<Span>) -> TypedDomain {
        if *ty == Type::Any {
            return wrong(name.span);
        }
        let what = format!("`{}` is {}", name.text, described_type(ty));
        let help = match ty {
            ty if *ty == Type::INT => {
                Some(format!("write `int(1..{})` for the numbers from 1 to `{}`", name.text, name.text))
            }
            ty if ty.as_set() == Some(&Type::INT) => {
                Some(format!("write `int({})` for the domain of its members", name.text))
            }
            _ => None,
        };
        self.no_domain_with(name, what, declared, help)
    }

    fn no_domain_with(
        &mut self,
        name: &Identifier,
        what: String,
        declared: Option<Span>,
        help: Option<String>,
    ) -> TypedDomain {
        let mut mistake = Diagnostic::error(Code::WRONG_KIND_OF_NAME, format!("{what}, not a domain"))
            .at(name.span, "a domain is needed here");
        if let Some(declared) = declared {
            mistake = mistake.at(declared, "declared here");
        }
        if let Some(help) = help {
            mistake = mistake.help(help);
        }
        self.add(mistake);
        wrong(name.span)
    }

    /// Checks a single value in `int(…)`. `int(1:n)` is read as a tagged number, but a range was meant.
    fn number_of_domain(&mut self, value: Expr, written: &ast::ExprTree, ty: &Type) -> Expr {
        let ast::ExprTreeKind::TaggedInt(low, tag) = &written.kind else {
            return self.expect(value, ty, "a value in `int(…)`");
        };
        if value.ty.join(ty).is_some() {
            return value;
        }
        let text = format!("{low}..{}", tag.text);
        let mistake = Diagnostic::error(Code::TYPE_MISMATCH, "a range of integers is written with `..`")
            .at(written.span, format!("a number with the tag `{}`", tag.text))
            .help(format!("write `int({text})`"));
        self.add(Diagnostic { edits: vec![Edit { span: written.span, text }], ..mistake });
        Expr::wrong(written.span)
    }
}

impl TypedModel {
    /// Returns the first decision variable in an expression, looking through the values of names, with the span of the
    /// name in the expression.
    pub(super) fn first_decision(&self, expr: &Expr) -> Option<(DeclarationId, Span)> {
        let mut search = ExprSearch::new(self);
        let mut decision = |named: &Expr| {
            let is_find = |id: DeclarationId| matches!(self.declaration(id).kind, DeclarationKind::Find(_));
            let found = search.first(named, &mut |part| matches!(part.kind, ExprKind::Global(id) if is_find(id)))?;
            if let ExprKind::Global(id) = found.kind { Some((id, named.span)) } else { None }
        };
        let mut found = None;
        ExprSearch::new(self).first(expr, &mut |part| {
            found = if matches!(part.kind, ExprKind::Global(_)) { decision(part) } else { None };
            found.is_some()
        });
        found
    }

    /// The number of members of an enumerated or unnamed type, if the model fixes it.
    pub(super) fn member_count(&self, id: DeclarationId) -> Option<i64> {
        match &self.declaration(id).kind {
            DeclarationKind::Enum(members) => Some(members.len() as i64),
            DeclarationKind::Unnamed(size) => self.constant_int(size),
            _ => None,
        }
    }

    /// The value of an integer expression that the model alone determines: a literal, a `letting`, or operators applied
    /// to these.
    pub(super) fn constant_int(&self, expr: &Expr) -> Option<i64> {
        // Each line of `letting b be a + a`, `letting c be b + b`, … doubles the work, so the number of steps is
        // limited.
        self.constant_int_within(expr, &mut 1_000)
    }

    fn constant_int_within(&self, expr: &Expr, steps: &mut u32) -> Option<i64> {
        *steps = steps.checked_sub(1)?;
        match &expr.kind {
            ExprKind::Constant(Value::Int(value)) => Some(*value),
            ExprKind::Global(id) => match &self.declaration(*id).kind {
                DeclarationKind::Letting(value) => self.constant_int_within(value, steps),
                _ => None,
            },
            ExprKind::Apply(row, operands) => {
                let operand = |operand: &Expr| self.constant_int_within(operand, steps).map(Value::Int);
                let operands: Vec<Value> = operands.iter().map(operand).collect::<Option<_>>()?;
                match (row.eval)(&operands) {
                    Ok(Value::Int(value)) => Some(value),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Returns the type that a bound must have. Bounds of `int:A(…)` may be plain integers.
fn bounds_of(ty: &Type, bound: &Expr) -> Type {
    match (ty, &bound.ty) {
        (Type::Int(_), bound) if *bound == Type::INT => Type::INT,
        _ => ty.clone(),
    }
}

fn infinite(span: Span, advice: (&'static str, &'static str)) -> Option<Infinite> {
    let (why, help) = advice;
    Some(Infinite { span, why, help })
}

fn finite(domain: ExprDomain, ty: Type) -> TypedDomain {
    TypedDomain { domain, ty, category: Category::Constant, infinite: None }
}

/// Returns a placeholder for a domain whose error has been reported.
fn wrong(span: Span) -> TypedDomain {
    finite(ExprDomain::Int(Ints::Ranges(vec![Range::Single(Expr::wrong(span))])), Type::Any)
}

fn combined(parts: Vec<TypedDomain>, ty: Type, domain: impl FnOnce(Vec<ExprDomain>) -> ExprDomain) -> TypedDomain {
    let category = parts.iter().map(|part| part.category).max().unwrap_or(Category::Constant);
    let infinite = parts.iter().find_map(|part| part.infinite.clone());
    TypedDomain { domain: domain(parts.into_iter().map(|part| part.domain).collect()), ty, category, infinite }
}

/// Returns the domain of the collections with these attributes and these parts.
fn applied_attributes(
    kind: Collection,
    attributes: Attributes<Expr>,
    category: Category,
    parts: Vec<TypedDomain>,
) -> TypedDomain {
    let ty = Type::Collection(kind, parts.iter().map(|part| part.ty.clone()).collect());
    let combined = combined(parts, ty, |parts| ExprDomain::Collection(kind, attributes, parts));
    TypedDomain { category: combined.category.max(category), ..combined }
}

fn domain_pair(
    left: TypedDomain,
    right: TypedDomain,
    ty: Type,
    domain: impl FnOnce(Box<ExprDomain>, Box<ExprDomain>) -> ExprDomain,
) -> TypedDomain {
    TypedDomain {
        domain: domain(Box::new(left.domain), Box::new(right.domain)),
        ty,
        category: left.category.max(right.category),
        infinite: left.infinite.or(right.infinite),
    }
}

fn with_fields(
    fields: Vec<(&Identifier, TypedDomain)>,
    ty: impl FnOnce(Arc<[(crate::language::Name, Type)]>) -> Type,
    domain: impl FnOnce(Vec<(crate::language::Name, ExprDomain)>) -> ExprDomain,
) -> TypedDomain {
    let ty = ty(fields.iter().map(|(name, field)| (name.text.clone(), field.ty.clone())).collect());
    let names: Vec<_> = fields.iter().map(|(name, _)| name.text.clone()).collect();
    let parts = fields.into_iter().map(|(_, field)| field).collect();
    combined(parts, ty, |parts| domain(names.into_iter().zip(parts).collect()))
}

/// Returns the domain that a word from mathematics or another language means.
fn meant_domain(word: &str) -> Option<&'static str> {
    match word {
        "integer" | "Integer" | "ℤ" => Some("int"),
        "nat" | "Nat" | "ℕ" => Some("int(0..)"),
        "boolean" | "Boolean" => Some("bool"),
        _ => ["bool", "int"].into_iter().find(|known| word.eq_ignore_ascii_case(known)),
    }
}

/// Returns the domain of all members of a named type.
pub(super) fn named_domain(named: &NamedType) -> ExprDomain {
    ExprDomain::Int(Ints::Named(DeclarationId(named.id), Vec::new()))
}
