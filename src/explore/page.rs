//! A web page about a space of solutions: one file, without the network, with the solutions inside it.

use super::{Extent, Possibility, Space, SpaceSummary};
use crate::{
    diagnostic::visible,
    json::{compact, in_script},
    page,
    picture::{
        self, Directive, Sheet,
        stage::stage,
        svg::{self, Mark, SlotBox},
    },
};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::fmt::Write;

const TEMPLATE: &str = include_str!("page.html");
const STAGE: &str = "<template id=\"stage\"></template>";
const PICTURES: &str = "<template id=\"pictures\"></template>";

/// The most classes of which a solution is drawn.
const MOST_CLASSES: usize = 24;

/// The characters that stand for the positions of options: one for each, or two where a cell has more options.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The page about an explored space.
pub(crate) fn page(title: &str, space: &Space, explored: &SpaceSummary, directives: &[Directive]) -> String {
    let stage = stage(space.instance, directives);
    let boxes: &[SlotBox] = stage.as_ref().map_or(&[], |stage| &stage.boxes);
    let cells = space.cells.iter().zip(&explored.possible).map(|(cell, possible)| {
        let options = cell.options.iter().zip(possible).map(|(option, possible)| {
            let possible = match possible {
                Possibility::Possible => 1,
                Possibility::Impossible => 0,
                Possibility::Unknown => 2,
            };
            json!([visible::line(&option.shown), option.is, possible])
        });
        json!([visible::line(&cell.name), &*cell.variable, options.collect::<Value>()])
    });
    let classes: Option<Vec<(usize, usize)>> =
        explored.classes.as_ref().map(|classes| classes.iter().map(|class| (class[0], class.len())).collect());
    let data = json!({
        "extent": match explored.extent {
            Extent::All => "all",
            Extent::Sample => "sample",
            Extent::First => "first",
        },
        "found": explored.found,
        "here": explored.points.len(),
        "estimate": explored.estimate.map(|one| json!([one.solutions, one.factor, one.confidence])),
        "cells": cells.collect::<Value>(),
        "columns": (0..space.cells.len()).map(|cell| column(space, explored, cell)).collect::<Value>(),
        "boxes": slots(boxes, space),
        "queen": svg::QUEEN,
        "different": explored.different,
        "classes": classes.as_ref().map(|classes| classes.iter().take(MOST_CLASSES).collect::<Vec<_>>()),
        "classCount": classes.as_ref().map(Vec::len),
        "symmetries": explored.symmetries,
    });
    let drawn = explored.different.iter().copied();
    let drawn = drawn.chain(classes.iter().flatten().take(MOST_CLASSES).map(|(first, _)| *first));
    let mut drawn: Vec<usize> = drawn.collect();
    drawn.sort_unstable();
    drawn.dedup();
    let mut pictures = String::new();
    for number in drawn {
        let point = &explored.points[number];
        let sheet =
            Sheet { heading: String::new(), pictures: picture::draw(space.instance, &point.solution, directives) };
        let _ = writeln!(pictures, "<div data-solution=\"{number}\">{}</div>", svg::document(&[sheet]));
    }
    let svg = stage.as_ref().map_or("", |stage| &stage.svg);
    filled_in(title, svg, &pictures, &compact(&data))
}

/// The page with what belongs in it. What is put in must not be looked through for the marks of what comes later.
fn filled_in(title: &str, stage: &str, pictures: &str, data: &str) -> String {
    let template = page::styled(TEMPLATE);
    let (head, rest) = template.split_once(STAGE).unwrap_or_default();
    let (middle, rest) = rest.split_once(PICTURES).unwrap_or_default();
    let (before, after) = rest.split_once("\"DATA\"").unwrap_or_default();
    let head = head.replace("TITLE", &visible::markup(&visible::line(title)));
    [&head, stage, middle, pictures, before, &in_script(data), after].concat()
}

/// The options of a cell in all solutions at hand.
fn column(space: &Space, explored: &SpaceSummary, cell: usize) -> String {
    let is_wide = space.cells[cell].options.len() > DIGITS.len();
    let digit = |digit: usize| char::from(DIGITS[digit % DIGITS.len()]);
    let mut text = String::new();
    for point in &explored.points {
        let option = point.options[cell];
        if is_wide {
            text.push(digit(option / DIGITS.len()));
        }
        text.push(digit(option));
    }
    text
}

/// For each slot the cell, the option that the slot stands for, the mark, the rectangle and the label. Slots of other
/// parts are left out.
fn slots(boxes: &[SlotBox], space: &Space) -> Value {
    let named: FxHashMap<&str, usize> =
        space.cells.iter().enumerate().map(|(number, cell)| (cell.name.as_str(), number)).collect();
    let one = |SlotBox { slot, corner, size, mark, label }: &SlotBox| {
        let number = *named.get(slot.part.as_str())?;
        let cell = &space.cells[number];
        let option = slot.value.as_ref().map(|value| {
            let is_shown = |shown: &str, is: &str| shown == value || (value == "true" && is == cell.name);
            cell.options.iter().position(|option| is_shown(&option.shown, &option.is))
        });
        let option = match option {
            // The slot stands for a value that its part cannot have.
            Some(None) => return None,
            Some(Some(option)) => Some(option),
            None => None,
        };
        let mark = match mark {
            Mark::Text => "text",
            Mark::Tone => "tone",
            Mark::Dot => "dot",
            Mark::Queen => "queen",
            Mark::Fill => "fill",
        };
        let rectangle = [corner.0, corner.1, size.0, size.1].map(|length| (length * 10.0).round() / 10.0);
        Some(json!([number, option, mark, rectangle, label]))
    };
    boxes.iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_can_end_or_hide_the_script() {
        let names = ["</script>", "<!-- <script>", "TITLE", "\"DATA\"", STAGE, PICTURES, "a\u{2028}b\\"];
        let json = compact(&json!(names));
        for title in names {
            let page = filled_in(title, "", "", &json);
            assert_eq!(page.matches("<script").count(), 1, "{title}");
            assert_eq!(page.matches("</script").count(), 1, "{title}");
            assert_eq!(page.matches("<template").count(), 0, "{title}");
            assert!(!page.contains("<!--") && !page.contains('\u{2028}'), "{title}");
        }
    }
}
