//! Edits of a model's text that can be applied together.
//!
//! An improvement refers to parts of the original text, so that several improvements can be applied to it. Two edits of
//! the same part conflict; [`apply`] then reports the second improvement.

use super::view::ModelView;
use crate::{
    source::Span,
    syntax::{
        ast::{DomainKind, DomainTree, StatementKind},
        print,
        tokens::{TokenKind, tokens_from},
    },
};
use std::{collections::BTreeMap, ops::Range};

/// An edit of a model's text.
#[derive(Clone, Debug)]
pub(super) enum ModelEdit {
    /// An attribute for the domain of a collection.
    Attribute { list: AttributeList, name: &'static str, value: Option<String> },
    /// A constraint that is no longer needed.
    Drop(Span),
    /// Another text for a part.
    Replace(Span, String),
    /// A further statement, before this position.
    Declare(usize, String),
    /// A further constraint.
    Require(String),
}

/// The attributes of the domain of a collection.
#[derive(Clone, Debug)]
pub(super) struct AttributeList {
    /// The attributes in their parentheses, or the empty range after the word of the collection.
    range: Range<usize>,
    written: Vec<(String, String)>,
}

impl AttributeList {
    pub(super) fn of(view: &ModelView, domain: &DomainTree) -> Option<AttributeList> {
        let DomainKind::Collection(_, attributes, _) = &domain.kind else { return None };
        let text = view.text;
        let mut tokens = tokens_from(text, domain.span.start as usize);
        let word = tokens.next()?;
        let written = attributes.iter().map(|attribute| {
            let value = attribute.value.as_ref().map(|value| format!(" {}", print::expr(value, usize::MAX)));
            (attribute.name.text.to_string(), format!("{}{}", attribute.name.text, value.unwrap_or_default()))
        });
        let range = match attributes.last() {
            None => word.end..word.end,
            Some(last) => {
                let open = tokens.next().filter(|token| &text[token.start..token.end] == "(")?;
                let end = last.value.as_ref().map_or(last.name.span.end, |value| value.span.end) as usize;
                let is_close = |token: &crate::syntax::tokens::Token| &text[token.start..token.end] == ")";
                open.start..tokens_from(text, end).find(is_close)?.end
            }
        };
        Some(AttributeList { range, written: written.collect() })
    }
}

/// The name of an attribute and its value.
type NewAttribute = (&'static str, Option<String>);

/// The attributes that an attribute makes superfluous.
fn superseded(name: &str) -> &'static [&'static str] {
    match name {
        "size" => &["minSize", "maxSize"],
        "bijective" => &["injective", "surjective"],
        "partSize" => &["minPartSize", "maxPartSize", "regular"],
        "numParts" => &["minNumParts", "maxNumParts"],
        _ => &[],
    }
}

/// The replacements of an improvement, in the order of the text.
struct Replacements {
    parts: Vec<(Range<usize>, String)>,
}

/// The text after several improvements, each with a comment. `Err` is the position of an improvement that conflicts
/// with earlier ones.
pub(super) fn apply(view: &ModelView, improvements: &[(&[ModelEdit], Option<String>)]) -> Result<String, usize> {
    let mut all = Replacements { parts: Vec::new() };
    let mut dropped: Vec<Span> = Vec::new();
    let mut lists: BTreeMap<usize, (AttributeList, Vec<NewAttribute>)> = BTreeMap::new();
    let mut required = String::new();
    for (position, (edits, comment)) in improvements.iter().enumerate() {
        let mut first: Option<usize> = None;
        let mut at = |start: usize| first = Some(first.map_or(start, |first| first.min(start)));
        for edit in *edits {
            match edit {
                ModelEdit::Attribute { list, name, value } => {
                    at(list.range.start);
                    let new = &mut lists.entry(list.range.start).or_insert_with(|| (list.clone(), Vec::new())).1;
                    // Two improvements may add the same attribute with the same value, but `size` and `minSize` exclude
                    // each other.
                    let clashes = |other: &str| {
                        other == *name || superseded(name).contains(&other) || superseded(other).contains(name)
                    };
                    if new.iter().any(|(other, old)| clashes(other) && (*other, old) != (*name, value)) {
                        return Err(position);
                    }
                    new.push((name, value.clone()));
                }
                ModelEdit::Drop(span) => {
                    at(span.start as usize);
                    dropped.push(*span);
                }
                ModelEdit::Replace(span, text) => {
                    at(span.start as usize);
                    all.add(span.start as usize..span.end as usize, text.clone()).map_err(|()| position)?;
                }
                ModelEdit::Declare(start, text) => {
                    at(*start);
                    all.parts.push((*start..*start, format!("{text}\n")));
                }
                ModelEdit::Require(constraint) => {
                    let comment = comment.iter().map(|comment| format!("$ {comment}\n")).collect::<String>();
                    required += &format!("\n{comment}such that\n    {constraint}\n");
                }
            }
        }
        if let (Some(first), Some(comment)) = (first, comment) {
            let line = view.text[..first].rfind('\n').map_or(0, |end| end + 1);
            let indent: String = view.text[line..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
            all.parts.push((line..line, format!("{indent}$ {comment}\n")));
        }
    }
    let last = improvements.len().saturating_sub(1);
    for (list, new) in lists.into_values() {
        all.add(list.range.clone(), attributes(&list, &new)).map_err(|()| last)?;
    }
    for part in without(view, &dropped) {
        all.add(part, String::new()).map_err(|()| last)?;
    }
    Ok(all.applied(view.text, &required))
}

/// The old and the new attributes, in parentheses.
fn attributes(list: &AttributeList, new: &[NewAttribute]) -> String {
    let names: Vec<&str> = new.iter().map(|(name, _)| *name).collect();
    let is_old = |name: &str| names.contains(&name) || names.iter().any(|new| superseded(new).contains(&name));
    let mut all: Vec<String> =
        list.written.iter().filter(|(name, _)| !is_old(name)).map(|(_, text)| text.clone()).collect();
    for (name, value) in new {
        let text = value.as_ref().map_or((*name).to_owned(), |value| format!("{name} {value}"));
        if !all.contains(&text) {
            all.push(text);
        }
    }
    let space = if list.range.is_empty() { " " } else { "" };
    format!("{space}({})", all.join(", "))
}

impl Replacements {
    fn add(&mut self, part: Range<usize>, text: String) -> Result<(), ()> {
        let overlaps = |other: &Range<usize>| other.start < part.end && part.start < other.end;
        if self.parts.iter().any(|(other, _)| overlaps(other)) {
            return Err(());
        }
        self.parts.push((part, text));
        Ok(())
    }

    fn applied(mut self, text: &str, required: &str) -> String {
        // At the same position, an insertion comes before a replacement, so a comment stands above its subject.
        self.parts.sort_by_key(|(part, _)| (part.start, part.end));
        let (mut new, mut at) = (String::new(), 0);
        for (part, replacement) in &self.parts {
            new += text.get(at..part.start).unwrap_or_default();
            new += replacement;
            at = at.max(part.end);
        }
        new += &text[at..];
        if !required.is_empty() {
            new.truncate(new.trim_end().len());
            new += "\n";
        }
        new + required
    }
}

/// The ranges to delete for dropped constraints: the constraints with their commas, and lines that would become empty.
fn without(view: &ModelView, dropped: &[Span]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    for statement in &view.file.statements {
        let StatementKind::SuchThat(items) = &statement.kind else { continue };
        let goes = |at: usize| dropped.contains(&items[at].span);
        if (0..items.len()).all(goes) {
            parts.push(whole_lines(view.text, statement.span.start as usize..statement.span.end as usize));
            continue;
        }
        // The last constraint that is kept must not end with a comma, so the commas after it are removed, too.
        let last_kept = (0..items.len()).rev().find(|at| !goes(*at)).unwrap_or(0);
        for (at, item) in items.iter().enumerate() {
            let (start, end) = (item.span.start as usize, item.span.end as usize);
            let comma = comma_after(view.text, end);
            if goes(at) {
                let end = if at < last_kept { comma.unwrap_or(end) } else { end };
                parts.push(whole_lines(view.text, start..end));
                if at > last_kept
                    && at + 1 < items.len()
                    && let Some(comma) = comma
                {
                    parts.push(comma - 1..comma);
                }
            } else if at == last_kept
                && at + 1 < items.len()
                && let Some(comma) = comma
            {
                parts.push(comma - 1..comma);
            }
        }
    }
    // If a line is deleted as a whole, its comma is inside the other range.
    let inside =
        |part: &Range<usize>, other: &Range<usize>| part != other && other.start <= part.start && part.end <= other.end;
    let all = parts.clone();
    parts.retain(|part| !all.iter().any(|other| inside(part, other)));
    parts
}

/// The end of the comma that follows a position.
fn comma_after(text: &str, at: usize) -> Option<usize> {
    let next = tokens_from(text, at).find(|token| token.kind != TokenKind::Comment)?;
    (&text[next.start..next.end] == ",").then_some(next.end)
}

/// The part with its lines, if nothing else stands on them, and otherwise with the space after it.
fn whole_lines(text: &str, part: Range<usize>) -> Range<usize> {
    let line = text[..part.start].rfind('\n').map_or(0, |end| end + 1);
    let rest = text[part.end..].find('\n').map_or(text.len(), |end| part.end + end + 1);
    let is_blank = |text: &str| text.trim().is_empty();
    if is_blank(&text[line..part.start]) && is_blank(&text[part.end..rest]) {
        return line..rest;
    }
    let space = text[part.end..].len() - text[part.end..].trim_start().len();
    // If a comment follows the part, it stays on its line.
    let end = if text[part.end + space..].starts_with('$') { part.end } else { part.end + space };
    part.start..end
}
