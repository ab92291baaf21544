//! A lexer for all texts, valid or not, for tools that must work even if the grammar does not match.

use super::ast::Comment;
use crate::language::quotation::quoted_length;

/// A token, as a range of bytes.
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

/// The signs with more than one character. If one is a prefix of another, the longer one comes first.
const SIGNS: [&str; 19] = [
    "<->", "-->", "..", ".<=", ".>=", "~<=", "~>=", ".<", ".>", "~<", "~>", "**", "->", "<-", "!=", "<=", ">=", "/\\",
    "\\/",
];

/// Returns the first token after an offset, which must not be inside a token.
pub(crate) fn next_token(text: &str, at: usize) -> Option<Token> {
    let rest = text[at..].trim_start();
    let start = text.len() - rest.len();
    let first = rest.chars().next()?;
    let (kind, length) = match first {
        '0'..='9' => (TokenKind::Number, rest.bytes().take_while(u8::is_ascii_digit).count()),
        // In files from Windows, the comment ends before the carriage return.
        '$' => (TokenKind::Comment, rest.split('\n').next().unwrap_or_default().trim_end_matches('\r').len()),
        '/' if rest.starts_with("/*") => (TokenKind::Comment, rest.find("*/").map_or(rest.len(), |end| end + 2)),
        '"' => match quoted_length(rest) {
            Some(length) => (TokenKind::Quoted, length),
            // If a quotation mark is not closed on its line, it is a sign, so that the text after it still has tokens.
            None => (TokenKind::Sign, 1),
        },
        first if is_word_character(first) => (TokenKind::Word, word_length(rest)),
        // Most signs differ in the first byte, so this comparison avoids most others.
        first => {
            let sign = SIGNS.iter().find(|sign| sign.as_bytes()[0] == rest.as_bytes()[0] && rest.starts_with(**sign));
            (TokenKind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
        }
    };
    Some(Token { kind, start, end: start + length })
}

/// Returns the tokens of a text, starting at an offset.
pub(crate) fn tokens_from(text: &str, at: usize) -> impl Iterator<Item = Token> {
    std::iter::successors(next_token(text, at), move |last| next_token(text, last.end))
}

/// Returns the tokens of a text with these comments, in order.
pub(crate) fn tokens(text: &str, comments: &[Comment]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut comments = comments.iter().peekable();
    let mut at = 0;
    while let Some(token) = next_token(text, at) {
        // A comment may start with a mark of another language, which the lexer does not know.
        let comment = comments.next_if(|comment| comment.span.start as usize <= token.start);
        let comment =
            comment.map(|comment| Token { kind: TokenKind::Comment, end: comment.span.end as usize, ..token });
        tokens.push(comment.unwrap_or(token));
        // The comment may be longer than the token at its start.
        at = comment.unwrap_or(token).end;
    }
    tokens
}

/// Returns true if a character may occur in a name after the first character.
pub(crate) fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '_' | '\'')
        || !character.is_ascii()
            && (character.is_alphanumeric()
                || matches!(character, '\u{1F300}'..='\u{1F5FF}' | '\u{1F600}'..='\u{1F64F}')
                || matches!(character, '\u{1F680}'..='\u{1F999}' | '\u{1F1E0}'..='\u{1F1FF}'))
}

/// The length in bytes of the word at the start of a text.
pub(crate) fn word_length(text: &str) -> usize {
    let is_ascii = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'');
    let length = text.bytes().take_while(is_ascii).count();
    match text.as_bytes().get(length) {
        // A character outside ASCII has ended the scan of bytes, but it may belong to the word.
        Some(128..) => text.find(|character| !is_word_character(character)).unwrap_or(text.len()),
        _ => length,
    }
}

/// The words of a text with their offsets.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let words = tokens_from(text, 0).filter(|token| token.kind == TokenKind::Word);
    words.map(move |token| (token.start, &text[token.start..token.end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{source::SourceId, syntax::parse_file};

    #[test]
    fn every_character_but_blanks_is_in_a_token() {
        let text = "find é : int(1..3) $ ü\nsuch that \"a b\"-->x <= 1 \" |";
        let file = parse_file(SourceId(0), text, &mut Vec::new());
        let tokens: Vec<&str> =
            tokens(text, &file.comments).iter().map(|token| &text[token.start..token.end]).collect();
        let expected = [
            "find", "é", ":", "int", "(", "1", "..", "3", ")", "$ ü", "such", "that", "\"a b\"", "-->", "x", "<=", "1",
            "\"", "|",
        ];
        assert_eq!(tokens, expected);
    }
}
