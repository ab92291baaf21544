//! Positions as the protocol counts them: lines, and units of UTF-16 or bytes in a line.

use lsp_types::{Position, PositionEncodingKind, Range};

/// The unit in which characters of a line are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// The first encoding that a client offers and that is known here.
    pub(super) fn negotiated(offered: &[PositionEncodingKind]) -> Encoding {
        let known = offered.iter().find_map(|kind| match kind.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            _ => None,
        });
        known.unwrap_or(Encoding::Utf16)
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The length of a text in units.
    pub(super) fn length(self, text: &str) -> u32 {
        let length = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 if text.is_ascii() => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        };
        length as u32
    }
}

/// A text with the offsets at which its lines begin.
pub(super) struct LineOffsets<'t> {
    text: &'t str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'t> LineOffsets<'t> {
    pub(super) fn new(text: &'t str, encoding: Encoding) -> Self {
        let mut starts = vec![0];
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'\n' || byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n') {
                starts.push(at + 1);
            }
        }
        LineOffsets { text, starts, encoding }
    }

    /// The offset of a position; behind the end of a line it is the end of the line.
    pub(super) fn offset(&self, position: Position) -> usize {
        let Some(start) = self.starts.get(position.line as usize).copied() else { return self.text.len() };
        let mut units = 0;
        for (at, character) in self.text[start..].char_indices() {
            if units >= position.character || matches!(character, '\n' | '\r') {
                return start + at;
            }
            units += self.encoding.length(character.encode_utf8(&mut [0; 4]));
        }
        self.text.len()
    }

    pub(super) fn position(&self, offset: usize) -> Position {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        Position::new(line as u32, self.encoding.length(&self.text[self.starts[line]..offset]))
    }

    pub(super) fn range(&self, start: usize, end: usize) -> Range {
        Range::new(self.position(start), self.position(end))
    }

    pub(super) fn offsets(&self, range: Range) -> std::ops::Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_the_units_of_their_encoding() {
        let text = "é 😀x\r\ny\rz\n";
        let utf16 = LineOffsets::new(text, Encoding::Utf16);
        let at = |needle: &str| text.find(needle).expect("a part");
        assert_eq!(utf16.position(at("x")), Position::new(0, 4));
        assert_eq!(LineOffsets::new(text, Encoding::Utf8).position(at("x")), Position::new(0, 7));
        assert_eq!(utf16.position(at("y")), Position::new(1, 0));
        assert_eq!(utf16.position(at("z")), Position::new(2, 0));
        assert_eq!(utf16.position(text.len()), Position::new(3, 0));
        for (offset, _) in text.char_indices().filter(|(_, character)| !"\r\n".contains(*character)) {
            assert_eq!(utf16.offset(utf16.position(offset)), offset);
        }
        // Beyond the end of a line or of the text, and within a character of two units.
        assert_eq!(utf16.offset(Position::new(0, 99)), at("\r\n"));
        assert_eq!(utf16.offset(Position::new(9, 0)), text.len());
        assert_eq!(utf16.offset(Position::new(0, 3)), at("x"));
    }
}
