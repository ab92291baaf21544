//! Checks attributes of values.

use super::{Measure, Property, PropertyForm, Size};
use crate::language::{GroundDomain, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Returns true if a number is within bounds.
pub(crate) fn is_within(bounds: &Size<i64>, number: i64) -> bool {
    bounds.min.is_none_or(|min| min <= number) && bounds.max.is_none_or(|max| number <= max)
}

impl Measure {
    /// The numbers of a measure in a value. If there are several, each has the value or the part that it counts.
    pub(crate) fn of(self, value: &Value) -> Vec<(Option<&Value>, usize)> {
        match (self, value) {
            (Measure::Occurrences, _) => {
                value.items().chunk_by(|left, right| left == right).map(|run| (Some(&run[0]), run.len())).collect()
            }
            (Measure::PartSize, _) => value.items().iter().map(|part| (Some(part), member_count(part))).collect(),
            (Measure::Size, Value::Collection(kind, _)) => vec![(None, kind.row().size_of(value))],
            _ => vec![(None, member_count(value))],
        }
    }
}

impl Property {
    /// A counterexample: values that show that a value lacks this property. Its pairs are between `sides`; an infinite
    /// side is not searched for missing values.
    pub(crate) fn counterexample(self, value: &Value, sides: &[&GroundDomain]) -> Option<Vec<Value>> {
        match self.form() {
            PropertyForm::Covers(place) => {
                let found: FxHashSet<&Value> = match value {
                    Value::Mapping(_, pairs) if place == 0 => pairs.iter().map(|(argument, _)| argument).collect(),
                    _ => images(value).collect(),
                };
                let side = sides[place];
                if !side.is_finite() || side.size() == Some(found.len() as u128) {
                    return None;
                }
                side.members().find(|member| !found.contains(member)).map(|missing| vec![missing])
            }
            PropertyForm::Injective => {
                let mut arguments: FxHashMap<&Value, usize> = FxHashMap::default();
                images(value).enumerate().find_map(|(position, image)| {
                    // If the image occurred before, it had another argument.
                    let other = arguments.insert(image, position)?;
                    Some(vec![argument_at(value, other), argument_at(value, position), image.clone()])
                })
            }
            PropertyForm::Regular => {
                let parts = value.items();
                let other = parts.iter().find(|part| member_count(part) != member_count(&parts[0]))?;
                Some(vec![parts[0].clone(), other.clone()])
            }
            PropertyForm::Clause(clause) => {
                // Only clauses about all points need the domains; for the others, the points of the pairs are enough.
                let points = match clause.is_about_all_points() && sides.iter().all(|side| side.is_finite()) {
                    true => points_between(sides),
                    false => Vec::new(),
                };
                let points: Vec<&Value> = points.iter().collect();
                let pairs: Vec<(&Value, &Value)> = value.items().iter().filter_map(both).collect();
                let related: FxHashSet<(&Value, &Value)> = pairs.iter().copied().collect();
                let holds = |left, right| related.contains(&(left, right));
                let found = clause.counterexample(&pairs, &points, &holds, &|left, right| !holds(left, right))?;
                Some(found.into_iter().cloned().collect())
            }
        }
    }

    /// Returns true if the property requires something of all values of a domain.
    pub(crate) fn asks_of_all(self) -> bool {
        match self.form() {
            PropertyForm::Covers(_) => true,
            PropertyForm::Clause(clause) => clause.is_about_all_points(),
            PropertyForm::Injective | PropertyForm::Regular => false,
        }
    }

    /// Returns true if the property requires something of all values of an infinite domain, so that no value has it.
    pub(crate) fn asks_too_much(self, sides: &[&GroundDomain]) -> bool {
        match self.form() {
            PropertyForm::Covers(place) => !sides[place].is_finite(),
            _ => self.asks_of_all() && !sides.iter().all(|side| side.is_finite()),
        }
    }
}

/// The points of a relation between these domains: the values of all of them in ascending order, each once.
pub(crate) fn points_between(sides: &[&GroundDomain]) -> Vec<Value> {
    let mut points: Vec<Value> = sides.iter().flat_map(|side| side.members()).collect();
    points.sort_unstable();
    points.dedup();
    points
}

fn member_count(value: &Value) -> usize {
    value.items().len() + value.pairs().len()
}

/// The images of a function or a sequence, in the order of their arguments.
fn images(value: &Value) -> impl Iterator<Item = &Value> {
    value.pairs().iter().map(|(_, image)| image).chain(value.items())
}

/// The argument at this position.
fn argument_at(value: &Value, position: usize) -> Value {
    match value.pairs().get(position) {
        Some((argument, _)) => argument.clone(),
        None => Value::Int(position as i64 + 1),
    }
}

/// The components of a pair.
fn both(tuple: &Value) -> Option<(&Value, &Value)> {
    match tuple {
        Value::Tuple(items) if items.len() == 2 => Some((&items[0], &items[1])),
        _ => None,
    }
}
