//! Pieces of a text with their positions.

use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use std::ops::RangeInclusive;

/// A part of a puzzle's text: all of it, a line, or a word. Splitting it keeps the spans right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleText<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl<'a> PuzzleText<'a> {
    /// Returns the part between two byte offsets, counted from the start of this piece.
    pub(crate) fn slice(self, start: usize, end: usize) -> PuzzleText<'a> {
        let from = self.span.start as usize;
        PuzzleText { text: &self.text[start..end], span: Span::new(self.span.source, from + start, from + end) }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.text.is_empty()
    }

    /// Returns the piece without surrounding blanks and carriage returns.
    pub(crate) fn trim(self) -> PuzzleText<'a> {
        let end = self.text.trim_end().len();
        let start = end - self.text[..end].trim_start().len();
        self.slice(start, end)
    }

    /// Returns the piece without trailing blanks and carriage returns.
    pub(crate) fn trim_end(self) -> PuzzleText<'a> {
        self.slice(0, self.text.trim_end().len())
    }

    /// Splits the piece at a separator.
    pub(crate) fn split(self, separator: char) -> impl Iterator<Item = PuzzleText<'a>> {
        self.text.split(separator).map(move |part| self.part(part))
    }

    /// Splits the piece at blanks; several blanks count as one.
    pub(crate) fn words(self) -> impl Iterator<Item = PuzzleText<'a>> {
        self.text.split_whitespace().map(move |part| self.part(part))
    }

    /// Returns the lines without trailing blanks, and without leading and trailing empty lines.
    pub(crate) fn lines(self) -> Vec<PuzzleText<'a>> {
        let mut lines: Vec<_> = self.split('\n').map(PuzzleText::trim_end).skip_while(|line| line.is_empty()).collect();
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        lines
    }

    /// The empty piece at the end.
    pub(crate) fn end(self) -> PuzzleText<'a> {
        self.slice(self.text.len(), self.text.len())
    }

    /// Parses a whole number within the range; `what` names it in messages.
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
            // If a number is too long to be parsed, it is out of range, too.
            Ok(number) if range.contains(&number) => Ok(number),
            _ => Err(self.error(format!("{} is out of range", self.text), "not in this puzzle").help(expected())),
        }
    }

    /// Returns an error at this piece.
    pub(crate) fn error(self, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(Code::IMPORT_FORMAT, message).at(self.span, label)
    }

    /// Returns a substring of this piece with its span, which is computed from its address.
    fn part(self, part: &'a str) -> PuzzleText<'a> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        self.slice(start, start + part.len())
    }
}
