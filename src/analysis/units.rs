//! Comments that declare units:
//!
//! ```essence
//! given price : function item --> int $ unit price: 0.01
//! ```
//!
//! Integers count steps of this size. In JSON and in tables, data and answers are decimal numbers; in Essence, they are
//! steps. A part of the values is named after a point: `$ unit offer.price: 0.01`, or `$ unit offer.extra.price: 0.1`
//! for a field inside another one. The word `objective` stands for the objective.

use super::model::{Declaration, DeclarationKind, Expr, ExprKind, TypedModel, UnitDirective};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, nearest},
    language::{
        Collection, IntType, MemberForm, Name, Type, Value, print::MemberNames, quotation::unquoted, unit::Unit,
    },
    operators::{plan_distance::CHANGES, symbols},
    source::Span,
    syntax::ast::Comment,
};
use serde_json::Value as Json;
use std::sync::Arc;

/// The name of the objective in these comments.
const OBJECTIVE: &str = "objective";

/// Returns the units that the comments of a model declare. A comment that starts with `unit` but has neither a known
/// name nor a number is ordinary prose.
pub(super) fn units(comments: &[Comment], model: &TypedModel, diagnostics: &mut Diagnostics) -> Vec<UnitDirective> {
    let mut units: Vec<UnitDirective> = Vec::new();
    // The path of these comments leads to several parts, but a later comment may make it unique.
    let mut wide = Vec::new();
    for comment in comments {
        let Some((names, step)) = text_of_units(comment).and_then(|text| text.split_once(':')) else { continue };
        let unit = Unit::read(step.trim());
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let found: Vec<Option<UnitTarget>> = names.iter().map(|name| target(model, name)).collect();
        // The comment may be prose, such as `$ unit tests: see below`.
        if unit.is_none() && found.iter().any(Option::is_none) {
            continue;
        }
        let Some(unit) = unit else {
            let message = format!("`{}` is not a unit", step.trim());
            let help = match step.contains(':') {
                true => "write one comment for each unit, as in `$ unit price, cost: 0.01`",
                false => "write a positive decimal number, as in `$ unit price: 0.01`",
            };
            diagnostics.push(unit_error(message, comment.span).help(help));
            continue;
        };
        for (written, target) in names.iter().zip(found) {
            let Some((name, path)) = target else {
                diagnostics.push(unknown_unit_target(model, written, comment.span));
                continue;
            };
            if units.iter().any(|other| other.name == name && other.path == path) {
                diagnostics
                    .push(unit_error(format!("`{written}` has two units"), comment.span).help("remove one of them"));
            } else {
                // `parts` is empty for the objective, whose goals are always numbers.
                let parts = parts_at(model, &name, &path);
                if !parts.is_empty() && !parts.iter().any(|(_, ty)| ty.mentions_number()) {
                    let error = unit_error(format!("`{written}` holds no numbers"), comment.span);
                    diagnostics.push(error.help("leave the comment out: a unit is the size of one step of an integer"));
                    continue;
                }
                let fields: Vec<Vec<Name>> = parts.into_iter().map(|(way, _)| way).collect();
                units.push(UnitDirective { name, path, unit });
                wide.extend((fields.len() > 1).then_some((units.len() - 1, fields, comment.span)));
            }
        }
    }
    let ambiguous = wide.into_iter().filter_map(|(at, fields, span)| ambiguous(&units, at, fields, span));
    diagnostics.extend(ambiguous);
    units
}

/// Returns the parts that a unit applies to, with their full paths: the whole value, or each part whose path ends with
/// `path`.
fn parts_at(model: &TypedModel, name: &str, path: &[Name]) -> Vec<(Vec<Name>, Type)> {
    let mut found = Vec::new();
    match model.declarations.iter().find(|declaration| *declaration.name == *name) {
        Some(declaration) if path.is_empty() => found.push((Vec::new(), declaration.ty.clone())),
        Some(declaration) => ways(&declaration.ty, path, &mut Vec::new(), &mut found),
        None => {}
    }
    found
}

/// Adds the parts of values whose full path ends with `path`.
fn ways(ty: &Type, path: &[Name], way: &mut Vec<Name>, found: &mut Vec<(Vec<Name>, Type)>) {
    for (name, inner) in parts_of_type(ty) {
        let length = way.len();
        way.extend(name);
        if way.len() > length && way.ends_with(path) && !found.iter().any(|(known, _)| known == way) {
            found.push((way.clone(), inner.clone()));
        }
        ways(inner, path, way, found);
        way.truncate(length);
    }
}

