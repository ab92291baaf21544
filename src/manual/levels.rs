//! The steps of the course, each with the words and signs of Essence that it introduces.
//!
//! You may move words between steps. `type-check --level` and the pages rely on them: the references of each step need
//! no later word (`tests/cases/warnings.rs`).

use super::{WordKind, all_words};

/// A step of the course in constraint modelling.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CourseStep {
    /// The number, from 1.
    pub number: usize,
    /// The title of the step's page.
    pub title: &'static str,
    /// The words and signs that the step introduces, each as a token of a text.
    words: &'static [&'static str],
}

const fn step(number: usize, title: &'static str, words: &'static [&'static str]) -> CourseStep {
    CourseStep { number, title, words }
}

/// The steps of the course in their order.
pub static COURSE_STEPS: [CourseStep; 8] = [
    step(
        1,
        "First constraints",
        &[
            "language", "find", "such", "that", "bool", "true", "false", "int", "..", "+", "-", "*", "|", "=", "!=",
            "<", "<=", ">", ">=", "/\\", "\\/", "!", "->", "<->", "toInt",
        ],
    ),
    step(2, "Arithmetic and quantifiers", &["/", "%", "**", "forAll", "exists", "sum", "product"]),
    step(
        3,
        "Matrices and global constraints",
        &["matrix", "indexed", "by", "of", "[", "<-", "flatten", "allDiff", "and", "or", "letting", "be"],
    ),
    step(4, "Parameters", &["given", "where", "domain", "new", "type", "enum"]),
    step(
        5,
        "Sets, functions, relations, sequences and partitions",
        &[
            "set",
            "mset",
            "sequence",
            "function",
            "relation",
            "partition",
            "from",
            "tuple",
            "{",
            "-->",
            "in",
            "subset",
            "subsetEq",
            "supset",
            "supsetEq",
            "union",
            "intersect",
            "toSet",
            "toMSet",
            "toRelation",
            "freq",
            "image",
            "imageSet",
            "preImage",
            "inverse",
            "defined",
            "range",
            "substring",
            "subsequence",
            "parts",
            "participants",
            "party",
            "together",
            "apart",
        ],
    ),
    step(6, "Optimisation", &["minimising", "maximising", "min", "max"]),
    step(7, "Symmetry", &["<lex", "<=lex", ">lex", ">=lex", ".<", ".<=", ".>", ".>=", "~<", "~<=", "~>", "~>="]),
    step(8, "Viewpoints", &[]),
];

/// The place of a word in the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordLevel {
    /// The step that introduces the word.
    Step(&'static CourseStep),
    /// A word of Essence that the course leaves out.
    BeyondCourse,
}

/// Returns the level of a word or sign of a text; none for names, for punctuation, and for attributes, which belong to
/// the domain before them.
pub(crate) fn level_of(word: &str) -> Option<WordLevel> {
    if let Some(step) = COURSE_STEPS.iter().find(|step| step.words.contains(&word)) {
        return Some(WordLevel::Step(step));
    }
    // Some keywords, such as `new type of size`, are several tokens.
    let is_known = |(known, meaning): (&str, super::WordMeaning)| {
        meaning.kind != WordKind::Attribute && known.split(' ').any(|part| part == word)
    };
    let is_attribute =
        |(known, meaning): (&str, super::WordMeaning)| meaning.kind == WordKind::Attribute && known == word;
    (all_words().any(is_known) && !all_words().any(is_attribute)).then_some(WordLevel::BeyondCourse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_of_a_step_is_a_word_of_the_language() {
        for step in &COURSE_STEPS {
            for word in step.words {
                let is_known = all_words().any(|(known, _)| known.split(' ').any(|part| part == *word));
                assert!(is_known || ["..", "|", "[", "{", "-->", "by", "from"].contains(word), "{word}");
            }
        }
    }

    #[test]
    fn attributes_and_names_have_no_level_and_other_words_are_beyond_the_course() {
        for word in ["injective", "size", "x", "lex", "("] {
            assert_eq!(level_of(word), None, "{word}");
        }
        for word in ["record", "permutation", "powerSet", "branching", "xor"] {
            assert_eq!(level_of(word), Some(WordLevel::BeyondCourse), "{word}");
        }
    }
}
