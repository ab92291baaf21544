//! A known mistake as a row of a table: an example, a pattern, a message and a fix.
//!
//! The rows are in the `ROWS` of the families next to this file. A new column needs a field of [`Row`], a default in
//! [`row`], and a method in `impl Row` that sets and documents it. `tests.rs` checks that each example is recognised by
//! its own row first, and that the grammar matches the corrected text.

use super::{
    Mistake, QUANTIFIERS, Stuck,
    pattern::{Captures, TokenPattern, is_part},
};
use crate::{
    diagnostic::{Code, Diagnostic},
    syntax::parse::{is_word_character, reading::Replacement},
};
use std::ops::{Deref, Range};

/// A mistake that learners are known to make. `tokens` is a pattern ([`super::pattern`]), or several patterns with `OR`
/// between them. In the other texts, `{name}` is the text of a named part, and `{^}` is the token at which the grammar
/// has stopped. Of several fixes (`OR`), the first one applies whose names are all in the match.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub name: &'static str,
    /// A statement or constraint with the mistake, or several of them with `OR` between them. The tests use the
    /// examples, and generate the page about mistakes from them.
    #[cfg_attr(not(test), expect(dead_code))]
    pub example: &'static str,
    tokens: &'static str,
    when: fn(&Found) -> bool,
    with: fn(&mut Found) -> Option<()>,
    message: &'static str,
    label: &'static str,
    /// The part for the label: `^` is the token at which the grammar stopped, `<` the character before it, `*` the
    /// whole match.
    at: &'static str,
    help: &'static [&'static str],
    note: Option<&'static str>,
    fix: Option<&'static str>,
    notation: bool,
    general: bool,
    /// The less specific rows of other families that also match.
    pub before: &'static [&'static str],
    by: Option<fn(&Stuck) -> Option<Mistake>>,
    anchor: Anchor,
    also: Option<(&'static str, &'static str)>,
}

/// The position of `^` in a pattern.
#[derive(Clone, Copy, PartialEq)]
enum Anchor {
    Here,
    HereOrBefore,
    Start,
    /// After the last quantifier.
    Quantifier,
}

pub(super) const fn row(name: &'static str, example: &'static str, tokens: &'static str) -> Row {
    Row {
        name,
        example,
        tokens,
        when: |_| true,
        with: |_| Some(()),
        message: "",
        label: "",
        at: "^",
        help: &[],
        note: None,
        fix: None,
        notation: false,
        general: false,
        before: &[],
        by: None,
        anchor: Anchor::Here,
        also: None,
    }
}

impl Row {
    /// A further condition on the match.
    pub(super) const fn when(self, when: fn(&Found) -> bool) -> Row {
        Row { when, ..self }
    }

    /// Computes further parts for the texts; `None` rejects the match.
    pub(super) const fn with(self, with: fn(&mut Found) -> Option<()>) -> Row {
        Row { with, ..self }
    }

    /// Sets the message, and the label at the token at which the grammar has stopped.
    pub(super) const fn says(self, message: &'static str, label: &'static str) -> Row {
        Row { message, label, ..self }
    }

    /// Sets the part that the label marks.
    pub(super) const fn at(self, at: &'static str) -> Row {
        Row { at, ..self }
    }

    /// Sets the replacement for the matched tokens. Parts that occur in both keep their positions.
    pub(super) const fn fix(self, fix: &'static str) -> Row {
        Row { fix: Some(fix), ..self }
    }

