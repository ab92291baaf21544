//! Draws sets and parts as rounded boxes around their members.

use super::{
    Drawing, FAINT, Font,
    colours::{Paint, of_palette},
    text_width,
};
use crate::picture::{Container, Item};

const SIZE: f64 = 15.0;
const CHIP: f64 = 32.0;
const GAP: f64 = 8.0;
const PADDING: f64 = 14.0;
/// The width at which containers are wrapped.
const WIDTH: f64 = 860.0;

pub(crate) fn draw_containers(containers: &[Container]) -> Drawing {
    // Containers without labels can be distinguished only by colour.
    let paint = |number: usize| of_palette(if containers.iter().all(|one| one.label.is_empty()) { number } else { 0 });
    flow(
        containers.iter().enumerate().map(|(number, container)| boxed(container, paint(number))).collect(),
        WIDTH,
        14.0,
    )
}

fn boxed(container: &Container, paint: Paint) -> Drawing {
    let items: Vec<Drawing> = container
        .items
        .iter()
        .map(|item| match item {
            Item::Text(text) => chip(text, paint),
            Item::Container(inner) => boxed(inner, paint),
        })
        .collect();
    // The box should be about twice as wide as high.
    let area: f64 = items.iter().map(|item| (item.width + GAP) * (item.height + GAP)).sum();
    let inside = flow(items, (2.0 * area).sqrt().clamp(260.0, 460.0), GAP);
    let label = text_width(&container.label, 14.0);
    let above = if container.label.is_empty() { 0.0 } else { 22.0 };
    let width = (inside.width + 2.0 * PADDING).max(label + 2.0 * PADDING).max(56.0);
    let height = (inside.height + 2.0 * PADDING).max(CHIP + 2.0 * PADDING);
    let mut drawing = Drawing { width: width + 2.0, height: above + height + 2.0, ..Drawing::default() };
    if !container.label.is_empty() {
        drawing.text(4.0, 14.0, &container.label, Font { size: 14.0, colour: FAINT, anchor: "start", bold: true });
    }
    drawing.rect(
        (1.0, above + 1.0),
        (width, height),
        16.0,
        &format!("fill=\"#fbfcfe\" stroke=\"{}\" stroke-width=\"2\"", paint.edge),
    );
    let (x, y) = ((width - inside.width) / 2.0 + 1.0, above + (height - inside.height) / 2.0 + 1.0);
    drawing.place(inside, x, y);
    drawing
}

fn chip(text: &str, paint: Paint) -> Drawing {
    let width = (text_width(text, SIZE) + 20.0).max(CHIP);
    let mut drawing = Drawing { width, height: CHIP, ..Drawing::default() };
    drawing.rect((0.0, 0.0), (width, CHIP), CHIP / 2.0, &format!("fill=\"{}\"", paint.fill));
    drawing.centred(width / 2.0, CHIP / 2.0, text, Font::middle(SIZE, paint.text));
    drawing
}

/// Places drawings side by side, wrapped at a width.
fn flow(drawings: Vec<Drawing>, most: f64, gap: f64) -> Drawing {
    let mut all = Drawing::default();
    let (mut x, mut y, mut bottom) = (0.0, 0.0, 0.0f64);
    for drawing in drawings {
        // A drawing wider than the line has a line to itself.
        if x > 0.0 && x + drawing.width > most {
            (x, y) = (0.0, bottom + gap);
        }
        bottom = bottom.max(y + drawing.height);
        let next = x + drawing.width + gap;
        all.place(drawing, x, y);
        x = next;
    }
    all
}
