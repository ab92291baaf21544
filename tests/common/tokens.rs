//! A rough lexer for tests and mutations: enough to find the neighbours of a token.

use std::ops::Range;

/// Words, numbers, signs and comments, without white space.
pub(crate) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '\'');
        let length = match first {
            _ if first.is_whitespace() => {
                at += first.len_utf8();
                continue;
            }
            '$' => rest.find('\n').unwrap_or(rest.len()),
            '"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
            _ if first.is_ascii_digit() => {
                rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len())
            }
            _ if is_word(first) => rest.find(|character: char| !is_word(character)).unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ => ["<->", "-->", "/\\", "\\/", "->", "<-", "!=", "<=", ">=", "..", "**"]
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map_or(first.len_utf8(), |sign| sign.len()),
        };
        tokens.push(at..at + length);
        at += length;
    }
    tokens
}
