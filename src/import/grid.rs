//! Square grids of numbers, in which 0 is an empty cell.

use super::text::PuzzleText;
use crate::diagnostic::{Diagnostic, counted};

/// The row and column of a cell, counted from 1.
pub(crate) type Coordinates = (usize, usize);

/// The given numbers of a square grid, row by row.
pub(crate) struct PuzzleGrid {
    pub size: usize,
    pub hints: Vec<(Coordinates, usize)>,
}

impl PuzzleGrid {
    /// Reads the rows of a grid, one per line. The first row determines the size. `whole` is the text around the lines,
    /// for the position of a message about a missing grid.
    pub(crate) fn read(lines: &[PuzzleText], whole: PuzzleText) -> Result<PuzzleGrid, Diagnostic> {
        let Some(first) = lines.first() else {
            return Err(whole.end().error("the grid is missing", "expected the first row of the grid").help(ROWS));
        };
        let size = first.words().count();
        let mut grid = PuzzleGrid { size, hints: Vec::new() };
        for (line, row) in lines.iter().zip(1..) {
            // The number of rows is checked in the loop, so that the error points to the first superfluous line.
            if row > size {
                return Err(line
                    .error(format!("the grid has more than {}", counted(size, "row")), "one row too many")
                    .help(format!("the first row has {}, so the board needs {size} rows", counted(size, "number"))));
            }
            grid.read_row(*line, row)?;
        }
        if lines.len() < size {
            let last = lines[lines.len() - 1];
            return Err(last
                .error(format!("the grid has {} instead of {size}", counted(lines.len(), "row")), "the last row")
                .help(format!("the first row has {}, so the board needs {size} rows", counted(size, "number"))));
        }
        Ok(grid)
    }

    fn read_row(&mut self, line: PuzzleText, row: usize) -> Result<(), Diagnostic> {
        let size = self.size;
        for (word, column) in line.words().zip(1..) {
            let number = word.number("a cell", 0..=size).map_err(|error| error.note("0 marks an empty cell"))?;
            if number > 0 {
                self.hints.push(((row, column), number));
            }
        }
        let found = line.words().count();
        if found != size {
            return Err(line
                .error(format!("row {row} has {} instead of {size}", counted(found, "number")), "this row")
                .help(ROWS));
        }
        Ok(())
    }
}

/// Returns a pair of cells, or an error if both are the same cell.
pub(crate) fn different(
    place: PuzzleText,
    left: Coordinates,
    right: Coordinates,
) -> Result<(Coordinates, Coordinates), Diagnostic> {
    if left == right {
        let (row, column) = left;
        return Err(place
            .error(format!("cell ({row},{column}) is compared with itself"), "the same cell twice")
            .help("an inequality needs two different cells"));
    }
    Ok((left, right))
}

const ROWS: &str = "a grid has as many rows as columns, with spaces between the numbers: `0 3 0 1`";
