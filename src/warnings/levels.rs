//! Words of a model that are beyond a step of the course.

use super::ModelText;
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    manual::{WordLevel, level_of},
    services::names::Names,
    source::Span,
    syntax::tokens::{Token, TokenKind, tokens},
};
use std::collections::BTreeSet;

/// Warnings about the words that the first steps of the course, up to this number, have not introduced. Each word gets
/// one, at its first use.
pub(crate) fn beyond_level(subject: &ModelText, names: &Names, level: usize) -> Diagnostics {
    let tokens = tokens(subject.text, &subject.file.comments);
    let mut seen = BTreeSet::new();
    let mut found = Diagnostics::new();
    for (position, token) in tokens.iter().enumerate() {
        let Some(span) = word_at(subject.text, &tokens, position) else { continue };
        let word = &subject.text[span.clone()];
        // A name such as `parts` may be declared although an operator has the same name.
        if names.symbols.iter().any(|symbol| symbol.name.to_string() == word) || !seen.insert(word) {
            continue;
        }
        let at = Span { source: subject.source, start: token.start as u32, end: span.end as u32 };
        let what = format!("`{word}` is beyond step {level} of the course");
        match level_of(word) {
            Some(WordLevel::Step(step)) if step.number > level => found.push(
                Diagnostic::warning(Code::BEYOND_LEVEL, what)
                    .at(at, format!("step {} introduces it: {}", step.number, step.title)),
            ),
            Some(WordLevel::BeyondCourse) => {
                found.push(Diagnostic::warning(Code::BEYOND_LEVEL, what).at(at, "the course does not introduce it"));
            }
            _ => {}
        }
    }
    found
}

/// The range of the word or sign at this position of the tokens. `<=lex` consists of two tokens, and is returned for
/// the first of them.
fn word_at(text: &str, tokens: &[Token], position: usize) -> Option<std::ops::Range<usize>> {
    let token = tokens[position];
    let is_lex = |other: &Token| &text[other.start..other.end] == "lex";
    match token.kind {
        TokenKind::Word => Some(token.start..token.end),
        TokenKind::Sign => match tokens.get(position + 1) {
            Some(next) if next.start == token.end && is_lex(next) => Some(token.start..next.end),
            _ => Some(token.start..token.end),
        },
        TokenKind::Comment | TokenKind::Quoted | TokenKind::Number => None,
    }
}
