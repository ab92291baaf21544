//! Reuses the trees of statements from an earlier version of the text.
//!
//! A statement without mistakes has the same tree at every position. A statement with a mistake is parsed again,
//! because its report may depend on the rest of the file.

use super::{FileParser, mistakes::may_be_misread, scan::StatementText};
use crate::syntax::{
    ast::{File, Statement},
    moved::moved_statement,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The trees of statements without mistakes, by their texts.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownStatements(FxHashMap<Arc<str>, Known>);

/// The trees of one text. A keyword with several declarations gives several statements.
#[derive(Clone, Debug)]
struct Known {
    start: u32,
    statements: Arc<[Statement]>,
}

impl FileParser<'_> {
    /// Parses a statement unless it is known, and stores its trees if it has no mistakes.
    pub(super) fn piece_again(
        &self,
        piece: StatementText,
        known: &KnownStatements,
        seen: &mut KnownStatements,
        file: &mut File,
    ) {
        let text = &self.text[piece.start..piece.end];
        let start = piece.start as u32;
        if let Some((text, known)) = known.0.get_key_value(text).filter(|_| piece.fault.is_none()) {
            let by = start.wrapping_sub(known.start);
            file.statements.extend(known.statements.iter().map(|statement| moved_statement(statement, by)));
            seen.0.insert(text.clone(), known.clone());
            return;
        }
        // A statement is clean if parsing it has added no report and no mark to the file.
        let marks = |file: &File| {
            let lengths = [&file.unread, &file.mended, &file.guessed, &self.guessed.borrow()].map(Vec::len);
            (lengths, file.broken.len(), self.faults.borrow().len(), self.renamed.borrow().len())
        };
        let (first, before) = (file.statements.len(), marks(file));
        self.piece(piece, file);
        // The header is not a statement of the tree, so it is parsed each time.
        let is_clean = marks(file) == before && !text.starts_with("language") && !may_be_misread(text);
        if is_clean {
            let statements = file.statements[first..].into();
            seen.0.insert(text.into(), Known { start, statements });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        source::SourceId,
        syntax::parse::{parse_file, parse_with},
    };

    /// Texts that start, end and break statements.
    const INSERTED: [&str; 9] = ["x", " ", "\n", "(", "]", "find y : bool\n", "for i in 1 ", "$", "1"];

    #[test]
    fn known_statements_make_no_difference() {
        let mut random = fastrand::Rng::with_seed(1);
        for name in ["futoshiki", "n-queens", "golomb-ruler", "knapsack"] {
            let mut text = std::fs::read_to_string(format!("models/{name}.essence")).expect("a model");
            let mut known = KnownStatements::default();
            for _ in 0..60 {
                let (mut faults, mut faults_again) = (Vec::new(), Vec::new());
                let file = parse_file(SourceId(0), &text, &mut faults);
                let again = parse_with(SourceId(0), &text, Some(&mut known), &mut faults_again);
                assert_eq!(format!("{again:?}"), format!("{file:?}"), "{text}");
                assert_eq!(faults_again, faults, "{text}");
                let at = text.floor_char_boundary(random.usize(..=text.len()));
                match random.bool() {
                    true => text.insert_str(at, INSERTED[random.usize(..INSERTED.len())]),
                    false => text.replace_range(at..text.ceil_char_boundary((at + 1).min(text.len())), ""),
                }
            }
        }
    }
}
