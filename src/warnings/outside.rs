//! The texts of warnings about indices out of range and operators without a result.

use super::reach::{Reach, RequiringPart};
use crate::{
    analysis::model::{Category, Expr, ExprKind, Index, LocalId},
    diagnostic::{Code, Diagnostic},
    instance::{Environment, IndexPlaces, PlaceKind, evaluate, why_undefined},
    language::{GroundDomain, IntSet, Type, Value, print::MemberNames},
    operators::Lookup,
};

/// A lookup at one index.
#[derive(Clone, Copy)]
pub(super) struct IndexUse<'m> {
    /// The lookup.
    whole: &'m Expr,
    pub(super) collection: &'m Expr,
    /// The number of indices before this one in the same brackets.
    pub(super) depth: usize,
    pub(super) index: &'m Expr,
    /// The number of indices after this one in the matrix.
    further: usize,
}

impl<'m> IndexUse<'m> {
    /// The lookups that an expression makes itself, not in its parts.
    pub(super) fn of(expr: &'m Expr) -> Vec<Self> {
        match &expr.kind {
            ExprKind::Apply(row, operands) if row.lookup.is_some() => match &operands[..] {
                [collection, index] => {
                    vec![IndexUse { whole: expr, collection, depth: 0, index, further: dimension_count(&expr.ty) }]
                }
                _ => Vec::new(),
            },
            ExprKind::Slice(collection, indices) => {
                let mut found = Vec::new();
                for (depth, index) in indices.iter().enumerate() {
                    if let Index::At(index) = index {
                        let further = dimension_count(&collection.ty).saturating_sub(depth + 1);
                        found.push(IndexUse { whole: expr, collection, depth, index, further });
                    }
                }
                found
            }
            _ => Vec::new(),
        }
    }
}

/// A part that may be undefined: an index that may be out of range, the application of a partial operator, or the
/// alternative of a variant.
#[derive(Clone, Copy)]
pub(super) enum SuspectPart<'m> {
    Index(&'m Expr),
    Operation(&'m Expr),
}

impl<'m> SuspectPart<'m> {
    pub(super) fn expr(&self) -> &'m Expr {
        match self {
            SuspectPart::Index(expr) | SuspectPart::Operation(expr) => expr,
        }
    }

    /// The key of the part; an index may be an operation itself.
    pub(super) fn key(&self) -> (*const Expr, bool) {
        (self.expr(), matches!(self, SuspectPart::Index(_)))
    }
}

/// An instance in which an index is out of range, or an operator has no result.
pub(super) struct OutsideIndex {
    warning: Diagnostic,
    pub(super) reach: Reach,
    /// The index, or the reason why the operator has no result.
    shown: String,
    /// The bindings of the quantified names, `i = 4`.
    bindings: Vec<String>,
    /// True if the index mentions a quantified name.
    pub(super) is_quantified: bool,
}

impl OutsideIndex {
    /// The case of an index with this value.
    pub(super) fn new(
        asked: &IndexUse,
        value: &Value,
        places: &IndexPlaces,
        reach: Reach,
        env: &mut Environment,
        names: &MemberNames,
    ) -> Self {
        let mut locals = Vec::new();
        names_in(asked.collection, &mut locals);
        let in_collection = locals.len();
        names_in(asked.index, &mut locals);
        // If a name occurs only in the collection, as i in `m[i][0]`, it does not make the index vary.
        let is_quantified = locals.len() > in_collection;
        let bindings = bindings_of(&locals, env, names);
        let shown = names.show_briefly(value, &asked.index.ty);
        let warning = warning(asked, &shown, places, env, names);
        OutsideIndex { warning, reach, shown, bindings, is_quantified }
    }

