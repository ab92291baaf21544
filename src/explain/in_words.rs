//! Rules in people's words: the template of a rule with the values of an instance, or the comment above the rule with
//! the names of the instance.

use super::{
    Describer,
    amounts::{AmountReader, Amounts},
    merging::{FilledPart, FilledTemplate},
    words::InWords,
};
use crate::{
    analysis::model::{Expr, ExprKind, LocalId, Template, TemplatePart},
    instance::evaluate,
    language::{Type, Value, quotation::unquoted},
    lowering::EnclosingLayer,
    operators::symbols,
};
use rustc_hash::FxHashMap;

/// Longer values are cut off. Chosen.
const LONGEST_VALUE: usize = 80;
/// The text for a collection without members.
const NOTHING: &str = "–";

impl Describer<'_> {
    /// The words for an instance of the rule that an expression belongs to.
    pub(super) fn in_words(
        &mut self,
        expr: &Expr,
        bindings: &[(LocalId, Option<Value>)],
        context: &[EnclosingLayer],
    ) -> InWords {
        let model = self.instance.model.clone();
        let Some(words) = model.words_for(expr.span) else { return InWords::default() };
        self.enter(bindings, context);
        let mut found = InWords { rule: words.rule, ..InWords::default() };
        for template in &words.templates {
            let Some(filled) = self.filled(template, bindings, context) else { continue };
            match &*template.language {
                "" => (found.says, found.is_filled) = (filled.text(), true),
                language => found.translations.push((language.to_owned(), filled.text())),
            }
            found.filled.push((template.language.to_string(), filled));
        }
        if found.says.is_empty() {
            found.says.clone_from(&words.comment);
            found.names = self.names_of_instance(bindings, context);
        }
        found
    }

    /// A template with the values of an instance; `None` if one of them is not known.
    fn filled(
        &mut self,
        template: &Template,
        bindings: &[(LocalId, Option<Value>)],
        context: &[EnclosingLayer],
    ) -> Option<FilledTemplate> {
        let mut parts = Vec::new();
        for part in &template.parts {
            parts.push(match part {
                TemplatePart::Text(plain) => FilledPart::Text(plain.clone()),
                TemplatePart::Value(value) => {
                    self.bind_names(value, bindings)?;
                    FilledPart::Value(self.people_read(value, context)?)
                }
            });
        }
        Some(FilledTemplate(parts))
    }

    /// Gives the names in an expression their values. If two parts of a rule bind the same name, the template has the
    /// last one, so the values are found by name.
    fn bind_names(&mut self, value: &Expr, bindings: &[(LocalId, Option<Value>)]) -> Option<()> {
        let mut mentioned = Vec::new();
        self.instance.model.has_part(value, &mut |part| {
            if let ExprKind::Local(local) = part.kind {
                mentioned.push(local);
            }
            false
        });
        for local in mentioned {
            let (name, ty) = self.local(local);
            let same = |(other, _): &&(LocalId, Option<Value>)| self.local(*other) == (name, ty);
            // Names that the expression binds itself have no binding here.
            if let Some((_, bound)) = bindings.iter().rev().find(same) {
                let bound = bound.clone()?;
                self.env.bind_local(local, bound);
            } else if self.is_bound_by_a_rule(local) {
                return None;
            }
        }
        Some(())
    }

    /// Returns true if a local name belongs to a rule, not to a comprehension inside a template.
    fn is_bound_by_a_rule(&self, local: LocalId) -> bool {
        let span = self.instance.model.local_names[local.0 as usize].span;
        self.instance.model.words_for(span).is_some()
    }

    /// The value of an expression as people read it.
    fn people_read(&mut self, expr: &Expr, context: &[EnclosingLayer]) -> Option<String> {
        let value = evaluate(expr, &mut self.env).ok()?;
        if let (Value::Int(minutes), true) = (&value, self.is_clock(expr)) {
            return Some(clocked(*minutes));
        }
        let read = self.amounts_in(context, |reader| reader.read(expr));
        Some(self.as_people_read(&value, &read.unwrap_or_else(|| expr.ty.clone())))
    }

    /// The type, with units, that a reader of amounts finds in a context.
    fn amounts_in(
        &self,
        context: &[EnclosingLayer],
        find: impl FnOnce(&mut AmountReader) -> Option<Type>,
    ) -> Option<Type> {
        if self.instance.model.units.is_empty() {
            return None;
        }
        let is_known = |part: &Expr| self.is_known(part);
        let (locals, amounts) = (FxHashMap::default(), Amounts::default());
        let reader = AmountReader { model: &self.instance.model, is_known: &is_known, locals, amounts };
        find(&mut reader.in_context(context)?)
    }

    /// Returns true if an expression is a time of day, which the model counts in minutes.
    fn is_clock(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Global(id) => {
                let name = unquoted(&self.instance.model.declaration(*id).name);
                self.instance.model.clocks.iter().any(|clock| **clock == *name)
            }
            ExprKind::Component(whole, _) => self.is_clock(whole),
            ExprKind::Apply(operator, operands) if operator.lookup.is_some() => self.is_clock(&operands[0]),
            // A time and a duration make a time; the difference of two times is a duration.
            ExprKind::Apply(operator, operands) if operator.symbol == symbols::PLUS => {
                operands.iter().filter(|operand| self.is_clock(operand)).count() == 1
            }
            ExprKind::Apply(operator, operands) if operator.symbol == symbols::MINUS => {
                self.is_clock(&operands[0]) && !self.is_clock(&operands[1])
            }
            _ => false,
        }
    }

    /// The names of an instance. Numbers come with the names that have them.
    fn names_of_instance(&self, bindings: &[(LocalId, Option<Value>)], context: &[EnclosingLayer]) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (local, value) in bindings {
            let Some(value) = value.as_ref().filter(|_| !self.quantified.unstated.contains(local)) else { continue };
            let (name, ty) = self.local(*local);
            let read = self.amounts_in(context, |reader| reader.locals.get(local).cloned());
            let ty = read.as_ref().unwrap_or(ty);
            let shown = self.as_people_read(value, ty);
            names.push(match ty {
                Type::Int(_) | Type::Bool => format!("{name} = {shown}"),
                _ => shown,
            });
        }
        names
    }

    /// A value without the signs of Essence that people do not need.
    fn as_people_read(&self, value: &Value, ty: &Type) -> String {
        let listed = |items: Vec<String>| match items.is_empty() {
            true => NOTHING.to_owned(),
            false => items.join(", "),
        };
        match (value, ty) {
            (Value::Int(member), Type::Named(named)) => unquoted(&self.instance.names.member(named, *member)).into(),
            (Value::Tuple(parts), Type::Tuple(types)) => {
                let parts = parts.iter().zip(types.iter()).map(|(part, ty)| self.as_people_read(part, ty));
                format!("({})", parts.collect::<Vec<_>>().join(", "))
            }
            (Value::Collection(kind, members), Type::Collection(..)) if kind.form().writes_members() => {
                let ty = ty.listed_member().unwrap_or(Type::Any);
                listed(members.iter().map(|member| self.as_people_read(member, &ty)).collect())
            }
            _ => {
                let text = self.instance.names.in_units().show(value, ty);
                match text.char_indices().nth(LONGEST_VALUE) {
                    Some((end, _)) => format!("{} …", &text[..end]),
                    None => text,
                }
            }
        }
    }
}

/// Minutes after midnight as a time: `7:30`.
fn clocked(minutes: i64) -> String {
    let (hours, rest) = (minutes.div_euclid(60), minutes.rem_euclid(60));
    format!("{hours}:{rest:02}")
}
