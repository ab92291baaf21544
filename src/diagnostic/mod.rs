//! Diagnostics as data; renderers decide their appearance.
//!
//! You may add codes and change messages. Codes keep their numbers and meanings: clients, documents and the tests of
//! other projects refer to them.

pub(crate) mod codes;
pub(crate) mod json_lines;
pub(crate) mod short;
mod solvers;
pub(crate) mod terminal;
pub mod visible;

use crate::source::Span;
pub use codes::Code;
use rustc_hash::FxHashMap;
use std::{
    collections::hash_map::Entry,
    fmt::Display,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// An error: there is no result until it is fixed.
    Error,
    /// A warning: the text is legal, but probably not intended.
    Warning,
}

/// A span of a source with a short text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The short description of the problem there.
    pub text: String,
}

/// A change of a source that mends a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced span; an empty span is an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A diagnostic: a message in one line, its position, related positions, and help.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The code under which the manual explains the diagnostic.
    pub code: Code,
    /// The message, in one line.
    pub message: String,
    /// The first label is the position of the mistake, the others are related positions.
    pub labels: Vec<Label>,
    /// Instructions to mend the mistake: "write …".
    pub help: Vec<String>,
    /// The rules behind the message.
    pub notes: Vec<String>,
    /// The number of further positions with the same mistake.
    pub further: usize,
    /// The help as edits that are made together, if it can be applied automatically.
    pub edits: Vec<Edit>,
}

/// The largest number of positions shown for one mistake. Chosen.
const MOST_PLACES: usize = 6;

pub(crate) type Diagnostics = Vec<Diagnostic>;

impl Diagnostic {
    /// Changes each span of the diagnostic.
    pub(crate) fn move_spans(&mut self, moved: &dyn Fn(&mut Span)) {
        self.labels.iter_mut().for_each(|label| moved(&mut label.span));
        self.edits.iter_mut().for_each(|edit| moved(&mut edit.span));
    }

    /// Returns an error without positions.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: shortened_words(message.into()),
            labels: Vec::new(),
            help: Vec::new(),
            notes: Vec::new(),
            further: 0,
            edits: Vec::new(),
        }
    }

    /// Returns a warning without positions.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Adds a position; the first one is the position of the mistake.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: shortened_words(text.into()) });
        self
    }

    /// Adds another position with the same mistake; only the first ones are shown.
    pub fn also(&mut self, span: Span, text: &str) {
        // The note with the number of hidden positions is replaced each time.
        if self.labels.len() < MOST_PLACES {
            self.labels.push(Label { span, text: text.to_owned() });
        } else {
            self.further += 1;
            let are = if self.further == 1 { "is" } else { "are" };
            let note = format!("{} {are} not shown", counted(self.further, "more such place"));
            self.notes.retain(|note| !note.ends_with("not shown"));
            self.notes.push(note);
        }
    }

    /// Adds instructions to mend the mistake.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(shortened_words(text.into()));
        self
    }

    /// Adds a rule behind the message.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(shortened_words(text.into()));
        self
    }

    /// The position of the mistake; `None` if it is not about a text.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// Shortens each long word in its middle, because a quoted name may be as long as a file.
pub(crate) fn shortened_words(text: String) -> String {
    // Both ends stay, because readers recognise the name by them. Chosen.
    const LONGEST: usize = 80;
    const KEPT: usize = 20;
    let in_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut short = String::new();
    for part in text.split_inclusive(|character| !in_word(character)) {
        let word = part.trim_end_matches(|character| !in_word(character));
        let count = word.chars().count();
        if count <= LONGEST {
            short.push_str(part);
            continue;
        }
        short.extend(word.chars().take(KEPT));
        short.push('…');
        short.extend(word.chars().skip(count - KEPT));
        short.push_str(&part[word.len()..]);
    }
    short
}

/// Longer words are compared only up to letter case, because users do not type them by hand. Chosen.
const LONGEST_COMPARED: usize = 200;

