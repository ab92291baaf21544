//! A text as tokens with matched brackets, to find the ends of operands and clauses without the grammar.

use crate::syntax::tokens::{Token, TokenKind, tokens};
use std::ops::Range;

/// The tokens of a text, addressed by position. The position after the last token is valid.
pub(super) struct Tokenised<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Token>,
    /// For each bracket, the position of its partner.
    partners: Vec<Option<usize>>,
    /// For each position, the innermost bracket that is open at this position.
    around: Vec<Option<usize>>,
}

impl<'t> Tokenised<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let tokens = tokens(text, &[]);
        let mut partners = vec![None; tokens.len()];
        let mut around = Vec::with_capacity(tokens.len() + 1);
        let mut open: Vec<usize> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            around.push(open.last().copied());
            match &text[token.start..token.end] {
                "(" | "[" | "{" => open.push(at),
                ")" | "]" | "}" => {
                    // The scanner has reported brackets of different kinds, so any pair counts as partners here.
                    if let Some(opening) = open.pop() {
                        (partners[opening], partners[at]) = (Some(at), Some(opening));
                    }
                }
                _ => {}
            }
        }
        // The position after the last token has an entry, too.
        around.push(open.last().copied());
        Tokenised { text, tokens, partners, around }
    }

    pub(super) fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Returns the position of the token at an offset, or of the next token.
    pub(super) fn position(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.end <= offset)
    }

    /// Returns the token at a position; empty if there is none.
    pub(super) fn get(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start..token.end])
    }

    /// The first position in a range with one of these tokens.
    pub(super) fn first(&self, mut range: Range<usize>, wanted: &[&str]) -> Option<usize> {
        range.find(|at| wanted.contains(&self.get(*at)))
    }

    /// The last position in a range with one of these tokens.
    pub(super) fn last(&self, range: Range<usize>, wanted: &[&str]) -> Option<usize> {
        range.rev().find(|at| wanted.contains(&self.get(*at)))
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::Word)
    }

    pub(super) fn is_number(&self, at: usize) -> bool {
        self.kind(at) == Some(TokenKind::Number)
    }

    fn is_word_or_number(&self, at: usize) -> bool {
        self.is_word(at) || self.is_number(at)
    }

    pub(super) fn start(&self, at: usize) -> usize {
        self.tokens.get(at).map_or(self.text.len(), |token| token.start)
    }

    /// The offset of the end of the token before a position.
    pub(super) fn end_before(&self, at: usize) -> usize {
        at.checked_sub(1).and_then(|last| self.tokens.get(last)).map_or(0, |token| token.end)
    }

    /// Returns the offsets of a range of tokens. An empty range is at the start of its first token.
    pub(super) fn offsets(&self, range: Range<usize>) -> Range<usize> {
        let start = self.start(range.start);
        start..if range.is_empty() { start } else { self.end_before(range.end) }
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        &self.text[self.offsets(range)]
    }

    pub(super) fn partner(&self, bracket: usize) -> Option<usize> {
        self.partners.get(bracket).copied().flatten()
    }

    /// Returns the position after a token, or after the brackets that it opens.
    pub(super) fn behind(&self, at: usize) -> usize {
        self.partner(at).filter(|close| *close > at).unwrap_or(at) + 1
    }

    /// The innermost bracket that is open before a position.
    pub(super) fn around(&self, at: usize) -> Option<usize> {
        self.around.get(at).copied().flatten()
    }

    /// Returns true if there is no white space between a token and the previous one.
    pub(super) fn is_tight(&self, at: usize) -> bool {
        at > 0 && at < self.len() && self.end_before(at) == self.start(at)
    }

    /// The position after the last token on the line.
    pub(super) fn line_end(&self, at: usize) -> usize {
        (at + 1..self.len()).find(|next| self.starts_line(*next)).unwrap_or(self.len())
    }

    /// Returns true if a token is the first one on its line.
    pub(super) fn starts_line(&self, at: usize) -> bool {
        at == 0 || self.text[self.end_before(at)..self.start(at)].contains('\n')
    }

    /// Returns the position after a sign or word that starts here. It may consist of several tokens.
    pub(super) fn after(&self, at: usize, written: &str) -> Option<usize> {
        let start = self.start(at);
        let end = start + written.len();
        if written.is_empty() || !self.text[start..].starts_with(written) {
            return None;
        }
        let next = self.tokens.partition_point(|token| token.start < end);
        // The text must end where a token ends: `int` does not start with the word `in`.
        (self.end_before(next) == end).then_some(next)
    }

    /// The position of the first token of a sign or word that ends before a position.
    pub(super) fn before(&self, at: usize, written: &str) -> Option<usize> {
        let start = self.text[..self.end_before(at)].strip_suffix(written).map(str::len).filter(|_| at > 0)?;
        let first = self.position(start);
        (self.start(first) == start).then_some(first)
    }

    /// Returns the position after the operand that starts at a position: signs, then a word, a number or brackets, and
    /// all brackets that follow directly.
    pub(super) fn operand_end(&self, mut at: usize) -> usize {
        // Prefix operators belong to the operand.
        while matches!(self.get(at), "-" | "!") {
            at += 1;
        }
        let start = at;
        if self.get(at) == "|" {
            return self.bar_after(at).map_or(at, |close| close + 1);
        }
        // In `2x`, the digit and the letter are separate tokens, but they form one operand.
        while self.is_word_or_number(at) && (at == start || self.is_tight(at)) {
            at += 1;
        }
        if at == start && self.kind(at) == Some(TokenKind::Quoted) {
            at += 1;
        }
        while matches!(self.get(at), "(" | "[" | "{") && (at == start || self.is_tight(at)) {
            match self.partner(at) {
                Some(close) => at = close + 1,
                // An unclosed bracket reaches to the end.
                None => return self.len(),
            }
        }
        at
    }

    /// Returns the position of the first token of the operand that ends before a position.
    pub(super) fn operand_start(&self, end: usize) -> usize {
        let mut at = end;
        while at > 0 && (at == end || self.is_tight(at)) {
            match self.get(at - 1) {
                ")" | "]" | "}" => match self.partner(at - 1) {
                    Some(open) => at = open,
                    None => return at,
                },
                "|" => return (0..at - 1).rev().find(|bar| self.are_beside(*bar, at - 1)).unwrap_or(at),
                _ if self.is_word_or_number(at - 1) => {
                    at -= 1;
                    while self.is_tight(at) && self.is_word_or_number(at - 1) {
                        at -= 1;
                    }
                    return at;
                }
                _ if self.kind(at - 1) == Some(TokenKind::Quoted) => return at - 1,
                _ => return at,
            }
        }
        at
    }

    fn bar_after(&self, at: usize) -> Option<usize> {
        (at + 1..self.len()).find(|bar| self.are_beside(at, *bar))
    }

    /// Returns true if two bars are inside the same brackets, as in `|x|`. The bar of a comprehension is inside the
    /// brackets of the comprehension.
    fn are_beside(&self, first: usize, second: usize) -> bool {
        [first, second].iter().all(|bar| self.get(*bar) == "|") && self.around(first) == self.around(second)
    }

    /// Splits a range at the separators outside brackets.
    pub(super) fn split(&self, range: Range<usize>, separator: &str) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let (mut start, mut at) = (range.start, range.start);
        while at < range.end {
            if self.get(at) == separator {
                parts.push(start..at);
                start = at + 1;
            }
            // Separators in brackets do not count.
            at = self.behind(at);
        }
        parts.push(start..range.end);
        parts
    }

    /// Returns the end of the condition that starts at a position: before the next logical operator, comma, closing
    /// bracket or line.
    pub(super) fn clause_end(&self, start: usize) -> usize {
        const ENDS: [&str; 11] = ["/\\", "\\/", "->", "<->", ",", "and", "or", "then", "else", "implies", "iff"];
        let mut at = start;
        while at < self.len() {
            let token = self.get(at);
            let ends = ENDS.contains(&token)
                || matches!(token, ")" | "]" | "}")
                || ["&&", "||", "=>"].iter().any(|sign| self.after(at, sign).is_some());
            if ends || at > start && self.starts_line(at) {
                break;
            }
            at = self.behind(at);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_end_with_their_brackets() {
        let text = "f(x)[1] + |s| * (a, b) - m";
        let tokens = Tokenised::new(text);
        let end = |offset| tokens.end_before(tokens.operand_end(tokens.position(offset)));
        let start = |offset| tokens.start(tokens.operand_start(tokens.position(offset)));
        assert_eq!(&text[..end(0)], "f(x)[1]");
        assert_eq!(&text[10..end(9)], "|s|");
        assert_eq!(&text[start(7)..7], "f(x)[1]");
        assert_eq!(&text[start(13)..13], "|s|");
        assert_eq!(&text[start(22)..22], "(a, b)");
    }

    #[test]
    fn clauses_end_at_logical_operators() {
        for (text, clause) in [("x = (a /\\ b) /\\ c", "x = (a /\\ b)"), ("x = 1 and y", "x = 1")] {
            let tokens = Tokenised::new(text);
            assert_eq!(tokens.slice(0..tokens.clause_end(0)), clause);
        }
    }

    #[test]
    fn bars_of_other_brackets_are_no_partners() {
        let of = Tokenised::new;
        assert_eq!(of("|x + y|").operand_start(5), 0);
        assert_eq!(of("[a | b <- [c | ").operand_start(8), 8);
        assert_eq!(of("|x| + 1").operand_end(0), 3);
        assert_eq!(of("[a |b], |c").operand_end(2), 2);
    }
}
