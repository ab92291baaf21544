//! The format: the board as drawn. The cells of a row are 4 columns apart, with 0 for an empty cell, and `<`, `>` or
//! nothing in the middle between two cells. The line below a row has `∧` (the upper cell is less) or `∨` (the upper
//! cell is greater) below the cells.

use super::{ImportFormat, grid::Coordinates, parameters, text::PuzzleText};
use crate::diagnostic::{Diagnostic, counted};

/// The distance between neighbouring cells in the text.
const STEP: usize = 4;

struct FutoshikiBoard {
    size: usize,
    hints: Vec<(Coordinates, usize)>,
    less_than: Vec<(Coordinates, Coordinates)>,
}

pub(crate) fn import_futoshiki_picture(puzzle: PuzzleText) -> Result<String, Diagnostic> {
    let lines = puzzle.lines();
    let first = lines.first().copied().unwrap_or(puzzle.end());
    // The first row has a number in each cell, so it shows the size of the board.
    let size = tokens_of_line(first).filter(|(_, token)| is_number(*token)).count();
    if size == 0 {
        return Err(first.error("the board is missing", "expected the first row of the board").help(LAYOUT));
    }
    let mut board = FutoshikiBoard { size, hints: Vec::new(), less_than: Vec::new() };
    for (index, line) in lines.iter().enumerate() {
        let row = index / 2 + 1;
        if row > size || (row == size && index % 2 == 1) {
            // After each row except the last there is a line of signs, so rows and lines of signs alternate.
            return Err(line
                .error(format!("the board has more than {}", counted(size, "row")), "one line too many")
                .help(format!("the first row has {}, so the board needs {size} rows", counted(size, "cell"))));
        }
        if index % 2 == 0 { board.read_row(*line, row)? } else { board.read_signs_below(*line, row)? }
    }
    let rows = lines.len().div_ceil(2);
    if rows < size {
        return Err(lines[lines.len() - 1]
            .error(format!("the board has {} instead of {size}", counted(rows, "row")), "the last line")
            .help(format!("the first row has {}, so the board needs {size} rows", counted(size, "cell")))
            .note("between two rows, there is a line for the signs, even if it is empty"));
    }
    Ok(parameters::futoshiki(ImportFormat::FutoshikiPicture, size, &board.hints, &board.less_than))
}

impl FutoshikiBoard {
    fn read_row(&mut self, line: PuzzleText, row: usize) -> Result<(), Diagnostic> {
        let mut cells = 0;
        for (at, token) in tokens_of_line(line) {
            let column = at / STEP + 1;
            if at % STEP == 0 && is_number(token) {
                if column > self.size {
                    return Err(token
                        .error(format!("row {row} has more than {}", counted(self.size, "cell")), "one cell too many")
                        .help(LAYOUT));
                }
                let number =
                    token.number("a cell", 0..=self.size).map_err(|error| error.note("0 marks an empty cell"))?;
                if number > 0 {
                    self.hints.push(((row, column), number));
                }
                cells += 1;
            // A sign stands between two cells, so none follows the last one.
            } else if at % STEP == STEP / 2 && column < self.size && matches!(token.text, "<" | ">") {
                let (left, right) = ((row, column), (row, column + 1));
                self.less_than.push(if token.text == "<" { (left, right) } else { (right, left) });
            } else {
                return Err(misplaced(token, "a number, or `<` or `>` in the middle between two cells"));
            }
        }
        if cells != self.size {
            return Err(line
                .error(format!("row {row} has {} instead of {}", counted(cells, "cell"), self.size), "this row")
                .help(LAYOUT));
        }
        Ok(())
    }

    fn read_signs_below(&mut self, line: PuzzleText, row: usize) -> Result<(), Diagnostic> {
        for (at, token) in tokens_of_line(line) {
            let column = at / STEP + 1;
            let (upper, lower) = ((row, column), (row + 1, column));
            match token.text {
                "∧" if at % STEP == 0 && column <= self.size => self.less_than.push((upper, lower)),
                "∨" if at % STEP == 0 && column <= self.size => self.less_than.push((lower, upper)),
                _ => return Err(misplaced(token, "`∧` or `∨` under a cell")),
            }
        }
        Ok(())
    }
}

fn is_number(token: PuzzleText) -> bool {
    token.text.starts_with(|sign: char| sign.is_ascii_digit())
}

fn misplaced(token: PuzzleText, expected: &str) -> Diagnostic {
    let message = match token.text {
        "\t" => "the picture contains a tab".to_owned(),
        "<" | ">" | "∧" | "∨" => format!("there is a sign `{}` where none is expected", token.text),
        text if is_number(token) => {
            format!("`{text}` is not in the column of a cell")
        }
        text => format!("unknown sign `{text}`"),
    };
    token.error(message, format!("expected {expected}")).help(LAYOUT)
}

/// The tokens of a line, each with its column (in characters, from 0). A number is one token.
fn tokens_of_line(line: PuzzleText<'_>) -> impl Iterator<Item = (usize, PuzzleText<'_>)> {
    // Columns are counted in characters, because `∧` has several bytes.
    let mut rest = line.text.char_indices().enumerate().peekable();
    std::iter::from_fn(move || {
        let (column, (start, sign)) = rest.find(|(_, (_, sign))| *sign != ' ')?;
        let mut end = start + sign.len_utf8();
        while sign.is_ascii_digit() {
            match rest.next_if(|(_, (_, next))| next.is_ascii_digit()) {
                Some((_, (digit, _))) => end = digit + 1,
                None => break,
            }
        }
        Some((column, line.slice(start, end)))
    })
}

const LAYOUT: &str = "cells are 4 columns apart (`0 < 0   3`), 0 is an empty cell, and `∧` or `∨` is straight below a \
    cell on a separate line";
