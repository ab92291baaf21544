//! The texts of comments for the users of a model: the help for a parameter, the words for a rule. Also the words in
//! comments that can be names of the model.

use super::{
    ast::Comment,
    tokens::{TokenKind, tokens_from},
};
use crate::source::Span;
use std::ops::Range;

/// The first words of comments that are for programs, not for users.
const DIRECTIVES: [&str; 8] = ["picture:", "unit ", "wish ", "allow:", "allow in file:", "app:", "why:", "why in "];

/// The comments of a text that have a line below them, in order.
pub(crate) struct Remarks<'c>(Vec<(&'c Comment, Span)>);

impl<'c> Remarks<'c> {
    pub(crate) fn new(comments: &'c [Comment]) -> Self {
        Remarks(comments.iter().filter_map(|comment| Some((comment, comment.line_below?))).collect())
    }

    /// Returns the text of the comments directly above the line where a part of the text starts: their last paragraph.
    /// Earlier paragraphs are for readers of the model.
    pub(crate) fn above(&self, part: Span) -> String {
        // The lines below are in the order of the comments, and a model may have thousands of both.
        let first = self.0.partition_point(|(_, line)| line.end < part.start);
        let above = self.0[first..].iter().take_while(|(_, line)| line.contains(part.first()));
        let lines: Vec<&str> = above.map(|(comment, _)| said(comment)).collect();
        joined_paragraphs(&lines).rsplit("\n\n").next().unwrap_or_default().to_owned()
    }
}

/// The text of a comment without the sign.
pub(crate) fn comment_text(comment: &Comment) -> &str {
    comment.text.trim_start_matches('$').trim()
}

/// The text of a comment for users; empty for directives.
pub(crate) fn said(comment: &Comment) -> &str {
    let text = comment_text(comment);
    let key = text.split_once(':').map_or("", |(key, _)| key);
    let is_for_programs = CASE_KEYS.contains(&key) || [THEN, "map"].contains(&key);
    if is_for_programs || DIRECTIVES.iter().any(|word| text.starts_with(word)) { "" } else { text }
}

/// Joins lines to paragraphs.
pub(crate) fn joined_paragraphs(lines: &[&str]) -> String {
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    paragraphs.map(|lines| lines.join(" ")).collect::<Vec<_>>().join("\n\n")
}

/// The keys of test cases with statements or expressions of Essence behind the colon.
const WITH_ESSENCE: [&str; 11] = [
    "with",
    "solutions",
    "optimum",
    "solution",
    "worse",
    "accepts",
    "refuses",
    "because",
    "always",
    "sometimes",
    "changed",
];

/// The keys of the comments in test cases.
pub(crate) const CASE_KEYS: [&str; 16] = [
    "model",
    "case",
    "data",
    "with",
    "solutions",
    "optimum",
    "solution",
    "worse",
    "accepts",
    "refuses",
    "because",
    "always",
    "sometimes",
    "error",
    "conflicts",
    "changed",
];
/// The last key of a case; its value is a relation between two instances.
pub(crate) const THEN: &str = "then";

/// Returns the spans in comments whose texts can be names of the model, each with its comment: expressions, operands of
/// directives, and words in backquotes.
pub(crate) fn possible_names(comments: &[Comment]) -> Vec<(&Comment, Span)> {
    let mut is_case = false;
    let mut found = Vec::new();
    for comment in comments {
        let key = comment_text(comment).split_once(':').map(|(key, _)| key);
        // The value of a line of a test case continues on lines with at least three blanks.
        let continues = is_case && comment.text.starts_with("$   ");
        is_case = continues || key.is_some_and(|key| WITH_ESSENCE.contains(&key));
        found.extend(names_in(comment, is_case).into_iter().map(|span| (comment, span)));
    }
    found
}

/// The spans in a comment whose texts can be names of the model; `is_case` if it belongs to a line of a test case.
fn names_in(comment: &Comment, is_case: bool) -> Vec<Span> {
    let text: &str = &comment.text;
    let trimmed = comment_text(comment);
    let start = trimmed.as_ptr() as usize - text.as_ptr() as usize;
    let ranges = match trimmed.split_once(':') {
        Some((first, _)) if first == "why" || first.starts_with("why in ") => between(trimmed, '{', '}'),
        Some(("picture", _)) => in_picture(trimmed, "picture:".len()),
        Some(("app", operands)) => in_directive_for_app(operands, trimmed),
        Some(("map", operands)) => {
            operands.find('=').map(|at| trimmed.len() - operands.len() + at + 1..trimmed.len()).into_iter().collect()
        }
        Some((first, _)) if first.starts_with("unit ") => whole("unit ".len()..first.len()),
        Some((first, _)) if WITH_ESSENCE.contains(&first) => whole(first.len() + 1..trimmed.len()),
        _ if is_case => whole(0..trimmed.len()),
        _ => between(trimmed, '`', '`'),
    };
    let base = comment.span.start as usize + start;
    let words = ranges.into_iter().flat_map(|range| {
        let tokens = tokens_from(&trimmed[..range.end], range.start);
        tokens.filter(|token| matches!(token.kind, TokenKind::Word | TokenKind::Quoted)).collect::<Vec<_>>()
    });
    words.map(|word| Span::new(comment.span.source, base + word.start, base + word.end)).collect()
}

fn whole(range: Range<usize>) -> Vec<Range<usize>> {
    vec![range]
}

/// The parts of a text between two signs.
fn between(text: &str, open: char, close: char) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(open).map(|start| at + start + open.len_utf8()) {
        let Some(end) = text[start..].find(close).map(|end| start + end) else { break };
        found.push(start..end);
        at = end + close.len_utf8();
    }
    found
}

/// The operands of `picture: board as grid, signs from less_than`: the first word, and the words after `from` and `of`.
fn in_picture(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut is_operand = true;
    let mut found = Vec::new();
    for token in tokens_from(text, from) {
        if is_operand {
            found.push(token.start..token.end);
        }
        is_operand = ["from", "of"].contains(&&text[token.start..token.end]);
    }
    found
}

/// The operands of a directive for apps, such as `app: in de label guest as Gäste`, which end a text.
fn in_directive_for_app(directive: &str, text: &str) -> Vec<Range<usize>> {
    let directive = directive.trim_start();
    let inside = directive.strip_prefix("in ").and_then(|rest| rest.trim_start().split_once(' '));
    let directive = inside.map_or(directive, |(_, rest)| rest.trim_start());
    let Some((verb, operands)) = directive.split_once(' ') else { return Vec::new() };
    let start = text.len() - operands.len();
    let before = |word: &str| operands.find(word).map_or(text.len(), |at| start + at);
    match verb {
        "hide" | "fix" | "order" | "clock" => whole(start..text.len()),
        "label" | "group" | "view" => whole(start..before(" as ")),
        "axes" => vec![start..before(" as "), (before(" as ") + " as ".len()).min(text.len())..text.len()],
        "colour" => vec![start..before(" by "), (before(" by ") + " by ".len()).min(text.len())..text.len()],
        _ => Vec::new(),
    }
}
