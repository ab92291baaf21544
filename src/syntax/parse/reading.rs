//! The current text of a statement: as written, or after the correction of mistakes.
//!
//! If the intention of a mistake is clear, the text is changed and the grammar is tried again, so that later mistakes
//! are found, too. Other mistakes are cut out. Each byte keeps its position in the file.

use super::{tokenised::Tokenised, word_length};
use crate::source::{SourceId, Span};
use std::{borrow::Cow, ops::Range};

/// The replacement of a range of a reading.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    pub range: Range<usize>,
    pub text: String,
}

impl Replacement {
    pub(crate) fn new(range: Range<usize>, text: impl Into<String>) -> Self {
        Replacement { range, text: text.into() }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Reading<'t> {
    pub text: Cow<'t, str>,
    /// The start of the text in the file.
    start: usize,
    /// For each byte of the text, and for its end, the position in the file; empty until something changes.
    origins: Vec<u32>,
}

impl<'t> Reading<'t> {
    pub(crate) fn new(file: &'t str, range: Range<usize>) -> Self {
        Reading { text: Cow::Borrowed(&file[range.clone()]), start: range.start, origins: Vec::new() }
    }

    /// The first word of the statement.
    pub(crate) fn keyword(&self) -> &str {
        &self.text[..word_length(&self.text)]
    }

    /// Maps an offset in the text to the file.
    pub(crate) fn origin(&self, at: usize) -> usize {
        self.origins.get(at).map_or(self.start + at, |origin| *origin as usize)
    }

    /// Maps an offset in the file to the text.
    pub(crate) fn position(&self, origin: usize) -> usize {
        if self.origins.is_empty() {
            return origin.saturating_sub(self.start).min(self.text.len());
        }
        self.origins.iter().position(|found| *found as usize >= origin).unwrap_or(self.text.len())
    }

    pub(crate) fn span(&self, source: SourceId, start: usize, end: usize) -> Span {
        let first = self.origin(start);
        // Inserted text has the position of its insertion, and length 0 in the file.
        let boundaries = (end..=self.text.len()).filter(|at| self.text.is_char_boundary(*at));
        let last = boundaries.map(|at| self.origin(at)).find(|last| *last > first);
        Span::new(source, first, if end == start { first } else { last.unwrap_or(first) })
    }

    /// Applies changes that do not overlap.
    pub(crate) fn apply(&mut self, changes: &[Replacement]) {
        if self.origins.is_empty() {
            // Most statements have no mistakes and never need this table.
            self.origins = (self.start..=self.start + self.text.len()).map(|origin| origin as u32).collect();
        }
        let mut ordered: Vec<&Replacement> = changes.iter().collect();
        // Changes are applied from the end, so that the ranges of the remaining ones stay valid. For the same reason, a
        // replacement comes before an insertion at the same offset.
        ordered.sort_by_key(|change| std::cmp::Reverse((change.range.start, change.range.end)));
        let text = self.text.to_mut();
        for change in ordered {
            let origin = self.origins[change.range.start];
            text.replace_range(change.range.clone(), &change.text);
            self.origins.splice(change.range.clone(), std::iter::repeat_n(origin, change.text.len()));
        }
    }

    /// Splits the text, keeps the first part and returns the second one.
    pub(crate) fn split_off(&mut self, at: usize) -> Reading<'t> {
        let behind = Reading {
            text: Cow::Owned(self.text[at..].to_owned()),
            start: self.start + at,
            origins: self.origins.get(at..).map(<[u32]>::to_vec).unwrap_or_default(),
        };
        let before = self.text[..at].trim_end().len();
        if !self.origins.is_empty() {
            // The end of the text has an origin, too.
            self.origins.truncate(before + 1);
        }
        self.text = Cow::Owned(self.text[..before].to_owned());
        behind
    }

    /// Returns the ranges of the constraints or declarations after the keyword.
    pub(crate) fn items(&self) -> Vec<Range<usize>> {
        let tokens = Tokenised::new(&self.text);
        statement_items(&tokens).into_iter().map(|item| tokens.offsets(item)).collect()
    }

    /// Returns the constraint or declaration at an offset.
    pub(crate) fn item_at(&self, at: usize) -> Option<Range<usize>> {
        let items = self.items();
        items.iter().rev().find(|item| item.start <= at).or(items.first()).cloned()
    }
}

/// Returns the ranges (in tokens) of the constraints or declarations after the keyword.
pub(super) fn statement_items(tokens: &Tokenised) -> Vec<Range<usize>> {
    let keyword = tokens.get(0);
    let mut start = match keyword {
        "such" if tokens.get(1) == "that" => 2,
        _ => usize::from(tokens.is_word(0)),
    };
    let ends = match keyword {
        "such" | "where" => ends_of_constraints(tokens, start),
        "find" | "given" | "letting" => ends_of_declarations(tokens, start),
        _ => Vec::new(),
    };
    let mut items = Vec::new();
    for end in ends.into_iter().chain([tokens.len()]) {
        // There may be nothing between two commas, as in `x > 1,, y > 2`.
        items.extend((start < end).then_some(start..end));
        start = end + 1;
    }
    items
}

/// Returns the commas outside brackets.
fn commas(tokens: &Tokenised, begin: usize) -> impl Iterator<Item = usize> {
    (begin..tokens.len()).filter(|at| tokens.get(*at) == "," && tokens.around(*at).is_none())
}