/// Returns the most similar known word, if it is similar enough to be intended.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A word of one letter is similar to every other one, so at least one letter must stay.
    let length = word.chars().count();
    let most = (length / 3).max(1).min(length.saturating_sub(1));
    known
        .into_iter()
        .filter_map(|candidate| {
            let distance = match candidate.eq_ignore_ascii_case(word) {
                true => 0,
                // The difference of the lengths is a lower bound on the distance.
                false if length > LONGEST_COMPARED || candidate.chars().count().abs_diff(length) > most => return None,
                false => strsim::osa_distance(word, candidate),
            };
            (distance <= most).then_some((distance, candidate))
        })
        // Among equally near words, the first in the alphabet is taken, so that messages do not depend on the order.
        .min()
        .map(|(_, candidate)| candidate)
}

/// Finds the intended words for misspelt ones. Each misspelt word is compared with all known words, so the number of
/// comparisons is limited: a large text with a mistake on each line would take hours.
#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    compared: AtomicUsize,
}

impl Suggestions {
    /// The number of comparisons, which take about a fifth of a second. Chosen.
    const MOST: usize = 500_000;

    /// Returns the most similar known word, as [`nearest`] does, or `None` after the limit.
    pub(crate) fn nearest<'a>(&self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
        if self.compared.load(Relaxed) >= Self::MOST {
            return None;
        }
        let mut count = 0;
        let found = nearest(word, known.into_iter().inspect(|_| count += 1));
        self.compared.fetch_add(count, Relaxed);
        found
    }
}

/// Joins errors that differ only in their first position: the first error gets the other positions as labels.
/// Diagnostics before `from` are left alone, and so are errors with edits, because each edit mends only its own
/// position.
pub(crate) fn join_alike(diagnostics: &mut Diagnostics, from: usize) {
    let mut known: FxHashMap<(Code, String, Vec<Label>, Vec<String>), usize> = FxHashMap::default();
    for new in diagnostics.split_off(from) {
        let (Some((first, others)), true) = (new.labels.split_first(), new.edits.is_empty() && new.further == 0) else {
            diagnostics.push(new);
            continue;
        };
        match known.entry((new.code, new.message.clone(), others.to_vec(), new.help.clone())) {
            Entry::Occupied(entry) => diagnostics[*entry.get()].also(first.span, &first.text),
            Entry::Vacant(entry) => {
                entry.insert(diagnostics.len());
                diagnostics.push(new);
            }
        }
    }
}

/// Renders a count with a noun: `1 row`, `2 rows`.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_end_after_a_number_of_comparisons() {
        let known = vec!["colour"; 1000];
        let suggestions = Suggestions::default();
        let found = |_: &usize| suggestions.nearest("color", known.iter().copied()).is_some();
        assert_eq!((0..1000).filter(found).count(), Suggestions::MOST / known.len());
    }

    #[test]
    fn errors_that_are_alike_become_one() {
        let at = |start: usize| Span::new(crate::source::SourceId(0), start, start + 1);
        let error = |start: usize, text: &str| Diagnostic::error(Code::JSON, text).at(at(start), "here");
        let mut all = vec![error(0, "one"), error(1, "one"), error(2, "two"), error(3, "one").at(at(9), "declared")];
        all.extend((10..20).map(|start| error(start, "one")));
        join_alike(&mut all, 1);
        let found: Vec<(&str, usize, usize)> =
            all.iter().map(|one| (one.message.as_str(), one.labels.len(), one.further)).collect();
        assert_eq!(found, [("one", 1, 0), ("one", 6, 5), ("two", 1, 0), ("one", 2, 0)]);
    }

    #[test]
    fn very_long_words_are_near_to_nothing() {
        let near = |length: usize| nearest(&("a".repeat(length - 1) + "b"), ["a".repeat(length).as_str()]).is_some();
        assert!(near(LONGEST_COMPARED));
        assert!(!near(LONGEST_COMPARED + 1));
    }
}
