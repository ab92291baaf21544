//! Comments about constraints, `$ wish 3: Mia off on Friday` and `$ app: optional`, and the variables of a reference
//! model in comments `$ map: name = expression`.

use super::model::WishDirective;
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    source::Span,
    syntax::ast::{Comment, CommentSubject},
};

/// Returns the wishes among the comments of a model.
pub(super) fn wishes(comments: &[Comment], diagnostics: &mut Diagnostics) -> Vec<WishDirective> {
    let mut wishes: Vec<WishDirective> = Vec::new();
    for comment in comments {
        let Some(text) = text_of_wish(comment) else { continue };
        match wish(comment, text, &wishes) {
            Ok(wish) => wishes.push(wish),
            Err(wrong) => diagnostics.push(wrong.help(FORM_OF_WISH)),
        }
    }
    wishes
}

/// The help for a wish that cannot be read.
const FORM_OF_WISH: &str = "write it on the line above a constraint, or after one: `$ wish 3: Mia off on Friday`, or \
                            `$ wish 3, level 2: …` for a wish that counts only after all wishes of level 1";

/// Returns the error about a comment that was meant as a wish.
pub(super) fn unreadable_wish(comment: &Comment) -> Diagnostic {
    let error = Diagnostic::error(Code::WISH, "this wish cannot be read").at(comment.span, "this wish");
    error.help(FORM_OF_WISH)
}

fn wish(comment: &Comment, text: &str, others: &[WishDirective]) -> Result<WishDirective, Diagnostic> {
    let error = |message: &str| Diagnostic::error(Code::WISH, message).at(comment.span, "this wish");
    let (price, level, name) = wish_parts(text).ok_or_else(|| error("this wish cannot be read"))?;
    let constraint = constraint_below(comment, "wish", error)?;
    if others.iter().any(|other| other.constraint == constraint) {
        return Err(error("two wishes are about one constraint").at(constraint, "this constraint"));
    }
    Ok(WishDirective { price, level, name: name.into(), constraint })
}

/// Returns the constraints below comments `$ app: optional`.
pub(super) fn optional(comments: &[Comment], diagnostics: &mut Diagnostics) -> Vec<Span> {
    let of = |comment: &Comment| {
        let error = |message: &str| Diagnostic::error(Code::APP_COMMENT, message).at(comment.span, "this comment");
        match constraint_below(comment, "comment", error) {
            Ok(constraint) => Some(constraint),
            Err(wrong) => {
                diagnostics.push(wrong.help("write it on the line above a constraint, or after one"));
                None
            }
        }
    };
    let is_optional = |comment: &&Comment| text_for_app(comment) == Some("optional");
    comments.iter().filter(is_optional).filter_map(of).collect()
}

/// Returns the constraint that a comment is about, by its position; `what` names the kind of comment in messages.
pub(super) fn constraint_below(
    comment: &Comment,
    what: &str,
    error: impl Fn(&str) -> Diagnostic,
) -> Result<Span, Diagnostic> {
    Err(match comment.subject {
        CommentSubject::Constraint(span) => return Ok(span),
        CommentSubject::Nothing => error(&format!("no constraint belongs to this {what}")),
        CommentSubject::Other(span) => {
            error(&format!("this {what} is not about a constraint")).at(span, "this is not a constraint")
        }
        CommentSubject::Inside(span) => {
            error(&format!("this {what} stands inside a constraint")).at(span, "this constraint")
        }
        CommentSubject::Several(one, other) => {
            error(&format!("this {what} can be about several constraints")).at(one, "this one").at(other, "or this one")
        }
    })
}

/// Returns the text of a wish. Other comments may start with the word, but not with the word and a number.
pub(super) fn text_of_wish(comment: &Comment) -> Option<&str> {
    let text = text_behind(comment, "wish ")?;
    text.starts_with(|letter: char| letter.is_ascii_digit()).then_some(text)
}

/// Splits a wish into price, level and name: `3: Mia off on Friday`, `3, level 2`.
fn wish_parts(text: &str) -> Option<(u32, u32, &str)> {
    let (begin, name) = text.split_once(':').unwrap_or((text, ""));
    let (price, level) = match begin.split_once(',') {
        // Levels count from 1.
        Some((price, level)) => (price, level.trim().strip_prefix("level ")?.trim().parse().ok().filter(|at| *at > 0)?),
        None => (begin, 1),
    };
    Some((price.trim().parse().ok()?, level, name.trim()))
}

/// The text of a comment after `app:`.
pub(super) fn text_for_app(comment: &Comment) -> Option<&str> {
    text_behind(comment, "app:")
}

/// The text of a comment after its first word.
pub(super) fn text_behind<'c>(comment: &'c Comment, word: &str) -> Option<&'c str> {
    Some(comment.text.strip_prefix('$')?.trim_start().strip_prefix(word)?.trim())
}

/// Returns the variables and expressions of the comments `$ map: name = expression`.
pub(super) fn mapping_comments(comments: &[Comment], diagnostics: &mut Diagnostics) -> Vec<(String, String)> {
    let mut mapping: Vec<(String, String)> = Vec::new();
    let mut places: Vec<Span> = Vec::new();
    for comment in comments {
        let Some(text) = text_behind(comment, "map:") else { continue };
        let error = |message: &str| Diagnostic::error(Code::MAP_COMMENT, message);
        let Some((name, expression)) = text.split_once('=') else {
            let wrong = error("this comment does not say what the variable is").at(comment.span, "there is no `=`");
            diagnostics.push(wrong.help("write `$ map: name = expression`"));
            continue;
        };
        let (name, expression) = (name.trim().to_owned(), expression.trim().to_owned());
        // If two expressions define the same variable, they may contradict each other.
        if let Some(first) = mapping.iter().position(|(other, _)| *other == name) {
            let wrong = error(&format!("two comments say what `{name}` is")).at(comment.span, "the second one");
            diagnostics.push(wrong.at(places[first], "the first one"));
            continue;
        }
        mapping.push((name, expression));
        places.push(comment.span);
    }
    mapping
}
