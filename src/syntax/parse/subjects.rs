//! Finds the subject of each comment from its position.
//!
//! The parts of a text are its constraints and its other statements. A comment alone on its line is about the part that
//! starts below it. A comment after other text is about the part that ends before it on the line. If there is no such
//! part or several, the subject says so, and the code that needs exactly one reports it.

use crate::{
    source::Span,
    syntax::ast::{Comment, CommentSubject, ExprTree, File, StatementKind},
};

/// A constraint or another statement.
struct TextPart {
    span: Span,
    /// The end of the part, without trailing blanks.
    end: u32,
    is_constraint: bool,
    /// The index of the statement.
    statement: usize,
}

/// Finds the subjects of the comments of a file. In `text`, blanks replace the comments.
pub(super) fn find_subjects(text: &str, file: &mut File) {
    if file.comments.is_empty() {
        return;
    }
    find_lines_below(text, &mut file.comments);
    let mut parts: Vec<TextPart> = Vec::new();
    for (statement, whole) in file.statements.iter().enumerate() {
        let of = |items: &[ExprTree], is_constraint| -> Vec<TextPart> {
            items
                .iter()
                .map(|item| TextPart { span: item.span, end: item.span.end, is_constraint, statement })
                .collect()
        };
        parts.extend(match &whole.kind {
            StatementKind::SuchThat(items) => of(items, true),
            StatementKind::Where(items) => of(items, false),
            _ => vec![TextPart { span: whole.span, end: whole.span.end, is_constraint: false, statement }],
        });
    }
    for part in &mut parts {
        let (start, end) = (part.span.start as usize, part.span.end as usize);
        // A span may end with blanks that replace a comment.
        part.end = (start + text[start..end].trim_end().len()) as u32;
    }
    parts.sort_by_key(|part| part.span.start);
    for comment in &mut file.comments {
        comment.subject = subject(text, &parts, comment);
    }
}

/// Finds the line below each block of comments.
fn find_lines_below(text: &str, comments: &mut [Comment]) {
    // The next comment below, with the line below its block.
    let mut next: Option<(u32, Span)> = None;
    for comment in comments.iter_mut().rev() {
        if !comment.own_line || !comment.text.starts_with('$') {
            continue;
        }
        let Some(length) = text[comment.span.end as usize..].find('\n') else { continue };
        let start = comment.span.end as usize + length + 1;
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length);
        let line = Span::new(comment.span.source, start, end);
        let below = next.filter(|(other, _)| (line.start..=line.end).contains(other)).map_or(line, |(_, below)| below);
        comment.line_below = Some(below);
        next = Some((comment.span.start, below));
    }
}

fn subject(text: &str, parts: &[TextPart], comment: &Comment) -> CommentSubject {
    let (start, end) = (comment.span.start, comment.span.end);
    let (before, after) = parts.split_at(parts.partition_point(|part| part.span.start < start));
    if let Some(part) = before.last().filter(|part| end <= part.end) {
        return CommentSubject::Inside(part.span);
    }
    let gap = |from: u32, to: u32| &text[from as usize..to as usize];
    let of = |part: &TextPart| match part.is_constraint {
        true => CommentSubject::Constraint(part.span),
        false => CommentSubject::Other(part.span),
    };
    let are_on_one_line = |from: u32, to: u32| !gap(from, to).contains('\n');
    if comment.own_line {
        return match after {
            // If two parts start on one line, the comment may be about either.
            [first, second, ..] if are_on_one_line(first.span.start, second.span.start) => {
                CommentSubject::Several(first.span, second.span)
            }
            // A comment above the line with `such that` may be about any of its constraints.
            [first, second, ..]
                if first.statement == second.statement
                    && gap(end, first.span.start).trim_start_matches([',', ' ', '\t', '\r', '\n']).contains('\n') =>
            {
                CommentSubject::Several(first.span, second.span)
            }
            [first, ..] => of(first),
            [] => CommentSubject::Nothing,
        };
    }
    match before {
        [.., last] if gap(last.end, start).contains(|sign: char| sign == '\n' || !is_between(sign)) => {
            CommentSubject::Nothing
        }
        // In `x = 1, y = 2 $ which of the two?`, the comment may belong to either constraint.
        [.., other, last] if are_on_one_line(other.end, start) => CommentSubject::Several(other.span, last.span),
        [.., last] => of(last),
        [] => CommentSubject::Nothing,
    }
}

/// Returns true for characters that are allowed between a part and a comment about it.
fn is_between(sign: char) -> bool {
    sign == ',' || sign.is_whitespace()
}
