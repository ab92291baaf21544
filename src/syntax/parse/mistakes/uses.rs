//! Facts about a name from the tokens of the file only, because the statements around it may be wrong.

use crate::syntax::{
    parse::FileParser,
    tokens::{Token, tokens},
};
use rustc_hash::FxHashMap;

/// The tokens of a file, with the positions of each word and sign.
#[derive(Debug)]
pub(crate) struct TokenIndex {
    tokens: Vec<Token>,
    positions: FxHashMap<String, Vec<usize>>,
}

impl TokenIndex {
    fn new(text: &str) -> Self {
        let tokens = tokens(text, &[]);
        let mut positions: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, token) in tokens.iter().enumerate() {
            let word = &text[token.start..token.end];
            // Unlike `entry`, this copies a word only at its first occurrence.
            match positions.get_mut(word) {
                Some(known) => known.push(at),
                None => drop(positions.insert(word.to_owned(), vec![at])),
            }
        }
        TokenIndex { tokens, positions }
    }

    /// Returns true if these tokens occur consecutively. Every statement of a large file may have a mistake, so only
    /// the positions of the rarest token are tried.
    fn has(&self, text: &str, wanted: &[&str]) -> bool {
        // A token that does not occur has no positions, so nothing is found.
        let places = |token: &&str| self.positions.get(*token).map_or(&[][..], Vec::as_slice);
        // The rarest token leaves the fewest positions to try.
        let rarest = wanted.iter().map(places).enumerate().min_by_key(|(_, places)| places.len());
        let found = |start: usize| {
            let tokens = self.tokens.get(start..start + wanted.len());
            tokens.is_some_and(|tokens| {
                tokens.iter().zip(wanted).all(|(token, wanted)| text[token.start..token.end] == **wanted)
            })
        };
        rarest.is_some_and(|(at, places)| places.iter().any(|place| place.checked_sub(at).is_some_and(found)))
    }
}

/// Returns true if the file contains these tokens consecutively.
pub(super) fn has_tokens(file: &FileParser, wanted: &[&str]) -> bool {
    file.tokens.get_or_init(|| TokenIndex::new(file.text)).has(file.text, wanted)
}

/// Returns true if the file declares a name in any way.
pub(super) fn is_declared(file: &FileParser, name: &str) -> bool {
    has_tokens(file, &[name, ":"]) || has_tokens(file, &[name, "be"])
}

/// Returns true if the file declares a name as a domain or a type.
pub(super) fn is_domain(file: &FileParser, name: &str) -> bool {
    [["be", "domain"], ["be", "new"], ["new", "type"]]
        .iter()
        .any(|[first, second]| has_tokens(file, &[name, first, second]))
}

/// Returns true if the file declares a name with a domain that starts with a word, such as `function`.
pub(super) fn is_declared_as(file: &FileParser, name: &str, word: &str) -> bool {
    has_tokens(file, &[name, ":", word])
}

/// Returns true if a name is used as a set somewhere in the file.
pub(super) fn used_as_set(file: &FileParser, name: &str) -> bool {
    let beside = |word: &&str| has_tokens(file, &[word, name]) || has_tokens(file, &[name, word]);
    has_tokens(file, &["in", name]) || ["union", "intersect", "subset", "subsetEq", "|", "="].iter().any(beside)
}
