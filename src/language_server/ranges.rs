//! Positions, ranges and changes of texts in the Language Server Protocol.

use crate::{Span, protocol::Positions};
use serde::{Deserialize, Serialize};

/// A position in a text, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TextPosition {
    pub line: usize,
    pub character: usize,
}

impl TextPosition {
    pub(super) fn of(positions: &Positions, byte: usize) -> Self {
        let (line, character) = positions.in_line(byte);
        TextPosition { line, character }
    }

    pub(super) fn byte(self, positions: &Positions) -> usize {
        positions.byte_in_line(self.line, self.character)
    }
}

/// A part of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TextRange {
    pub start: TextPosition,
    pub end: TextPosition,
}

impl TextRange {
    pub(super) fn of(positions: &Positions, span: Span) -> Self {
        let [start, end] = [span.start, span.end].map(|byte| TextPosition::of(positions, byte as usize));
        TextRange { start, end }
    }

    pub(super) fn bytes(self, positions: &Positions) -> std::ops::Range<usize> {
        let start = self.start.byte(positions);
        // The range of a client may end before its start.
        start..self.end.byte(positions).max(start)
    }

    pub(super) fn touches(self, other: TextRange) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

/// A range in a text.
#[derive(PartialEq, Serialize)]
pub(super) struct Location {
    pub uri: String,
    pub range: TextRange,
}

/// A change of a text; without a range, it replaces the whole text.
#[derive(Deserialize)]
pub(super) struct TextChange {
    pub range: Option<TextRange>,
    pub text: String,
}

#[derive(Deserialize)]
pub(super) struct TextDocumentIdentifier {
    pub uri: String,
}
