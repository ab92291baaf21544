//! Messages for text that the grammar does not match.
//!
//! The grammar tells how far it got and which of its rules it tried there. First come the mistakes that learners are
//! known to make ([`super::learners`]); other mistakes get a general message: what was expected, and what was found
//! instead.

use super::{
    EssenceGrammar, FileParser, Rule,
    expectation::{Phrase, phrase},
    is_word_character,
    languages::quantifier_read_as_call,
    learners::mistake_of_learners,
    reading::{Reading, Replacement},
    recovery::rule,
    scan::closing,
    word_length,
};
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    source::Span,
};
use pest::{
    Parser,
    error::{Error, ErrorVariant, InputLocation},
};
use std::ops::Range;

/// A place where the grammar got stuck.
pub(super) struct Stuck<'t> {
    pub(super) parser: &'t FileParser<'t>,
    pub(super) reading: &'t Reading<'t>,
    pub(super) text: &'t str,
    /// The statement's first word.
    pub(super) keyword: &'t str,
    /// The offset where the grammar stopped: the beginning of a token, or the end.
    pub(super) at: usize,
    /// The rules that could have matched there.
    pub(super) expected: Vec<Rule>,
}

/// The message about a mistake, and the changes that mend it, if the intention is clear.
pub(super) struct Mistake {
    pub diagnostic: Diagnostic,
    pub changes: Vec<Replacement>,
    /// The same mistake has been reported: that report's position, and where it is made again.
    pub also: Option<(usize, Span)>,
    /// A sign or a word of another language: those in one constraint are one mistake.
    pub notation: bool,
    /// The help says best in general what to do, without the whole constraint.
    pub general: bool,
}

impl From<Diagnostic> for Mistake {
    fn from(diagnostic: Diagnostic) -> Self {
        Mistake { diagnostic, changes: Vec::new(), also: None, notation: false, general: false }
    }
}

impl Mistake {
    pub(crate) fn help(self, text: impl Into<String>) -> Self {
        Mistake { diagnostic: self.diagnostic.help(text), ..self }
    }

    pub(crate) fn change(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.changes.push(Replacement::new(range, text));
        self
    }
}

/// Whether a statement may have a quantifier of another language that is read as a call: most have no such word.
pub(super) fn may_be_misread(text: &str) -> bool {
    text.match_indices("for").any(|(at, _)| !text[at..].starts_with("forAll"))
}

impl FileParser<'_> {
    /// Why a statement does not match, and where.
    pub(crate) fn mistake(&self, reading: &Reading, error: &Error<Rule>) -> (usize, Mistake) {
        let at = match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        let text = &*reading.text;
        let at = text.len() - text[at..].trim_start().len();
        let stuck = Stuck { parser: self, reading, text, keyword: reading.keyword(), at, expected };
        self.misread(reading, at).unwrap_or_else(|| (at, stuck.explain()))
    }

    /// The first constraint that the grammar matches before an offset, but that means something else.
    pub(crate) fn misread(&self, reading: &Reading, before: usize) -> Option<(usize, Mistake)> {
        let (text, keyword) = (&*reading.text, reading.keyword());
        if !matches!(keyword, "such" | "where") || !may_be_misread(text) {
            return None;
        }
        reading.items().into_iter().take_while(|item| item.start < before).find_map(|item| {
            let stuck = Stuck { parser: self, reading, text, keyword, at: item.start, expected: Vec::new() };
            Some((item.start, quantifier_read_as_call(&stuck, item)?))
        })
    }
}

impl<'t> Stuck<'t> {
    fn explain(&self) -> Mistake {
        let known = mistake_of_learners(self);
        known
            .or_else(|| self.misspelt_word())
            .or_else(|| self.missing_mark())
            .or_else(|| self.wrong_mark())
            .unwrap_or_else(|| self.unexpected().into())
    }