/// Returns the error that a comment applies to several parts, unless longer paths in other comments leave only one.
fn ambiguous(units: &[UnitDirective], at: usize, mut fields: Vec<Vec<Name>>, span: Span) -> Option<Diagnostic> {
    let own = &units[at];
    let is_longer = |other: &&UnitDirective| other.name == own.name && other.path.len() > own.path.len();
    // Longer paths take precedence, so their fields do not belong to this comment.
    fields.retain(|field| !units.iter().filter(is_longer).any(|other| field.ends_with(&other.path)));
    let written = |path: &[Name]| {
        let parts: Vec<&str> = [&*own.name].into_iter().chain(path.iter().map(|part| &**part)).collect();
        parts.join(".")
    };
    let [one, others @ .., last] = fields.as_slice() else { return None };
    let listed: Vec<String> = [one].into_iter().chain(others).map(|field| format!("`{}`", written(field))).collect();
    let message = format!("`{}` can mean {} or `{}`", written(&own.path), listed.join(", "), written(last));
    let longest = fields.iter().max_by_key(|field| field.len())?;
    let help = format!("give `{0}` a unit, too: `$ unit {0}: 1` for whole numbers", written(longest));
    Some(unit_error(message, span).help(help))
}

/// The text of a comment after the word `unit`.
pub(super) fn text_of_units(comment: &Comment) -> Option<&str> {
    comment.text.strip_prefix('$')?.trim_start().strip_prefix("unit ")
}

/// Returns true if a comment may declare units.
pub(crate) fn is_about_units(comment: &Comment) -> bool {
    text_of_units(comment).is_some()
}

/// The units of the parts of a value, tracked while the value is visited from the whole to its parts. A part has the
/// unit of the longest path that ends there, and otherwise the unit of the enclosing part.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartUnits {
    paths: Vec<(Vec<Name>, Unit)>,
    /// The fields and components from the value to the current part.
    way: Vec<Name>,
    unit: Option<Unit>,
}

/// The state to which [`PartUnits::leave`] returns.
pub(crate) struct OuterPart {
    depth: usize,
    unit: Option<Unit>,
}

impl PartUnits {
    /// Returns the units of the values of a name.
    pub(crate) fn of(units: &[UnitDirective], name: &str) -> Self {
        let own = units.iter().filter(|unit| *unit.name == *name);
        let (paths, whole): (Vec<_>, Vec<_>) =
            own.map(|unit| (unit.path.clone(), unit.unit)).partition(|(path, _)| !path.is_empty());
        PartUnits { paths, way: Vec::new(), unit: whole.first().map(|(_, unit)| *unit) }
    }

    /// Returns true if no part has a unit.
    pub(crate) fn are_none(&self) -> bool {
        self.paths.is_empty() && self.unit.is_none()
    }

    /// The unit of the current part.
    pub(crate) fn unit(&self) -> Option<Unit> {
        self.unit
    }

    /// Returns a type whose integers carry the units of the parts of its values.
    pub(crate) fn on(&mut self, ty: &Type) -> Type {
        let mut each = |types: &[Type]| -> Arc<[Type]> { types.iter().map(|ty| self.on(ty)).collect() };
        match ty {
            Type::Int(int) => Type::Int(IntType { unit: self.unit, ..int.clone() }),
            Type::Record(fields) => Type::Record(self.on_fields(fields)),
            Type::Variant(fields) => Type::Variant(self.on_fields(fields)),
            Type::Tuple(types) => Type::Tuple(self.on_components(types)),
            Type::Collection(kind, types) if kind.form() == MemberForm::Tuples => {
                Type::Collection(*kind, self.on_components(types))
            }
            Type::Collection(kind, types) if kind.form() == MemberForm::Pairs => {
                Type::Collection(*kind, self.on_map(types))
            }
            Type::Collection(kind, types) => Type::Collection(*kind, each(types)),
            Type::Matrix(types) => Type::Matrix(self.on_map(types)),
            Type::List(inner) => Type::List(Arc::new(self.on(inner))),
            Type::Any | Type::Bool | Type::Named(_) | Type::Domain(_) => ty.clone(),
        }
    }

    fn on_fields(&mut self, fields: &[(Name, Type)]) -> Arc<[(Name, Type)]> {
        fields.iter().map(|(name, ty)| (name.clone(), self.on_part(name, ty))).collect()
    }

    fn on_components(&mut self, types: &[Type]) -> Arc<[Type]> {
        (1..).zip(types).map(|(at, ty)| self.on_part(&i32::to_string(&at), ty)).collect()
    }

    /// Returns the types of an argument (or index) and an image (or element) with their units.
    fn on_map(&mut self, types: &[Type]) -> Arc<[Type]> {
        let [from, to] = types else { return types.into() };
        let outer = self.enter_argument();
        let from = self.on(from);
        self.leave(outer);
        [from, self.on(to)].into()
    }

