//! Text to tree and back.

pub(crate) mod ast;
pub(crate) mod json;
mod moved;
pub(crate) mod parse;
pub(crate) mod parts;
pub(crate) mod print;
pub(crate) mod tokens;

pub(crate) use parse::{KnownStatements, parse, parse_with};

use crate::source::SourceId;

/// A file in canonical layout with the comments of its text, in lines of at most `width` characters where that is possible.
/// The result is parsed again: `None` says that it does not mean the same, which is a mistake of the printer's.
pub(crate) fn formatted(file: &ast::File, text: &str, width: usize) -> Option<String> {
    let printed = print::formatted(file, text, width);
    means(&printed, file).then_some(printed)
}

/// Whether a text has the tree and the comments of a file.
fn means(text: &str, file: &ast::File) -> bool {
    let mut diagnostics = Vec::new();
    let again = parse(SourceId::default(), text, &mut diagnostics);
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
        let file = parse(SourceId(0), "find x : int(1..3) $ one\nsuch that x = 1 /* two */", &mut Vec::new());
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
