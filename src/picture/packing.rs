//! Rectangles: things with a position and a size.

use super::{
    Directive, Packing, Rectangle,
    choose::{Scene, ShownPart, image_of_key},
    roles::PictureRole,
    roles::map_types,
    tour::number_pair,
};
use crate::language::{Type, Value};

/// Packings with more rectangles are shown as values. Chosen.
const MOST_RECTANGLES: usize = 1000;

impl Scene<'_> {
    /// Draws the rectangles at their positions. A size that is not given is 1.
    pub(super) fn packing(&mut self, seen: &ShownPart, directive: &Directive) -> Option<Packing> {
        let (from, to) = map_types(seen.ty)?;
        let up = self.named(directive.overlay(PictureRole::Up));
        let sizes = self.named(directive.overlay(PictureRole::Sizes));
        let widths = self.named(directive.overlay(PictureRole::Widths));
        let heights = self.named(directive.overlay(PictureRole::Heights));
        let shown = |number: i64, ty: Option<&Type>| self.names.number(number, ty.unwrap_or(&Type::INT));
        let both = |size: &Value| match size {
            Value::Int(side) => Some((*side, *side)),
            other => number_pair(other),
        };
        // A source has either one value for all things or an image for each thing.
        let said_of = |source: &Option<(Value, _)>, thing: &Value| match source {
            Some((all @ (Value::Int(_) | Value::Tuple(_)), _)) => Some(all.clone()),
            Some((map, _)) => image_of_key(map, thing).cloned(),
            None => None,
        };
        let number = |value: Option<Value>| match value {
            Some(Value::Int(number)) => Some(number),
            _ => None,
        };
        let mut boxes = Vec::new();
        for (thing, position) in self.arguments(seen)? {
            let Some(position) = position else { continue };
            let corner = match (&position, said_of(&up, &thing)) {
                (Value::Int(x), y) => (*x, number(y).unwrap_or(0)),
                (position, _) => number_pair(position)?,
            };
            let (width, height) = said_of(&sizes, &thing).as_ref().and_then(both).unwrap_or((1, 1));
            let width = number(said_of(&widths, &thing)).unwrap_or(width);
            let height = number(said_of(&heights, &thing)).unwrap_or(height);
            // Renderers add these numbers, so larger ones could overflow.
            let in_reach = |number: i64| number.abs() <= 1_000_000;
            if ![corner.0, corner.1, width, height].into_iter().all(in_reach) || width < 0 || height < 0 {
                return None;
            }
            if width > 0 && height > 0 {
                let [across, above] = [0, 1].map(|axis| side_type(&to, axis));
                let place = format!(
                    "at ({}, {}), {} wide and {} high",
                    shown(corner.0, across),
                    shown(corner.1, type_of(&up, 1).or(above)),
                    shown(width, type_of(&widths, 0).or_else(|| type_of(&sizes, 0))),
                    shown(height, type_of(&heights, 1).or_else(|| type_of(&sizes, 1))),
                );
                boxes.push(Rectangle { label: self.show(&thing, &from), corner, size: (width, height), place });
            }
        }
        let frame = self.named(directive.overlay(PictureRole::Frame)).and_then(|(frame, _)| both(&frame));
        let frame = frame.filter(|(width, height)| (0..=1_000_000).contains(width) && (0..=1_000_000).contains(height));
        (!boxes.is_empty() && boxes.len() <= MOST_RECTANGLES).then_some(Packing { boxes, frame })
    }
}

/// The type of one component of a size or of a position.
fn side_type(ty: &Type, axis: usize) -> Option<&Type> {
    match ty {
        Type::Int(_) => Some(ty),
        Type::Tuple(types) => types.get(axis),
        Type::Record(fields) => fields.get(axis).map(|(_, ty)| ty),
        _ => None,
    }
}

/// The type of one component of a source, which has one value for all things or an image for each.
fn type_of(source: &Option<(Value, Type)>, axis: usize) -> Option<&Type> {
    let (_, ty) = source.as_ref()?;
    side_type(ty.as_map().map_or(ty, |(_, to)| to), axis)
}
