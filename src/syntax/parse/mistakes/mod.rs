//! Messages for texts that the grammar does not match.
//!
//! The grammar reports the position that it has reached and the rules that it has tried there. The common mistakes of
//! learners are rows of tables ([`row`]), which are tried first; [`general`] has the messages for all other mistakes.

mod expectation;
mod foreign_domains;
mod general;
mod intervals;
mod languages;
mod minizinc;
mod operands;
mod operators;
mod pattern;
mod quantifiers;
mod row;
mod statements;
#[cfg(test)]
mod tests;
mod uses;
mod values;
mod vocabulary;

pub(super) use languages::foreign_text;
pub(super) use uses::TokenIndex;
pub(super) use vocabulary::OPERATORS as FOREIGN_OPERATORS;
pub(crate) use vocabulary::help_for_foreign_word;

use super::{
    FileParser, Rule, is_reserved, is_word_character,
    reading::{Reading, Replacement, statement_items},
    tokenised::Tokenised,
};
use crate::{
    diagnostic::{Code, Diagnostic},
    source::Span,
};
use expectation::{Phrase, phrase};
use pattern::TokenPattern;
use pest::error::{Error, ErrorVariant, InputLocation};
use row::Row;
use std::{cell::OnceCell, ops::Range, rc::Rc, sync::LazyLock};

/// A position at which the grammar cannot continue.
pub(super) struct Stuck<'t> {
    pub(super) parser: &'t FileParser<'t>,
    pub(super) reading: &'t Reading<'t>,
    pub(super) text: &'t str,
    /// The first word of the statement.
    pub(super) keyword: &'t str,
    /// The offset at which the grammar stopped: the start of a token, or the end.
    pub(super) at: usize,
    pub(super) tokens: Rc<Tokenised<'t>>,
    /// The position of the token at which the grammar stopped.
    pub(super) here: usize,
    /// The rules that could have matched there.
    expected: Vec<Rule>,
    item: OnceCell<Option<Range<usize>>>,
}

/// The message about a mistake, and the changes that correct it if the intention is clear.
pub(super) struct Mistake {
    pub diagnostic: Diagnostic,
    pub changes: Vec<Replacement>,
    /// The index of an earlier report about the same mistake, and the span of its repetition.
    pub also: Option<(usize, Span)>,
    /// True for a sign or word of another language; all of these in one constraint share a report.
    pub notation: bool,
    /// True if the help is general and must not be replaced by the whole constraint.
    pub general: bool,
}

impl From<Diagnostic> for Mistake {
    fn from(diagnostic: Diagnostic) -> Self {
        Mistake { diagnostic, changes: Vec::new(), also: None, notation: false, general: false }
    }
}

impl Mistake {
    pub(crate) fn change(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.changes.push(Replacement::new(range, text));
        self
    }
}

/// The rows of all families. The rows of the last family are tried after all others.
const FAMILIES: [&[Row]; 6] =
    [statements::ROWS, quantifiers::ROWS, operators::ROWS, foreign_domains::ROWS, values::ROWS, operands::ROWS];

/// The rows with their patterns, in the order in which they are tried.
static ROWS: LazyLock<Vec<(&Row, Vec<TokenPattern>)>> = LazyLock::new(|| {
    let mut placed = Vec::new();
    FAMILIES.iter().for_each(|family| family.iter().for_each(|row| place_row(row, &mut placed)));
    placed.into_iter().map(|row| (row, row.patterns())).collect()
});

/// Adds a row after all rows that must be tried before it: the rows above it in its family, and the rows of other
/// families that name it.
fn place_row(row: &'static Row, placed: &mut Vec<&'static Row>) {
    if placed.iter().any(|other| other.name == row.name) {
        return;
    }
    for family in FAMILIES {
        let above = family.iter().take_while(|other| other.name != row.name);
        // If the family does not contain the row, `above` is the whole family.
        let is_own = above.clone().count() < family.len();
        above.filter(|other| is_own || other.before.contains(&row.name)).for_each(|other| place_row(other, placed));
    }
    placed.push(row);
}

static MISREAD: LazyLock<Vec<(&Row, Vec<TokenPattern>)>> =
    LazyLock::new(|| quantifiers::MISREAD.iter().map(|row| (row, row.patterns())).collect());

const QUANTIFIERS: [&str; 4] = ["forAll", "exists", "sum", "product"];

/// The words that start a domain and cannot start an expression.
const DOMAIN_WORDS: &[&str] = &["int", "bool", "set", "matrix"];

