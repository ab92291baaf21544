//! Pictures without values, whose slots a page fills in, for the steps of a search or for many solutions.

use super::{
    Directive, Grid, GridStyle, Picture, Shape, Sheet,
    choose::pictures_of_solution,
    roles::element_type,
    svg::{self, SlotBox},
};
use crate::{
    instance::{GroundInstance, SolutionValues},
    language::{GroundDomain, MemberForm, Type, Value, quotation::unquoted, value::Matrix},
};
use std::sync::Arc;

/// Functions with more arguments are not drawn. Chosen.
const MOST_ARGUMENTS: u128 = 2_000;
/// Domains with more values are not measured.
const MOST_MEASURED: u128 = 2_000;

/// A drawing without the values of a solution, and the boxes in which the values appear.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub svg: String,
    pub boxes: Vec<SlotBox>,
}

/// The pictures of the decision variables that have slots; `None` if there are none.
pub(crate) fn stage(instance: &GroundInstance, directives: &[Directive]) -> Option<Stage> {
    stage_of(instance, directives, |_| true)
}

/// Returns the pictures on which users can play: boards and graphs whose slots are all cells. Grids with names are left
/// to the tables of the page.
pub(crate) fn stage_to_play(
    instance: &GroundInstance,
    directives: &[Directive],
    is_cell: impl Fn(&str) -> bool,
) -> Option<Stage> {
    stage_of(instance, directives, |picture| {
        let is_board = match &picture.shape {
            Shape::Grid(grid) => is_board(grid),
            shape => matches!(shape, Shape::Graph(_)),
        };
        is_board && picture.slots().all(|slot| is_cell(&slot.part))
    })
}

fn is_board(grid: &Grid) -> bool {
    let has_names = !grid.row_names.is_empty() || !grid.column_names.is_empty();
    let is_drawn = !grid.regions.is_empty() || !grid.signs.is_empty() || grid.style != GridStyle::Plain;
    grid.rows.len() > 1 && (is_drawn || !has_names)
}

fn stage_of(instance: &GroundInstance, directives: &[Directive], keeps: impl Fn(&Picture) -> bool) -> Option<Stage> {
    let mut pictures = Vec::new();
    for find in &instance.finds {
        let Some(value) = sample(&find.domain) else { continue };
        // Pictures may show other variables, too, but their values are unknown, so each variable is drawn alone.
        let solution: SolutionValues = [(find.id, value)].into_iter().collect();
        let mut own = pictures_of_solution(instance, &solution, directives);
        own.retain_mut(|picture| keeps(picture) && blank(&mut picture.shape));
        // The page fills in the cells later, so each cell needs room for the longest value.
        let room = longest_value(instance, &find.domain, &instance.model.declaration(find.id).ty);
        for picture in &mut own {
            if let Shape::Grid(grid) = &mut picture.shape {
                grid.room.clone_from(&room);
            }
        }
        pictures.extend(own);
    }
    if pictures.is_empty() {
        return None;
    }
    let (svg, boxes) = svg::document_with_boxes(&[Sheet { pictures, ..Sheet::default() }]);
    Some(Stage { svg, boxes })
}

/// Removes the values from the picture of a solution, except values in the data. Returns true if there were any.
pub(crate) fn unsolved(picture: &mut Picture) -> bool {
    blanked(&mut picture.shape, true)
}

/// Removes the values from a shape. Returns true if it has slots.
fn blank(shape: &mut Shape) -> bool {
    blanked(shape, false)
}

fn blanked(shape: &mut Shape, keeps_given: bool) -> bool {
    match shape {
        Shape::Grid(grid) => {
            grid.sums = None;
            let mut has_slots = false;
            for cell in grid.rows.iter_mut().flatten() {
                has_slots |= cell.slot.is_some();
                if !(cell.given && keeps_given) {
                    (cell.lines, cell.tone) = (Vec::new(), None);
                }
                // Given values are marked only to distinguish them from found values, which are gone.
                cell.given = false;
            }
            has_slots
        }
        Shape::Graph(graph) => {
            let mut has_slots = false;
            for node in graph.nodes.iter_mut().filter(|node| node.slot.is_some()) {
                has_slots = true;
                node.tone = None;
            }
            // The legend explains the tones, which are gone.
            graph.legend.clear();
            has_slots
        }
        _ => false,
    }
}

/// Returns the longest text of an element of a grid; empty if the elements are not numbers or members of types, or if
/// they are too many.
fn longest_value(instance: &GroundInstance, domain: &GroundDomain, ty: &Type) -> String {
    match domain {
        GroundDomain::Int(values) if domain.size().is_some_and(|size| size <= MOST_MEASURED) => {
            let shown = values
                .iter()
                .map(|value| unquoted(&instance.names.show(&Value::Int(value), &element_type(ty))).into_owned());
            shown.max_by_key(|text| text.chars().count()).unwrap_or_default()
        }
        GroundDomain::Matrix(_, element) => longest_value(instance, element, ty),
        GroundDomain::Collection(kind, _, sides) if kind.form() == MemberForm::Pairs => {
            longest_value(instance, &sides[1], ty)
        }
        _ => String::new(),
    }
}

/// Returns a value with the shape of the domain's values, which may violate attributes; `None` if it would be too
/// large.
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
