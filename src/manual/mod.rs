//! The manual of the words of Essence: each operator, attribute and keyword with a sentence, its notation and an
//! example.
//!
//! The texts themselves are elsewhere: for operators and attributes in the rows of their tables, for keywords in
//! [`keywords`].
//!
//! You may add keywords. `explain`, completion, hovers and `docs/operators.md` show these entries.

mod keywords;
mod levels;

use crate::{
    diagnostic::nearest,
    language::attributes::{Attribute, rows::ATTRIBUTES},
    operators::{self, Associativity, Notation, Operator, signature},
};
pub use levels::{COURSE_STEPS, CourseStep};
pub(crate) use levels::{WordLevel, level_of};
use std::fmt;

/// The meanings of a word or sign of Essence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WordExplanation {
    /// The word or sign.
    pub word: &'static str,
    /// The meanings, one for each kind of operands. A word may be both an operator and a keyword.
    pub meanings: Vec<WordMeaning>,
}

/// One meaning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WordMeaning {
    /// The kind of the word.
    pub kind: WordKind,
    /// For an operator, the types of its operands and its result, such as `(T, set of T) -> bool`, in which a capital
    /// letter is any type; for other words, the notation.
    pub form: String,
    /// The meaning, in one sentence.
    pub sentence: String,
    /// The precedence of an infix or prefix operator.
    pub binding: Option<Binding>,
    /// An example.
    pub example: WordExample,
}

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// An operator of this family, such as `sets`.
    Operator(&'static str),
    /// A word in the attributes of a domain.
    Attribute,
    /// A word of a statement, a domain or a quantifier.
    Keyword,
}

/// A row of the table of operators.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperatorMeaning {
    /// The word or sign.
    pub word: &'static str,
    /// The family, such as `sets`.
    pub family: &'static str,
    /// An application with `_` for each operand, such as `_ + _`.
    pub form: String,
    /// The meaning.
    pub meaning: WordMeaning,
}

/// The precedence of an infix or prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Binding {
    /// A higher precedence binds tighter.
    pub precedence: u16,
    /// The grouping of `a ∘ b ∘ c`; `None` for a prefix operator.
    pub associativity: Option<Associativity>,
}

/// An example of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordExample {
    /// An expression and its value.
    Value(&'static str, &'static str),
    /// Statements of a model.
    Statements(&'static str),
}

/// Returns the meanings of an operator, attribute or keyword. A part of a keyword finds the keyword: `such` finds `such
/// that`.
pub fn explain(word: &str) -> Option<WordExplanation> {
    let meanings: Vec<(&str, WordMeaning)> = all_words().filter(|(known, _)| *known == word).collect();
    let meanings = match meanings.is_empty() {
        true => all_words().filter(|(known, _)| known.split(' ').any(|part| part == word)).collect(),
        false => meanings,
    };
    let word = meanings.first()?.0;
    Some(WordExplanation { word, meanings: meanings.into_iter().map(|(_, meaning)| meaning).collect() })
}

/// Returns the word or sign that is most similar to a misspelt one.
pub fn nearest_word(word: &str) -> Option<&'static str> {
    let known: Vec<&'static str> = all_words().map(|(known, _)| known).collect();
    nearest(word, known.iter().copied()).or_else(|| {
        // `nearest` ignores case only for equal words, so the words are compared in lower case: `ALLDIF` finds
        // `allDiff`.
        let small: Vec<String> = known.iter().map(|known| known.to_lowercase()).collect();
        let near = nearest(&word.to_lowercase(), small.iter().map(String::as_str))?;
        small.iter().position(|small| small == near).map(|position| known[position])
    })
}

/// Returns the rows of the table of operators in the order of the manual, without special forms such as `m[i]`.
pub(crate) fn operator_rows() -> impl Iterator<Item = OperatorMeaning> {
    let rows = operators::families().flat_map(|(family, rows)| rows.iter().map(move |row| (family, row)));
    rows.filter_map(|(family, row)| {
        let word = row.symbol.text;
        let form = match row.symbol.notation {
            Notation::Infix { .. } => format!("_ {word} _"),
            Notation::Prefix { .. } => format!("{word}_"),
            Notation::Postfix => format!("_{word}"),
            Notation::Bars => "|_|".to_owned(),
            Notation::Function => {
                let operands = signature::written_operands(row.signature).len();
                format!("{word}({})", vec!["_"; operands].join(", "))
            }
            // Special forms such as `m[i]` have no word that could stand for them in a list.
            Notation::Special => return None,
        };
        Some(OperatorMeaning { word, family, form, meaning: of_operator(family, row) })
    })
}

