//! Token patterns, which recognise mistakes.
//!
//! A pattern consists of elements that are separated by blanks: `c=OPERAND ^contains|includes m=CLAUSE`. An element is
//!
//! - a sign or a word, or alternatives separated by `|` (`BAR` is a bar),
//! - a class of tokens, in capital letters (see [`Class`]),
//! - an element with the prefix `^`: the position at which the grammar stopped. `^END` is the end of the statement, and
//!   a single `^` is between the elements before and after it,
//! - an element with the prefix `name=`: the name refers to the matched text in messages and in the fix,
//! - an element with the suffix `?`, which is optional.
//!
//! Tokens outside of `~` are not replaced by the fix.
//!
//! The elements before the position are matched from right to left.

use super::Stuck;
use crate::{
    language::attributes::Attribute,
    syntax::parse::{is_attribute, is_reserved},
};
use std::ops::Range;

/// The class of tokens that an element matches.
#[derive(Debug)]
enum Class {
    /// One of these signs and words.
    Written(Vec<&'static str>),
    /// A name.
    Name,
    /// A word, whether or not it is reserved.
    Word,
    Number,
    /// The word of an attribute.
    Attribute,
    /// Attributes and their numbers.
    Attributes,
    /// The word of a domain of collections.
    Collection,
    /// One token.
    Any,
    /// Numbers and names with signs between them.
    Term,
    /// A name, a number or brackets, with brackets that directly follow.
    Operand,
    /// A condition, up to the next logical operator, comma or closing bracket.
    Clause,
    /// The rest of the line outside brackets, up to a `;` or the edge.
    Line,
    /// One or more tokens, but only as many as the next element requires.
    Some,
    /// All tokens up to the edge: the surrounding brackets, or the end of the constraint or declaration.
    All,
    /// The end of the statement, or its start.
    End,
    /// The boundary of the replaced text (`~`).
    Edge,
}

#[derive(Debug)]
struct Element {
    name: &'static str,
    class: Class,
    optional: bool,
}

/// A pattern, split at the position at which the grammar has stopped.
#[derive(Debug)]
pub(super) struct TokenPattern {
    before: Vec<Element>,
    behind: Vec<Element>,
}

impl TokenPattern {
    pub(super) fn new(text: &'static str) -> TokenPattern {
        let mut pattern = TokenPattern { before: Vec::new(), behind: Vec::new() };
        let mut side = &mut pattern.before;
        for written in text.split_ascii_whitespace() {
            let written = match written.strip_prefix('^') {
                Some(written) => {
                    side = &mut pattern.behind;
                    written
                }
                None => written,
            };
            let (name, written) = match written.split_once('=') {
                Some((name, rest)) if !rest.is_empty() && is_part(name) => (name, rest),
                _ => ("", written),
            };
            let (written, optional) = match written.strip_suffix('?') {
                Some(written) if !written.is_empty() => (written, true),
                _ => (written, false),
            };
            if written == "~" {
                side.push(Element { name: "~", class: Class::Edge, optional: false });
            } else if !written.is_empty() {
                side.push(Element { name, class: Class::new(written), optional });
            }
        }
        // The elements before the position are matched from right to left.
        pattern.before.reverse();
        pattern
    }

    /// Matches the pattern at a position.
    pub(super) fn find(&self, stuck: &Stuck, at: usize) -> Option<Captures> {
        let (mut before, mut parts) = (Vec::new(), Vec::new());
        let end = find_match(&self.behind, stuck, at, true, &mut parts)?;
        let start = find_match(&self.before, stuck, at, false, &mut before)?;
        let edge = |parts: &[(&str, Range<usize>)]| parts.iter().find(|part| part.0 == "~").map(|part| part.1.start);
        let whole = edge(&before).unwrap_or(start)..edge(&parts).unwrap_or(end);
        parts.append(&mut before);
        Some(Captures { whole, parts })
    }
}

/// The matched ranges of tokens: the whole match, and the named parts.
#[derive(Debug)]
pub(super) struct Captures {
    pub whole: Range<usize>,
    pub parts: Vec<(&'static str, Range<usize>)>,
}

/// Returns true if a text can be the name of a part.
pub(super) fn is_part(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase())
}

impl Class {
    fn new(written: &'static str) -> Class {
        match written {
            "NAME" => Class::Name,
            "WORD" => Class::Word,
            "NUMBER" => Class::Number,
            "ATTRIBUTE" => Class::Attribute,
            "ATTRIBUTES" => Class::Attributes,
            "COLLECTION" => Class::Collection,
            "ANY" => Class::Any,
            "TERM" => Class::Term,
            "OPERAND" => Class::Operand,
            "CLAUSE" => Class::Clause,
            "LINE" => Class::Line,
            "SOME" => Class::Some,
            "ALL" => Class::All,
            "END" => Class::End,
            // A bar alone is the sign itself and not a separator of alternatives.
            "|" | "||" => Class::Written(vec![written]),
            _ => Class::Written(written.split('|').map(|one| if one == "BAR" { "|" } else { one }).collect()),
        }
    }

