//! Pieces of a text that know where they stand.

use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use std::ops::RangeInclusive;

/// A part of a puzzle's text: all of it, a line, a word. Cutting it keeps the places right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleText<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl<'a> PuzzleText<'a> {
    /// The part between two byte offsets, which are counted from the start of this piece.
    pub(crate) fn slice(self, start: usize, end: usize) -> PuzzleText<'a> {
        let from = self.span.start as usize;
        PuzzleText { text: &self.text[start..end], span: Span::new(self.span.source, from + start, from + end) }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// The piece without the blanks (and the carriage return) around it.
    pub(crate) fn trim(self) -> PuzzleText<'a> {
        let end = self.text.trim_end().len();
        let start = end - self.text[..end].trim_start().len();
        self.slice(start, end)
    }

    /// The piece without the blanks (and the carriage return) at its end.
    pub(crate) fn trim_end(self) -> PuzzleText<'a> {
        self.slice(0, self.text.trim_end().len())
    }

    /// The parts between separators.
    pub(crate) fn split(self, separator: char) -> impl Iterator<Item = PuzzleText<'a>> {
        self.text.split(separator).map(move |part| self.part(part))
    }

    /// The parts between blanks, of which there may be several at a time.
    pub(crate) fn words(self) -> impl Iterator<Item = PuzzleText<'a>> {
        self.text.split_whitespace().map(move |part| self.part(part))
    }

    /// The lines without the blanks at their ends, and without the empty lines around the text.
    pub(crate) fn lines(self) -> Vec<PuzzleText<'a>> {
        let mut lines: Vec<_> = self.split('\n').map(PuzzleText::trim_end).skip_while(|line| line.is_empty()).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        lines
    }

    /// The place behind the last character.
    pub(crate) fn end(self) -> PuzzleText<'a> {
        self.slice(self.text.len(), self.text.len())
    }

    /// A whole number within the range; `what` names it in messages.
    pub(crate) fn number(self, what: &str, range: RangeInclusive<usize>) -> Result<usize, Diagnostic> {
        let (least, most) = (range.start(), range.end());
        let expected = || format!("{what} is a number from {least} to {most}");
        if self.is_empty() {
            return Err(self.error("a number is missing", "expected a number").help(expected()));
        }
        if !self.text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(format!("`{}` is not a number", self.text), "expected a number").help(expected()));
        }
        match self.text.parse() {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(self.error(format!("{} is out of range", self.text), "not in this puzzle").help(expected())),
        }
    }

    /// An error at this place.
    pub(crate) fn error(self, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Code::IMPORT_FORMAT, message).at(self.span, label)
    }

    /// A part of this piece's own text, found again by its address.
    fn part(self, part: &'a str) -> PuzzleText<'a> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        self.slice(start, start + part.len())
    }
}