    fn on_part(&mut self, name: &str, ty: &Type) -> Type {
        let outer = self.enter(name);
        let part = self.on(ty);
        self.leave(outer);
        part
    }

    /// Enters a field, or the component with a number.
    pub(crate) fn enter(&mut self, part: &str) -> OuterPart {
        let outer = OuterPart { depth: self.way.len(), unit: self.unit };
        // If there are no paths, all parts have the unit of the whole, and names need not be tracked.
        if !self.paths.is_empty() {
            self.way.push(unquoted(part).into());
            let ending = self.paths.iter().filter(|(path, _)| self.way.ends_with(path));
            self.unit = ending.max_by_key(|(path, _)| path.len()).map(|(_, unit)| *unit).or(outer.unit);
        }
        outer
    }

    /// Enters an argument or an index, which has no unit unless a part of it is named.
    pub(crate) fn enter_argument(&mut self) -> OuterPart {
        OuterPart { depth: self.way.len(), unit: self.unit.take() }
    }

    /// Enters a member, an image or an element, which has the unit of the whole.
    pub(crate) fn enter_member(&self) -> OuterPart {
        OuterPart { depth: self.way.len(), unit: self.unit }
    }

    /// Leaves the current part.
    pub(crate) fn leave(&mut self, outer: OuterPart) {
        self.way.truncate(outer.depth);
        self.unit = outer.unit;
    }
}

impl TypedModel {
    /// Returns the type of a declaration with the units for display.
    pub(crate) fn type_in_units(&self, declaration: &Declaration) -> Type {
        let mut units = PartUnits::of(&self.units, &declaration.name);
        if units.are_none() { declaration.ty.clone() } else { units.on(&declaration.ty) }
    }

    /// Returns the type of an expression with its units, if it is a part of a declared value.
    fn part_in_units(&self, expr: &Expr) -> Type {
        match &expr.kind {
            ExprKind::Global(id) => self.type_in_units(self.declaration(*id)),
            ExprKind::Component(whole, at) => match self.part_in_units(whole) {
                Type::Tuple(types) => types[*at as usize].clone(),
                Type::Record(fields) => fields[*at as usize].1.clone(),
                _ => expr.ty.clone(),
            },
            ExprKind::Apply(operator, operands) => match operator.symbol {
                symbols::NEGATE => self.part_in_units(&operands[0]),
                symbols::INDEX => operands[1..].iter().fold(self.part_in_units(&operands[0]), |whole, _| match whole {
                    Type::Matrix(types) => types[1].clone(),
                    other => other,
                }),
                symbols::IMAGE => match self.part_in_units(&operands[0]) {
                    Type::Collection(Collection::Function, types) => types[1].clone(),
                    Type::Collection(Collection::Sequence, types) => types[0].clone(),
                    _ => expr.ty.clone(),
                },
                _ => expr.ty.clone(),
            },
            _ => expr.ty.clone(),
        }
    }

    /// Returns the unit of each goal (the items of the objective): the unit of the objective, or the unit of the
    /// declared value that the goal is a part of.
    pub(crate) fn goal_units(&self) -> Vec<Option<Unit>> {
        let Some(objective) = &self.objective else { return Vec::new() };
        let goals = match &objective.value.kind {
            ExprKind::Tuple(goals) => &**goals,
            _ => std::slice::from_ref(&objective.value),
        };
        let unit = |goal: &Expr| match self.part_in_units(goal) {
            Type::Int(int) => int.unit,
            _ => None,
        };
        let mut is_distance = |part: &Expr| matches!(&part.kind, ExprKind::Apply(operator, _) if **operator == CHANGES);
        let goals = goals.iter().enumerate().map(|(at, goal)| {
            // Prices of wishes and distances to plans are mere counts without a unit.
            let has_none = at < self.prices || self.has_part(goal, &mut is_distance);
            if has_none { None } else { self.unit(OBJECTIVE).or_else(|| unit(goal)) }
        });
        goals.collect()
    }

    /// Returns the value of the objective in JSON, each goal as the model states it and in its unit.
    pub(crate) fn goals_in_json(&self, value: &Value) -> Option<Json> {
        let units = self.goal_units();
        let value = &self.objective.as_ref()?.as_stated(value);
        let one = |(value, unit): (&Value, &Option<Unit>)| match value {
            Value::Int(steps) => Some(unit.map_or_else(|| Json::from(*steps), |unit| unit.json(*steps))),
            _ => None,
        };
        match value {
            Value::Tuple(items) => items.iter().zip(&units).map(one).collect::<Option<Vec<Json>>>().map(Json::Array),
            value => one((value, units.first()?)),
        }
    }

