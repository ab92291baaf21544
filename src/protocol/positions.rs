//! Converts positions: the library counts bytes, editors count UTF-16 units from the start of the text or line.

use crate::source::Span;
use std::{cell::OnceCell, ops::Range};

/// The unit in which an editor counts characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    /// The length of a text in units.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        }
    }
}

/// A text with tables for converting positions. Each table is built on first use, because most requests need only one:
/// requests are about lines, or about the whole text.
pub(crate) struct Positions<'t> {
    text: &'t str,
    encoding: Encoding,
    /// For each byte, and for the end, its position in units; empty if bytes are units.
    units: OnceCell<Vec<u32>>,
    /// The first byte of each line.
    lines: OnceCell<Vec<usize>>,
}

impl<'t> Positions<'t> {
    pub(crate) fn new(text: &'t str, encoding: Encoding) -> Self {
        Positions { text, encoding, units: OnceCell::new(), lines: OnceCell::new() }
    }

    fn units(&self) -> &[u32] {
        self.units.get_or_init(|| {
            let mut units = Vec::new();
            // Most texts are ASCII and need no table.
            if self.encoding == Encoding::Utf16 && !self.text.is_ascii() {
                let mut unit = 0;
                for character in self.text.chars() {
                    units.extend(std::iter::repeat_n(unit, character.len_utf8()));
                    unit += character.len_utf16() as u32;
                }
                units.push(unit);
            }
            units
        })
    }

    fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let mut lines = vec![0];
            for (at, byte) in self.text.bytes().enumerate() {
                // In the editor protocol, a single `\r` ends a line.
                if byte == b'\n' || byte == b'\r' && self.text.as_bytes().get(at + 1) != Some(&b'\n') {
                    lines.push(at + 1);
                }
            }
            lines
        })
    }

    /// The position of a byte.
    pub(crate) fn of_byte(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        self.units().get(byte).map_or(byte, |unit| *unit as usize)
    }

    /// The byte at a position; inside a character, the start of the next one.
    pub(crate) fn byte(&self, at: usize) -> usize {
        match self.units() {
            [] => self.text.ceil_char_boundary(at.min(self.text.len())),
            units => units.partition_point(|unit| (*unit as usize) < at).min(self.text.len()),
        }
    }

    /// The first position of a span, and the position after it.
    pub(crate) fn of_span(&self, span: Span) -> (usize, usize) {
        (self.of_byte(span.start as usize), self.of_byte(span.end as usize))
    }

    /// The line of a byte, and the position in the line, both counted from 0.
    pub(crate) fn in_line(&self, byte: usize) -> (usize, usize) {
        // The byte offset may be inside a character.
        let byte = self.text.floor_char_boundary(byte);
        let line = self.lines().partition_point(|start| *start <= byte) - 1;
        (line, self.encoding.length(&self.text[self.lines()[line]..byte]))
    }

    /// The byte at a position in a line; after the end of the line, the end of the line.
    pub(crate) fn byte_in_line(&self, line: usize, at: usize) -> usize {
        let Some(start) = self.lines().get(line).copied() else { return self.text.len() };
        let mut units = 0;
        for (byte, character) in self.text[start..].char_indices() {
            if units >= at || matches!(character, '\n' | '\r') {
                return start + byte;
            }
            units += self.encoding.length(character.encode_utf8(&mut [0; 4]));
        }
        self.text.len()
    }

    /// The byte range of a part of the text.
    pub(super) fn bytes(&self, from: Option<usize>, to: Option<usize>) -> Range<usize> {
        let from = from.map_or(0, |from| self.byte(from));
        from..to.map_or(self.text.len(), |to| self.byte(to)).max(from)
    }

    /// The position of a character in a line, both counted from 1.
    pub(super) fn of_character(&self, line: usize, column: usize) -> usize {
        let start: usize = self.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let before = self.text[start..].chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>();
        self.of_byte(start + before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_units_of_utf_16() {
        let text = "é 😀x\ny😀\nz";
        let positions = Positions::new(text, Encoding::Utf16);
        for (byte, character) in text.char_indices() {
            let at = text[..byte].encode_utf16().count();
            assert_eq!((positions.of_byte(byte), positions.byte(at)), (at, byte), "{character}");
        }
        assert_eq!((positions.of_byte(text.len()), positions.byte(99)), (text.encode_utf16().count(), text.len()));
        // This byte is inside a character of two units.
        assert_eq!(positions.byte(3), text.find('x').unwrap_or_default());
        assert_eq!(positions.of_character(1, 4), 4);
        assert_eq!(positions.of_character(2, 2), 7);
        assert_eq!(positions.of_character(3, 1), 10);
        assert_eq!(Positions::new("abc", Encoding::Utf16).byte(9), 3);
    }

    #[test]
    fn positions_in_lines_count_the_units_of_their_encoding() {
        let text = "é 😀x\r\ny\rz\n";
        let at = |needle: &str| text.find(needle).expect("a part");
        let utf16 = Positions::new(text, Encoding::Utf16);
        assert_eq!(utf16.in_line(at("x")), (0, 4));
        assert_eq!(utf16.in_line(at("y")), (1, 0));
        assert_eq!(utf16.in_line(at("z")), (2, 0));
        assert_eq!(utf16.in_line(text.len()), (3, 0));
        let utf8 = Positions::new(text, Encoding::Utf8);
        assert_eq!(utf8.in_line(at("x")), (0, 7));
        // This unit is inside a character of two bytes.
        assert_eq!(utf8.byte_in_line(0, 1), 2);
        for positions in [utf16, utf8] {
            for (byte, _) in text.char_indices().filter(|(_, character)| !"\r\n".contains(*character)) {
                let (line, character) = positions.in_line(byte);
                assert_eq!(positions.byte_in_line(line, character), byte);
            }
            // These positions are after the end of a line and of the text.
            assert_eq!(positions.byte_in_line(0, 99), at("\r\n"));
            assert_eq!(positions.byte_in_line(9, 0), text.len());
        }
    }
}