/// Returns the commas that end a constraint: commas at the end of a line, and commas that cannot precede the guard of a
/// quantifier.
fn ends_of_constraints(tokens: &Tokenised, begin: usize) -> Vec<usize> {
    let mut start = begin;
    let mut ends = Vec::new();
    for comma in commas(tokens, begin) {
        let next = comma + 1;
        // The next line may continue the head, for example `forAll i : D,` and then `j : E . …`.
        let goes_on = || {
            let apart = |at: usize| tokens.get(at) == "." && !tokens.is_tight(at) && !tokens.is_tight(at + 1);
            quantifier_head(tokens, start..comma)
                && !QUANTIFIERS.contains(&tokens.get(next))
                && (next..tokens.line_end(next)).any(apart)
        };
        let quantified = tokens.first(start..comma, &QUANTIFIERS).is_some();
        if !quantified || (next == tokens.len() || tokens.starts_line(next)) && !goes_on() {
            ends.push(comma);
            start = next;
        }
    }
    ends
}

const QUANTIFIERS: [&str; 7] = ["forAll", "exists", "sum", "product", "forall", "for", "foreach"];

/// Returns true if a range ends inside the head of a quantifier, before its `.`.
pub(super) fn quantifier_head(tokens: &Tokenised, range: Range<usize>) -> bool {
    let last = tokens.last(range.clone(), &QUANTIFIERS);
    last.is_some_and(|last| tokens.first(last..range.end, &["."]).is_none())
}

/// Returns the commas that end a declaration, because another declaration follows.
fn ends_of_declarations(tokens: &Tokenised, begin: usize) -> Vec<usize> {
    let mut complete = false;
    let mut start = begin;
    let mut ends = Vec::new();
    for comma in commas(tokens, begin) {
        // A declaration needs more than a name, so the comma between the names of `x, y : int` is not an end.
        complete |= comma > start + 1;
        start = comma + 1;
        // The comma of `letting a be {1, 2}, b be 3` is an end, and so is the comma before `z` in `find x : bool, z :
        // bool`.
        if complete && tokens.is_word(start) && matches!(tokens.get(start + 1), ":" | "," | "be") {
            ends.push(comma);
            complete = false;
        }
    }
    ends
}

/// Returns the names that a broken declaration declares: the names before its `:` or `be`, and the members of an
/// enumerated type.
pub(super) fn names_before_colon(tokens: &Tokenised, declaration: Range<usize>) -> Vec<usize> {
    let mut names = Vec::new();
    let mut at = declaration.start;
    while tokens.is_word(at) && at < declaration.end {
        names.push(at);
        // A name without a comma after it is the last one.
        at += if tokens.get(at + 1) == "," { 2 } else { declaration.len() };
    }
    let find = |word: &str| tokens.first(declaration.clone(), &[word]);
    if let (Some(_), Some(open)) = (find("enum"), find("{")) {
        // The members of a broken type are declared by it, too.
        names.extend((open..declaration.end).filter(|at| tokens.is_word(*at)));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items_of(text: &str) -> Vec<String> {
        let reading = Reading::new(text, 0..text.len());
        reading.items().into_iter().map(|item| text[item].to_owned()).collect()
    }

    #[test]
    fn constraints_end_at_commas_that_no_guard_can_follow() {
        assert_eq!(items_of("such that x = 1, y = 2"), ["x = 1", "y = 2"]);
        assert_eq!(items_of("such that f(1, 2) = 1,\n  y = 2,"), ["f(1, 2) = 1", "y = 2"]);
        assert_eq!(items_of("such that forAll i : D, i > 2 . m[i],\n  y = 2"), ["forAll i : D, i > 2 . m[i]", "y = 2"]);
        assert_eq!(
            items_of("such that forAll i : D,\n  j : D . m[i] = j,\n  y"),
            ["forAll i : D,\n  j : D . m[i] = j", "y"]
        );
    }

    #[test]
    fn declarations_end_where_another_one_begins() {
        assert_eq!(items_of("find x, y : int(1..3), z : bool"), ["x, y : int(1..3)", "z : bool"]);
        assert_eq!(items_of("letting a be 1, b be {1, 2}"), ["a be 1", "b be {1, 2}"]);
    }

    #[test]
    fn what_is_inserted_stands_before_what_is_replaced() {
        for changes in [[(4..4, "!("), (4..7, "in")], [(4..7, "in"), (4..4, "!(")]] {
            let mut reading = Reading::new("s = ∉, é", 0..11);
            reading.apply(&changes.map(|(range, text)| Replacement::new(range, text)));
            assert_eq!(reading.text, "s = !(in, é");
        }
    }

    #[test]
    fn a_changed_text_remembers_where_it_comes_from() {
        let text = "such that x mod 2 = y";
        let mut reading = Reading::new(text, 10..21);
        reading.apply(&[Replacement::new(2..5, "%"), Replacement::new(0..0, "!("), Replacement::new(11..11, ")")]);
        assert_eq!(reading.text, "!(x % 2 = y)");
        let span = |start, end| {
            let span = reading.span(SourceId(0), start, end);
            &text[span.start as usize..span.end as usize]
        };
        assert_eq!(span(4, 5), "mod");
        assert_eq!(span(6, 7), "2");
        assert_eq!(span(10, 11), "y");
        assert_eq!(reading.position(16), 6);
    }

    #[test]
    fn spans_end_between_characters() {
        let text = "x \u{2227} y";
        let mut reading = Reading::new(text, 0..text.len());
        reading.apply(&[Replacement::new(2..2, ")")]);
        assert_eq!(reading.span(SourceId(0), 2, 3), Span::new(SourceId(0), 2, 5));
    }
}
