//! Writes readable parameter files.

use super::{ImportFormat, grid::Coordinates};
use std::fmt::Display;

/// The text of a parameter file under construction.
pub(crate) struct ParameterText {
    text: String,
}

impl ParameterText {
    /// Starts with a comment about the contents and the model.
    pub(crate) fn new(title: &str, format: ImportFormat) -> Self {
        ParameterText { text: format!("$ {title}\n$ model: {}\n", format.model()) }
    }

    pub(crate) fn comment(&mut self, text: &str) {
        self.text.push_str(&format!("\n$ {text}\n"));
    }

    pub(crate) fn letting(&mut self, name: &str, value: impl Display) {
        self.text.push_str(&format!("letting {name} be {value}\n"));
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Writes the given numbers of the puzzle: `hints`.
    pub(crate) fn hints(&mut self, hints: &[(Coordinates, usize)]) {
        let entries = hints.iter().map(|((row, column), number)| format!("({row}, {column}) --> {number}"));
        self.comment("(row, column) --> the number in this cell");
        self.letting("hints", format!("function{}", bracketed_lines(entries, '(', ')')));
    }
}

/// Returns the parameters of the futoshiki model.
pub(crate) fn futoshiki(
    format: ImportFormat,
    size: usize,
    hints: &[(Coordinates, usize)],
    less_than: &[(Coordinates, Coordinates)],
) -> String {
    let mut parameters = ParameterText::new(&format!("A {size} by {size} futoshiki."), format);
    parameters.comment("The numbers 1 to n fill an n by n board.");
    parameters.letting("n", size);
    parameters.hints(hints);
    let pairs = less_than.iter().map(|((r1, c1), (r2, c2))| format!("(({r1}, {c1}), ({r2}, {c2}))"));
    parameters.comment("(the cell with the smaller number, the cell with the greater one)");
    parameters.letting("less_than", format!("relation{}", bracketed_lines(pairs, '(', ')')));
    parameters.finish()
}

/// Renders items in brackets; several items get a line each.
pub(crate) fn bracketed_lines(items: impl Iterator<Item = String>, open: char, close: char) -> String {
    let items: Vec<String> = items.collect();
    match items.as_slice() {
        [] => format!("{open}{close}"),
        [item] => format!("{open}{item}{close}"),
        _ => format!("{open}\n    {}{close}", items.join(",\n    ")),
    }
}