    /// The case of an operator or an alternative that is undefined.
    pub(super) fn of_operation(expr: &Expr, reach: Reach, env: &mut Environment, names: &MemberNames) -> Self {
        let mut locals = Vec::new();
        names_in(expr, &mut locals);
        let is_quantified = !locals.is_empty();
        locals.retain(|local| env.local(*local).is_some());
        let bindings = bindings_of(&locals, env, names);
        let what = match &expr.kind {
            ExprKind::Apply(operator, _) => match operator.symbol.text {
                "/" => "this quotient".to_owned(),
                "%" => "this remainder".to_owned(),
                "**" => "this power".to_owned(),
                name => format!("this `{name}`"),
            },
            _ => "this alternative".to_owned(),
        };
        let warning = Diagnostic::warning(Code::NO_SUCH_ELEMENT, format!("{what} has no value"));
        let shown = why_undefined(expr).unwrap_or_default().to_owned();
        OutsideIndex { warning, reach, shown, bindings, is_quantified }
    }

    /// The warning about an index or an operation. `ends` are the least and the greatest integer out of range; `always`
    /// is true if it is out of range in all instances.
    pub(super) fn warning(self, part: &SuspectPart, ends: Option<(i64, i64)>, always: bool) -> Diagnostic {
        let OutsideIndex { warning, reach, shown, bindings, is_quantified } = self;
        let index = part.expr();
        let varies = is_quantified || index.category == Category::Decision;
        let label = match ends {
            _ if matches!(part, SuspectPart::Operation(_)) => Some(match bindings.is_empty() {
                true => shown,
                false => format!("{shown} where {}", bindings.join(", ")),
            }),
            // The message already gives the value.
            _ if !varies => None,
            Some((first, last)) if always && first == last => Some(format!("always {first}")),
            Some((first, last)) if always => Some(format!("always {first} to {last}")),
            _ if bindings.is_empty() => None,
            // If the index is a name, the bindings give its value.
            _ if matches!(index.kind, ExprKind::Local(_)) => Some(format!("where {}", bindings.join(", "))),
            _ => Some(format!("{shown} where {}", bindings.join(", "))),
        };
        let warning = match label {
            Some(label) => warning.at(index.span, label),
            None => warning,
        };
        warning.note(match reach {
            Reach::Required(RequiringPart::Domain) => {
                "a domain without a value has no members, so there is no solution"
            }
            Reach::Required(RequiringPart::Objective) => "an objective without a value allows no solution",
            Reach::Required(RequiringPart::Constraint) => {
                "an expression without a value makes the condition that contains it false, so there is no solution"
            }
            Reach::Reached | Reach::Guarded => {
                "an expression without a value makes the condition that contains it false"
            }
        })
    }
}

