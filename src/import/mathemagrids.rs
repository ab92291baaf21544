//! The format of MathemaGrids: lines of cells (`.` for an empty one) with operators between them, `=` and the result of
//! the row; between these lines, separated by commas, the operators from each cell to the cell below; a line of `=`;
//! and the results of the columns, separated by commas.

use super::{
    ImportFormat,
    grid::Coordinates,
    parameters::{ParameterText, bracketed_lines},
    text::PuzzleText,
};
use crate::diagnostic::{Diagnostic, counted};

const LARGEST_RESULT: usize = i32::MAX as usize;

struct MathemagridsPuzzle {
    size: usize,
    hints: Vec<(Coordinates, usize)>,
    across: Vec<Vec<&'static str>>,
    down: Vec<Vec<&'static str>>,
    row_results: Vec<usize>,
    column_results: Vec<usize>,
}

pub(crate) fn import_mathemagrids(text: PuzzleText) -> Result<String, Diagnostic> {
    let lines = text.lines();
    let Some(first) = lines.first() else {
        return Err(text.end().error("the grid is missing", "expected the first row of the grid").help(LAYOUT));
    };
    // The first row has an operator between every two neighbouring cells, so it shows the size of the grid.
    let size = first.text.matches(OPERATORS).count() + 1;
    if size < 2 {
        return Err(first.error("the first row has no operator", "expected at least two cells").help(LAYOUT));
    }
    let mut puzzle = MathemagridsPuzzle {
        size,
        hints: Vec::new(),
        across: Vec::new(),
        down: Vec::new(),
        row_results: Vec::new(),
        column_results: Vec::new(),
    };
    // The grid has a line for each row and a line of operators between two rows; `=` and the results follow.
    let expected = 2 * size + 1;
    for (line, index) in lines.iter().zip(0..) {
        match index {
            _ if index == expected => {
                return Err(line.error("something follows after the results", "one line too many").help(LAYOUT));
            }
            _ if index == expected - 1 => puzzle.read_column_results(*line)?,
            _ if index == expected - 2 => expect_equals_signs(*line)?,
            _ if index % 2 == 0 => puzzle.read_row(*line, index / 2 + 1)?,
            _ => puzzle.read_operators_below(*line)?,
        }
    }
    if lines.len() < expected {
        return Err(text
            .end()
            .error(format!("the puzzle ends after {} of {expected} lines", lines.len()), "expected more lines")
            .help(LAYOUT)
            .note(format!("the first row has {size} cells")));
    }
    Ok(puzzle.write())
}

impl MathemagridsPuzzle {
    /// Reads `7*.-.=38`.
    fn read_row(&mut self, line: PuzzleText, row: usize) -> Result<(), Diagnostic> {
        let Some(equals) = line.text.find('=') else {
            return Err(line.error("a row without `=` and a result", "this row").help(LAYOUT));
        };
        let (left, right) = (line.slice(0, equals), line.slice(equals + 1, line.text.len()));
        let mut operators = Vec::new();
        let mut start = 0;
        for (at, symbol) in left.text.match_indices(OPERATORS) {
            self.read_cell(left.slice(start, at).trim(), row, operators.len() + 1)?;
            operators.push(operator_name(left.slice(at, at + symbol.len()))?);
            start = at + symbol.len();
        }
        self.read_cell(left.slice(start, left.text.len()).trim(), row, operators.len() + 1)?;
        self.expect_count(line, operators.len() + 1, "cell")?;
        self.across.push(operators);
        self.row_results.push(parse_result(right)?);
        Ok(())
    }

    fn read_cell(&mut self, cell: PuzzleText, row: usize, column: usize) -> Result<(), Diagnostic> {
        if cell.text != "." {
            let number = cell.number("a hint", 1..=self.size * self.size).map_err(|error| {
                error.note("write `.` for an empty cell, and `+`, `-`, `*` or `/` between two cells")
            })?;
            self.hints.push(((row, column), number));
        }
        Ok(())
    }

    /// Reads `*,+,+`.
    fn read_operators_below(&mut self, line: PuzzleText) -> Result<(), Diagnostic> {
        let operators = line.split(',').map(|part| operator_name(part.trim())).collect::<Result<Vec<_>, _>>()?;
        self.expect_count(line, operators.len(), "operator")?;
        self.down.push(operators);
        Ok(())
    }

    /// Reads `55,72,6`.
    fn read_column_results(&mut self, line: PuzzleText) -> Result<(), Diagnostic> {
        self.column_results = line.split(',').map(parse_result).collect::<Result<_, _>>()?;
        self.expect_count(line, self.column_results.len(), "result")
    }

    fn expect_count(&self, line: PuzzleText, found: usize, what: &str) -> Result<(), Diagnostic> {
        if found == self.size {
            return Ok(());
        }
        Err(line
            .error(format!("{} instead of {}", counted(found, what), self.size), "this line")
            .help(LAYOUT)
            .note(format!("the first row has {} cells, so the grid has {} rows and columns", self.size, self.size)))
    }

    fn write(self) -> String {
        let title = format!("A {} by {} MathemaGrid.", self.size, self.size);
        let mut parameters = ParameterText::new(&title, ImportFormat::Mathemagrids);
        parameters.comment("The numbers 1 to m * m fill an m by m grid.");
        parameters.letting("m", self.size);
        parameters.hints(&self.hints);
        parameters.comment("The operators from a cell to its right neighbour, row by row.");
        parameters.letting("across", bracketed_lines(self.across.iter().map(|row| list_literal(row)), '[', ']'));
        parameters.comment("The operators from a cell to the cell below it, as in the lines between the rows.");
        parameters.letting("down", bracketed_lines(self.down.iter().map(|row| list_literal(row)), '[', ']'));
        parameters.comment("The results of the rows and the columns.");
        parameters.letting("row_results", list_literal(&self.row_results));
        parameters.letting("column_results", list_literal(&self.column_results));
        parameters.finish()
    }
}

/// Reads `=,=,=`; their number carries no information.
fn expect_equals_signs(line: PuzzleText) -> Result<(), Diagnostic> {
    match line.split(',').map(PuzzleText::trim).find(|part| part.text != "=") {
        None => Ok(()),
        Some(part) => Err(part.error(format!("expected `=`, but found `{}`", part.text), "expected `=`").help(LAYOUT)),
    }
}

const OPERATORS: [char; 4] = ['+', '-', '*', '/'];

/// The name of an operator in the model.
fn operator_name(piece: PuzzleText) -> Result<&'static str, Diagnostic> {
    match piece.text {
        "+" => Ok("plus"),
        "-" => Ok("minus"),
        "*" => Ok("times"),
        "/" => Ok("divided_by"),
        _ => Err(piece
            .error(format!("unknown operator `{}`", piece.text), "not an operator")
            .help("the operators are `+`, `-`, `*` and `/`, separated by commas")),
    }
}

fn parse_result(piece: PuzzleText) -> Result<usize, Diagnostic> {
    piece.trim().number("a result", 0..=LARGEST_RESULT)
}

fn list_literal(items: &[impl ToString]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    format!("[{}]", items.join(", "))
}

const LAYOUT: &str = "rows such as `7*.-.=38`, lines of operators such as `*,+,+` between them, then `=,=,=` and the \
    columns' results `55,72,6`";
