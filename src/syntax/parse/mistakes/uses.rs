//! What a file says about a name, told from its tokens alone: the statements around it may be wrong.

use crate::syntax::{
    parse::FileParser,
    tokens::{Token, tokens},
};

/// Whether the file has these tokens somewhere, one after the other.
pub(super) fn has(file: &FileParser, wanted: &[&str]) -> bool {
    let text = |token: &Token| &file.text[token.start..token.end];
    let tokens = file.tokens.get_or_init(|| tokens(file.text, &[]));
    tokens.windows(wanted.len()).any(|found| found.iter().map(text).eq(wanted.iter().copied()))
}

/// Whether the file declares a name, in any way.
pub(super) fn is_declared(file: &FileParser, name: &str) -> bool {
    has(file, &[name, ":"]) || has(file, &[name, "be"])
}

/// Whether the file declares a name as a domain or a type.
pub(super) fn is_domain(file: &FileParser, name: &str) -> bool {
    [["be", "domain"], ["be", "new"], ["new", "type"]].iter().any(|[first, second]| has(file, &[name, first, second]))
}

/// Whether the file declares a name with a domain that begins with a word, such as `function`.
pub(super) fn is_declared_as(file: &FileParser, name: &str, word: &str) -> bool {
    has(file, &[name, ":", word])
}

/// Whether a name is used as a set somewhere in the file.
pub(super) fn used_as_set(file: &FileParser, name: &str) -> bool {
    let beside = |word: &&str| has(file, &[word, name]) || has(file, &[name, word]);
    has(file, &["in", name]) || ["union", "intersect", "subset", "subsetEq", "|", "="].iter().any(beside)
}
