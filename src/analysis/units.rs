//! Comments that declare units:
//!
//! ```essence
//! given price : function item --> int $ unit price: 0.01
//! ```
//!
//! Integers count steps of this size. Data write decimal numbers, and tables and objectives are printed so. A part of
//! the values is named after a point: `$ unit offer.price: 0.01`. The word `objective` stands for the objective.

use super::model::{DeclarationKind, Expr, ExprKind, TypedModel, UnitDirective};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, nearest},
    language::{Type, Value, quotation::unquoted, unit::Unit},
    operators::{plan::CHANGES, symbols},
    source::Span,
    syntax::ast::Comment,
};

/// The word for the objective.
const OBJECTIVE: &str = "objective";

/// The units that the comments of a model declare. A comment with the word `unit` that has neither a
/// known name nor a number is a comment like any other.
pub(super) fn units(comments: &[Comment], model: &TypedModel, diagnostics: &mut Diagnostics) -> Vec<UnitDirective> {
    let mut units: Vec<UnitDirective> = Vec::new();
    for comment in comments {
        let text = comment.text.strip_prefix('$').map(str::trim_start).and_then(|text| text.strip_prefix("unit "));
        let Some((names, step)) = text.and_then(|text| text.split_once(':')) else { continue };
        let unit = Unit::read(step.trim());
        let names: Vec<&str> = names.split(',').map(str::trim).collect();
        let found: Vec<Option<(String, Option<String>)>> = names.iter().map(|name| target(model, name)).collect();
        if unit.is_none() && found.iter().any(Option::is_none) {
            continue;
        }
        let Some(unit) = unit else {
            let message = format!("`{}` is not a unit", step.trim());
            diagnostics
                .push(error(message, comment.span).help("write a positive decimal number, as in `$ unit price: 0.01`"));
            continue;
        };
        for (written, target) in names.iter().zip(found) {
            let Some((name, part)) = target else {
                diagnostics.push(unknown(model, written, comment.span));
                continue;
            };
            let (name, part) = (name.as_str().into(), part.as_deref().map(Into::into));
            if units.iter().any(|other| other.name == name && other.part == part) {
                diagnostics.push(error(format!("`{written}` has two units"), comment.span).help("remove one of them"));
            } else {
                units.push(UnitDirective { name, part, unit });
            }
        }
    }
    units
}

impl TypedModel {
    /// The units of the goals, the items of the objective: the unit of the objective, or of the declaration that a goal
    /// consists of.
    pub(crate) fn goal_units(&self) -> Vec<Option<Unit>> {
        let Some(objective) = &self.objective else { return Vec::new() };
        let goals = match &objective.value.kind {
            ExprKind::Tuple(goals) => &**goals,
            _ => std::slice::from_ref(&objective.value),
        };
        let unit = |goal: &Expr| match &goal.kind {
            ExprKind::Global(id) => self.unit(&self.declaration(*id).name),
            ExprKind::Apply(operator, operands) if operator.symbol == symbols::NEGATE => match &operands[0].kind {
                ExprKind::Global(id) => self.unit(&self.declaration(*id).name),
                _ => None,
            },
            _ => None,
        };
        let mut is_distance = |part: &Expr| matches!(&part.kind, ExprKind::Apply(operator, _) if **operator == CHANGES);
        let goals = goals.iter().map(|goal| match self.has_part(goal, &mut is_distance) {
            true => None,
            false => self.unit(OBJECTIVE).or_else(|| unit(goal)),
        });
        goals.collect()
    }

    /// The value of the objective as people write it, each goal in its unit; `None` where no goal has one.
    pub(crate) fn goals_in_units(&self, value: &Value) -> Option<String> {
        let units = self.goal_units();
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

fn error(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(Code::UNIT, message).at(span, "in this comment")
}

/// The name that a unit belongs to, and the part of its values.
fn target(model: &TypedModel, written: &str) -> Option<(String, Option<String>)> {
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
        return Some((written.to_owned(), None));
    }
    let (name, part) = written.rsplit_once('.')?;
    has_part(&declared(name)?.ty, part).then(|| (name.to_owned(), Some(part.to_owned())))
}

/// Whether values of a type have a field or component of this name.
fn has_part(ty: &Type, part: &str) -> bool {
    match ty {
        Type::Record(fields) | Type::Variant(fields) => {
            fields.iter().any(|(name, ty)| unquoted(name) == part || has_part(ty, part))
        }
        Type::Tuple(types) => {
            let is_component = part.parse::<usize>().is_ok_and(|at| (1..=types.len()).contains(&at));
            is_component || types.iter().any(|ty| has_part(ty, part))
        }
        Type::Collection(_, types) => {
            let is_component = part.parse::<usize>().is_ok_and(|at| types.len() > 1 && (1..=types.len()).contains(&at));
            is_component || types.iter().any(|ty| has_part(ty, part))
        }
        Type::Matrix(types) => types.iter().any(|ty| has_part(ty, part)),
        _ => false,
    }
}

fn unknown(model: &TypedModel, written: &str, span: Span) -> Diagnostic {
    let mistake = error(format!("`{written}` has no unit: the model declares no such value"), span);
    let name = written.split('.').next().unwrap_or(written);
    match nearest(name, model.declarations.iter().map(|declaration| &*declaration.name)) {
        Some(near) if near != name => mistake.help(format!("did you mean `{near}`?")),
        _ => mistake.help("name a parameter, a decision variable, a `letting` with a value, or `objective`"),
    }
}
