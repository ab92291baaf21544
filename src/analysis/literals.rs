//! Analysis of literals. A literal of constants becomes a value at once, so that a large literal in a parameter file
//! costs little more than its value.

use super::{
    Analysis, Reports, coerce, highest,
    model::{Category, Expr, ExprDomain, ExprKind, Ints, Range, TypedModel},
};
use crate::{
    diagnostic::{Code, Diagnostic, Edit},
    language::{Collection, GroundDomain, IntSet, MemberForm, Name, Type, Value, value::Matrix},
    operators::symbols,
    source::Span,
    syntax::{
        self,
        ast::{self, ExprTreeKind as Ast, Identifier},
        parts::add_alternatives,
    },
};
use std::{collections::BTreeSet, sync::Arc};

/// The analysis of a literal.
struct LiteralAnalysis<'a, 'd> {
    analysis: &'a mut Analysis<'d>,
    /// The type that the context expects.
    expected: &'a Type,
    span: Span,
}

impl Analysis<'_> {
    /// Analyses a literal in a place that expects a type.
    pub(super) fn literal(&mut self, expr: &ast::ExprTree, expected: &Type) -> Expr {
        let span = expr.span;
        let mut literal = LiteralAnalysis { analysis: self, expected, span };
        match &expr.kind {
            Ast::Bool(value) => Expr::constant(Value::Bool(*value), Type::Bool, span),
            // The number was too large, and the parser has replaced it.
            Ast::Int(_) if literal.analysis.reports.mended.contains(&span) => Expr::wrong(span),
            Ast::Int(value) => Expr::constant(Value::Int(*value), Type::INT, span),
            Ast::TaggedInt(value, tag) => {
                Expr::constant(Value::Int(*value), Type::tagged(Some(tag.text.clone())), span)
            }
            Ast::Tuple(items) => literal.tuple(items),
            Ast::Record(fields) => literal.record(fields),
            Ast::Variant(name, value) => literal.variant(name, value),
            Ast::Matrix(elements, index) => literal.matrix(elements, index.as_deref()),
            Ast::Collection(kind, members) => {
                match expr.as_set().and_then(|members| literal.fields_in_braces(members)) {
                    Some(fields) => literal.record(&fields),
                    None => literal.collection(*kind, members),
                }
            }
            Ast::Pairs(kind, pairs) => literal.function(*kind, pairs),
            Ast::Grouped(kind, parts) if kind.form() == MemberForm::Blocks => literal.partition(*kind, parts),
            Ast::Grouped(kind, cycles) => literal.permutation(*kind, cycles),
            other => unreachable!("{other:?} is not a literal"),
        }
    }
}

impl LiteralAnalysis<'_, '_> {
    fn tuple(&mut self, items: &[ast::ExprTree]) -> Expr {
        let expected = match self.expected {
            Type::Tuple(types) if types.len() == items.len() => Some(types),
            _ => None,
        };
        let parts: Vec<Expr> = items
            .iter()
            .enumerate()
            .map(|(position, item)| {
                self.analysis.expr_expecting(item, expected.map_or(&Type::Any, |types| &types[position]))
            })
            .collect();
        // If the expected type is equal, it is reused, so the members of a large literal share one allocation.
        let same = |types: &Arc<[Type]>| types.iter().zip(&parts).all(|(ty, part)| *ty == part.ty);
        let ty = match expected {
            Some(types) if same(types) => types.clone(),
            _ => parts.iter().map(|part| part.ty.clone()).collect(),
        };
        tuple_of(parts, Type::Tuple(ty), self.span)
    }

