//! The tokens of a text, whatever is wrong with it: for services that must also work where the grammar matches nothing.

use super::{
    ast::Comment,
    parse::{is_word_character, word_length},
};
use crate::language::quotation::quoted_length;

/// A token, at a range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Comment,
    /// A name, a keyword or another word.
    Word,
    /// A name in quotation marks.
    Quoted,
    Number,
    /// An operator, a bracket or a separator.
    Sign,
}

/// The signs of more than one character, the longer of two that begin alike first.
const SIGNS: [&str; 19] = [
    "<->", "-->", "..", ".<=", ".>=", "~<=", "~>=", ".<", ".>", "~<", "~>", "**", "->", "<-", "!=", "<=", ">=", "/\\",
    "\\/",
];

/// The tokens of a text with these comments, in order.
pub(crate) fn tokens(text: &str, comments: &[Comment]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut comments = comments.iter().peekable();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let comment = comments.next_if(|comment| comment.span.start as usize <= at);
        let rest = &text[at..];
        let (kind, length) = match (comment, first) {
            (Some(comment), _) => (TokenKind::Comment, (comment.span.end as usize).saturating_sub(at)),
            (None, '0'..='9') => (TokenKind::Number, rest.bytes().take_while(u8::is_ascii_digit).count()),
            (None, '"') => match quoted_length(rest) {
                Some(length) => (TokenKind::Quoted, length),
                None => (TokenKind::Sign, 1),
            },
            (None, first) if is_word_character(first) => (TokenKind::Word, word_length(rest)),
            (None, first) if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            (None, first) => (TokenKind::Sign, beginning(rest, &SIGNS).map_or(first.len_utf8(), str::len)),
        };
        tokens.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    tokens
}

/// The first of these signs that a text begins with.
pub(super) fn beginning<'s>(text: &str, signs: &[&'s str]) -> Option<&'s str> {
    let first = *text.as_bytes().first()?;
    // Most signs differ in their first byte, which is compared faster than a text.
    signs.iter().find(|sign| sign.as_bytes()[0] == first && text.starts_with(**sign)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{source::SourceId, syntax::parse};

    #[test]
    fn every_character_but_blanks_is_in_a_token() {
        let text = "find é : int(1..3) $ ü\nsuch that \"a b\"-->x <= 1 \" |";
        let file = parse(SourceId(0), text, &mut Vec::new());
        let tokens: Vec<&str> =
            tokens(text, &file.comments).iter().map(|token| &text[token.start..token.end]).collect();
        let expected = [
            "find", "é", ":", "int", "(", "1", "..", "3", ")", "$ ü", "such", "that", "\"a b\"", "-->", "x", "<=", "1",
            "\"", "|",
        ];
        assert_eq!(tokens, expected);
    }
}