/// The words that start a domain or, before a bracket, a literal.
const CONSTRUCTORS: &[&str] =
    &["mset", "function", "sequence", "relation", "partition", "permutation", "tuple", "record", "variant"];

/// Returns true if a word starts a domain of collections.
fn is_collection(word: &str) -> bool {
    word == "set" || CONSTRUCTORS.contains(&word)
}

/// Returns true if a statement may contain a quantifier of another language that is parsed as a call. The test is
/// cheap, because most statements have no word that starts with `for`.
pub(super) fn may_be_misread(text: &str) -> bool {
    text.match_indices("for").any(|(at, _)| {
        let starts_word = !text[..at].ends_with(is_word_character);
        starts_word && !text[at..].starts_with("forAll")
    })
}

impl FileParser<'_> {
    /// Explains why a statement does not match, and returns the offset of the mistake.
    pub(crate) fn mistake(&self, reading: &Reading, error: &Error<Rule>) -> (usize, Mistake) {
        let stuck = Stuck::at_error(self, reading, error);
        self.misread(reading, stuck.at).unwrap_or_else(|| (stuck.at, stuck.explain()))
    }

    /// Returns the first constraint before an offset that the grammar matches with a meaning that was not intended.
    pub(crate) fn misread(&self, reading: &Reading, before: usize) -> Option<(usize, Mistake)> {
        let (text, keyword) = (&*reading.text, reading.keyword());
        if !matches!(keyword, "such" | "where") || !may_be_misread(text) {
            return None;
        }
        let tokens = Rc::new(Tokenised::new(text));
        let starts = statement_items(&tokens).into_iter().map(|item| tokens.start(item.start));
        // The grammar has matched the text only up to this offset.
        starts.take_while(|start| *start < before).find_map(|start| {
            let stuck = Stuck::new(self, reading, tokens.clone(), start, Vec::new());
            Some((start, MISREAD.iter().find_map(|(row, patterns)| row.recognise(patterns, &stuck))?))
        })
    }
}

impl<'t> Stuck<'t> {
    fn new(
        parser: &'t FileParser<'t>,
        reading: &'t Reading<'t>,
        tokens: Rc<Tokenised<'t>>,
        at: usize,
        expected: Vec<Rule>,
    ) -> Self {
        let text = &*reading.text;
        let (here, keyword) = (tokens.position(at), reading.keyword());
        Stuck { parser, reading, text, keyword, at, tokens, here, expected, item: OnceCell::new() }
    }

    /// Returns the state at an error of the grammar.
    fn at_error(parser: &'t FileParser<'t>, reading: &'t Reading<'t>, error: &Error<Rule>) -> Self {
        let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
        let expected = match &error.variant {
            ErrorVariant::ParsingError { positives, .. } => positives.clone(),
            ErrorVariant::CustomError { .. } => Vec::new(),
        };
        // The grammar may stop before blanks, but the mistake is in the token after them.
        let at = reading.text.len() - reading.text[at..].trim_start().len();
        Stuck::new(parser, reading, Rc::new(Tokenised::new(&reading.text)), at, expected)
    }

    /// Returns the first known mistake that is recognised, or a general one.
    fn explain(&self) -> Mistake {
        let known = ROWS.iter().find_map(|(row, patterns)| row.recognise(patterns, self));
        known.unwrap_or_else(|| self.general_mistake())
    }

    // ---- queries about the position ----

    pub(super) fn expects(&self, wanted: &[Rule]) -> bool {
        self.expected.iter().any(|rule| wanted.contains(rule))
    }

    pub(super) fn expects_expression(&self) -> bool {
        self.expected.iter().any(|rule| phrase(*rule) == Phrase::Expression)
    }

    pub(super) fn expects_domain(&self) -> bool {
        self.expected.iter().any(|rule| phrase(*rule) == Phrase::Domain)
    }

    /// Returns true if an operand is complete, so that an operator or the end may follow.
    pub(super) fn after_operand(&self) -> bool {
        self.expected.iter().any(|rule| phrase(*rule) == Phrase::Operator) || self.expects(&[Rule::EOI])
    }

