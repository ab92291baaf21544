//! Puts comments back between the tokens that surround them in the source.
//!
//! A tree has no comments, but its document has nearly the same tokens as the source: unneeded parentheses are gone,
//! and some words have another spelling. So the two sequences of tokens are aligned ([`partners`]). Each comment is put
//! into the gap between two tokens of the document that corresponds to its position in the source.
//!
//! A printed text has exactly the tokens of its document, so comments keep their places when it is printed again. This
//! requires that a comment's gap depends only on its own gap in the source and on whether it follows other text on its
//! line, and that writing the comments ([`Gap`]) preserves both.

use crate::{
    language::document::{
        Blank,
        LayoutDocument::{self, *},
        ends_line,
    },
    source::Span,
    syntax::{
        ast::Comment,
        tokens::{TokenKind, tokens_from},
    },
};
use std::ops::Range;

/// A part of a file: a document without comments, and its span in the source.
pub(crate) struct FilePart {
    pub document: LayoutDocument,
    pub span: Span,
}

/// The comments between two tokens of the document.
#[derive(Default)]
struct Gap {
    /// The comments on the line of the previous token.
    behind: Vec<String>,
    /// The comments on separate lines, each with `true` if it follows a blank line.
    own: Vec<(String, bool)>,
}

/// Returns true if a blank line ends directly before a position.
pub(crate) fn blank_line_before(source: &str, at: u32) -> bool {
    let before = source.get(..at as usize).unwrap_or_default();
    before[before.trim_end().len()..].matches('\n').count() > 1
}

/// Returns the document of all parts with the comments of their source.
pub(crate) fn with_comments(parts: Vec<FilePart>, comments: &[Comment], source: &str) -> LayoutDocument {
    // Most printed trees have no comments, so they need no alignment.
    if comments.is_empty() {
        return Concat(parts.into_iter().map(|part| part.document).collect());
    }
    let mut printed: Vec<Vec<String>> = Vec::new();
    for part in &parts {
        let mut tokens = Vec::new();
        collect_texts(&part.document, &mut tokens);
        printed.push(tokens);
    }
    let count: usize = printed.iter().map(Vec::len).sum();
    let mut gaps: Vec<Gap> = (0..=count).map(|_| Gap::default()).collect();
    let (mut rest, mut offset, mut least) = (comments, 0, 0);
    for (part, printed) in parts.iter().zip(&printed) {
        let before = rest.partition_point(|comment| comment.span.start < part.span.start);
        // Comments keep their order, so a further comment may only use gaps from `least` on.
        for comment in &rest[..before] {
            least = offset.max(least);
            place_comment(&mut gaps, comment, least, least, source);
        }
        let inside = rest.partition_point(|comment| comment.span.start < part.span.end).max(before);
        if inside > before {
            let comments = &rest[before..inside];
            let row = source_tokens(source, part.span, comments);
            let tokens: Vec<&str> = row.iter().map(|token| &source[token.clone()]).collect();
            let partners = partners(&tokens, printed);
            for comment in comments {
                // The gap lies between the nearest tokens on either side that have a counterpart.
                let following = row.partition_point(|token| token.start < comment.span.start as usize);
                let last = partners[..following].iter().rev().find_map(|partner| *partner);
                let next = partners[following..].iter().find_map(|partner| *partner);
                let behind = last.map_or(0, |last| last + 1);
                let own = next.unwrap_or(printed.len()).max(behind);
                let (behind, own) = ((offset + behind).max(least), (offset + own).max(least));
                least = if comment.own_line { own } else { behind };
                place_comment(&mut gaps, comment, behind, own, source);
            }
        }
        rest = &rest[inside..];
        offset += printed.len();
    }
    for comment in rest {
        place_comment(&mut gaps, comment, count, count, source);
    }
    let printed: Vec<String> = printed.into_iter().flatten().collect();
    hop(&mut gaps, &printed);
    CommentWriter { gaps, token: 0 }.file(parts)
}

/// Puts a comment into the gap after a token, or into the gap before the next token if the comment has its own line.
fn place_comment(gaps: &mut [Gap], comment: &Comment, behind: usize, own: usize, source: &str) {
    let text = comment.text.trim_end().to_owned();
    let gap = &mut gaps[if comment.own_line { own } else { behind }];
    // A `$` comment ends its line, so no other comment can follow it there.
    let follows = gap.own.is_empty() && behind > 0 && gap.behind.last().is_none_or(|last| !ends_line(last));
    if !comment.own_line && follows {
        gap.behind.push(text);
    } else {
        gap.own.push((text, blank_line_before(source, comment.span.start)));
    }
}

