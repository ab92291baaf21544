//! The texts of comments for the users of a model: the help for a parameter, the words for a rule.

use super::ast::Comment;
use crate::source::Span;

/// The first words of comments that are for programs, not for users.
const DIRECTIVES: [&str; 11] = [
    "picture:",
    "unit ",
    "wish ",
    "allow:",
    "allow in file:",
    "app:",
    "model:",
    "solutions:",
    "optimum:",
    "why:",
    "why in ",
];

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
    if DIRECTIVES.iter().any(|word| text.starts_with(word)) { "" } else { text }
}

/// Joins lines to paragraphs.
pub(crate) fn joined_paragraphs(lines: &[&str]) -> String {
    let paragraphs = lines.split(|line| line.is_empty()).filter(|lines| !lines.is_empty());
    paragraphs.map(|lines| lines.join(" ")).collect::<Vec<_>>().join("\n\n")
}