/// Returns every word and sign with its meanings, in the order of the manual.
pub(crate) fn all_words() -> impl Iterator<Item = (&'static str, WordMeaning)> {
    let operators = operators::families()
        .flat_map(|(family, rows)| rows.iter().map(move |row| (row.symbol.text, of_operator(family, row))));
    let attributes = ATTRIBUTES.iter().map(|row| (row.word, of_attribute(row)));
    let keywords = keywords::KEYWORDS.iter().map(|row| (row.word, row.meaning()));
    operators.chain(attributes).chain(keywords)
}

pub(crate) fn of_operator(family: &'static str, row: &Operator) -> WordMeaning {
    let binding = row.symbol.precedence().map(|precedence| Binding {
        precedence,
        associativity: match row.symbol.notation {
            Notation::Infix { associativity, .. } => Some(associativity),
            _ => None,
        },
    });
    let (expression, value) = row.example;
    WordMeaning {
        kind: WordKind::Operator(family),
        form: row.signature.to_owned(),
        sentence: sentence(row.summary),
        binding,
        example: WordExample::Value(expression, value),
    }
}

pub(crate) fn of_attribute(row: &Attribute) -> WordMeaning {
    let number = if row.takes_number() { " n" } else { "" };
    let of: Vec<&str> = row.of.iter().map(|kind| kind.keyword()).collect();
    let of = match of.as_slice() {
        [several @ .., last] if !several.is_empty() => format!("{} or {last}", several.join(", ")),
        single => single.concat(),
    };
    let (expression, value) = row.example;
    WordMeaning {
        kind: WordKind::Attribute,
        form: format!("({}{number}) after {of}", row.word),
        sentence: sentence(row.summary),
        binding: None,
        example: WordExample::Value(expression, value),
    }
}

/// Turns a summary into a sentence.
fn sentence(summary: &str) -> String {
    let mut characters = summary.chars();
    let first = characters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", characters.as_str())
}

impl fmt::Display for WordExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, meaning) in self.meanings.iter().enumerate() {
            let before = self.meanings[..position].last();
            // The meanings of one kind share a heading.
            if before.is_none_or(|before| before.kind != meaning.kind) {
                let gap = if position == 0 { "" } else { "\n" };
                match meaning.kind {
                    WordKind::Operator(family) => writeln!(f, "{gap}`{}`: operator ({family})", self.word)?,
                    WordKind::Attribute => writeln!(f, "{gap}`{}`: attribute", self.word)?,
                    WordKind::Keyword => writeln!(f, "{gap}`{}`: keyword", self.word)?,
                }
            }
            write!(f, "\n{meaning}")?;
        }
        let mut bindings: Vec<Binding> = Vec::new();
        for binding in self.meanings.iter().filter_map(|meaning| meaning.binding) {
            // `-` has two precedences: as an infix and as a prefix operator.
            if !bindings.contains(&binding) {
                bindings.push(binding);
            }
        }
        if !bindings.is_empty() {
            writeln!(f)?;
            bindings.iter().try_for_each(|binding| writeln!(f, "{binding}"))?;
            writeln!(f, "Operators with a higher precedence bind tighter.")?;
        }
        Ok(())
    }
}

impl fmt::Display for WordMeaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {}", self.form)?;
        writeln!(f, "    {}", self.sentence)?;
        match self.example {
            WordExample::Value(expression, value) => writeln!(f, "    Example: {expression} gives {value}"),
            WordExample::Statements(statements) => writeln!(f, "    Example: {statements}"),
        }
    }
}

impl fmt::Display for Binding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Binding { precedence, associativity } = self;
        match associativity {
            Some(Associativity::Left) => {
                write!(f, "Between two operands: precedence {precedence}, grouped from the left.")
            }
            Some(Associativity::Right) => {
                write!(f, "Between two operands: precedence {precedence}, grouped from the right.")
            }
            Some(Associativity::None) => {
                write!(f, "Between two operands: precedence {precedence}; chains need parentheses.")
            }
            None => write!(f, "Before one operand: precedence {precedence}."),
        }
    }
}