    /// Sets the help. Without it, the help shows the fix.
    pub(super) const fn help(self, help: &'static [&'static str]) -> Row {
        Row { help, ..self }
    }

    pub(super) const fn note(self, note: &'static str) -> Row {
        Row { note: Some(note), ..self }
    }

    /// See [`Mistake::notation`].
    pub(super) const fn notation(self) -> Row {
        Row { notation: true, ..self }
    }

    /// See [`Mistake::general`].
    pub(super) const fn general(self) -> Row {
        Row { general: true, ..self }
    }

    /// Sets the rows of other families that are tried after this one. Within a family, the order of the rows decides.
    pub(super) const fn before(self, before: &'static [&'static str]) -> Row {
        Row { before, ..self }
    }

    /// Also matches one token earlier, because the grammar may have accepted this token: a colon after a number starts
    /// a tag.
    pub(super) const fn or_before(self) -> Row {
        Row { anchor: Anchor::HereOrBefore, ..self }
    }

    /// Matches from the start of the statement, even if the grammar stopped elsewhere.
    pub(super) const fn at_start(self) -> Row {
        Row { anchor: Anchor::Start, ..self }
    }

    /// Matches after the last quantifier, which becomes the part `q`.
    pub(super) const fn at_quantifier(self) -> Row {
        Row { anchor: Anchor::Quantifier, ..self }
    }

    /// Adds a second label at a part.
    pub(super) const fn also(self, at: &'static str, label: &'static str) -> Row {
        Row { also: Some((at, label)), ..self }
    }

    /// Recognises the mistake by a function instead of a pattern.
    pub(super) const fn by(self, by: fn(&Stuck) -> Option<Mistake>) -> Row {
        Row { by: Some(by), ..self }
    }

    pub(super) fn patterns(&self) -> Vec<TokenPattern> {
        self.tokens.split(" OR ").map(TokenPattern::new).collect()
    }

    /// Returns the mistake if the row matches.
    pub(super) fn recognise(&self, patterns: &[TokenPattern], stuck: &Stuck) -> Option<Mistake> {
        match self.by {
            Some(by) => by(stuck),
            None => patterns.iter().find_map(|pattern| self.find(pattern, stuck)),
        }
    }

    fn find(&self, pattern: &TokenPattern, stuck: &Stuck) -> Option<Mistake> {
        let quantifier = last_quantifier(stuck).filter(|_| self.anchor == Anchor::Quantifier);
        let found = match self.anchor {
            Anchor::Start => pattern.find(stuck, 0),
            Anchor::Quantifier => pattern.find(stuck, quantifier.clone()?.end),
            _ => pattern.find(stuck, stuck.here),
        };
        let before = || stuck.here.checked_sub(1).filter(|_| self.anchor == Anchor::HereOrBefore);
        let Captures { whole, parts } = found.or_else(|| pattern.find(stuck, before()?))?;
        let mut found = Found { stuck, whole, parts, computed: Vec::new(), changes: Vec::new() };
        found.parts.extend(quantifier.map(|quantifier| ("q", quantifier)));
        if !(self.when)(&found) {
            return None;
        }
        (self.with)(&mut found)?;
        let span = |name| {
            Some(match name {
                "^" => stuck.found_span(),
                "*" => stuck.span_of(found.whole.clone()),
                "<" => stuck.last_character(),
                name => stuck.span_of(found.range(name)?),
            })
        };
        let what = Diagnostic::error(Code::SYNTAX, found.fill(self.message)).at(span(self.at)?, found.fill(self.label));
        let what = match self.also {
            Some((at, label)) => what.at(span(at)?, found.fill(label)),
            None => what,
        };
        let is_known = |fix: &&str| pieces(fix).all(|(_, name)| name.is_none_or(|name| found.knows(name)));
        let fix = self.fix.and_then(|fixes| fixes.split(" OR ").find(is_known));
        let what = match (self.help, fix) {
            ([], Some(fix)) => what.help(format!("write `{}`", found.fill(fix).trim())),
            (help, _) => help.iter().fold(what, |what, help| what.help(found.fill(help))),
        };
        let what = self.note.into_iter().fold(what, |what, note| what.note(note));
        let mut changes = fix.map_or(Vec::new(), |fix| found.changes(fix));
        changes.append(&mut found.changes);
        Some(Mistake { changes, notation: self.notation, general: self.general, ..Mistake::from(what) })
    }
}

/// The match of a pattern.
pub(super) struct Found<'s> {
    pub stuck: &'s Stuck<'s>,
    pub whole: Range<usize>,
    parts: Vec<(&'static str, Range<usize>)>,
    computed: Vec<(&'static str, String)>,
    /// Further changes inside parts.
    changes: Vec<Replacement>,
}

impl<'s> Deref for Found<'s> {
    type Target = Stuck<'s>;

    fn deref(&self) -> &Stuck<'s> {
        self.stuck
    }
}

impl<'s> Found<'s> {
    /// The token range of a part.
    pub(super) fn range(&self, name: &str) -> Option<Range<usize>> {
        self.parts.iter().find(|(known, _)| *known == name).map(|(_, range)| range.clone())
    }

