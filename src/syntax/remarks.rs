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

/// Returns the comments on the lines directly above the line where a part of the text starts.
pub(crate) fn comments_above(comments: &[Comment], part: Span) -> Vec<&Comment> {
    comments.iter().filter(|comment| comment.line_below.is_some_and(|line| line.contains(part.first()))).collect()
}

/// Returns the text of the comments directly above a part of the text: their last paragraph. Earlier paragraphs are for
/// readers of the model.
pub(crate) fn remark(comments: &[Comment], part: Span) -> String {
    let lines: Vec<&str> = comments_above(comments, part).into_iter().map(said).collect();
    joined_paragraphs(&lines).rsplit("\n\n").next().unwrap_or_default().to_owned()
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