    fn record(&mut self, fields: &[(Identifier, ast::ExprTree)]) -> Expr {
        let mut typed: Vec<(Name, Expr)> = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            let field = match self.expected {
                Type::Record(known) => known.iter().find(|(field, _)| *field == name.text).map(|(_, ty)| ty),
                _ => None,
            };
            let value = self.analysis.expr_expecting(value, field.unwrap_or(&Type::Any));
            if typed.iter().any(|(field, _)| *field == name.text) {
                self.analysis.reports.add(
                    Diagnostic::error(Code::DUPLICATE_NAME, format!("the field `{}` is given twice", name.text))
                        .at(name.span, "again"),
                );
            } else {
                typed.push((name.text.clone(), value));
            }
        }
        // The fields of record types are sorted by name.
        typed.sort_by(|left, right| left.0.cmp(&right.0));
        let ty = Type::Record(typed.iter().map(|(name, value)| (name.clone(), value.ty.clone())).collect());
        tuple_of(typed.into_iter().map(|(_, value)| value).collect(), ty, self.span)
    }

    fn variant(&mut self, name: &Identifier, value: &ast::ExprTree) -> Expr {
        let known = match self.expected {
            Type::Variant(alternatives) => {
                let position = alternatives.iter().position(|(alternative, _)| *alternative == name.text);
                position.map(|position| (position as u32, alternatives))
            }
            _ => None,
        };
        let inner = known.map_or(&Type::Any, |(position, alternatives)| &alternatives[position as usize].1);
        let mut value = self.analysis.expr_expecting(value, inner);
        let joined = known.and_then(|_| value.ty.join(inner));
        let (position, ty) = match known.zip(joined) {
            Some(((position, alternatives), joined)) => {
                coerce::coerce(&mut value, &joined);
                let mut alternatives = alternatives.clone();
                if joined != *inner {
                    Arc::<[_]>::make_mut(&mut alternatives)[position as usize].1 = joined;
                }
                (position, Type::Variant(alternatives))
            }
            // If no type is expected, the alternatives in the other members of the literal complete the type.
            None => {
                let alternatives = &self.analysis.alternatives;
                let own = alternatives.iter().position(|alternative| *alternative == name.text);
                let type_of = |at| if Some(at) == own { value.ty.clone() } else { Type::Any };
                let known = alternatives.iter().enumerate().map(|(at, other)| (other.clone(), type_of(at)));
                match own {
                    Some(position) => (position as u32, Type::Variant(known.collect())),
                    None => (0, Type::Variant([(name.text.clone(), value.ty.clone())].into())),
                }
            }
        };
        if let ExprKind::Constant(value) = value.kind {
            return Expr::constant(Value::Variant(position, Arc::new(value)), ty, self.span);
        }
        let category = value.category;
        Expr::new(ExprKind::Variant(position, Box::new(value)), ty, category, self.span)
    }

    /// Analyses members that must have one type, and returns them with this type.
    fn members<'a>(
        &mut self,
        items: impl ExactSizeIterator<Item = &'a ast::ExprTree> + Clone,
        expected: &Type,
        what: &str,
    ) -> (Vec<Expr>, Type) {
        let mut members: Vec<Expr> = Vec::with_capacity(items.len());
        let mut ty = Type::Any;
        let mut consistent = true;
        for item in items.clone() {
            // The next member probably has the type of the earlier ones.
            let hint = if *expected == Type::Any { &ty } else { expected };
            let member = self.analysis.expr_expecting(item, hint);
            if self.does_not_fit(&member, expected, what) {
                consistent = false;
                members.push(Expr::wrong(member.span));
                continue;
            }
            match ty.join(&member.ty) {
                Some(joined) => {
                    if joined != ty {
                        ty = joined;
                    }
                    members.push(member);
                }
                None => {
                    // In `[variant {a = 1}, variant {b = 2}]`, no member shows the whole type. So the alternatives of
                    // all members are collected, and the list is analysed again.
                    let may_be_one = consistent && ty.mentions_variant() && member.ty.mentions_variant();
                    if may_be_one && let Some(alternatives) = self.alternatives_of(items.clone()) {
                        let outer = std::mem::replace(&mut self.analysis.alternatives, alternatives);
                        let typed = self.members(items, expected, what);
                        self.analysis.alternatives = outer;
                        return typed;
                    }
                    if consistent {
                        let mistake = Diagnostic::error(
                            Code::TYPE_MISMATCH,
                            format!("{what} must have one type, not both `{ty}` and `{}`", member.ty),
                        )
                        .at(member.span, format!("this is `{}`", member.ty));
                        let first = members.iter().find(|first: &&Expr| first.ty.join(&member.ty).is_none());
                        let mistake = match first {
                            Some(first) => mistake.at(first.span, format!("and this is `{}`", first.ty)),
                            None => mistake,
                        };
                        self.analysis.reports.add(mistake);
                    }
                    consistent = false;
                    members.push(Expr::wrong(member.span));
                }
            }
        }
        // An unknown type fits everything and prevents further errors.
        if !consistent {
            return (members, Type::Any);
        }
        for member in members.iter_mut().filter(|member| member.ty != ty) {
            coerce::coerce(member, &ty);
        }
        (members, ty)
    }

    /// Returns the alternatives of a variant type for members with several alternatives: the smallest declared type
    /// that has all of them, or else exactly these. Returns `None` if the alternatives are known already.
    fn alternatives_of<'a>(&self, items: impl Iterator<Item = &'a ast::ExprTree>) -> Option<Vec<Name>> {
        let mut chosen = BTreeSet::new();
        items.for_each(|item| add_alternatives(item, &mut chosen));
        if chosen.len() < 2 || !self.analysis.alternatives.is_empty() {
            return None;
        }
        let mut declared: Vec<Vec<Name>> = Vec::new();
        for declaration in &self.analysis.model.declarations {
            declaration.ty.for_each_inside(&mut |ty| {
                let Type::Variant(alternatives) = ty else { return };
                let names: Vec<Name> = alternatives.iter().map(|(name, _)| name.clone()).collect();
                declared.extend(chosen.iter().all(|name| names.contains(name)).then_some(names));
            });
        }
        Some(declared.into_iter().min_by_key(Vec::len).unwrap_or_else(|| chosen.into_iter().collect()))
    }

    /// Reports an entry of a parameter's value whose type is not the declared one.
    fn does_not_fit(&mut self, member: &Expr, expected: &Type, what: &str) -> bool {
        let Some((name, declared)) = self.analysis.given.clone().filter(|_| member.ty.join(expected).is_none()) else {
            return false;
        };
        self.analysis.reports.add(
            Diagnostic::error(
                Code::PARAMETER_TYPE,
                format!("{what} in `{name}` must be `{expected}`, not `{}`", member.ty),
            )
            .at(member.span, format!("this is `{}`", member.ty))
            .at(declared, "declared here"),
        );
        true
    }

    /// Returns the fields of a record that was written as a set, `{a = 1, b = 2}` with undeclared names, and reports
    /// the missing keyword.
    fn fields_in_braces(&mut self, members: &[ast::ExprTree]) -> Option<Vec<(Identifier, ast::ExprTree)>> {
        let field = |member: &ast::ExprTree| match &member.kind {
            Ast::Apply(symbols::EQUAL, operands) => match &operands[..] {
                [ast::ExprTree { kind: Ast::Name(name), span }, value] if self.analysis.names.is_new(name) => {
                    Some((Identifier { text: name.clone(), span: *span }, value.clone()))
                }
                _ => None,
            },
            _ => None,
        };
        let fields = members.iter().map(field).collect::<Option<Vec<_>>>().filter(|fields| !fields.is_empty())?;
        // Only the keyword is inserted, so the rest of the literal keeps its layout.
        let record = ast::ExprTree { kind: Ast::Record(fields.clone()), span: self.span };
        let start = Span { end: self.span.start, ..self.span };
        let mistake = Diagnostic::error(Code::UNKNOWN_NAME, "a record starts with the word `record`")
            .at(self.span, "without it, this is a set of conditions")
            .help(format!("write `{}`", syntax::print::expr(&record, usize::MAX)));
        let edits = vec![Edit { span: start, text: "record ".to_owned() }];
        self.analysis.reports.add(Diagnostic { edits, ..mistake });
        Some(fields)
    }

    fn collection(&mut self, kind: Collection, items: &[ast::ExprTree]) -> Expr {
        let expected = if self.expected.is(kind) { self.expected.listed_member() } else { None };
        let expected = expected.unwrap_or(Type::Any);
        let member = if kind.form() == MemberForm::Tuples { "tuples" } else { "members" };
        let what = format!("the {member} of a {}", kind.row().noun());
        let (members, inner) = self.members(items.iter(), &expected, &what);
        let ty = match kind.form() {
            MemberForm::Tuples => match inner {
                Type::Tuple(columns) => Type::Collection(kind, columns),
                Type::Any => Type::of(kind, [Type::Any]),
                other => {
                    self.analysis.reports.add(
                        Diagnostic::error(
                            Code::TYPE_MISMATCH,
                            format!("a relation consists of tuples, not of `{other}`"),
                        )
                        .at(members.first().map_or(self.span, |member| member.span), format!("this is `{other}`"))
                        .help("write `tuple (x)` for a tuple of one component"),
                    );
                    Type::of(kind, [Type::Any])
                }
            },
            _ => Type::of(kind, [inner]),
        };
        // If one member is not constant, the whole literal is an expression.
        let values = match constants(members) {
            Ok(values) => values,
            Err(members) => return composed(kind, members, ty, self.span),
        };
        match Value::of(kind, values) {
            Some(value) => Expr::constant(value, ty, self.span),
            None => Expr::wrong(self.span),
        }
    }

    fn function(&mut self, kind: Collection, pairs: &[(ast::ExprTree, ast::ExprTree)]) -> Expr {
        let (from, to) = match self.expected {
            Type::Collection(expected, parts) if *expected == kind => (parts[0].clone(), parts[1].clone()),
            _ => (Type::Any, Type::Any),
        };
        let (points, from) = self.members(pairs.iter().map(|pair| &pair.0), &from, "the arguments of a function");
        let (images, to) = self.members(pairs.iter().map(|pair| &pair.1), &to, "the images of a function");
        let ty = Type::of(kind, [from, to]);
        if points.iter().chain(&images).all(is_constant) {
            let values = points
                .iter()
                .zip(&images)
                .filter_map(|(point, image)| Some((constant_value(point)?, constant_value(image)?)));
            match Value::function(values.collect()) {
                Some(function) => return Expr::constant(function, ty, self.span),
                // In data, two images of one argument are an error. In a model, the value is undefined and remains an
                // expression.
                None if self.analysis.in_parameters => self.analysis.reports.two_images(&points, &images),
                None => {}
            }
        }
        let member = ty.member().unwrap_or(Type::Any);
        let pairs = points.into_iter().zip(images).map(|(point, image)| {
            let span = point.span.to(image.span);
            let category = point.category.max(image.category);
            Expr::new(ExprKind::Tuple(vec![point, image]), member.clone(), category, span)
        });
        composed(kind, pairs.collect(), ty, self.span)
    }

    fn partition(&mut self, kind: Collection, parts: &[Vec<ast::ExprTree>]) -> Expr {
        let expected = self.expected_point(kind);
        // All parts must have the same type, so their members are analysed as one list, which is split again.
        let all: Vec<&ast::ExprTree> = parts.iter().flatten().collect();
        let (members, inner) = self.members(all.into_iter(), &expected, "the members of a partition");
        let ty = Type::of(kind, [inner.clone()]);
        if members.iter().all(is_constant) {
            let mut values = members.iter().filter_map(constant_value);
            let sets = parts.iter().map(|part| Value::set(values.by_ref().take(part.len()).collect()));
            match Value::of(kind, sets.collect()) {
                Some(partition) => return Expr::constant(partition, ty, self.span),
                None if self.analysis.in_parameters => {
                    self.analysis.reports.stands_twice(
                        &members,
                        "the parts of a partition must be disjoint and not empty",
                        self.span,
                    );
                }
                None => {}
            }
        }
        let mut members = members.into_iter();
        let sets = parts.iter().map(|part| {
            let members: Vec<Expr> = members.by_ref().take(part.len()).collect();
            let span = members.first().map_or(self.span, |first| first.span);
            composed(Collection::Set, members, Type::set(inner.clone()), span)
        });
        composed(kind, sets.collect(), ty, self.span)
    }

    fn permutation(&mut self, kind: Collection, cycles: &[Vec<ast::ExprTree>]) -> Expr {
        let expected = self.expected_point(kind);
        let all: Vec<&ast::ExprTree> = cycles.iter().flatten().collect();
        let (points, inner) = self.members(all.into_iter(), &expected, "the points of a permutation");
        let pair = Type::Tuple([inner.clone(), inner.clone()].into());
        let ty = Type::of(kind, [inner]);
        let mut rest = &points[..];
        let mut pairs: Vec<(&Expr, &Expr)> = Vec::with_capacity(points.len());
        for cycle in cycles {
            let (points, after) = rest.split_at(cycle.len());
            // In its cycle, each point is mapped to the next one, and the last point to the first.
            pairs.extend(points.iter().zip(points.iter().cycle().skip(1)));
            rest = after;
        }
        if points.iter().all(is_constant) {
            let mut values: Vec<(Value, Value)> = pairs
                .iter()
                .filter_map(|(point, image)| Some((constant_value(point)?, constant_value(image)?)))
                .collect();
            values.sort_unstable();
            // Pairs without repetitions form a permutation. Equal permutations must have equal values, so fixed points
            // are left out.
            if values.windows(2).all(|two| two[0].0 != two[1].0) {
                values.retain(|(point, image)| point != image);
                return Expr::constant(Value::Mapping(kind, values.into()), ty, self.span);
            }
            if self.analysis.in_parameters {
                self.analysis.reports.stands_twice(
                    &points,
                    "a value occurs twice in the cycles of a permutation",
                    self.span,
                );
            }
        }
        let members = pairs.into_iter().map(|(point, image)| {
            let category = point.category.max(image.category);
            Expr::new(ExprKind::Tuple(vec![point.clone(), image.clone()]), pair.clone(), category, point.span)
        });
        composed(kind, members.collect(), ty, self.span)
    }

    /// The expected type of the values in the blocks or cycles of a literal.
    fn expected_point(&self, kind: Collection) -> Type {
        match self.expected {
            Type::Collection(expected, parts) if *expected == kind => parts[0].clone(),
            _ => Type::Any,
        }
    }

    fn matrix(&mut self, items: &[ast::ExprTree], index: Option<&ast::DomainTree>) -> Expr {
        let expected = match self.expected {
            Type::Matrix(_) | Type::List(_) => self.expected.member().unwrap_or(Type::Any),
            _ => Type::Any,
        };
        let (elements, inner) = self.members(items.iter(), &expected, "the elements of a matrix");
        let (index, index_type, category) = match index {
            Some(index) => {
                let index = self.analysis.domains().index(index);
                (Some(index.domain), index.ty, index.category)
            }
            None => (None, Type::INT, Category::Constant),
        };
        let ty = Type::matrix(index_type, inner);
        // If the index domain depends on parameters, `instance` checks the number of elements.
        let known = match &index {
            Some(index) => self.analysis.model.known_indices(index, elements.len()),
            None => Some(GroundDomain::Int(IntSet::range(1, elements.len() as i64))),
        };
        if let Some(known) = &known
            && known.size() != Some(elements.len() as u128)
        {
            self.analysis.reports.add(wrong_number_of_elements(elements.len(), known, self.span));
            return Expr::wrong(self.span);
        }
        if let Some(index) = known
            && elements.iter().all(is_constant)
        {
            let elements = elements.iter().filter_map(constant_value).collect();
            return Expr::constant(Value::Matrix(Arc::new(Matrix { index, elements })), ty, self.span);
        }
        let category = category.max(highest(&elements));
        Expr::new(ExprKind::Matrix(elements, index.map(Box::new)), ty, category, self.span)
    }
}

