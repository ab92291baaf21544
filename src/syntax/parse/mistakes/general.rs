//! Messages for mistakes that match no row: the expected phrases and the token at that position.

use super::{
    Mistake, Stuck,
    expectation::{Phrase, phrase},
};
use crate::{
    diagnostic::{Code, Diagnostic, nearest},
    syntax::parse::{EssenceGrammar, reading::Replacement, recovery::rule, scan::closing},
};
use pest::{Parser, error::InputLocation};
use std::ops::Range;

impl Stuck<'_> {
    pub(super) fn general_mistake(&self) -> Mistake {
        self.misspelt_word()
            .or_else(|| self.missing_mark())
            .or_else(|| self.wrong_mark())
            .unwrap_or_else(|| self.unexpected().into())
    }

    /// The offset that the grammar reaches after a change.
    fn gets_to(&self, change: Replacement) -> usize {
        const LONGEST_TRIED: usize = 10_000;
        // Each attempt parses the whole statement, so long statements are skipped.
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

    /// Recognises a misspelt word that the grammar expects here.
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

    /// Returns the first of these marks that the grammar expects and with which it gets more than `behind` bytes
    /// further if the mark replaces the range.
    fn meant_mark(&self, marks: &[&str], range: &Range<usize>, behind: usize) -> Option<&'static str> {
        let expected = self.expected.iter().filter_map(|rule| match phrase(*rule) {
            Phrase::Mark(mark) => Some(mark),
            Phrase::Body => Some("."),
            _ => None,
        });
        let mut expected: Vec<&str> = expected.filter(|mark| marks.contains(mark)).collect();
        expected.sort_unstable();
        expected.dedup();
        expected.into_iter().find(|mark| {
            let written = format!(" {mark} ");
            let end = range.start + written.len();
            self.gets_to(Replacement::new(range.clone(), written)) > end + behind
        })
    }

    /// Recognises a missing mark.
    fn missing_mark(&self) -> Option<Mistake> {
        // Before a closing bracket, the missing part is an operand and not a mark.
        if self.found().is_empty() || self.found_is_closing() {
            return None;
        }
        let range = self.before().len()..self.at;
        let marks = [":", ".", ",", "of", "from", "be", "that", "=", "-->"];
        let mark = self.meant_mark(&marks, &range, self.found().len())?;
        let what = self.error(format!("a `{mark}` is missing"), format!("`{mark}` is needed before this"))?;
        // `that` belongs before the constraint, but the help would show the constraint alone.
        let what = Mistake { general: mark == "that", ..Mistake::from(what.help(format!("write `{mark}` here"))) };
        Some(what.change(range, format!(" {mark} ")))
    }

    /// Recognises a wrong mark where another one is needed.
    fn wrong_mark(&self) -> Option<Mistake> {
        let found = self.found();
        if !matches!(found, ";" | ":" | "=" | "." | "," | "-" | "->" | "-->" | "::" | "|") {
            return None;
        }
        let mark = self.meant_mark(&[":", ",", "=", "-->", "."], &self.found_range(), 1)?;
        let what = self.error(format!("a `{mark}` is needed here, not `{found}`"), format!("not `{found}`"))?;
        Some(Mistake::from(what.help(format!("write `{mark}`"))).change(self.found_range(), format!(" {mark} ")))
    }

    fn found_is_closing(&self) -> bool {
        self.found().starts_with([')', ']', '}', ',', '|'])
    }

    fn unexpected(&self) -> Diagnostic {
        let mut phrases: Vec<Phrase> = self.expected.iter().map(|rule| phrase(*rule)).collect();
        phrases.sort_unstable();
        phrases.dedup();
        // Every name is an expression, so one phrase is enough.
        if self.expects_expression() {
            phrases.retain(|phrase| *phrase != Phrase::Name);
        }
        let mut wanted: Vec<String> = phrases.iter().filter_map(|phrase| phrase.words()).collect();
        if let Some(open) = self.bracket().filter(|_| self.after_operand()) {
            let close = closing(open);
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
