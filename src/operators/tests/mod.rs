//! Properties of the table as a whole.

mod agreement;
mod evaluation;
mod reader;

use super::*;
use std::collections::HashSet;

fn all() -> impl Iterator<Item = &'static Operator> {
    families().flat_map(|(_, rows)| rows)
}

#[test]
fn a_symbol_has_one_notation_of_each_kind() {
    for symbol in symbols() {
        let twins = symbols().iter().filter(|other| other.text == symbol.text);
        for twin in twins.filter(|twin| *twin != symbol) {
            assert_ne!(
                std::mem::discriminant(&twin.notation),
                std::mem::discriminant(&symbol.notation),
                "{} has two precedences",
                symbol.text
            );
        }
    }
}

#[test]
fn no_two_rows_of_a_symbol_accept_the_same_operands() {
    let mut seen = HashSet::new();
    for row in all() {
        let operands = row.signature.split(" -> ").next();
        assert!(seen.insert((row.symbol, operands)), "{row:?} stands twice");
    }
}

#[test]
fn symbols_are_found_by_their_text() {
    assert_eq!(infix("-"), Some(symbols::MINUS));
    assert_eq!(prefix("-"), Some(symbols::NEGATE));
    assert_eq!(prefix("!"), Some(symbols::NOT));
    assert_eq!(postfix("!"), Some(symbols::FACTORIAL));
    assert_eq!(function("image"), Some(symbols::IMAGE_WORD));
    assert_eq!(function("active"), Some(symbols::ACTIVE));
    assert_eq!(infix("mod"), None);
    assert_eq!(rows_of_symbol(symbols::MINUS).len(), 5);
}

#[test]
fn precedences_are_those_of_the_language() {
    let levels = [
        &["**"][..],
        &["*", "/", "%", "intersect"],
        &["+", "-", "union"],
        &["in"],
        &["=", "!=", "<", "<=", ">", ">=", "subset", "subsetEq", "supset", "supsetEq", "subsequence", "substring"],
        &["/\\"],
        &["\\/"],
        &["->", "<->"],
    ];
    let precedence = |text| match infix(text).map(|symbol| symbol.notation) {
        Some(Notation::Infix { precedence, .. }) => precedence,
        other => panic!("{text} is {other:?}"),
    };
    for two in levels.windows(2) {
        assert!(two[0].iter().all(|tight| two[1].iter().all(|loose| precedence(tight) > precedence(loose))));
        assert!(two[1].iter().all(|text| precedence(text) == precedence(two[1][0])));
    }
}
