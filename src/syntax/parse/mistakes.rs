//! Messages for text that the grammar does not match.
//!
//! The grammar tells how far it got and which of its rules it tried there. First come the mistakes that
//! learners are known to make ([`super::learners`]); what none of them recognises is said in general words: what was
//! expected, and what stands there instead.

use super::{
    FileParser, Rule,
    expectation::{Phrase, phrase},
    is_word_character,
    scan::closing,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use pest::error::{Error, ErrorVariant, InputLocation};

/// A place where the grammar got stuck.
pub(super) struct Stuck<'t> {
    pub(super) parser: &'t FileParser<'t>,
    pub(super) text: &'t str,
    /// The statement's first word.
    pub(super) keyword: &'t str,
    /// The statement, or the constraints after an earlier mistake.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where it got stuck: the beginning of a token, or the end.
    pub(super) at: usize,
    /// What could have stood there.
    pub(super) expected: Vec<Rule>,
}

impl FileParser<'_> {
    /// Reports why a statement does not match, and says where.
    pub fn mistake(&self, keyword: &str, start: usize, end: usize, error: &Error<Rule>) -> usize {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => start + at,
        };
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        let at = end - self.text[at..end].trim_start().len();
        let stuck = Stuck { parser: self, text: self.text, keyword, start, end, at, expected };
        self.report(stuck.explain());
        at
    }
}

impl<'t> Stuck<'t> {
    fn explain(&self) -> Diagnostic {
        self.mistake_of_learners().unwrap_or_else(|| self.unexpected())
    }

    // ---- what stands where ----

    pub(super) fn expects(&self, wanted: &[Rule]) -> bool {
        self.expected.iter().any(|rule| wanted.contains(rule))
    }

    pub(super) fn expects_expression(&self) -> bool {
        self.expected.iter().any(|rule| phrase(*rule) == Phrase::Expression)
    }

    pub(super) fn expects_domain(&self) -> bool {
        self.expected.iter().any(|rule| phrase(*rule) == Phrase::Domain)
    }

    /// An operand is complete: an operator may follow, or the end.
    pub(super) fn after_operand(&self) -> bool {
        self.expected.iter().any(|rule| phrase(*rule) == Phrase::Operator) || self.expects(&[Rule::EOI])
    }

    /// The token at which the grammar got stuck; empty at the end of the statement.
    pub(super) fn found(&self) -> &'t str {
        let rest = &self.text[self.at..self.end];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let word = rest.find(|character| !is_word_character(character)).unwrap_or(rest.len());
        let symbol = ["-->", "<->", "->", "<-", "..", "/\\", "\\/", "!=", "<=", ">=", "**"]
            .iter()
            .find(|s| rest.starts_with(**s));
        &rest[..symbol.map_or(first, |symbol| symbol.len()).max(word)]
    }

    pub(super) fn found_span(&self) -> Span {
        let length = self.found().len();
        if length == 0 {
            let last = self.text[..self.end].chars().next_back().map_or(0, char::len_utf8);
            return self.span(self.end - last, self.end);
        }
        self.span(self.at, self.at + length)
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.parser.source, start, end)
    }

    pub(super) fn before(&self) -> &'t str {
        self.text[self.start..self.at].trim_end()
    }

    /// The word just before.
    pub(super) fn previous_word(&self) -> &'t str {
        let before = self.before();
        let start = before.char_indices().rev().find(|(_, character)| !is_word_character(*character));
        &before[start.map_or(0, |(at, character)| at + character.len_utf8())..]
    }

    pub(super) fn first_on_line(&self) -> bool {
        self.text[..self.at].rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
    }

    /// The innermost bracket that is open here.
    pub(super) fn bracket(&self) -> Option<char> {
        let mut open = Vec::new();
        for character in self.before().chars() {
            match character {
                '(' | '[' | '{' => open.push(character),
                ')' | ']' | '}' => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// Whether a quantifier's names have been read, and neither its guard nor its body.
    pub(super) fn in_quantifier_head(&self) -> bool {
        let before = self.before();
        let last = ["forAll", "exists", "sum", "product"].iter().filter_map(|word| before.rfind(word)).max();
        last.is_some_and(|at| !before[at..].contains(['.', '=', '+']))
    }

    pub(super) fn error(&self, message: impl Into<String>, label: impl Into<String>) -> Option<Diagnostic> {
        Some(Diagnostic::error(Code::SYNTAX, message).at(self.found_span(), label))
    }

    fn unexpected(&self) -> Diagnostic {
        let mut phrases: Vec<Phrase> = self.expected.iter().map(|rule| phrase(*rule)).collect();
        phrases.sort_unstable();
        phrases.dedup();
        if self.expects_expression() {
            phrases.retain(|phrase| *phrase != Phrase::Name);
        }
        let mut wanted: Vec<String> = phrases.iter().filter_map(|phrase| phrase.words()).collect();
        if let Some(open) = self.bracket().filter(|_| self.after_operand()) {
            let close = closing(open as u8) as char;
            wanted.extend(["`,`".to_owned(), format!("`{close}`")]);
        }
        let wanted = match wanted.split_last() {
            Some((last, [])) => format!("expected {last}"),
            Some((last, others)) => format!("expected {} or {last}", others.join(", ")),
            None => "expected the end of the statement".to_owned(),
        };
        match self.found() {
            "" => Diagnostic::error(Code::SYNTAX, format!("{wanted}, but the statement ends"))
                .at(self.found_span(), "ends too early"),
            found => Diagnostic::error(Code::SYNTAX, format!("{wanted}, but found `{found}`"))
                .at(self.found_span(), "unexpected"),
        }
    }
}

/// Where the next constraint begins after a mistake: behind a comma outside brackets that ends a line, or that
/// cannot be the one before a quantifier's guard.
pub fn next_constraint(text: &str, start: usize, after: usize, end: usize) -> Option<usize> {
    let (mut depth, mut offset, mut quantified) = (0usize, start, false);
    for line in text[start..end].split_inclusive('\n') {
        for (at, character) in line.char_indices() {
            quantified |= ["forAll ", "exists ", "sum ", "product "].iter().any(|word| line[at..].starts_with(word));
            match character {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                ',' if depth == 0 && offset + at >= after => {
                    let next = offset + at + 1;
                    let ends_line = line[at + 1..].trim().is_empty();
                    if (ends_line || !quantified) && !text[next..end].trim().is_empty() {
                        return Some(next);
                    }
                }
                _ => {}
            }
        }
        offset += line.len();
    }
    None
}