    /// The offset that the grammar reaches in the text with a change.
    fn gets_to(&self, change: Replacement) -> usize {
        const LONGEST_TRIED: usize = 10_000;
        if self.text.len() > LONGEST_TRIED {
            return 0;
        }
        let mut reading = self.reading.clone();
        reading.apply(&[change]);
        match EssenceGrammar::parse(rule(reading.keyword()), &reading.text) {
            Ok(_) => usize::MAX,
            Err(error) => match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            },
        }
    }

    /// A word that is nearly one of those that could stand here.
    fn misspelt_word(&self) -> Option<Mistake> {
        let found = self.found();
        let words = self.expected.iter().filter_map(|rule| match phrase(*rule) {
            Phrase::Mark(mark) => mark.split(' ').next().filter(|word| word.starts_with(char::is_alphabetic)),
            _ => None,
        });
        let meant = nearest(found, words).filter(|_| found.chars().count() > 1)?;
        let what = self.error(format!("`{found}` is not a word of Essence here"), "unknown word")?;
        Some(Mistake::from(what.help(format!("did you mean `{meant}`?"))).change(self.found_range(), meant))
    }

    /// A mark without which what follows makes no sense.
    fn missing_mark(&self) -> Option<Mistake> {
        let end = self.before().len();
        let candidates = self.expected.iter().filter_map(|rule| match phrase(*rule) {
            Phrase::Mark(mark @ (":" | "." | "," | "of" | "from" | "be" | "that" | "=" | "-->")) => Some(mark),
            Phrase::Body => Some("."),
            _ => None,
        });
        let mut candidates: Vec<&str> = candidates.collect();
        candidates.sort_unstable();
        candidates.dedup();
        if self.found().is_empty() || self.found_is_closing() {
            return None;
        }
        let gain = self.at + self.found().len();
        let mark = candidates.into_iter().find(|mark| {
            let inserted = format!(" {mark} ");
            self.gets_to(Replacement::new(end..self.at, inserted.clone())) > end + inserted.len() + (gain - self.at)
        })?;
        self.missing_here(mark, end)
    }

    /// Recognises a wrong mark where another one is needed.
    fn wrong_mark(&self) -> Option<Mistake> {
        let found = self.found();
        if !matches!(found, ";" | ":" | "=" | "." | "," | "-" | "->" | "-->" | "::" | "|") {
            return None;
        }
        let marks = self.expected.iter().filter_map(|rule| match phrase(*rule) {
            Phrase::Mark(mark @ (":" | "," | "=" | "-->")) => Some(mark),
            Phrase::Body => Some("."),
            _ => None,
        });
        let mut marks: Vec<&str> = marks.collect();
        marks.sort_unstable();
        let range = self.found_range();
        let mark = marks.into_iter().find(|mark| {
            self.gets_to(Replacement::new(range.clone(), format!(" {mark} "))) > range.start + mark.len() + 3
        })?;
        let what = self.error(format!("a `{mark}` is needed here, not `{found}`"), format!("not `{found}`"))?;
        Some(Mistake::from(what.help(format!("write `{mark}`"))).change(range, format!(" {mark} ")))
    }

    fn missing_here(&self, mark: &str, end: usize) -> Option<Mistake> {
        let what = Diagnostic::error(Code::SYNTAX, format!("a `{mark}` is missing"))
            .at(self.found_span(), format!("`{mark}` is needed before this"));
        // What is missing behind `such` stands before the constraint that is shown.
        let what = Mistake { general: mark == "that", ..Mistake::from(what.help(format!("write `{mark}` here"))) };
        Some(what.change(end..self.at, format!(" {mark} ")))
    }

    fn found_is_closing(&self) -> bool {
        self.found().starts_with([')', ']', '}', ',', '|'])
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
        let rest = &self.text[self.at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let word = word_length(rest);
        let symbol = ["-->", "<->", "->", "<-", "..", "/\\", "\\/", "!=", "<=", ">=", "**"]
            .iter()
            .find(|s| rest.starts_with(**s));
        &rest[..symbol.map_or(first, |symbol| symbol.len()).max(word)]
    }

    pub(super) fn found_span(&self) -> Span {
        let length = self.found().len();
        if length == 0 {
            let end = self.text.trim_end().len();
            let last = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
            return self.span(end - last, end);
        }
        self.span(self.at, self.at + length)
    }

    pub(super) fn found_range(&self) -> Range<usize> {
        self.at..self.at + self.found().len()
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        self.reading.span(self.parser.source, start, end)
    }

    pub(super) fn before(&self) -> &'t str {
        self.text[..self.at].trim_end()
    }

    /// The word just before.
    pub(super) fn previous_word(&self) -> &'t str {
        let before = self.before();
        let start = before.char_indices().rev().find(|(_, character)| !is_word_character(*character));
        &before[start.map_or(0, |(at, character)| at + character.len_utf8())..]
    }

    pub(super) fn first_on_line(&self) -> bool {
        self.at == 0 || self.text[..self.at].rsplit_once('\n').is_some_and(|(_, line)| line.trim().is_empty())
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
