//! Requirements in words: the constraint as it is written, with values in place of what is known, and its places.

use super::place::Literals;
use crate::{
    analysis::model::{DeclarationId, DeclarationKind, Expr, ExprKind, LocalId, Qualifier},
    diagnostic::Label,
    instance::{Environment, Instance, evaluate, locate},
    language::{PartName, Type, Value, domain::Step, print::MemberNames},
    lowering::{Entry, Origin, Requirement},
    operators::symbols,
    source::{Sources, Span},
};
use std::{collections::BTreeSet, rc::Rc};

/// Longer values are not written in the place of their names.
const LONGEST_VALUE: usize = 40;

/// A requirement for people.
#[derive(Clone, Debug)]
pub struct Reason {
    /// What must hold here, as Essence or in words.
    pub says: String,
    /// `i = 2, j = 3`: what the names around it stand for; may be empty.
    pub with: String,
    /// What it comes to where all its names have values, if that says more: `14 <= 12 is false`.
    pub comes_to: Option<String>,
    /// Where it stands; the first place is its own, the others are data that it reads.
    pub places: Vec<Label>,
}

pub struct Describer<'a> {
    instance: &'a Instance,
    sources: &'a Sources,
    env: Environment,
    literals: Literals,
    /// Names that stay names although they have values.
    pub kept: BTreeSet<DeclarationId>,
    /// Values that decision variables shall have, as they are written.
    pub written: &'a [(DeclarationId, Expr)],
}

impl<'a> Describer<'a> {
    pub fn new(instance: &'a Instance, sources: &'a Sources) -> Self {
        let finds = |(position, kind): (u32, &DeclarationKind)| {
            matches!(kind, DeclarationKind::Find(_)).then_some(DeclarationId(position))
        };
        let kinds = instance.model.declarations.iter().map(|declaration| &declaration.kind);
        let kept = (0..).zip(kinds).filter_map(finds).collect();
        Describer {
            instance,
            sources,
            env: instance.environment.clone(),
            literals: Literals::default(),
            kept,
            written: &[],
        }
    }

    pub fn reason(&mut self, requirement: &Requirement) -> Reason {
        match &requirement.origin {
            Origin::Constraint { expr, bindings, entries, guards } => {
                self.bind(bindings);
                let with = self.with(bindings);
                let (says, comes_to) = self.says(expr);
                let (says, guards) = self.guarded(guards, says);
                let mut places = vec![Label { span: expr.span, text: String::new() }];
                places.extend(guards.into_iter().map(|span| Label { span, text: "where this holds".into() }));
                let mut read: Vec<Span> = entries.iter().filter_map(|entry| self.place_of_entry(entry)).collect();
                self.lookups(expr, &mut read);
                read.sort_unstable();
                read.dedup();
                places.extend(read.into_iter().map(|span| Label { span, text: String::new() }));
                Reason { says, with, comes_to, places }
            }
            Origin::Defined { expr, bindings } => {
                self.bind(bindings);
                let says = format!("`{}` has a value", self.with_values(expr));
                let places = vec![Label { span: expr.span, text: String::new() }];
                Reason { says, with: self.with(bindings), comes_to: None, places }
            }
            Origin::Value { variable, path, value, ty } => {
                let declaration = &self.instance.model.declarations[variable.0 as usize];
                let part = self.part(&declaration.name, path, &declaration.ty);
                let says = format!("{part} = {}", self.instance.names.show_briefly(value, ty));
                let written = self.written.iter().find(|(id, _)| id == variable);
                let span = written.and_then(|(_, written)| self.place_in(written, path).or(Some(written.span)));
                let span = span.unwrap_or(declaration.span);
                Reason { says, with: String::new(), comes_to: None, places: vec![Label { span, text: String::new() }] }
            }
            Origin::Domain { variable, says, span, word } => {
                let declaration = &self.instance.model.declarations[variable.0 as usize];
                let span = span.or_else(|| self.place_of_word(declaration.span, word)).unwrap_or(declaration.span);
                let places = vec![Label { span, text: String::new() }];
                Reason { says: says.clone(), with: String::new(), comes_to: None, places }
            }
        }
    }

