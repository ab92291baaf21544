//! Converts puzzles in common notations to parameter files for the example models.
//!
//! Each format has its own file, which reads the text line by line with the helpers of [`text`] and [`grid`], and
//! passes the result to the [`parameters`] writer. Nothing is solved or validated here: a contradictory puzzle is
//! imported, and the solver reports it. Text outside of the format is rejected with its position.
//!
//! To add a format, add a variant of [`ImportFormat`] and its file; the compiler then asks for the rest. `conjure-like
//! import` and the pages list the formats.

mod grid;
mod parameters;
mod text;

mod futoshiki_greater;
mod futoshiki_less;
mod futoshiki_picture;
mod latin_square;
mod mathemagrids;

use crate::{
    diagnostic::Diagnostic,
    source::{SourceId, Span},
};
use std::{fmt, str::FromStr};
use text::PuzzleText;

/// A notation for puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImportFormat {
    /// A grid, an empty line, and `r1,c1,r2,c2` for "less than", counted from 1.
    FutoshikiLess,
    /// `values`, a grid, `restrict`, and `r1,c1 r2,c2` for "greater than", counted from 0.
    FutoshikiGreater,
    /// The board as drawn, with `<`, `>`, `∧` and `∨` between the cells.
    FutoshikiPicture,
    /// A grid of numbers, 0 for an empty cell.
    LatinSquare,
    /// A grid of cells and operators with the results of rows and columns.
    Mathemagrids,
}

const BYTE_ORDER_MARK: char = '\u{feff}';

impl ImportFormat {
    /// All formats.
    pub const ALL: [ImportFormat; 5] = [
        ImportFormat::FutoshikiLess,
        ImportFormat::FutoshikiGreater,
        ImportFormat::FutoshikiPicture,
        ImportFormat::LatinSquare,
        ImportFormat::Mathemagrids,
    ];

    /// The name of the format in commands.
    pub fn name(self) -> &'static str {
        match self {
            ImportFormat::FutoshikiLess => "futoshiki-less",
            ImportFormat::FutoshikiGreater => "futoshiki-greater",
            ImportFormat::FutoshikiPicture => "futoshiki-picture",
            ImportFormat::LatinSquare => "latin-square",
            ImportFormat::Mathemagrids => "mathemagrids",
        }
    }

    /// The description of the format, in one line.
    pub fn description(self) -> &'static str {
        match self {
            ImportFormat::FutoshikiLess => {
                "a grid of numbers (0 for empty), an empty line, lines `r1,c1,r2,c2` for cell < cell, counted from 1"
            }
            ImportFormat::FutoshikiGreater => {
                "`values`, a grid of numbers (0 for empty), `restrict`, lines `r1,c1 r2,c2` for cell > cell, counted \
                from 0"
            }
            ImportFormat::FutoshikiPicture => {
                "the board as drawn: cells 4 columns apart, `<` `>` beside and `∧` `∨` below them"
            }
            ImportFormat::LatinSquare => "a grid of numbers, 0 for empty",
            ImportFormat::Mathemagrids => "cells (`.` for empty) with operators between them, `=` and the results",
        }
    }

    /// The example model for the parameters.
    pub fn model(self) -> &'static str {
        match self {
            ImportFormat::FutoshikiLess | ImportFormat::FutoshikiGreater | ImportFormat::FutoshikiPicture => {
                "futoshiki.essence"
            }
            ImportFormat::LatinSquare => "latin-square.essence",
            ImportFormat::Mathemagrids => "mathemagrids.essence",
        }
    }
}

impl fmt::Display for ImportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ImportFormat {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        ImportFormat::ALL.into_iter().find(|format| format.name() == name).ok_or("no such format")
    }
}

/// Converts a puzzle in the given format to the text of a parameter file.
pub(crate) fn import_puzzle_text(format: ImportFormat, source: SourceId, text: &str) -> Result<String, Diagnostic> {
    let whole = PuzzleText { text, span: Span::new(source, 0, text.len()) };
    // Some editors put a byte order mark at the start of a file.
    let puzzle =
        if text.starts_with(BYTE_ORDER_MARK) { whole.slice(BYTE_ORDER_MARK.len_utf8(), text.len()) } else { whole };
    match format {
        ImportFormat::FutoshikiLess => futoshiki_less::import_futoshiki_less(puzzle),
        ImportFormat::FutoshikiGreater => futoshiki_greater::import_futoshiki_greater(puzzle),
        ImportFormat::FutoshikiPicture => futoshiki_picture::import_futoshiki_picture(puzzle),
        ImportFormat::LatinSquare => latin_square::import_latin_square(puzzle),
        ImportFormat::Mathemagrids => mathemagrids::import_mathemagrids(puzzle),
    }
}