impl Reports<'_> {
    /// Reports the first value that occurs twice in a partition or a permutation; if there is none, an empty part.
    fn stands_twice(&mut self, members: &[Expr], message: &str, span: Span) {
        let mut order: Vec<usize> = (0..members.len()).collect();
        // Sorting makes equal values adjacent.
        order.sort_by_key(|position| constant_value(&members[*position]));
        let twice = order.windows(2).find(|two| constant_value(&members[two[0]]) == constant_value(&members[two[1]]));
        let mistake = Diagnostic::error(Code::BAD_LITERAL, message);
        self.add(match twice {
            Some([first, second]) => {
                mistake.at(members[*second].span, "the second time").at(members[*first].span, "the first time")
            }
            _ => mistake.at(span, "a part is empty"),
        });
    }

    /// Reports the first argument that a function of a parameter file maps to two images.
    fn two_images(&mut self, points: &[Expr], images: &[Expr]) {
        let mut order: Vec<usize> = (0..points.len()).collect();
        // Sorting makes equal arguments adjacent.
        order.sort_by_key(|position| constant_value(&points[*position]));
        let twice = order.windows(2).find(|two| {
            constant_value(&points[two[0]]) == constant_value(&points[two[1]])
                && constant_value(&images[two[0]]) != constant_value(&images[two[1]])
        });
        if let Some([first, second]) = twice {
            self.add(
                Diagnostic::error(Code::BAD_LITERAL, "this function maps one argument to two images")
                    .at(points[*second].span.to(images[*second].span), "the second time")
                    .at(points[*first].span.to(images[*first].span), "the first time"),
            );
        }
    }
}