    /// The text of a part.
    pub(super) fn part(&self, name: &str) -> &'s str {
        self.range(name).map_or("", |range| self.stuck.tokens.slice(range))
    }

    /// Names a range of tokens.
    pub(super) fn name(&mut self, name: &'static str, range: Range<usize>) -> Option<()> {
        self.parts.push((name, range));
        Some(())
    }

    /// Sets the text for a name.
    pub(super) fn set(&mut self, name: &'static str, text: impl Into<String>) -> Option<()> {
        self.computed.push((name, text.into()));
        Some(())
    }

    /// Replaces a token inside a part that the fix keeps.
    pub(super) fn replace(&mut self, token: usize, text: &str) {
        self.changes.push(Replacement::new(self.stuck.tokens.offsets(token..token + 1), text));
    }

    fn knows(&self, name: &str) -> bool {
        name == "^" || self.range(name).is_some() || self.computed.iter().any(|(known, _)| *known == name)
    }

    pub(super) fn value(&self, name: &str) -> &str {
        match self.computed.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => text,
            None if name == "^" => self.stuck.found(),
            None => self.part(name),
        }
    }

    /// Fills the names of a template with their texts.
    fn fill(&self, template: &str) -> String {
        pieces(template)
            .map(|(written, name)| format!("{written}{}", name.map_or("", |name| self.value(name))))
            .collect()
    }

    /// Returns the changes that replace the match with a filled template.
    fn changes(&self, template: &str) -> Vec<Replacement> {
        let tokens = &self.stuck.tokens;
        let all = tokens.offsets(self.whole.clone());
        let mut at = all.start;
        let mut written = String::new();
        let mut changes = Vec::new();
        for (text, name) in pieces(template) {
            written += text;
            let kept = name.filter(|name| self.computed.iter().all(|(known, _)| known != name));
            match kept
                .and_then(|name| self.range(name))
                .filter(|range| !range.is_empty())
                .map(|range| tokens.offsets(range))
            {
                Some(part) if part.start >= at => {
                    change(self.stuck.text, at..part.start, &written, &mut changes);
                    written.clear();
                    at = part.end;
                }
                // If the parts change their order, the whole match is replaced.
                Some(_) => {
                    return vec![Replacement::new(all, self.fill(template))];
                }
                None => written += name.map_or("", |name| self.value(name)),
            }
        }
        // The fix keeps no part of the match.
        if at == all.start {
            return vec![Replacement::new(all, written)];
        }
        change(self.stuck.text, at..all.end.max(at), &written, &mut changes);
        changes
    }
}

/// Splits a template into pieces of text, each with the name after it.
fn pieces(template: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(template);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let named = text.match_indices('{').find_map(|(open, _)| {
            let behind = &text[open + 1..];
            let close = behind.find('}')?;
            let name = &behind[..close];
            (name == "^" || is_part(name)).then_some((open, name, &behind[close + 1..]))
        });
        match named {
            Some((open, name, behind)) => {
                rest = Some(behind);
                Some((&text[..open], Some(name)))
            }
            None => Some((text, None)),
        }
    })
}

/// Adds the change of a range, without the tokens and blanks that both texts have on either side.
fn change(text: &str, range: Range<usize>, written: &str, changes: &mut Vec<Replacement>) {
    let old = &text[range.clone()];
    let is_sign = |c: char| !is_word_character(c) && !c.is_whitespace() && !"()[]{},`".contains(c);
    // A change must not split a word or a sign: `<` becomes `<=` in one piece.
    let inside = |text: &str, at: usize| {
        text[..at].ends_with(is_word_character) && text[at..].starts_with(is_word_character)
            || text[..at].ends_with(is_sign) && text[at..].starts_with(is_sign)
    };
    let same = old.char_indices().zip(written.chars()).take_while(|((_, old), new)| old == new);
    let mut first = same.last().map_or(0, |((at, character), _)| at + character.len_utf8());
    while inside(old, first) || inside(written, first) {
        first = old.floor_char_boundary(first - 1);
    }
    let (old, written) = (&old[first..], &written[first..]);
    let same = old.chars().rev().zip(written.chars().rev()).take_while(|(old, new)| old == new);
    let mut last: usize = same.map(|(character, _)| character.len_utf8()).sum();
    while last > 0 && (inside(old, old.len() - last) || inside(written, written.len() - last)) {
        last -= old[old.len() - last..].chars().next().map_or(0, char::len_utf8);
    }
    let (old, written) = (&old[..old.len() - last], &written[..written.len() - last]);
    if old != written {
        let start = range.start + first;
        changes.push(Replacement::new(start..start + old.len(), written));
    }
}

/// The last quantifier before the position.
pub(super) fn last_quantifier(stuck: &Stuck) -> Option<Range<usize>> {
    let last = stuck.tokens.last(0..stuck.here, &QUANTIFIERS)?;
    Some(last..last + 1)
}
