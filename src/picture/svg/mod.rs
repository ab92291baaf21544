//! Pictures as SVG files that need no other files.
//!
//! A shape becomes a [`Drawing`] with a known size and its origin at (0, 0); drawings are stacked. Lengths are in
//! pixels, and chosen by eye. The viewer's fonts are unknown, so text widths are estimates with some slack.

pub(crate) mod colours;
mod containers;
mod gantt;
mod graph;
mod grid;
mod packing;
mod tour;

use super::{Picture, Shape, Sheet, Slot};
use crate::diagnostic::visible;
use colours::Paint;
pub(crate) use grid::QUEEN;
use serde_json::{Value, json};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

const MARGIN: f64 = 28.0;
const FONTS: &str = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

const INK: &str = "#1f2937";
const FOUND: &str = "#1d4ed8";
const FAINT: &str = "#6b7280";
const LINE: &str = "#cbd5e1";
const SHADE: &str = "#e8ecf2";

/// A point or a vector; x runs to the right, y downwards.
type Point = (f64, f64);

/// A drawing that covers the rectangle from (0, 0) to (width, height).
#[derive(Default)]
struct Drawing {
    width: f64,
    height: f64,
    body: String,
    /// The cells and nodes that show parts of decision variables.
    boxes: Vec<SlotBox>,
}

/// A slot and its rectangle.
#[derive(Clone, Debug)]
pub(crate) struct SlotBox {
    pub slot: Slot,
    pub corner: (f64, f64),
    pub size: (f64, f64),
    pub mark: Mark,
    /// A text that is shown beside every value; may be empty.
    pub label: String,
}

impl SlotBox {
    /// Returns the slot for a page: the part that it shows, the value that it tests for, the mark, the rectangle and
    /// the label.
    pub(crate) fn on_page(&self, of: Value, value: Value) -> Value {
        json!([of, value, self.mark.name(), self.rectangle(), self.label])
    }

    /// Returns the left and upper edge, the width and the height, rounded to tenths of a pixel.
    pub(crate) fn rectangle(&self) -> [f64; 4] {
        let rectangle = [self.corner.0, self.corner.1, self.size.0, self.size.1];
        rectangle.map(|length| (length * 10.0).round() / 10.0)
    }
}

/// The ways in which a slot can show a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// As text.
    Text,
    /// As the colour of the slot.
    Tone,
    /// As a dot if the part has the value of the slot.
    Dot,
    /// As a queen if the part has the value of the slot.
    Queen,
    /// As a filled square if the part has the value of the slot.
    Fill,
}

impl Mark {
    /// Returns the name in pages and in the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Text => "text",
            Mark::Tone => "tone",
            Mark::Dot => "dot",
            Mark::Queen => "queen",
            Mark::Fill => "fill",
        }
    }
}

/// Stacks the pictures in a document that can be a file or a part of an HTML page.
pub(crate) fn svg_document(sheets: &[Sheet]) -> String {
    document_with_boxes(sheets).0
}

/// Returns the document, and the rectangles of its slots in the coordinates of the document.
pub(crate) fn document_with_boxes(sheets: &[Sheet]) -> (String, Vec<SlotBox>) {
    let mut all = Drawing::default();
    for sheet in sheets {
        if sheets.len() > 1 {
            all.below(heading(&sheet.heading, 20.0, INK), 26.0);
        }
        for picture in &sheet.pictures {
            // The text of a value already contains the name of its variable.
            let plain = matches!(picture.shape, Shape::Text(_));
            if sheet.pictures.len() > 1 && !plain {
                all.below(heading(&picture.name, 15.0, FAINT), 22.0);
                all.below(draw_shape(picture), 10.0);
            } else {
                all.below(draw_shape(picture), 22.0);
            }
        }
    }
    let (width, height) = (all.width + 2.0 * MARGIN, all.height + 2.0 * MARGIN);
    let text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 \
        {width:.0} {height:.0}\" \
         font-family=\"{FONTS}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <g transform=\"translate({MARGIN:.0} {MARGIN:.0})\">\n{}</g>\n</svg>\n",
        all.body
    );
    (text, shifted(all.boxes, MARGIN, MARGIN).collect())
}

fn shifted(boxes: Vec<SlotBox>, x: f64, y: f64) -> impl Iterator<Item = SlotBox> {
    boxes.into_iter().map(move |one| SlotBox { corner: (one.corner.0 + x, one.corner.1 + y), ..one })
}

fn draw_shape(picture: &Picture) -> Drawing {
    match &picture.shape {
        Shape::Grid(grid) => grid::draw_grid(grid),
        Shape::Graph(graph) => graph::draw_graph(graph),
        Shape::Containers(containers) => containers::draw_containers(containers),
        Shape::Gantt(gantt) => gantt::draw_gantt(gantt),
        Shape::Tour(tour) => tour::draw_tour(tour),
        Shape::Packing(packing) => packing::draw_packing(packing),
        Shape::Text(value) => heading(&format!("{} = {value}", picture.name), 18.0, INK),
    }
}

fn heading(text: &str, size: f64, colour: &str) -> Drawing {
    let mut drawing = Drawing { width: text_width(text, size) + 8.0, height: size * 1.3, ..Drawing::default() };
    drawing.text(0.0, size, text, Font { size, colour, anchor: "start", bold: true });
    drawing
}