impl TypedModel {
    /// Returns the indices of a matrix literal with this many elements, if they do not depend on parameters.
    fn known_indices(&self, index: &ExprDomain, count: usize) -> Option<GroundDomain> {
        let bound = |bound: &Expr| self.constant_int(bound);
        match index {
            ExprDomain::Bool => Some(GroundDomain::Bool),
            ExprDomain::Int(Ints::Named(id, ranges)) if ranges.is_empty() => {
                self.member_count(*id).map(|count| GroundDomain::Int(IntSet::range(1, count)))
            }
            ExprDomain::Int(Ints::Ranges(ranges)) => {
                let ranges: Option<Vec<(i64, i64)>> = ranges
                    .iter()
                    .map(|range| match range {
                        Range::Single(value) => bound(value).map(|value| (value, value)),
                        Range::Interval(Some(low), Some(high)) => Some((bound(low)?, bound(high)?)),
                        // In `int(5..)`, the end follows from the number of elements.
                        Range::Interval(Some(low), None) => {
                            bound(low).map(|low| (low, low.saturating_add(count as i64 - 1)))
                        }
                        Range::Interval(None, _) => None,
                    })
                    .collect();
                ranges.filter(|ranges| !ranges.is_empty()).map(|ranges| GroundDomain::Int(IntSet::from_ranges(ranges)))
            }
            _ => None,
        }
    }
}

