//! Pictures without values: a page fills the slots in, step by step of a search or for many solutions.

use super::{
    Directive, Shape, Sheet,
    choose::draw,
    svg::{self, SlotBox},
};
use crate::{
    instance::{GroundInstance, SolutionValues},
    language::{GroundDomain, MemberForm, Value, value::Matrix},
};
use std::sync::Arc;

/// Larger functions are not drawn.
const MOST_ARGUMENTS: u128 = 2_000;

/// A drawing of what is known without a solution, with room for the rest.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub svg: String,
    pub boxes: Vec<SlotBox>,
}

/// The pictures of the decision variables that have slots; `None` if there are none.
pub(crate) fn stage(instance: &GroundInstance, directives: &[Directive]) -> Option<Stage> {
    let solution: SolutionValues =
        instance.finds.iter().filter_map(|find| Some((find.id, sample(&find.domain)?))).collect();
    let mut pictures = draw(instance, &solution, directives);
    pictures.retain_mut(|picture| blank(&mut picture.shape));
    if pictures.is_empty() {
        return None;
    }
    let (svg, boxes) = svg::document_with_boxes(&[Sheet { pictures, ..Sheet::default() }]);
    Some(Stage { svg, boxes })
}

/// Removes the values from a shape. Returns whether it has slots.
fn blank(shape: &mut Shape) -> bool {
    match shape {
        Shape::Grid(grid) => {
            grid.sums = None;
            let mut has_slots = false;
            for cell in grid.rows.iter_mut().flatten() {
                has_slots |= cell.slot.is_some();
                (cell.lines, cell.tone, cell.given) = (Vec::new(), None, false);
            }
            has_slots
        }
        Shape::Graph(graph) => {
            let mut has_slots = false;
            for node in graph.nodes.iter_mut().filter(|node| node.slot.is_some()) {
                has_slots = true;
                node.tone = None;
            }
            graph.legend.clear();
            has_slots
        }
        _ => false,
    }
}

/// A value of the shape that the values of a domain have; attributes may not hold. `None` if it would be large.
fn sample(domain: &GroundDomain) -> Option<Value> {
    Some(match domain {
        GroundDomain::Bool => Value::FALSE,
        GroundDomain::Int(values) => Value::Int(values.iter().next()?),
        GroundDomain::Tuple(items) => Value::tuple(items.iter().map(sample).collect::<Option<Vec<_>>>()?),
        GroundDomain::Record(fields) => {
            Value::tuple(fields.iter().map(|(_, field)| sample(field)).collect::<Option<Vec<_>>>()?)
        }
        GroundDomain::Variant(alternatives) => Value::Variant(0, Arc::new(sample(&alternatives.first()?.1)?)),
        GroundDomain::Matrix(index, element) => {
            let elements = vec![sample(element)?; usize::try_from(index.size()?).ok()?];
            Value::Matrix(Arc::new(Matrix { elements, index: (**index).clone() }))
        }
        GroundDomain::Collection(kind, _, sides) if kind.form() == MemberForm::Pairs => {
            sides[0].size().filter(|size| *size <= MOST_ARGUMENTS)?;
            let image = sample(&sides[1])?;
            Value::Mapping(*kind, sides[0].members().map(|argument| (argument, image.clone())).collect())
        }
        GroundDomain::Collection(kind, ..) => Value::empty(*kind),
    })
}
