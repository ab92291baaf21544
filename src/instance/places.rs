//! The places at which a matrix, a function or a sequence has a value: its indices, arguments or positions. A lookup
//! anywhere else is undefined.

use super::{Environment, evaluate, index_of_literal};
use crate::{
    analysis::model::{Category, DeclarationKind, Expr, ExprKind},
    language::{GroundDomain, IntSet, MemberForm, Type, Value, print::MemberNames},
    operators::{Lookup, evaluation::image},
};
use std::sync::Arc;

/// The maximum number of arguments that are listed and not only counted, unless they are a run of integers. Chosen.
const MOST_LISTED: usize = 12;

/// The places of a collection.
pub(crate) enum IndexPlaces {
    /// The places of a known collection.
    Known(Value),
    /// The places of a decision variable with this domain, or of one of its rows after this number of indices.
    Declared(Arc<GroundDomain>, usize),
    /// The indices of a matrix literal.
    Indices(GroundDomain),
}

/// The kind of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlaceKind {
    Index,
    Argument,
    /// An argument of a function that is known, and may have fewer arguments than its domain.
    MappedArgument,
    Position,
}

/// The places of a collection, or of its rows after `depth` indices if it is a matrix; `None` if they are unknown.
pub(crate) fn places(collection: &Expr, depth: usize, env: &mut Environment) -> Option<IndexPlaces> {
    if collection.category < Category::Decision {
        // If the value is known, it is shown as it is, even if the declared domain is larger.
        let mut value = evaluate(collection, env).ok()?;
        for _ in 0..depth {
            let Value::Matrix(matrix) = &value else { return None };
            // All rows have the same indices, so the first row shows them; an empty matrix shows nothing.
            value = matrix.elements.first()?.clone();
        }
        let places = IndexPlaces::Known(value);
        return places.kind().is_some().then_some(places);
    }
    let places = match &collection.kind {
        ExprKind::Global(id) => {
            let model = env.model().clone();
            match &model.declaration(*id).kind {
                DeclarationKind::Letting(value) => return places(value, depth, env),
                _ => IndexPlaces::Declared(env.domain(*id)?.clone(), depth),
            }
        }
        ExprKind::Apply(row, operands) if row.lookup == Some(Lookup::Element) => {
            return places(operands.first()?, depth + 1, env);
        }
        ExprKind::Matrix(elements, None) if depth == 0 => {
            IndexPlaces::Indices(GroundDomain::Int(IntSet::range(1, elements.len() as i64)))
        }
        ExprKind::Matrix(elements, Some(index)) if depth == 0 => {
            IndexPlaces::Indices(index_of_literal(index, elements.len(), collection.span, env).ok()?)
        }
        _ => return None,
    };
    places.kind().is_some().then_some(places)
}

impl IndexPlaces {
    /// The domain of the decision variable or of its row.
    fn declared(&self) -> Option<&GroundDomain> {
        let IndexPlaces::Declared(domain, depth) = self else { return None };
        let mut domain = &**domain;
        for _ in 0..*depth {
            let GroundDomain::Matrix(_, row) = domain else { return None };
            domain = row;
        }
        Some(domain)
    }

    pub(crate) fn kind(&self) -> Option<PlaceKind> {
        match self {
            IndexPlaces::Known(Value::Matrix(_)) | IndexPlaces::Indices(_) => Some(PlaceKind::Index),
            IndexPlaces::Known(value) => match value.form()? {
                MemberForm::Pairs => Some(PlaceKind::MappedArgument),
                MemberForm::Positions => Some(PlaceKind::Position),
                _ => None,
            },
            IndexPlaces::Declared(..) => match self.declared()? {
                GroundDomain::Matrix(..) => Some(PlaceKind::Index),
                GroundDomain::Collection(kind, attributes, _) => match kind.form() {
                    MemberForm::Pairs => Some(PlaceKind::Argument),
                    MemberForm::Positions => attributes.size().max.map(|_| PlaceKind::Position),
                    _ => None,
                },
                _ => None,
            },
        }
    }

    /// The places as a domain, unless a known function lists them.
    pub(crate) fn domain(&self) -> Option<GroundDomain> {
        let positions = |last: i64| GroundDomain::Int(IntSet::range(1, last));
        match self {
            IndexPlaces::Known(Value::Matrix(matrix)) => Some(matrix.index.clone()),
            IndexPlaces::Known(value) if value.form() == Some(MemberForm::Positions) => {
                Some(positions(value.items().len() as i64))
            }
            IndexPlaces::Known(_) => None,
            IndexPlaces::Indices(index) => Some(index.clone()),
            IndexPlaces::Declared(..) => match self.declared()? {
                GroundDomain::Collection(kind, attributes, _) if kind.form() == MemberForm::Positions => {
                    attributes.size().max.map(positions)
                }
                domain => domain.as_map().map(|(from, _)| from.clone()),
            },
        }
    }

    /// Returns true if there may be a value at a place; false means that there certainly is none.
    pub(crate) fn contain(&self, place: &Value) -> bool {
        let is_in = |domain: &GroundDomain| domain.contains(place);
        let is_position = |last: i64| matches!(place, Value::Int(place) if (1..=last).contains(place));
        match self {
            IndexPlaces::Known(Value::Matrix(matrix)) => is_in(&matrix.index),
            IndexPlaces::Known(value) => match value.form() {
                Some(MemberForm::Positions) => is_position(value.items().len() as i64),
                Some(MemberForm::Pairs) => image(value, place).is_some(),
                _ => true,
            },
            IndexPlaces::Indices(index) => is_in(index),
            IndexPlaces::Declared(..) => match self.declared() {
                Some(GroundDomain::Collection(kind, attributes, _)) if kind.form() == MemberForm::Positions => {
                    attributes.size().max.is_none_or(is_position)
                }
                domain => domain.and_then(GroundDomain::as_map).is_none_or(|(from, _)| is_in(from)),
            },
        }
    }

    /// The places in words, such as `1..3` or `1, 2, 4`; `ty` is their type.
    pub(crate) fn shown(&self, ty: &Type, names: &MemberNames) -> String {
        if let IndexPlaces::Known(Value::Mapping(_, pairs)) = self {
            let arguments: Vec<&Value> = pairs.iter().map(|(argument, _)| argument).collect();
            return match ty {
                Type::Int(_) => {
                    ranges_in_words(&IntSet::from_values(arguments.iter().map(|argument| argument.as_int())))
                }
                _ if arguments.len() > MOST_LISTED => format!("{} arguments only", arguments.len()),
                _ => {
                    let shown = arguments.iter().map(|argument| names.show_briefly(argument, ty));
                    shown.collect::<Vec<_>>().join(", ")
                }
            };
        }
        match (self.domain(), ty) {
            (Some(GroundDomain::Int(values)), Type::Int(_)) => ranges_in_words(&values),
            (Some(domain), _) => names.domain(&domain, ty).on_one_line(),
            (None, _) => String::new(),
        }
    }
}

/// Writes integers as ranges: `1..3, 5`.
fn ranges_in_words(values: &IntSet) -> String {
    let range = |(low, high): &(i64, i64)| if low == high { low.to_string() } else { format!("{low}..{high}") };
    values.ranges().iter().map(range).collect::<Vec<_>>().join(", ")
}
