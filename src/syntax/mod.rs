//! Parsing and printing: text to tree and back.
//!
//! You may add notations. The printer and every tool that edits texts rely on the round trip: parsing a printed tree
//! gives the same tree.

pub(crate) mod ast;
pub(crate) mod binding;
pub(crate) mod declared;
pub(crate) mod json;
mod moved;
pub(crate) mod parse;
pub(crate) mod parts;
pub(crate) mod print;
pub(crate) mod remarks;
pub(crate) mod scope;
pub(crate) mod tokens;

pub(crate) use parse::{KnownStatements, help_for_foreign_word, parse_file, parse_with};

use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    halt::Halt,
    source::{SourceId, Span},
};
use moved::moved_expression;

/// The prefix that turns an expression into a statement.
const STATEMENT: &str = "letting it be ";

/// Parses a text that is an expression.
pub(crate) fn parse_expression(source: SourceId, text: &str) -> Result<ast::ExprTree, Halt> {
    let whole = Span::new(source, 0, text.len());
    if text.trim().is_empty() {
        let error = Diagnostic::error(Code::SYNTAX, "an expression is expected, such as `2 + 3`");
        return Err(error.at(whole, "nothing is here").into());
    }
    let mut wrong = Diagnostics::new();
    let mut file = parse_file(source, &format!("{STATEMENT}{text}"), &mut wrong);
    let length = STATEMENT.len() as u32;
    for diagnostic in &mut wrong {
        let labels = diagnostic.labels.iter_mut().map(|label| &mut label.span);
        for span in labels.chain(diagnostic.edits.iter_mut().map(|edit| &mut edit.span)) {
            // Spans in the diagnostics count from the prefix, but the caller's text starts after it.
            *span = Span {
                start: span.start.saturating_sub(length),
                end: span.end.saturating_sub(length).min(text.len() as u32),
                ..*span
            };
        }
        // A help message with the whole statement would show the prefix.
        diagnostic.help.retain(|help| !help.contains(STATEMENT));
    }
    if !wrong.is_empty() {
        return Err(Halt::Wrong(wrong));
    }
    match (file.statements.pop().map(|statement| statement.kind), file.statements.is_empty()) {
        (Some(ast::StatementKind::Letting { value: ast::LettingValue::Expr(value), .. }), true) => {
            Ok(moved_expression(value, length.wrapping_neg()))
        }
        _ => {
            let error = Diagnostic::error(Code::SYNTAX, "this is not an expression");
            Err(error.at(whole, "one expression is expected, such as `|{1, 2}| + 1`").into())
        }
    }
}

/// Parses a part of a text that is an expression.
pub(crate) fn parse_expression_in(part: Span, text: &str) -> Result<ast::ExprTree, Halt> {
    match parse_expression(part.source, text) {
        Ok(tree) => Ok(moved_expression(tree, part.start)),
        Err(Halt::Wrong(mut wrong)) => {
            let moved = |span: &mut Span| {
                *span = Span { start: span.start + part.start, end: span.end + part.start, ..*span };
            };
            wrong.iter_mut().for_each(|diagnostic| diagnostic.move_spans(&moved));
            Err(Halt::Wrong(wrong))
        }
        Err(stopped) => Err(stopped),
    }
}

/// Returns a file in canonical layout with the comments of its text, in lines of at most `width` characters if
/// possible. As a check, the result is parsed again: `None` means that it has another meaning, so the printer has a
/// bug.
pub(crate) fn formatted(file: &ast::File, text: &str, width: usize) -> Option<String> {
    let printed = print::print_with_comments(file, text, width);
    means(&printed, file).then_some(printed)
}

/// Returns true if a text has the tree and the comments of a file.
fn means(text: &str, file: &ast::File) -> bool {
    let mut diagnostics = Vec::new();
    let again = parse_file(SourceId::default(), text, &mut diagnostics);
    let texts = |file: &ast::File| -> Vec<String> {
        file.comments.iter().map(|comment| comment.text.trim_end().to_owned()).collect()
    };
    diagnostics.is_empty() && again == *file && texts(&again) == texts(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_means_something_else_is_noticed() {
        let file = parse_file(SourceId(0), "find x : int(1..3) $ one\nsuch that x = 1 /* two */", &mut Vec::new());
        assert!(means("language Essence 1.3\n\n$ one\nfind x: int(1..3)\n/* two */\nsuch that (x = 1)\n", &file));
        for other in [
            "find x : int(1..3)\nsuch that x = 1 /* two */",
            "find x : int(1..3) /* two */\nsuch that x = 1 $ one",
            "find x : int(1..3) $ one\nsuch that x = 2 /* two */",
            "find x : int(1..3) $ one\nsuch that x = /* two */",
        ] {
            assert!(!means(other, &file), "{other}");
        }
    }
}