fn warning(
    asked: &IndexUse,
    shown: &str,
    places: &IndexPlaces,
    env: &mut Environment,
    names: &MemberNames,
) -> Diagnostic {
    let (name, place) = match indexed_path(asked.collection, env, names) {
        Some((name, mut path)) => {
            // The other indices of the matrix are shown as open: `m[.., 5, ..]`.
            path.extend((0..asked.depth).map(|_| "..".to_owned()));
            path.push(shown.to_owned());
            path.extend((0..asked.further).map(|_| "..".to_owned()));
            (name, if path.len() == 1 { path.remove(0) } else { format!("[{}]", path.join(", ")) })
        }
        None => (unnamed_indexed(asked.collection), shown.to_owned()),
    };
    let ty = &asked.index.ty;
    let domain = places.domain().map(|domain| names.domain(&domain, ty).on_one_line().to_string());
    let domain = domain.unwrap_or_default();
    let (message, label) = match places.kind() {
        Some(PlaceKind::Index) if place.starts_with('[') => {
            (format!("{name} has no element {place}"), format!("the indices at this position are `{domain}`"))
        }
        Some(PlaceKind::Argument) => {
            (format!("{name} has no image of {shown}"), format!("its arguments are `{domain}`"))
        }
        Some(PlaceKind::MappedArgument) => {
            let defined = places.shown(ty, names);
            let label = if defined.is_empty() { "nowhere".to_owned() } else { format!("only for {defined}") };
            (format!("{name} has no image of {shown}"), format!("it is defined {label}"))
        }
        Some(PlaceKind::Position) => {
            let last = match places.domain() {
                Some(GroundDomain::Int(positions)) => IntSet::max(&positions),
                _ => None,
            };
            let label = last.map(|last| format!("its members are counted from 1 to {last}"));
            let label = label.unwrap_or_else(|| "it has no members".to_owned());
            (format!("{name} has no member {shown}"), label)
        }
        _ => (format!("{name} has no element {place}"), format!("its indices are `{domain}`")),
    };
    // If there are several indices in brackets, only the wrong one is marked.
    let span = if asked.depth > 0 { asked.index.span } else { asked.whole.span };
    let warning = Diagnostic::warning(Code::NO_SUCH_ELEMENT, message).at(span, label);
    match (places.kind(), &asked.collection.kind, &asked.index.kind) {
        (Some(PlaceKind::Index), ExprKind::Constant(_), _) if shown == "0" => {
            warning.help("elements are counted from 1; to count from 0, write the indices: `[1, 2, 3; int(0..2)]`")
        }
        (Some(PlaceKind::MappedArgument), ExprKind::Global(_), ExprKind::Local(local)) => {
            let local = env.model().local_names.get(local.0 as usize).map(|local| local.name.clone());
            let local = local.unwrap_or_default();
            warning.help(format!("write `{local} in defined({}) -> …` to leave out the others", name.trim_matches('`')))
        }
        _ => warning,
    }
}

/// The name of an indexed matrix, and the values of the indices before this one.
fn indexed_path(collection: &Expr, env: &mut Environment, names: &MemberNames) -> Option<(String, Vec<String>)> {
    match &collection.kind {
        ExprKind::Global(id) => Some((format!("`{}`", env.model().declaration(*id).name), Vec::new())),
        ExprKind::Apply(row, operands) if row.lookup == Some(Lookup::Element) => {
            let [matrix, index] = &operands[..] else { return None };
            let (name, mut path) = indexed_path(matrix, env, names)?;
            let value = evaluate_known(index, env)?;
            path.push(names.show_briefly(&value, &index.ty));
            Some((name, path))
        }
        _ => None,
    }
}

/// The bindings `i = 4` of names that have values, without repetitions.
fn bindings_of(locals: &[LocalId], env: &Environment, names: &MemberNames) -> Vec<String> {
    let model = env.model();
    let mut bindings = Vec::new();
    for local in locals {
        let Some(declared) = model.local_names.get(local.0 as usize) else { continue };
        if let Some(value) = env.local(*local) {
            let binding = format!("{} = {}", declared.name, names.show_briefly(value, &declared.ty));
            if !bindings.contains(&binding) {
                bindings.push(binding);
            }
        }
    }
    bindings
}

/// The value of an expression that does not depend on decisions, if it is defined.
pub(super) fn evaluate_known(expr: &Expr, env: &mut Environment) -> Option<Value> {
    if expr.category < Category::Decision { evaluate(expr, env).ok() } else { None }
}

/// The number of indices of a matrix; 0 for other types.
fn dimension_count(ty: &Type) -> usize {
    match ty {
        Type::Matrix(types) => 1 + dimension_count(&types[1]),
        _ => 0,
    }
}

/// The quantified names in an expression.
fn names_in(expr: &Expr, found: &mut Vec<LocalId>) {
    if let ExprKind::Local(local) = expr.kind {
        found.push(local);
    }
    expr.for_each_part(&mut |part| names_in(part, found));
}

fn unnamed_indexed(collection: &Expr) -> String {
    match (&collection.kind, &collection.ty) {
        (ExprKind::Apply(..), Type::Matrix(_)) => "this row".to_owned(),
        (_, Type::Collection(kind, _)) => format!("this {}", kind.row().noun()),
        _ => "this matrix".to_owned(),
    }
}