    /// Returns the possible ends of a match that starts at a position, forward or backward. The likeliest end comes
    /// first.
    fn ends(&self, stuck: &Stuck, at: usize, forward: bool) -> Vec<usize> {
        let tokens = &stuck.tokens;
        let one = match forward {
            true => (at < tokens.len()).then_some((at, at + 1)),
            false => at.checked_sub(1).map(|before| (before, before)),
        };
        let one_if = |accept: &dyn Fn(usize) -> bool| {
            one.into_iter().filter(|(token, _)| accept(*token)).map(|(_, end)| end).collect()
        };
        let text = |token: usize| tokens.get(token);
        // An empty range is not a match.
        let longer = |end: usize| if end == at { Vec::new() } else { vec![end] };
        match self {
            Class::Written(alternatives) => alternatives
                .iter()
                .filter_map(|written| if forward { tokens.after(at, written) } else { tokens.before(at, written) })
                .collect(),
            Class::Name => one_if(&|token| tokens.is_word(token) && !is_reserved(text(token))),
            Class::Word => one_if(&|token| tokens.is_word(token)),
            Class::Number => one_if(&|token| tokens.is_number(token)),
            Class::Attribute => one_if(&|token| is_attribute(text(token))),
            Class::Attributes => longer(attributes_end(stuck, at)),
            Class::Collection => one_if(&|token| super::is_collection(text(token))),
            Class::Any => one_if(&|_| true),
            Class::Term => longer(term_end(stuck, at, forward)),
            Class::Operand if forward => longer(tokens.operand_end(at)),
            Class::Operand => longer(tokens.operand_start(at)),
            Class::Clause => longer(tokens.clause_end(at)),
            // At the start of a new line, no rest of the line is left.
            Class::Line if at > 0 && tokens.starts_line(at) => Vec::new(),
            Class::Line => {
                let (mut end, edge) = (at, edge(stuck, at, forward));
                while end < edge && tokens.get(end) != ";" && (end == at || !tokens.starts_line(end)) {
                    end = tokens.behind(end);
                }
                longer(end)
            }
            Class::All => vec![edge(stuck, at, forward)],
            Class::Some => {
                let edge = edge(stuck, at, forward);
                let mut ends = Vec::new();
                let mut end = at;
                while if forward { end < edge } else { end > edge } {
                    end = match forward {
                        true => tokens.behind(end),
                        // Brackets are passed as a whole, also backward.
                        false => tokens.partner(end - 1).filter(|open| *open < end - 1).unwrap_or(end - 1),
                    };
                    ends.push(end);
                }
                ends
            }
            Class::End if at == if forward { tokens.len() } else { 0 } => vec![at],
            Class::End => Vec::new(),
            Class::Edge => vec![at],
        }
    }
}

/// Returns the end of the attributes and their numbers that start at a position.
fn attributes_end(stuck: &Stuck, at: usize) -> usize {
    let tokens = &stuck.tokens;
    let is_number = |at: usize| {
        let after = Attribute::named(tokens.get(at - 1)).any(Attribute::takes_number);
        after && (tokens.is_number(at) || tokens.is_word(at) && !is_reserved(tokens.get(at)))
    };
    let goes_on = |end: usize| {
        let comma = tokens.get(end) == "," && is_attribute(tokens.get(end + 1));
        is_attribute(tokens.get(end)) || comma || end > at && is_number(end)
    };
    (at..tokens.len()).find(|end| !goes_on(*end)).unwrap_or(tokens.len())
}

/// Returns the other end of a sequence of names and numbers with signs between them.
fn term_end(stuck: &Stuck, at: usize, forward: bool) -> usize {
    let tokens = &stuck.tokens;
    let fits = |token: usize| {
        tokens.is_number(token)
            || tokens.is_word(token) && !is_reserved(tokens.get(token))
            || matches!(tokens.get(token), "+" | "-" | "*" | "**")
    };
    match forward {
        true => (at..tokens.len()).find(|token| !fits(*token)).unwrap_or(tokens.len()),
        false => (0..at).rev().find(|token| !fits(*token)).map_or(0, |token| token + 1),
    }
}

/// Returns the brackets around a position, or the edge of its constraint or declaration.
fn edge(stuck: &Stuck, at: usize, forward: bool) -> usize {
    let tokens = &stuck.tokens;
    match tokens.around(at) {
        Some(open) if forward => tokens.partner(open).unwrap_or(tokens.len()),
        Some(open) => open + 1,
        None => match stuck.item() {
            Some(item) if forward => item.end.max(at),
            Some(item) => item.start.min(at),
            None => at,
        },
    }
}

/// Returns the end of the match for the elements that start at a position, and adds the named matches to `parts`.
fn find_match(
    elements: &[Element],
    stuck: &Stuck,
    at: usize,
    forward: bool,
    parts: &mut Vec<(&'static str, Range<usize>)>,
) -> Option<usize> {
    let Some((first, rest)) = elements.split_first() else { return Some(at) };
    let known = parts.len();
    // An optional element is skipped only if all matches with it fail.
    let skipped = first.optional.then_some(at);
    for end in first.class.ends(stuck, at, forward).into_iter().chain(skipped) {
        if !first.name.is_empty() {
            parts.push((first.name, at.min(end)..at.max(end)));
        }
        if let Some(found) = find_match(rest, stuck, end, forward, parts) {
            return Some(found);
        }
        parts.truncate(known);
    }
    None
}