    /// The token at which the grammar stopped; empty at the end of the statement.
    pub(super) fn found(&self) -> &'t str {
        &self.text[self.at..self.tokens.end_before(self.here + 1).max(self.at)]
    }

    pub(super) fn found_span(&self) -> Span {
        match self.found().len() {
            0 => self.last_character(),
            length => self.span(self.at, self.at + length),
        }
    }

    /// The last character before the position.
    fn last_character(&self) -> Span {
        let end = self.before().len();
        let last = self.text[..end].chars().next_back().map_or(0, char::len_utf8);
        self.span(end - last, end)
    }

    pub(super) fn found_range(&self) -> Range<usize> {
        self.at..self.at + self.found().len()
    }

    /// The constraint or declaration at the position, as a range of tokens.
    pub(super) fn item(&self) -> Option<Range<usize>> {
        let items = || statement_items(&self.tokens);
        let item =
            |items: Vec<Range<usize>>| items.iter().rfind(|item| item.start <= self.here).or(items.first()).cloned();
        self.item.get_or_init(|| item(items())).clone()
    }

    pub(super) fn span_of(&self, tokens: Range<usize>) -> Span {
        let range = self.tokens.offsets(tokens);
        self.span(range.start, range.end)
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        self.reading.span(self.parser.source, start, end)
    }

    pub(super) fn before(&self) -> &'t str {
        self.text[..self.at].trim_end()
    }

    /// The previous token, if it is a word.
    pub(super) fn previous_word(&self) -> &'t str {
        if self.here > 0 && self.tokens.is_word(self.here - 1) { self.previous() } else { "" }
    }

    pub(super) fn first_on_line(&self) -> bool {
        self.tokens.starts_line(self.here)
    }

    /// The previous token.
    pub(super) fn previous(&self) -> &'t str {
        self.here.checked_sub(1).map_or("", |before| self.tokens.get(before))
    }

    /// Returns true if the position is not inside brackets.
    pub(super) fn outside(&self) -> bool {
        self.tokens.around(self.here).is_none()
    }

    /// Returns true if the innermost brackets around the position are the brackets of an index.
    pub(super) fn in_index(&self) -> bool {
        self.tokens.around(self.here).is_some_and(|open| {
            let indexed = |at| self.tokens.is_word(at) || matches!(self.tokens.get(at), "]" | ")");
            self.tokens.get(open) == "[" && self.tokens.is_tight(open) && indexed(open - 1)
        })
    }

    /// The contents of the innermost brackets around the position.
    pub(super) fn inside(&self) -> Option<&'t str> {
        let open = self.tokens.around(self.here)?;
        Some(self.tokens.slice(open + 1..self.tokens.partner(open)?))
    }

    /// The last bar before the position.
    pub(super) fn last_bar(&self) -> Option<usize> {
        self.tokens.last(0..self.here, &["|"])
    }

    /// Returns true if the position is after the bar of a comprehension.
    pub(super) fn is_behind_bar(&self) -> bool {
        let open = self.tokens.around(self.here).filter(|_| self.bracket() == Some('['));
        open.is_some_and(|open| self.tokens.first(open..self.here, &["|"]).is_some())
    }

    /// Returns true if the statement has only one declaration.
    pub(super) fn has_one_item(&self) -> bool {
        statement_items(&self.tokens).len() == 1
    }

    /// The token before the innermost parentheses around the position.
    pub(super) fn before_bracket(&self) -> &'t str {
        let open = self.tokens.around(self.here).filter(|open| *open > 0 && self.tokens.get(*open) == "(");
        open.map_or("", |open| self.tokens.get(open - 1))
    }

    /// The bracket of the domain `int(…)` around the position.
    pub(super) fn in_int(&self) -> Option<usize> {
        self.tokens.around(self.here).filter(|_| self.before_bracket() == "int")
    }

    /// Returns true if the statement is a list of constraints.
    pub(super) fn in_constraints(&self) -> bool {
        matches!(self.keyword, "such" | "where")
    }

    /// Returns true if the position is on the same line as the previous token.
    pub(super) fn same_line(&self) -> bool {
        !self.tokens.starts_line(self.here)
    }

    /// Returns true if the token at the position is a name.
    pub(super) fn at_name(&self) -> bool {
        self.tokens.is_word(self.here) && !is_reserved(self.found())
    }

    /// The innermost open bracket.
    pub(super) fn bracket(&self) -> Option<char> {
        self.tokens.around(self.here).and_then(|open| self.tokens.get(open).chars().next())
    }

    /// Returns true if the position is in the head of a quantifier: after its names, but before its guard and body.
    pub(super) fn in_quantifier_head(&self) -> bool {
        let has = |at: usize, signs: &[char]| !self.tokens.is_word(at) && self.tokens.get(at).contains(signs);
        let last = self.tokens.last(0..self.here, &QUANTIFIERS);
        last.is_some_and(|last| !(last..self.here).any(|at| has(at, &['.', '=', '+'])))
    }

    pub(super) fn error(&self, message: impl Into<String>, label: impl Into<String>) -> Option<Diagnostic> {
        Some(Diagnostic::error(Code::SYNTAX, message).at(self.found_span(), label))
    }
}
