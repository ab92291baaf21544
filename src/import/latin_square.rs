//! The format: a Latin square with holes, n lines of n numbers, with 0 for an empty cell.

use super::{ImportFormat, grid::PuzzleGrid, parameters::ParameterText, text::PuzzleText};
use crate::diagnostic::Diagnostic;

pub(crate) fn import_latin_square(puzzle: PuzzleText) -> Result<String, Diagnostic> {
    let lines = puzzle.lines();
    // Inequalities after the grid are an error, because they would be ignored silently: the file is probably a
    // futoshiki.
    if let Some(gap) = lines.iter().position(|line| line.is_empty()) {
        let after = lines[gap..].iter().find(|line| !line.is_empty()).unwrap_or(&lines[gap]);
        return Err(after
            .error("something follows after the grid", "not part of a Latin square")
            .help("if these lines are inequalities, import the file as `futoshiki-less`"));
    }
    let PuzzleGrid { size, hints } = PuzzleGrid::read(&lines, puzzle)?;
    let mut parameters =
        ParameterText::new(&format!("A Latin square of order {size}, partly filled."), ImportFormat::LatinSquare);
    parameters.comment("The numbers 1 to n fill an n by n square.");
    parameters.letting("n", size);
    parameters.hints(&hints);
    Ok(parameters.finish())
}
