//! Tours: places in the order of their visits.

use super::{
    Directive, Route, Tour, TourStop,
    choose::{Scene, ShownPart, image_of_key},
    roles::PictureRole,
    roles::{is_next, stops},
};
use crate::language::{MemberForm, Value};

/// Tours with more places are shown as values. Chosen.
const MOST_PLACES: usize = 500;

impl Scene<'_> {
    /// Draws the routes through places, which come from lists of stops or from a map to the next place.
    pub(super) fn tour(&mut self, seen: &ShownPart, directive: &Directive) -> Option<Tour> {
        let place_type = stops(seen.ty)?;
        let coordinates = self.coordinates(directive);
        let closed = directive.overlay(PictureRole::Closed).is_some();
        let follows = is_next(seen.ty, directive.overlay(PictureRole::Next).is_some());
        let routes: Vec<(String, Vec<Value>, bool)> = match (seen.ty.form(), seen.ty.as_map()) {
            (Some(MemberForm::Cycles), _) => chains(seen.value.pairs().to_vec()),
            (_, Some((from, to))) if to.form() == Some(MemberForm::Positions) => {
                let route = |(key, value): (Value, Option<Value>)| match value {
                    Some(Value::Collection(_, stops)) if !stops.is_empty() => {
                        Some((self.show(&key, from), stops.to_vec(), closed))
                    }
                    _ => None,
                };
                self.arguments(seen)?.into_iter().filter_map(route).collect()
            }
            _ => {
                let entries = self.arguments(seen)?.into_iter().filter_map(|(key, value)| Some((key, value?)));
                match follows {
                    true => chains(entries.collect()),
                    false => vec![(String::new(), entries.map(|(_, value)| value).collect(), closed)],
                }
            }
        };
        // With coordinates, all places that have coordinates are drawn, visited or not; without, only visited places
        // are.
        let mut places: Vec<Value> = match &coordinates {
            Some(coordinates) => coordinates.iter().map(|(place, _)| place.clone()).collect(),
            None => Vec::new(),
        };
        let mut routes_drawn = Vec::new();
        for (label, stops, closed) in routes {
            let mut numbers = Vec::new();
            for stop in stops {
                numbers.push(match places.iter().position(|place| *place == stop) {
                    Some(position) => position,
                    None => {
                        places.push(stop);
                        places.len() - 1
                    }
                });
            }
            // A list that ends at its first place is a closed route.
            let closed = closed || numbers.len() > 2 && numbers.first() == numbers.last();
            if closed && numbers.len() > 1 && numbers.first() == numbers.last() {
                numbers.pop();
            }
            routes_drawn.push(Route { label, stops: numbers, closed });
        }
        if places.len() > MOST_PLACES || routes_drawn.is_empty() {
            return None;
        }
        if let [alone] = &mut routes_drawn[..] {
            alone.label.clear();
        }
        let at = |place: &Value| {
            let known = coordinates.as_ref()?.iter().find(|(other, _)| other == place)?;
            Some(known.1)
        };
        let mut drawn: Vec<TourStop> =
            places.iter().map(|place| TourStop { label: self.show(place, &place_type), at: at(place) }).collect();
        if drawn.iter().any(|place| place.at.is_none()) {
            drawn.iter_mut().for_each(|place| place.at = None);
        }
        Some(Tour { places: drawn, routes: routes_drawn })
    }

    /// The coordinates of the places, if the directive gives them.
    fn coordinates(&mut self, directive: &Directive) -> Option<Vec<(Value, (i64, i64))>> {
        if let Some((places, _)) = self.named(directive.overlay(PictureRole::Places)) {
            let point = |(place, at): (Value, Value)| Some((place, number_pair(&at)?));
            return Some(map_entries(&places)?.into_iter().filter_map(point).collect());
        }
        let (across, _) = self.named(directive.overlay(PictureRole::Across))?;
        let (up, _) = self.named(directive.overlay(PictureRole::Up))?;
        let point = |(place, x): (Value, Value)| match (x, image_of_key(&up, &place)) {
            (Value::Int(x), Some(Value::Int(y))) => Some((place, (x, *y))),
            _ => None,
        };
        Some(map_entries(&across)?.into_iter().filter_map(point).collect())
    }
}

/// The two numbers of a tuple or a record.
pub(super) fn number_pair(value: &Value) -> Option<(i64, i64)> {
    match value {
        Value::Tuple(items) => match items[..] {
            [Value::Int(first), Value::Int(second)] => Some((first, second)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the arguments of a function or a matrix, with their images.
fn map_entries(map: &Value) -> Option<Vec<(Value, Value)>> {
    match map {
        Value::Mapping(_, pairs) => Some(pairs.to_vec()),
        Value::Matrix(matrix) => Some(matrix.index.members().zip(matrix.elements.iter().cloned()).collect()),
        _ => None,
    }
}

/// Returns the paths along a map to the next place: first open paths from places without a predecessor, then cycles.
fn chains(next: Vec<(Value, Value)>) -> Vec<(String, Vec<Value>, bool)> {
    let is_reached = |place: &Value| next.iter().any(|(_, to)| to == place);
    let mut starts: Vec<&Value> = next.iter().map(|(from, _)| from).filter(|from| !is_reached(from)).collect();
    // After the open paths, only cycles are left, so every place can start one.
    starts.extend(next.iter().map(|(from, _)| from));
    let mut used = vec![false; next.len()];
    let mut chains = Vec::new();
    for start in starts {
        let mut stops = vec![start.clone()];
        while let Some(at) = next.iter().position(|(from, _)| Some(from) == stops.last())
            && !used[at]
        {
            used[at] = true;
            stops.push(next[at].1.clone());
        }
        if stops.len() > 1 {
            let closed = stops.first() == stops.last();
            chains.push((String::new(), stops, closed));
        }
    }
    chains
}
