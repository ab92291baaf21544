//! The format: a line `values`, a grid, a line `restrict`, and one inequality per line. `r1,c1 r2,c2`, counted from 0,
//! means that cell (r1,c1) is greater than cell (r2,c2).

use super::{
    ImportFormat,
    grid::{Coordinates, PuzzleGrid, different},
    parameters,
    text::PuzzleText,
};
use crate::diagnostic::Diagnostic;

pub(crate) fn import_futoshiki_greater(puzzle: PuzzleText) -> Result<String, Diagnostic> {
    let lines: Vec<_> = puzzle.lines().into_iter().filter(|line| !line.is_empty()).collect();
    match lines.first() {
        Some(first) if first.text == "values" => {}
        first => {
            let place = first.copied().unwrap_or(puzzle.end());
            return Err(place.error("the section `values` is missing", "expected the line `values`").help(SECTIONS));
        }
    }
    let Some(restrict) = lines.iter().position(|line| line.text == "restrict") else {
        return Err(puzzle
            .end()
            .error("the section `restrict` is missing", "expected the line `restrict` before the end")
            .help(SECTIONS));
    };
    let PuzzleGrid { size, hints } = PuzzleGrid::read(&lines[1..restrict], lines[restrict - 1])?;
    let less_than =
        lines[restrict + 1..].iter().map(|line| greater_pair(*line, size)).collect::<Result<Vec<_>, _>>()?;
    Ok(parameters::futoshiki(ImportFormat::FutoshikiGreater, size, &hints, &less_than))
}

/// Parses a line, which names the greater cell first, to a pair (smaller, greater).
fn greater_pair(line: PuzzleText, size: usize) -> Result<(Coordinates, Coordinates), Diagnostic> {
    let cells: Vec<_> = line.words().collect();
    let [greater, less] = cells.as_slice() else {
        return Err(not_inequality(line, format!("an inequality has 2 cells; this line has {}", cells.len())));
    };
    different(line, parse_coordinates(*less, size)?, parse_coordinates(*greater, size)?)
}

fn parse_coordinates(word: PuzzleText, size: usize) -> Result<Coordinates, Diagnostic> {
    let parts: Vec<_> = word.split(',').collect();
    let [row, column] = parts.as_slice() else {
        return Err(not_inequality(word, "expected a row, a comma and a column".to_owned()));
    };
    // The format counts from 0, but the models count from 1.
    let number = |part: &PuzzleText, what| part.number(what, 0..=size - 1).map(|number| number + 1);
    let counted = |error: Diagnostic| error.note("rows and columns are counted from 0 in this format");
    Ok((number(row, "a row").map_err(counted)?, number(column, "a column").map_err(counted)?))
}

fn not_inequality(place: PuzzleText, label: String) -> Diagnostic {
    place.error("this is not an inequality", label).help(
        "write `r1,c1 r2,c2` if the cell in row r1 and column c1 has a greater number than the cell in row r2 and \
        column c2",
    )
}

const SECTIONS: &str = "the file has a line `values`, the grid, a line `restrict`, and the inequalities";
