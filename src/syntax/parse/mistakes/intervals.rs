//! Intervals of integers, as domains and in the notations of other languages.

use super::uses::is_domain;
use crate::syntax::parse::{FileParser, is_word_character, word_length};

/// Returns the domain of the integers between two bounds.
pub(super) fn interval_text(low: &str, high: &str) -> String {
    format!("int({}..{})", low.trim(), high.trim())
}

/// Returns the number before an excluded upper bound.
pub(super) fn before_last(bound: &str) -> String {
    let bound = bound.trim();
    match (bound.parse::<i64>(), bound.strip_suffix('1').map(str::trim_end).and_then(|rest| rest.strip_suffix('+'))) {
        (Ok(number), _) if number > i64::MIN => (number - 1).to_string(),
        // `n + 1` becomes `n` instead of `n + 1 - 1`.
        (_, Some(rest)) if !rest.trim().is_empty() => rest.trim().to_owned(),
        _ => format!("{bound} - 1"),
    }
}

/// Returns the number after an excluded lower bound.
pub(super) fn after_next(bound: &str) -> String {
    match bound.trim().parse::<i64>() {
        Ok(number) if number < i64::MAX => (number + 1).to_string(),
        _ => format!("{} + 1", bound.trim()),
    }
}

/// Returns the domain of Python's `range(…)` with these arguments.
pub(super) fn range_of_python(arguments: &str) -> Option<String> {
    match arguments.split(',').map(str::trim).collect::<Vec<_>>()[..] {
        [high] if !high.is_empty() => Some(interval_text("0", &before_last(high))),
        [low, high] => Some(interval_text(low, &before_last(high))),
        _ => None,
    }
}

/// Returns the domain for a range such as `1..n`, whose bounds contain no brackets.
pub(super) fn domain_of_range(text: &str) -> Option<String> {
    let is_bound = |text: &str| !text.is_empty() && text.chars().all(|c| is_word_character(c) || " +-*".contains(c));
    text.split_once("..")
        .filter(|(low, high)| is_bound(low) && is_bound(high))
        .map(|(low, high)| interval_text(low, high))
}

/// Returns the domain for a whole text in another language: `1..n`, `{1..n}`, `range(1, n)`, `int(1..n)` or `D`.
pub(super) fn domain_of_text(file: &FileParser, text: &str) -> Option<String> {
    let inside = |open, close| text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
    if let Some(arguments) = inside("range(", ')') {
        return range_of_python(arguments);
    }
    let is_domain = matches!(&text[..word_length(text)], "int" | "bool" | "matrix")
        || text.starts_with("set of ")
        || is_domain(file, text);
    let range = inside("{", '}').or(inside("[", ']')).unwrap_or(text);
    if is_domain { Some(text.to_owned()) } else { domain_of_range(range.trim()) }
}