    /// Returns the value of the objective for display: each goal as the model states it and in its unit.
    pub(crate) fn goals_read(&self, value: &Value, names: &MemberNames) -> Option<String> {
        let objective = self.objective.as_ref()?;
        let in_units = self.goals_in_units(value);
        Some(in_units.unwrap_or_else(|| names.show(&objective.as_stated(value), &objective.value.ty)))
    }

    /// Returns the value of the objective in units; `None` if no goal has one.
    pub(crate) fn goals_in_units(&self, value: &Value) -> Option<String> {
        let units = self.goal_units();
        let value = &self.objective.as_ref()?.as_stated(value);
        if units.iter().all(Option::is_none) {
            return None;
        }
        let shown = |(value, unit): (&Value, &Option<Unit>)| match (value, unit) {
            (Value::Int(steps), Some(unit)) => Some(unit.shown(*steps)),
            (Value::Int(steps), None) => Some(steps.to_string()),
            _ => None,
        };
        match value {
            Value::Tuple(items) => {
                let items: Option<Vec<String>> = items.iter().zip(&units).map(shown).collect();
                items.map(|items| format!("({})", items.join(", ")))
            }
            value => shown((value, &units[0])),
        }
    }
}

pub(super) fn unit_error(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(Code::UNIT, message).at(span, "in this comment")
}

/// The name that a unit belongs to, and the path to the part of its values.
type UnitTarget = (Name, Vec<Name>);

/// Returns true if a name in a comment has values that can have a unit.
pub(super) fn has_values(model: &TypedModel, written: &str) -> bool {
    target(model, written).is_some()
}

fn target(model: &TypedModel, written: &str) -> Option<UnitTarget> {
    let declared = |name: &str| {
        model.declarations.iter().find(|declaration| {
            let has_values = matches!(
                declaration.kind,
                DeclarationKind::Given(_) | DeclarationKind::Find(_) | DeclarationKind::Letting(_)
            );
            has_values && *declaration.name == *name
        })
    };
    if declared(written).is_some() || written == OBJECTIVE && model.objective.is_some() {
        return Some((written.into(), Vec::new()));
    }
    let mut parts = written.split('.');
    let name = parts.next()?;
    let path: Vec<Name> = parts.map(Into::into).collect();
    (!path.is_empty() && has_part(&declared(name)?.ty, &path)).then(|| (name.into(), path))
}

/// Returns true if the path leads somewhere from the value or from one of its parts.
fn has_part(ty: &Type, path: &[Name]) -> bool {
    leads_on(ty, path) || parts_of_type(ty).iter().any(|(_, inner)| has_part(inner, path))
}

/// Returns true if the path leads from values of the type to one of their parts.
fn leads_on(ty: &Type, path: &[Name]) -> bool {
    let Some((first, rest)) = path.split_first() else { return true };
    parts_of_type(ty).iter().any(|(name, inner)| match name {
        Some(name) => name == first && leads_on(inner, rest),
        // Members and elements have no names, so they do not use up a step of the path.
        None => leads_on(inner, path),
    })
}

/// Returns the types of the direct parts of values, with the names of fields and the numbers of components.
fn parts_of_type<'t>(ty: &'t Type) -> Vec<(Option<Name>, &'t Type)> {
    let numbered =
        |types: &'t [Type]| (1..).zip(types).map(|(at, ty)| (Some(i32::to_string(&at).into()), ty)).collect();
    match ty {
        Type::Record(fields) | Type::Variant(fields) => {
            fields.iter().map(|(name, ty)| (Some(unquoted(name).into()), ty)).collect()
        }
        Type::Tuple(types) => numbered(types),
        Type::Collection(kind, types) if kind.form() == MemberForm::Tuples => numbered(types),
        Type::Collection(_, types) => types.iter().map(|ty| (None, ty)).collect(),
        Type::Matrix(types) => types.iter().map(|ty| (None, ty)).collect(),
        _ => Vec::new(),
    }
}

fn unknown_unit_target(model: &TypedModel, written: &str, span: Span) -> Diagnostic {
    let mistake = unit_error(format!("`{written}` has no unit: the model declares no such value"), span);
    let name = written.split('.').next().unwrap_or(written);
    match nearest(name, model.declarations.iter().map(|declaration| &*declaration.name)) {
        Some(near) if near != name => mistake.help(format!("did you mean `{near}`?")),
        _ => mistake.help("name a parameter, a decision variable, a `letting` with a value, or `objective`"),
    }
}