#[derive(Clone, Copy)]
struct Font<'a> {
    size: f64,
    colour: &'a str,
    /// `start`, `middle` or `end`.
    anchor: &'a str,
    bold: bool,
}

impl<'a> Font<'a> {
    fn middle(size: f64, colour: &'a str) -> Self {
        Font { size, colour, anchor: "middle", bold: false }
    }

    fn bold(self) -> Self {
        Font { bold: true, ..self }
    }
}

impl Drawing {
    /// Puts another drawing below this one.
    fn below(&mut self, other: Drawing, gap: f64) {
        let y = if self.height > 0.0 { self.height + gap } else { 0.0 };
        self.place(other, 0.0, y);
    }

    /// Puts another drawing at a position.
    fn place(&mut self, other: Drawing, x: f64, y: f64) {
        let _ = write!(self.body, "<g transform=\"translate({x:.1} {y:.1})\">\n{}</g>\n", other.body);
        self.boxes.extend(shifted(other.boxes, x, y));
        self.width = self.width.max(x + other.width);
        self.height = self.height.max(y + other.height);
    }

    /// Records the rectangle of a slot.
    fn slot(&mut self, slot: &Option<Slot>, corner: (f64, f64), size: (f64, f64), mark: Mark) {
        self.boxes.extend(slot.clone().map(|slot| SlotBox { slot, corner, size, mark, label: String::new() }));
    }

    /// Writes a text with its baseline at `y`.
    fn text(&mut self, x: f64, y: f64, text: &str, font: Font) {
        let Font { size, colour, anchor, bold } = font;
        let weight = if bold { " font-weight=\"700\"" } else { "" };
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" fill=\"{colour}\" \
            text-anchor=\"{anchor}\"{weight}>{}</text>",
            escaped(text)
        );
    }

    /// Writes a text centred at (x, y).
    fn centred(&mut self, x: f64, y: f64, text: &str, font: Font) {
        // The height of capital letters is about 0.71 of the font size.
        self.text(x, y + font.size * 0.355, text, font);
    }

    /// Writes a text with a white outline, which makes it readable on top of lines.
    fn outlined(&mut self, x: f64, y: f64, text: &str, font: Font) {
        let Font { size, colour, anchor, .. } = font;
        let _ = writeln!(
            self.body,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size:.1}\" fill=\"{colour}\" text-anchor=\"{anchor}\" \
             stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\">{}</text>",
            escaped(text)
        );
    }

    fn rect(&mut self, corner: Point, size: Point, radius: f64, style: &str) {
        let ((x, y), (width, height)) = (corner, size);
        let _ = writeln!(
            self.body,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius:.1}\" {style}/>"
        );
    }

    fn line(&mut self, from: Point, to: Point, style: &str) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(self.body, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {style}/>");
    }

    fn path(&mut self, path: &str, style: &str) {
        let _ = writeln!(self.body, "<path d=\"{path}\" {style}/>");
    }

    fn circle(&mut self, centre: Point, radius: f64, style: &str) {
        let (x, y) = centre;
        let _ = writeln!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" {style}/>");
    }

    /// Writes notes below the drawing.
    fn notes(&mut self, notes: &[String]) {
        for note in notes {
            let baseline = self.height + 24.0;
            self.text(2.0, baseline, note, Font { size: 15.0, colour: INK, anchor: "start", bold: false });
            self.width = self.width.max(text_width(note, 15.0) + 2.0);
            self.height = baseline + 4.0;
        }
    }

    /// Draws the legend in rows below the drawing.
    fn legend(&mut self, entries: &[(Paint, String)]) {
        if entries.is_empty() {
            return;
        }
        let most = self.width.max(480.0);
        let (mut x, mut y) = (0.0, self.height + 18.0);
        for (paint, text) in entries {
            let needed = 26.0 + text_width(text, 14.0) + 22.0;
            if x > 0.0 && x + needed > most {
                (x, y) = (0.0, y + 26.0);
            }
            self.rect((x, y), (18.0, 18.0), 5.0, &paint.style());
            self.text(x + 26.0, y + 14.0, text, Font { size: 14.0, colour: FAINT, anchor: "start", bold: false });
            x += needed;
            self.width = self.width.max(x);
        }
        self.height = y + 20.0;
    }
}

/// Returns the approximate width of a text. The letters of sans-serif fonts differ little in width.
fn text_width(text: &str, size: f64) -> f64 {
    let em = |character: char| match character {
        'i' | 'j' | 'l' | '\'' | '.' | ',' | ':' | ';' | '|' | '!' => 0.28,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '-' => 0.35,
        'm' | 'w' | 'M' | 'W' => 0.86,
        'A'..='Z' => 0.7,
        ' '..='~' => 0.56,
        other => match other.width() {
            Some(0) | None => 0.0,
            Some(1) => 0.72,
            // Ideographs are 1 em wide, but emoji are wider in most fonts.
            Some(_) => 1.25,
        },
    };
    text.chars().map(em).sum::<f64>() * size
}

/// Escapes text for XML and HTML. Invisible characters, some of which XML forbids, are shown as numbers.
pub(crate) fn escaped(text: &str) -> String {
    visible::markup(&visible::line(text))
}
