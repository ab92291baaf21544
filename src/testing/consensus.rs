//! The consensus of several variants of a model: the text of one, changed at the places where most of the others agree
//! on another text.
//!
//! If several people (or an assistant, several times) write a model for one text, they seldom make the same mistake
//! twice. So a place where one variant differs from most others may be wrong, even if no candidate solution has shown
//! it yet.

use crate::{
    api::Text,
    syntax::tokens::{TokenKind, tokens_from},
};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::{collections::BTreeMap, ops::Range};

/// The tokens of a text without comments, each with its range.
fn tokens(text: &str) -> Vec<(Range<usize>, &str)> {
    let tokens = tokens_from(text, 0).filter(|token| token.kind != TokenKind::Comment);
    tokens.map(|token| (token.start..token.end, &text[token.start..token.end])).collect()
}

/// The text of a model with the edits on which more than half of the others agree, and at least two; `None` if there
/// are no such edits.
pub(super) fn consensus(own: &Text, others: impl IntoIterator<Item = Text>) -> Option<Text> {
    let own_tokens = tokens(&own.text);
    let own_words: Vec<&str> = own_tokens.iter().map(|(_, word)| *word).collect();
    // The number of other variants with each edit: a range of tokens, and their replacement.
    let (mut edits, mut count) = (BTreeMap::<((usize, usize), String), usize>::new(), 0);
    for other in others {
        count += 1;
        let their_tokens = tokens(&other.text);
        let their_words: Vec<&str> = their_tokens.iter().map(|(_, word)| *word).collect();
        let mut note = |old: Range<usize>, new: Range<usize>| {
            *edits.entry(((old.start, old.end), their_words[new].join(" "))).or_default() += 1;
        };
        for op in capture_diff_slices(Algorithm::Myers, &own_words, &their_words) {
            match op {
                DiffOp::Equal { .. } => {}
                // Each token is a separate edit, so that variants agree even if they share only one of two neighbouring
                // edits.
                DiffOp::Replace { old_index, old_len, new_index, new_len } if old_len == new_len => {
                    (0..old_len)
                        .for_each(|at| note(old_index + at..old_index + at + 1, new_index + at..new_index + at + 1));
                }
                op => note(op.old_range(), op.new_range()),
            }
        }
    }
    edits.retain(|_, agreeing| *agreeing >= 2 && *agreeing * 2 > count);
    let mut text = own.text.clone();
    // Edits are made from the end, so that the ranges of earlier ones stay valid. They do not overlap, because more
    // than half of the variants agree on each.
    for ((start, end), new) in edits.keys().rev() {
        let range = match (own_tokens.get(*start), start == end) {
            (Some((range, _)), true) => range.start..range.start,
            (Some((range, _)), false) => range.start..own_tokens[end - 1].0.end,
            (None, _) => text.len()..text.len(),
        };
        // A space separates new tokens from the text around them.
        let new = match (range.is_empty(), range.start == text.len()) {
            (true, true) => format!(" {new}"),
            (true, false) => format!("{new} "),
            (false, _) => new.clone(),
        };
        text.replace_range(range, &new);
    }
    (!edits.is_empty()).then(|| Text::new(own.name.clone(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn consensus_of(own: &str, others: &[&str]) -> Option<String> {
        let others = others.iter().map(|other| Text::new("other", *other));
        let text = consensus(&Text::new("own", own), others)?.text;
        // Spaces around tokens that have been left out stay.
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn an_edit_on_which_most_others_agree_is_made() {
        let others =
            ["find x : int(1..9) such that x >= 2", "find x : int(1..9) such that x > 2", "find x : int(1..8)"];
        let own = "find x : int(1..9) $ the number\nsuch that x >= 1";
        assert_eq!(consensus_of(own, &others).unwrap(), "find x : int(1..9) $ the number such that x >= 2");
        assert_eq!(consensus_of(others[0], &others), None);
    }

    #[test]
    fn constraints_that_most_others_have_or_lack_are_added_or_left_out() {
        let others = ["such that x < y, y < z", "such that x < y, y < z", "such that x < y, y <= z"];
        assert_eq!(consensus_of("such that x < y", &others[..2]).unwrap(), "such that x < y , y < z");
        assert_eq!(consensus_of("such that x < 4, x < y, y < z", &others).unwrap(), "such that x < y, y < z");
    }

    #[test]
    fn texts_with_nothing_in_common_have_no_consensus() {
        assert_eq!(consensus_of("find x : int(1..9)", &["find board : set of int(1..4)", "letting n be 3"]), None);
    }
}
