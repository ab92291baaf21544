//! Comments that resemble comments with a meaning but are written differently. They would be ignored silently, so the
//! user would not notice that a wish or a unit is missing.
//!
//! Most comments are prose, which may start with the same words: `$ wish list of Ann`, `$ Unit 3`. So a comment is
//! reported only if its first word is followed by something that is hardly prose: a price and a colon, a declared name
//! with a decimal number, a name and `=`.

use super::{model::TypedModel, units, wishes};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    language::unit::Unit,
    syntax::{ast::Comment, tokens::word_length},
};

/// Reports comments that were meant as a wish, a unit or an entry of a mapping.
pub(super) fn check_meant_comments(comments: &[Comment], model: &TypedModel, diagnostics: &mut Diagnostics) {
    for comment in comments {
        let Some(text) = comment.text.strip_prefix('$').map(str::trim) else { continue };
        let (word, rest) = text.split_at(word_length(text));
        diagnostics.extend(match word.to_ascii_lowercase().as_str() {
            "wish" | "wishes" => meant_wish(comment, word, rest),
            "unit" | "units" => unit(comment, rest, model),
            "map" | "maps" => entry_of_mapping(comment, rest),
            _ => None,
        });
    }
}

/// Reports `$ wish: b`, `$ Wish 3: b` and `$ wish -1: b`.
fn meant_wish(comment: &Comment, word: &str, rest: &str) -> Option<Diagnostic> {
    if wishes::text_of_wish(comment).is_some() {
        return None;
    }
    let number = rest.trim_start().trim_start_matches(['-', '+', ':']);
    let behind = number.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let has_price = behind.len() < number.len() && (behind.is_empty() || behind.trim_start().starts_with([':', ',']));
    let has_none = word == "wish" && rest.trim_start().starts_with(':');
    (has_price || has_none).then(|| wishes::unreadable_wish(comment))
}

/// Reports `$ unit 0.01`, `$ unit x 0.01` and `$ Unit x: 0.1`.
fn unit(comment: &Comment, rest: &str, model: &TypedModel) -> Option<Diagnostic> {
    // A comment in the right form is handled by `units`.
    if units::text_of_units(comment).is_some_and(|text| text.contains(':')) {
        return None;
    }
    let rest = rest.trim_start().trim_start_matches(':').trim();
    let (names, size) = match rest.rfind(|sign: char| sign.is_whitespace() || matches!(sign, ':' | '=')) {
        Some(at) => {
            (rest[..at].trim_end_matches(|sign: char| sign.is_whitespace() || ":=".contains(sign)), &rest[at + 1..])
        }
        None => ("", rest),
    };
    Unit::read(size)?;
    let mut listed = names.split(',').map(str::trim);
    let is_meant = match names.is_empty() {
        // Without a name, `$ unit 3` may be prose, but a fraction hardly is.
        true => size.contains('.'),
        false => listed.any(|name| units::has_values(model, name)),
    };
    let names = if names.is_empty() { "price" } else { names };
    is_meant.then(|| {
        units::unit_error("this unit cannot be read".to_owned(), comment.span)
            .help(format!("write it as in `$ unit {names}: {size}`"))
    })
}

/// Reports `$ map x = …` and `$ Map: x = …`.
fn entry_of_mapping(comment: &Comment, rest: &str) -> Option<Diagnostic> {
    if wishes::text_behind(comment, "map:").is_some() {
        return None;
    }
    let text = rest.trim_start().trim_start_matches(':').trim();
    let (name, expression) = text.split_once('=')?;
    let name = name.trim();
    let is_entry = !name.is_empty() && word_length(name) == name.len() && !expression.starts_with('=');
    is_entry.then(|| {
        Diagnostic::error(Code::MAP_COMMENT, "this comment cannot be read")
            .at(comment.span, "in this comment")
            .help(format!("write `$ map: {name} = {}`", expression.trim()))
    })
}
