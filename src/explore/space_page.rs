//! A self-contained web page about a space of solutions, which includes the solutions.

use super::{Possibility, Space, SpaceSummary};
use crate::{
    diagnostic::visible,
    page,
    picture::{
        self, Directive, Sheet,
        stage::stage,
        svg::{self, SlotBox},
    },
};
use serde_json::{Value, json};

/// The limit on classes for which a solution is drawn. Chosen.
const MOST_CLASSES: usize = 24;

/// The page about an explored space.
pub(crate) fn space_page(title: &str, space: &Space, explored: &SpaceSummary, directives: &[Directive]) -> String {
    let stage = stage(space.instance, directives);
    let boxes: &[SlotBox] = stage.as_ref().map_or(&[], |stage| &stage.boxes);
    let cells = space.cells.iter().zip(&explored.possible).map(|(cell, possible)| {
        let options = cell.options.iter().zip(possible).map(|(option, possible)| {
            let possible = match possible {
                Possibility::Possible => 1,
                Possibility::Impossible => 0,
                Possibility::Unknown => 2,
            };
            json!([visible::line(&option.reads), option.is, possible])
        });
        json!([visible::line(&cell.name), options.collect::<Value>()])
    });
    let classes: Option<Vec<(usize, usize)>> =
        explored.classes.as_ref().map(|classes| classes.iter().map(|class| (class[0], class.len())).collect());
    let data = json!({
        "title": visible::line(title),
        "extent": explored.extent.name(),
        "found": explored.found,
        "here": explored.points.len(),
        "estimate": explored.estimate.map(|one| json!([one.solutions, one.factor, one.confidence])),
        "cells": cells.collect::<Value>(),
        "columns": (0..space.cells.len()).map(|cell| column(explored, cell)).collect::<Value>(),
        "boxes": slots_of_space(boxes, space),
        "queen": svg::QUEEN,
        "different": explored.different,
        "classes": classes.as_ref().map(|classes| classes.iter().take(MOST_CLASSES).collect::<Vec<_>>()),
        "classCount": classes.as_ref().map(Vec::len),
        "symmetries": explored.symmetries,
    });
    let drawn = explored.different.iter().copied();
    let drawn = drawn.chain(classes.iter().flatten().take(MOST_CLASSES).map(|(first, _)| *first));
    let mut drawn: Vec<usize> = drawn.collect();
    // A solution may be both one of the most different ones and the first of its class, but is drawn once.
    drawn.sort_unstable();
    drawn.dedup();
    let stage_drawing = stage.iter().map(|stage| ("stage".to_owned(), stage.svg.clone()));
    let drawing = |number: usize| {
        let pictures = picture::pictures_of_solution(space.instance, &explored.points[number].solution, directives);
        (number.to_string(), svg::svg_document(&[Sheet { pictures, ..Sheet::default() }]))
    };
    let drawings: Vec<(String, String)> = stage_drawing.chain(drawn.into_iter().map(drawing)).collect();
    let (title, script) = (format!("Solutions of {title}"), include_str!("page.js"));
    page::scripted(&title, include_str!("page.css"), script, &data, &drawings)
}

/// The options of a cell in all stored solutions, one character for each; `A` is the first option.
fn column(explored: &SpaceSummary, cell: usize) -> String {
    let letter = |option: usize| u32::try_from(option).ok().and_then(|option| char::from_u32(u32::from(b'A') + option));
    explored.points.iter().map(|point| letter(point.options[cell]).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The slots with their cells and the options that they test for, in the form of the page.
fn slots_of_space(boxes: &[SlotBox], space: &Space) -> Value {
    let shown = space.slots(boxes).map(|(one, cell, option)| one.on_page(json!(cell), json!(option)));
    shown.collect()
}