/// Moves comments before a comma to the gap after it; otherwise, the comma would start a line.
fn hop(gaps: &mut [Gap], printed: &[String]) {
    for (token, text) in printed.iter().enumerate() {
        let gap = &gaps[token];
        let stays = gap.own.is_empty() && gap.behind.last().is_none_or(|last| !ends_line(last));
        if !matches!(text.as_str(), "," | ";") || stays {
            continue;
        }
        let Gap { behind, own } = std::mem::take(&mut gaps[token]);
        let next = std::mem::take(&mut gaps[token + 1]);
        // A comment that follows a comment at the end of a line needs a line, too.
        let later = next.behind.into_iter().map(|text| (text, false));
        gaps[token + 1] = Gap { behind, own: own.into_iter().chain(later).chain(next.own).collect() };
    }
}

/// Returns the tokens of a text. Signs are split into characters, because `<-1` may be printed as `< -1`.
fn token_ranges(text: &str) -> impl Iterator<Item = Range<usize>> {
    tokens_from(text, 0).flat_map(move |token| {
        let first = text[token.start..].chars().next().map_or(1, char::len_utf8);
        let length = if token.kind == TokenKind::Sign { first } else { token.end - token.start };
        (token.start..token.end).step_by(length).map(move |at| at..at + length)
    })
}

/// The tokens of a part of the source, without its comments.
fn source_tokens(source: &str, part: Span, comments: &[Comment]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = part.start as usize;
    let ends = comments.iter().map(|comment| (comment.span.start as usize, comment.span.end as usize));
    for (end, next) in ends.chain([(part.end as usize, part.end as usize)]) {
        if let Some(text) = source.get(start..end) {
            found.extend(token_ranges(text).map(|token| start + token.start..start + token.end));
        }
        start = next;
    }
    found
}

/// The maximum number of tokens that are searched for a match after a difference. Chosen.
const AHEAD: usize = 16;

/// Returns the counterpart in the document for each token of the source.
fn partners(source: &[&str], printed: &[String]) -> Vec<Option<usize>> {
    let mut partners = vec![None; source.len()];
    let (mut from, mut to) = (0, 0);
    let is_bracket = |token: &str| matches!(token, "(" | ")");
    while from < source.len() && to < printed.len() {
        if source[from] == printed[to] {
            partners[from] = Some(to);
            (from, to) = (from + 1, to + 1);
        // The printer removes and adds parentheses, so they may be skipped on either side.
        } else if is_bracket(source[from]) {
            from += 1;
        } else if is_bracket(&printed[to]) {
            to += 1;
        } else {
            let same = |skip: usize, ahead: usize| {
                source.get(from + skip).is_some_and(|token| printed.get(to + ahead).is_some_and(|other| token == other))
            };
            // The smallest number of skipped tokens is tried first.
            let steps = (1..=AHEAD).flat_map(|sum| (0..=sum).map(move |skip| (skip, sum - skip)));
            match steps.into_iter().find(|(skip, ahead)| same(*skip, *ahead)) {
                Some((skip, ahead)) => {
                    // Skipped tokens are paired in order, because a word may have another spelling.
                    for step in 0..skip.min(ahead) {
                        partners[from + step] = Some(to + step);
                    }
                    (from, to) = (from + skip, to + ahead);
                }
                None => {
                    partners[from] = Some(to);
                    (from, to) = (from + 1, to + 1);
                }
            }
        }
    }
    partners
}

fn collect_texts(document: &LayoutDocument, found: &mut Vec<String>) {
    match document {
        Text(text) => found.extend(token_ranges(text).map(|token| text[token].to_owned())),
        Concat(parts) | Fill(parts) => parts.iter().for_each(|part| collect_texts(part, found)),
        Nest(_, inner) | Align(inner) | Group(inner) | Broken(inner) => collect_texts(inner, found),
        Line | Tab | Break(_) | Behind(_) | Own(..) => {}
    }
}

/// The positions in a document at which comments force line breaks.
#[derive(Clone, Copy, Default)]
struct Breaks {
    inside: bool,
    at_end: bool,
}

struct CommentWriter {
    gaps: Vec<Gap>,
    /// The number of tokens that have been written.
    token: usize,
}

