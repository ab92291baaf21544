//! A picture made of characters. Lines may cross: the box-drawing character of a cell follows from the directions of
//! the lines that meet there.

use unicode_width::UnicodeWidthChar;

const UP: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const RIGHT: u8 = 8;

/// The character for each set of the four directions, as a bit set.
const LINES: [char; 16] = [' ', '╵', '╷', '│', '╴', '┘', '┐', '┤', '╶', '└', '┌', '├', '─', '┴', '┬', '┼'];

/// A grid of characters, from the upper left corner.
pub(crate) struct Canvas {
    width: usize,
    lines: Vec<u8>,
    /// The letters, which hide the lines below them; `None` in the second column of a wide character.
    letters: Vec<Option<char>>,
}

impl Canvas {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Canvas { width, lines: vec![0; width * height], letters: vec![Some(' '); width * height] }
    }

    pub(crate) fn horizontal(&mut self, y: usize, from: usize, to: usize) {
        for x in from..to {
            // A piece of a line touches the two cells at its ends, so each cell knows all directions that meet in it.
            self.lines[y * self.width + x] |= RIGHT;
            self.lines[y * self.width + x + 1] |= LEFT;
        }
    }

    pub(crate) fn vertical(&mut self, x: usize, from: usize, to: usize) {
        for y in from..to {
            self.lines[y * self.width + x] |= DOWN;
            self.lines[(y + 1) * self.width + x] |= UP;
        }
    }

    pub(crate) fn rectangle(&mut self, first: (usize, usize), last: (usize, usize)) {
        let ((left, top), (right, bottom)) = (first, last);
        self.horizontal(top, left, right);
        self.horizontal(bottom, left, right);
        self.vertical(left, top, bottom);
        self.vertical(right, top, bottom);
    }

    /// Writes a text at a position. Characters that do not fit into the row are left out.
    pub(crate) fn write(&mut self, x: usize, y: usize, text: &str) {
        let mut x = x;
        for character in text.chars() {
            let columns = character.width().unwrap_or(0);
            // Combining characters take no column and would shift the rest of the row.
            if columns == 0 || x + columns > self.width {
                continue;
            }
            let at = y * self.width + x;
            // A letter hides the lines in its cell.
            self.lines[at] = 0;
            self.letters[at] = Some(character);
            // A wide character takes two columns, so the second one must stay empty.
            self.letters[at + 1..at + columns].fill(None);
            x += columns;
        }
    }

    /// The rows, without trailing blanks.
    pub(crate) fn rows(&self) -> Vec<String> {
        let shown = |(line, letter): (&u8, &Option<char>)| match line {
            0 => *letter,
            line => Some(LINES[usize::from(*line)]),
        };
        let rows = self.lines.chunks(self.width).zip(self.letters.chunks(self.width));
        rows.map(|(lines, letters)| lines.iter().zip(letters).filter_map(shown).collect::<String>())
            .map(|row| row.trim_end().to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_join_where_they_meet_and_letters_stand_over_them() {
        let mut canvas = Canvas::new(9, 5);
        canvas.rectangle((0, 0), (8, 4));
        canvas.horizontal(2, 0, 8);
        canvas.vertical(4, 2, 4);
        canvas.write(1, 0, "12");
        canvas.write(1, 1, "日本 x and more");
        assert_eq!(canvas.rows(), ["┌12─────┐", "│日本 x a", "├───┬───┤", "│   │   │", "└───┴───┘"]);
    }
}
