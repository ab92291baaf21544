//! Messages about mistakes, as data: renderers decide how they look.
//!
//! You may add codes and change messages. Codes keep their numbers and meanings: clients, the documents and other
//! people's tests name them.

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

/// Whether a diagnostic is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// There is no result until it is mended.
    Error,
    /// It is legal and hardly meant.
    Warning,
}

/// A place in a source file with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is the matter there, in a few words.
    pub text: String,
}

/// A change of a source that mends a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; an empty span is where something is added.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A diagnostic: what is wrong in one line, where, the related places, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Whether it is an error.
    pub severity: Severity,
    /// The code, under which the manual explains it.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// The first label is where the mistake is; the others are places that have to do with it.
    pub labels: Vec<Label>,
    /// The help: "write …".
    pub help: Vec<String>,
    /// The rule behind it.
    pub notes: Vec<String>,
    /// The number of further places with the same mistake.
    pub further: usize,
    /// The help as changes of the source, made together, if it can be applied.
    pub edits: Vec<Edit>,
}

/// A mistake that is made in several places is shown in at most this many.
const MOST_PLACES: usize = 6;

pub(crate) type Diagnostics = Vec<Diagnostic>;

impl Diagnostic {
    /// Changes each place that the diagnostic mentions.
    pub(crate) fn move_spans(&mut self, moved: &dyn Fn(&mut Span)) {
        self.labels.iter_mut().for_each(|label| moved(&mut label.span));
        self.edits.iter_mut().for_each(|edit| moved(&mut edit.span));
    }

    /// An error without places.
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

    /// A warning without places.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Adds a place; the first one added is where the mistake is.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: shortened_words(text.into()) });
        self
    }

    /// Adds one more place where the same is wrong; of many places the first ones are shown.
    pub fn also(&mut self, span: Span, text: &str) {
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

    /// Adds a way out.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(shortened_words(text.into()));
        self
    }

    /// Adds the rule behind it.
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(shortened_words(text.into()));
        self
    }

    /// The place of the mistake; `None` if it is about no text.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// The text with the middle of each long word left out: what a message quotes may be as long as a file.
pub(crate) fn shortened_words(text: String) -> String {
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

/// Longer words are compared with nothing but themselves in other letters: nobody means one of them by another.
const LONGEST_COMPARED: usize = 200;

/// The known word nearest to a misspelt one, if one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A word of one letter is near to every other one.
    let length = word.chars().count();
    let most = (length / 3).max(1).min(length.saturating_sub(1));
    known
        .into_iter()
        .filter_map(|candidate| {
            let distance = match candidate.eq_ignore_ascii_case(word) {
                true => 0,
                false if length > LONGEST_COMPARED || candidate.chars().count().abs_diff(length) > most => return None,
                false => strsim::osa_distance(word, candidate),
            };
            (distance <= most).then_some((distance, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Finds the words that a text means by misspelt ones. Each of these is compared with all known words, so the search
/// ends after a number of comparisons: a large text with a mistake on each line would take hours.
#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    compared: AtomicUsize,
}

impl Suggestions {
    /// A fifth of a second.
    const MOST: usize = 500_000;

    /// The known word nearest to a misspelt one, as [`nearest`] finds it.
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

/// Joins errors that differ only in their first places: the first of them shows the other places. Earlier diagnostics
/// than the one at `from` stay as they are, and so do errors with edits, each of which has its own way out.
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

/// A number of things in words: `1 row`, `2 rows`.
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
