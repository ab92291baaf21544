//! The format: a grid, an empty line, and one inequality per line. `r1,c1,r2,c2`, counted from 1, means that cell
//! (r1,c1) is less than cell (r2,c2). The inequalities may be missing.

use super::{
    ImportFormat,
    grid::{Coordinates, PuzzleGrid, different},
    parameters,
    text::PuzzleText,
};
use crate::diagnostic::Diagnostic;

pub(crate) fn import_futoshiki_less(puzzle: PuzzleText) -> Result<String, Diagnostic> {
    let lines = puzzle.lines();
    let gap = lines.iter().position(|line| line.is_empty()).unwrap_or(lines.len());
    let PuzzleGrid { size, hints } = PuzzleGrid::read(&lines[..gap], puzzle)?;
    let less_than = lines[gap..]
        .iter()
        .filter(|line| !line.is_empty())
        .map(|line| less_pair(*line, size))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(parameters::futoshiki(ImportFormat::FutoshikiLess, size, &hints, &less_than))
}

fn less_pair(line: PuzzleText, size: usize) -> Result<(Coordinates, Coordinates), Diagnostic> {
    let parts: Vec<_> = line.split(',').map(PuzzleText::trim).collect();
    let [r1, c1, r2, c2] = parts.as_slice() else {
        return Err(line
            .error("this is not an inequality", format!("an inequality has 4 numbers; this line has {}", parts.len()))
            .help(
                "write `r1,c1,r2,c2` if the cell in row r1 and column c1 has a smaller number than the cell in row \
                r2 and column c2",
            ));
    };
    let number = |part: &PuzzleText, what| part.number(what, 1..=size);
    let left = (number(r1, "a row")?, number(c1, "a column")?);
    different(line, left, (number(r2, "a row")?, number(c2, "a column")?))
}