    /// A part of a decision variable: `board[1, 2]`, `pair[1]`, `person[age]`.
    pub fn part(&self, name: &str, path: &[Step], ty: &Type) -> PartName {
        let mut name = PartName::of(name);
        let mut ty = ty.clone();
        for step in path {
            let next = match (step, &ty) {
                (Step::Element(index), Type::Matrix(parts)) => {
                    name = name.element(self.instance.names.show(index, &parts.0));
                    parts.1.clone()
                }
                (Step::Component(position), Type::Record(fields)) => {
                    name = name.component(&fields[*position].0);
                    fields[*position].1.clone()
                }
                (Step::Component(position), Type::Tuple(types)) => {
                    name = name.component(position + 1);
                    types[*position].clone()
                }
                _ => return name,
            };
            ty = next;
        }
        name
    }

    pub fn names(&self) -> &'a MemberNames {
        &self.instance.names
    }

    fn bind(&mut self, bindings: &[(LocalId, Option<Value>)]) {
        for (local, value) in bindings {
            match value {
                Some(value) => self.env.bind_local(*local, value.clone()),
                None => self.env.unbind_local(*local),
            }
        }
    }

    fn with(&self, bindings: &[(LocalId, Option<Value>)]) -> String {
        let show = |(local, value): &(LocalId, Option<Value>)| {
            let local = &self.instance.model.local_names[local.0 as usize];
            match value {
                Some(value) => format!("{} = {}", local.name, self.instance.names.show_briefly(value, &local.ty)),
                None => format!("any {}", local.name),
            }
        };
        bindings.iter().map(show).collect::<Vec<_>>().join(", ")
    }

    /// The text of an expression with values in place of what has one, on one line.
    pub fn with_values(&mut self, expr: &Expr) -> String {
        if let ExprKind::Apply(_, sides) = &expr.kind
            && let [left, right] = sides.as_slice()
            && left.span == right.span
            && let Some(left) = self.spelled(left)
        {
            return format!("{left} = {}", self.with_values(right));
        }
        let mut replaced = Vec::new();
        expr.for_each_part(&mut |part| self.replace(part, &mut replaced));
        replaced.sort_by_key(|(span, _): &(Span, String)| (span.start, std::cmp::Reverse(span.end)));
        let text = &self.sources.get(expr.span.source).text;
        let mut shown = String::new();
        let mut at = expr.span.start;
        for (span, value) in replaced {
            if span.source == expr.span.source && span.start >= at && span.end <= expr.span.end && span.end > span.start
            {
                shown += &text[at as usize..span.start as usize];
                shown += &value;
                at = span.end;
            }
        }
        shown += &text[at as usize..expr.span.end as usize];
        without_parentheses(&on_one_line(&shown)).to_owned()
    }

    /// A part of a variable that does not stand in the source in this form.
    fn spelled(&mut self, expr: &Expr) -> Option<PartName> {
        match &expr.kind {
            ExprKind::Global(id) => Some(PartName::of(&*self.instance.model.declarations[id.0 as usize].name)),
            ExprKind::Component(tuple, position) => Some(self.spelled(tuple)?.component(position + 1)),
            ExprKind::Apply(operator, operands) => {
                let [target, argument] = operands.as_slice() else { return None };
                let target = self.spelled(target)?;
                let value = evaluate(argument, &mut self.env).ok()?;
                let argument = self.instance.names.show(&value, &argument.ty);
                Some(match operator.symbol == symbols::INDEX {
                    true => target.element(argument),
                    false => target.image(&argument),
                })
            }
            _ => None,
        }
    }

    /// A constraint, and what it comes to if it can be computed.
    fn says(&mut self, expr: &Expr) -> (String, Option<String>) {
        if let ExprKind::Apply(operator, sides) = &expr.kind
            && operator.symbol == symbols::IMPLIES
            && self.is_known(&sides[0])
            && !self.is_known(&sides[1])
        {
            // The data have settled that it is required.
            return self.says(&sides[1]);
        }
        let says = self.with_values(expr);
        let kept = std::mem::take(&mut self.kept);
        let comes_to = self.is_known(expr).then(|| self.with_values(expr));
        self.kept = kept;
        match comes_to {
            // It has no names but of data: these are worth more than their values.
            Some(comes_to) if comes_to == says => (on_one_line(self.sources.text(expr.span)), Some(comes_to)),
            comes_to => (says, comes_to),
        }
    }

    /// `a -> (b -> says)` for the conditions of a requirement that depend on decisions, and where these stand.
    fn guarded(&mut self, guards: &[Rc<Expr>], says: String) -> (String, Vec<Span>) {
        let in_parentheses = |text: String| match ["->", " . "].iter().any(|sign| text.contains(sign)) {
            true => format!("({text})"),
            false => text,
        };
        let guards: Vec<&Rc<Expr>> = guards.iter().filter(|guard| !self.is_known(guard)).collect();
        let says = guards.iter().rev().fold(says, |says, guard| {
            format!("{} -> {}", in_parentheses(self.with_values(guard)), in_parentheses(says))
        });
        (says, guards.iter().map(|guard| guard.span).collect())
    }

    fn replace(&mut self, expr: &Expr, replaced: &mut Vec<(Span, String)>) {
        if matches!(expr.kind, ExprKind::Constant(_)) {
            return;
        }
        if self.is_known(expr)
            && let Ok(value) = evaluate(expr, &mut self.env)
        {
            let shown = self.shown(&value, &expr.ty);
            let simple = match expr.ty {
                Type::Bool | Type::Int(_) | Type::Named(_) | Type::Tuple(_) => true,
                // Data keep their names, decisions show their values.
                _ => self.kept.is_empty() && !matches!(expr.ty, Type::Domain(_)),
            };
            if simple && shown.chars().count() <= LONGEST_VALUE {
                replaced.push((expr.span, shown));
                return;
            }
        }
        expr.for_each_part(&mut |part| self.replace(part, replaced));
    }

    /// A value; lists without their index domains.
    fn shown(&self, value: &Value, ty: &Type) -> String {
        match (value, ty) {
            (Value::Matrix(matrix), Type::Matrix(parts)) => {
                let elements = matrix.elements.iter().map(|element| self.shown(element, &parts.1));
                format!("[{}]", elements.collect::<Vec<_>>().join(", "))
            }
            (Value::Matrix(matrix), Type::List(element)) => {
                let elements = matrix.elements.iter().map(|value| self.shown(value, element));
                format!("[{}]", elements.collect::<Vec<_>>().join(", "))
            }
            _ => self.instance.names.show(value, ty),
        }
    }

    /// Whether all names in an expression have values, and none of them shall stay a name.
    fn is_known(&self, expr: &Expr) -> bool {
        self.is_known_inside(expr, &mut BTreeSet::new())
    }

    /// The same where some names will have values.
    fn is_known_inside(&self, expr: &Expr, bound: &mut BTreeSet<LocalId>) -> bool {
        match &expr.kind {
            ExprKind::Global(id) => {
                !self.kept.contains(id)
                    && match &self.instance.model.declarations[id.0 as usize].kind {
                        DeclarationKind::Letting(value) => self.is_known_inside(value, bound),
                        DeclarationKind::Find(_) | DeclarationKind::Given(_) => self.env.is_known(*id),
                        _ => true,
                    }
            }
            ExprKind::Local(local) => bound.contains(local) || self.env.local(*local).is_some(),
            ExprKind::Bubble(_) => false,
            _ => {
                if let ExprKind::Comprehension(comprehension) = &expr.kind {
                    for qualifier in &comprehension.qualifiers {
                        if let Qualifier::Generator(pattern, _) | Qualifier::Letting(pattern, _) = qualifier {
                            pattern.names(&mut |local| {
                                bound.insert(local);
                            });
                        }
                    }
                }
                let mut known = true;
                expr.for_each_part(&mut |part| known = known && self.is_known_inside(part, bound));
                known
            }
        }
    }

    /// The written form of a name's value: in the data, or in the model.
    fn written(&self, name: &Expr) -> Option<&'a Expr> {
        let ExprKind::Global(id) = name.kind else { return None };
        let parameter = self.instance.parameters.values.iter().find(|(parameter, _)| *parameter == id);
        match &self.instance.model.declarations[id.0 as usize].kind {
            DeclarationKind::Letting(value) => Some(value),
            _ => parameter.map(|(_, value)| value),
        }
    }

    /// Where the part of a written value stands, unless that is the whole of it.
    fn place_of(&mut self, name: &Expr, path: &[Step]) -> Option<Span> {
        let written = self.written(name)?;
        self.place_in(written, path).filter(|span| *span != written.span)
    }

    /// Where the part of a written value stands that a path leads to.
    fn place_in(&mut self, written: &Expr, path: &[Step]) -> Option<Span> {
        let span = locate(written, path, &mut self.env);
        if span != written.span || path.is_empty() {
            return Some(span);
        }
        let value = evaluate(written, &mut self.env).ok()?;
        self.literals.place((self.sources, &self.instance.names), span, &value, &written.ty, path)
    }

    pub fn place_of_entry(&mut self, entry: &Entry) -> Option<Span> {
        let step = match (&entry.collection.ty, &entry.member) {
            (Type::Sequence(_), Value::Tuple(pair)) => Step::Place(usize::try_from(pair[0].as_int()).ok()?),
            _ => Step::Member(entry.member.clone()),
        };
        self.place_of(&entry.collection, &[step])
    }

    /// The data that an expression looks up.
    fn lookups(&mut self, expr: &Expr, found: &mut Vec<Span>) {
        if let Some((name, path)) = self.lookup(expr)
            && let Some(span) = self.place_of(name, &path)
        {
            found.push(span);
            return;
        }
        expr.for_each_part(&mut |part| self.lookups(part, found));
    }

    /// `m[i, j]` and `f(x)` as a name and the way into its value.
    fn lookup<'e>(&mut self, expr: &'e Expr) -> Option<(&'e Expr, Vec<Step>)> {
        let ExprKind::Apply(operator, operands) = &expr.kind else { return None };
        let [target, argument] = operands.as_slice() else { return None };
        let image = [symbols::IMAGE, symbols::IMAGE_WORD].contains(&operator.symbol);
        if !image && operator.symbol != symbols::INDEX || !self.is_known(argument) {
            return None;
        }
        let value = evaluate(argument, &mut self.env).ok()?;
        let (name, mut path) = match target.kind {
            ExprKind::Global(_) => (target, Vec::new()),
            _ => self.lookup(target)?,
        };
        path.push(if image { Step::Image(value) } else { Step::Element(value) });
        Some((name, path))
    }

    /// The first place of a word after the declaration that it belongs to.
    fn place_of_word(&self, declaration: Span, word: &str) -> Option<Span> {
        let text = &self.sources.get(declaration.source).text;
        let next = |declared: &crate::analysis::model::Declaration| {
            let span = declared.span;
            (span.source == declaration.source && span.start > declaration.end).then_some(span.start as usize)
        };
        let end = self.instance.model.declarations.iter().filter_map(next).min().unwrap_or(text.len());
        let after = &text[declaration.end as usize..end];
        let letter = |character: Option<char>| character.is_some_and(|character| character.is_alphanumeric());
        let (at, _) = after.match_indices(word).find(|(at, _)| {
            !word.is_empty()
                && !letter(after[..*at].chars().next_back())
                && !letter(after[at + word.len()..].chars().next())
        })?;
        let start = declaration.end as usize + at;
        Some(Span::new(declaration.source, start, start + word.len()))
    }
}

/// White space is as good as one blank.
pub fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text without parentheses around all of it.
fn without_parentheses(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else { return text };
    let mut depth = 0;
    for character in inner.chars() {
        depth += match character {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return text;
        }
    }
    inner
}
