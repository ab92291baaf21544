//! What a file says about a name, told from its text alone: the statements around it may be wrong.

use crate::syntax::parse::{is_reserved, is_word_character, reading::words};

/// Whether the file declares a name, in any way.
pub(super) fn is_declared(file: &str, name: &str) -> bool {
    words(file).filter(|(_, word)| *word == name).any(|(at, _)| {
        let behind = file[at + name.len()..].trim_start();
        behind.starts_with(':') || behind.starts_with("be ")
    })
}

/// Whether the file declares a name as a domain or a type.
pub(super) fn is_domain(file: &str, name: &str) -> bool {
    name.chars().all(is_word_character)
        && !name.is_empty()
        && file.match_indices(name).any(|(at, _)| {
            let behind = &file[at + name.len()..];
            let whole = !file[..at].ends_with(is_word_character) && !behind.starts_with(is_word_character);
            let mut next = words(behind).map(|(_, word)| word);
            let next = (next.next(), next.next());
            whole && matches!(next, (Some("be"), Some("domain" | "new")) | (Some("new"), Some("type")))
        })
}

/// Whether the file declares a name with a domain that begins with a word, such as `function`.
pub(super) fn is_declared_as(file: &str, name: &str, word: &str) -> bool {
    file.match_indices(name).any(|(at, _)| {
        let whole = !file[..at].ends_with(is_word_character);
        let domain = file[at + name.len()..].trim_start().strip_prefix(':').map(str::trim_start);
        whole && domain.is_some_and(|domain| domain.starts_with(word))
    })
}

/// Whether a name is used as a set somewhere in the file.
pub(super) fn used_as_set(file: &str, name: &str) -> bool {
    file.match_indices(name).any(|(at, _)| {
        let before = file[..at].trim_end();
        let behind = file[at + name.len()..].trim_start();
        let set = ["in", "union", "intersect", "subset", "subsetEq", "|", "="];
        let words = ["union", "intersect", "subset", "|", "="];
        set.iter().any(|word| before.ends_with(word)) || words.iter().any(|word| behind.starts_with(word))
    })
}

/// Whether a text is a name and nothing else.
pub(super) fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word_character) && !is_reserved(text)
}
