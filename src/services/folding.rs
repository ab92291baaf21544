//! The parts of a text that an editor can fold.

use super::AnalysedText;
use crate::{
    source::Span,
    syntax::{
        parse::starts_statement,
        tokens::{Token, TokenKind},
    },
};

/// A part of a text with several lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FoldingRange {
    /// The span from the first to the last character.
    pub span: Span,
    /// True for comments.
    pub is_comment: bool,
}

/// Returns the statements, brackets and comments with several lines, in the order of the text.
pub(crate) fn folding_ranges(document: &AnalysedText) -> Vec<FoldingRange> {
    let text = document.text();
    let mut found: Vec<FoldingRange> = Vec::new();
    let mut add = |start: usize, end: usize, is_comment: bool| {
        if text[start..end].contains('\n') {
            found.push(FoldingRange { span: document.span(start, end), is_comment });
        }
    };
    // Comments on consecutive lines form one range.
    let mut comments: Option<(usize, usize)> = None;
    let mut statement: Option<(usize, usize)> = None;
    let mut open: Vec<usize> = Vec::new();
    for (at, token) in document.tokens.iter().enumerate() {
        let Token { kind, start, end } = *token;
        let next = || document.tokens.get(at + 1).map_or("", |next| &text[next.start..next.end]);
        if kind == TokenKind::Comment {
            comments = match comments {
                Some((first, last)) if text[last..start].matches('\n').count() < 2 => Some((first, end)),
                before => {
                    before.into_iter().for_each(|(first, last)| add(first, last, true));
                    Some((start, end))
                }
            };
            continue;
        }
        comments.take().into_iter().for_each(|(first, last)| add(first, last, true));
        match &text[start..end] {
            "(" | "[" | "{" => open.push(start),
            ")" | "]" | "}" => open.pop().into_iter().for_each(|first| add(first, end, false)),
            word if open.is_empty() && starts_statement(word, next()) => {
                statement.take().into_iter().for_each(|(first, last)| add(first, last, false));
                statement = Some((start, end));
            }
            _ => {}
        }
        // Each statement extends to the last token before the next one.
        statement = statement.map(|(first, _)| (first, end));
    }
    comments.into_iter().for_each(|(first, last)| add(first, last, true));
    statement.into_iter().for_each(|(first, last)| add(first, last, false));
    // An outer range comes before the ranges inside it.
    found.sort_by_key(|range| (range.span.start, std::cmp::Reverse(range.span.end)));
    found
}
