//! The spans of the data that a requirement reads, down to parts of literals.

use super::Describer;
use crate::{
    analysis::model::{Category, DeclarationKind, Expr, ExprKind, LocalId},
    instance::{GroundInstance, evaluate, locate},
    language::{MemberForm, Stop, Type, Value, domain::ValueStep, origin::ValueOrigin},
    lowering::KnownMember,
    operators::Lookup,
    source::Span,
};

/// The limit on places that are marked one by one for the lists of a requirement. Chosen.
const MOST_ENTRIES: usize = 8;

/// The expression for the value of a name, in the data or in the model.
fn written_value<'i>(instance: &'i GroundInstance, name: &Expr) -> Option<&'i Expr> {
    let ExprKind::Global(id) = name.kind else { return None };
    let parameter = instance.parameters.values.iter().find(|(parameter, _)| *parameter == id);
    match &instance.model.declaration(id).kind {
        DeclarationKind::Letting(value) => Some(value),
        _ => parameter.map(|(_, value)| value),
    }
}

impl Describer<'_> {
    /// The span of the part of the data that an expression with a path denotes; `None` if it denotes the whole data.
    fn span_of(&mut self, expr: &Expr, path: &[ValueStep]) -> Option<Span> {
        if !matches!(expr.kind, ExprKind::Global(_)) {
            let (name, mut way) = self.lookup(expr)?;
            way.extend_from_slice(path);
            return self.span_of(name, &way);
        }
        let written = written_value(self.instance, expr)?;
        self.span_in(written, path).filter(|span| *span != written.span)
    }

    /// The span of the part of a written value at a path.
    pub(super) fn span_in(&mut self, written: &Expr, path: &[ValueStep]) -> Option<Span> {
        let span = locate(written, path, &mut self.env);
        // A constant literal is one value without parts, so its text is read again below.
        if span != written.span || path.is_empty() {
            return Some(span);
        }
        let value = evaluate(written, &mut self.env).ok()?;
        if let Some(origin) = self.origin_of(written) {
            return origin.place(&value, path).map(|place| place.span);
        }
        self.literals.span_of(self.sources, &self.instance.names, span, &value, &written.ty, path)
    }

    /// The origin of a value from a table.
    fn origin_of(&self, written: &Expr) -> Option<&dyn ValueOrigin> {
        let parameters = &self.instance.parameters;
        let (id, _) = parameters.values.iter().find(|(_, value)| value.span == written.span)?;
        Some(&**parameters.origins.get(id)?)
    }

    /// The span of the member of a collection that a generator took.
    pub(crate) fn span_of_entry(&mut self, entry: &KnownMember) -> Option<Span> {
        self.enter(&entry.bindings, &[]);
        let step = match (&entry.collection.ty, &entry.member) {
            // A member of a sequence is a pair: its position and its value.
            (Type::Collection(kind, _), Value::Tuple(pair)) if kind.form() == MemberForm::Positions => {
                ValueStep::Place(usize::try_from(pair[0].as_int()).ok()?)
            }
            _ => ValueStep::Member(entry.member.clone()),
        };
        self.span_of(&entry.collection, &[step])
    }

    /// The spans of the data that an expression looks up, each with the subexpression that does.
    pub(super) fn lookups<'e>(&mut self, expr: &'e Expr, found: &mut Vec<(Span, &'e Expr)>) {
        if let Some((name, path)) = self.lookup(expr)
            && let Some(span) = self.span_of(name, &path)
        {
            // In `m[p[1]]`, only the entry of `m` is marked.
            found.push((span, expr));
            return;
        }
        expr.for_each_part(&mut |part| self.lookups(part, found));
    }

    /// The operands of the innermost undefined part of an expression, the last one first; empty if the expression is
    /// defined.
    pub(super) fn causes_of_undefined(&mut self, expr: &Expr, bindings: &[(LocalId, Option<Value>)]) -> Vec<Span> {
        if expr.category > Category::Parameter {
            return Vec::new();
        }
        self.enter(bindings, &[]);
        self.causes(expr)
    }

    fn causes(&mut self, expr: &Expr) -> Vec<Span> {
        if !self.is_known(expr) || !matches!(evaluate(expr, &mut self.env), Err(Stop::Undefined)) {
            return Vec::new();
        }
        if let ExprKind::Global(id) = expr.kind {
            let model = self.instance.model.clone();
            return match &model.declaration(id).kind {
                DeclarationKind::Letting(value) => self.causes(value),
                _ => Vec::new(),
            };
        }
        let mut inner = Vec::new();
        expr.for_each_part(&mut |part| inner.extend(self.causes(part)));
        match &expr.kind {
            // All operands are defined, so the operation itself is the cause, for example a division by 0.
            ExprKind::Apply(_, operands) if inner.is_empty() => operands.iter().rev().map(|part| part.span).collect(),
            _ => inner,
        }
    }

    /// The spans of the data that lists in an expression look up. Adjacent entries are merged; if there are many, so is
    /// everything from the first to the last.
    pub(super) fn lookups_in_lists(&mut self, expr: &Expr) -> Vec<Span> {
        let mut found = Vec::new();
        self.collect_in_lists(expr, &mut found);
        found.sort_unstable();
        found.dedup();
        let same_source = |one: &Span, other: &Span| one.source == other.source;
        let are_neighbours = |one: &Span, other: &Span| {
            let between = Span { start: one.end, end: other.start, ..*one };
            let is_separator = |character: char| character == ',' || character.is_whitespace();
            same_source(one, other) && one.end <= other.start && self.sources.text(between).chars().all(is_separator)
        };
        let whole = |spans: &[Span]| spans[0].to(spans[spans.len() - 1]);
        let found: Vec<Span> = found.chunk_by(are_neighbours).map(whole).collect();
        if found.len() <= MOST_ENTRIES {
            return found;
        }
        found.chunk_by(same_source).map(whole).collect()
    }

    fn collect_in_lists(&mut self, expr: &Expr, found: &mut Vec<Span>) {
        let ExprKind::Comprehension(comprehension) = &expr.kind else {
            return expr.for_each_part(&mut |part| self.collect_in_lists(part, found));
        };
        let Some((names, instances)) = self.instances_of_list(comprehension) else { return };
        for values in instances {
            self.bind(&names, values);
            let mut looked_up = Vec::new();
            comprehension.for_each_part(&mut |part| self.lookups(part, &mut looked_up));
            found.extend(looked_up.into_iter().map(|(span, _)| span));
            self.collect_in_lists(&comprehension.body, found);
            self.unbind(&names);
        }
    }

    /// The name and the path in a lookup such as `m[i, j]` or `f(x)`.
    fn lookup<'e>(&mut self, expr: &'e Expr) -> Option<(&'e Expr, Vec<ValueStep>)> {
        let ExprKind::Apply(operator, operands) = &expr.kind else { return None };
        let [target, argument] = operands.as_slice() else { return None };
        let lookup = operator.lookup.filter(|_| self.is_known(argument))?;
        let value = evaluate(argument, &mut self.env).ok()?;
        let (name, mut path) = match target.kind {
            ExprKind::Global(_) => (target, Vec::new()),
            _ => self.lookup(target)?,
        };
        path.push(match lookup {
            Lookup::Element => ValueStep::Element(value),
            Lookup::Image => ValueStep::Image(value),
        });
        Some((name, path))
    }
}