impl CommentWriter {
    fn file(mut self, parts: Vec<FilePart>) -> LayoutDocument {
        let mut all = Vec::new();
        self.own(&mut all, false);
        for part in parts {
            all.push(self.document(part.document).0);
        }
        // Comments may follow the last token.
        if let Some((_, blank)) = self.gaps[self.token].own.first() {
            all.push(Break(Blank { before_text: *blank, first: None }));
            self.own(&mut all, false);
        }
        Concat(all)
    }

    /// Writes the comments on separate lines in the current gap, and returns true if there are any.
    fn own(&mut self, into: &mut Vec<LayoutDocument>, blank_after: bool) -> bool {
        let own = std::mem::take(&mut self.gaps[self.token].own);
        let blanks: Vec<bool> = own.iter().skip(1).map(|(_, blank)| *blank).chain([blank_after]).collect();
        let any = !own.is_empty();
        into.extend(own.into_iter().zip(blanks).map(|((text, _), blank)| Own(text, blank)));
        any
    }

    fn document(&mut self, document: LayoutDocument) -> (LayoutDocument, Breaks) {
        match document {
            Text(text) => self.text(text),
            Break(blank) => {
                let first = self.gaps[self.token].own.first().map_or(blank.before_text, |(_, blank)| *blank);
                let mut parts = vec![Break(Blank { first: Some(blank.first.unwrap_or(first)), ..blank })];
                self.own(&mut parts, blank.before_text);
                (Concat(parts), Breaks { inside: true, at_end: false })
            }
            Concat(parts) => {
                let (parts, breaks) = self.parts(parts);
                (Concat(parts.into_iter().map(|part| part.0).collect()), breaks)
            }
            Fill(items) => {
                let (items, breaks) = self.parts(items);
                (Fill(items.into_iter().map(|(item, breaks)| with_line_breaks(item, breaks)).collect()), breaks)
            }
            Nest(by, inner) => {
                let (inner, breaks) = self.document(*inner);
                (inner.nest(by), breaks)
            }
            Align(inner) => {
                let (inner, breaks) = self.document(*inner);
                (inner.align(), breaks)
            }
            Group(inner) => {
                // Comments before a group do not break lines inside it.
                let mut parts = Vec::new();
                let commented = self.own(&mut parts, false);
                let (inner, mut breaks) = self.document(*inner);
                let group = if breaks.inside { with_line_breaks(inner, breaks) } else { inner.group() };
                if !commented {
                    return (group, breaks);
                }
                parts.push(group);
                breaks.inside = true;
                (Concat(parts), breaks)
            }
            other => (other, Breaks::default()),
        }
    }

    fn parts(&mut self, parts: Vec<LayoutDocument>) -> (Vec<(LayoutDocument, Breaks)>, Breaks) {
        let mut breaks = Breaks::default();
        let mut done = Vec::with_capacity(parts.len());
        for part in parts {
            let first = self.token;
            let (part, own) = self.document(part);
            breaks.inside |= own.inside;
            // A part without tokens, such as a line break, does not change the end.
            if self.token > first {
                breaks.inside |= breaks.at_end;
                breaks.at_end = own.at_end;
            }
            done.push((part, own));
        }
        (done, breaks)
    }

    /// Writes a text with the comments before, between and after its tokens.
    fn text(&mut self, text: String) -> (LayoutDocument, Breaks) {
        let mut parts = Vec::new();
        let mut breaks = Breaks::default();
        let mut done = 0;
        for token in token_ranges(&text) {
            if !self.gaps[self.token].own.is_empty() {
                parts.push(Text(text[done..token.start].to_owned()));
                done = token.start;
                breaks.inside |= self.own(&mut parts, false);
            }
            self.token += 1;
            let behind = std::mem::take(&mut self.gaps[self.token].behind);
            // If a comment has ended the line before this token, the break is inside the text.
            breaks.inside |= breaks.at_end;
            if !behind.is_empty() {
                parts.push(Text(text[done..token.end].to_owned()));
                done = token.end;
                breaks.at_end |= behind.last().is_some_and(|comment| ends_line(comment));
                parts.extend(behind.into_iter().map(Behind));
            }
        }
        if parts.is_empty() {
            return (Text(text), breaks);
        }
        if done < text.len() {
            parts.push(Text(text[done..].to_owned()));
        }
        (Concat(parts), breaks)
    }
}

fn with_line_breaks(document: LayoutDocument, breaks: Breaks) -> LayoutDocument {
    if breaks.inside { Broken(Box::new(document)) } else { document }
}