/// Returns the error that a matrix literal has more or fewer elements than indices.
pub(crate) fn wrong_number_of_elements(elements: usize, index: &GroundDomain, span: Span) -> Diagnostic {
    let indices = index.size().map_or("infinitely many".to_owned(), |size| size.to_string());
    let plural = |number: &str| if number == "1" { "" } else { "s" };
    let message = format!(
        "{elements} element{} for {indices} ind{}",
        plural(&elements.to_string()),
        if indices == "1" { "ex" } else { "ices" }
    );
    Diagnostic::error(Code::BAD_LITERAL, message)
        .at(span, "a matrix has one element for each index")
        .help("leave the index domain out, or give it as many values as there are elements")
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Constant(_))
}

/// Returns the value of a constant expression.
pub(super) fn constant_value(expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Constant(value) => Some(value.clone()),
        _ => None,
    }
}

/// Returns the values if all expressions are constant, and the expressions otherwise.
fn constants(exprs: Vec<Expr>) -> Result<Vec<Value>, Vec<Expr>> {
    if exprs.iter().all(is_constant) { Ok(exprs.iter().filter_map(constant_value).collect()) } else { Err(exprs) }
}

/// Builds a tuple, or a record with sorted fields.
fn tuple_of(parts: Vec<Expr>, ty: Type, span: Span) -> Expr {
    match constants(parts) {
        Ok(values) => Expr::constant(Value::Tuple(values.into()), ty, span),
        Err(parts) => {
            let category = highest(&parts);
            Expr::new(ExprKind::Tuple(parts), ty, category, span)
        }
    }
}

fn composed(kind: Collection, members: Vec<Expr>, ty: Type, span: Span) -> Expr {
    let category = highest(&members);
    Expr::new(ExprKind::Collection(kind, members), ty, category, span)
}
