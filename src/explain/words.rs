//! The words of rules and domains in explanations, as data.

use super::merging::FilledTemplate;
use crate::{language::attributes::Limit, source::Span};
use std::fmt;

/// The words for an instance of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InWords {
    /// The filled template of the rule, or the comment above it; empty if it has neither.
    pub says: String,
    /// The names of the instance, if `says` is a comment.
    pub names: Vec<String>,
    /// The filled templates for readers of other languages, such as `de`.
    pub translations: Vec<(String, String)>,
    /// The span of the rule.
    pub(crate) rule: Span,
    /// True if `says` is a filled template, which is about this instance alone.
    pub is_filled: bool,
    /// The filled templates in parts, with their languages; the first language is empty if `says` is a template.
    pub(super) filled: Vec<(String, FilledTemplate)>,
}

impl InWords {
    /// Returns true if a rule has neither a template nor a comment.
    pub fn is_empty(&self) -> bool {
        self.says.is_empty()
    }

    /// The words as a part of a longer sentence.
    pub(super) fn quoted(&self) -> Option<String> {
        (!self.is_empty()).then(|| format!("\"{self}\""))
    }
}

impl InWords {
    /// The filled template for readers of a language.
    pub(super) fn filled_in(&self, language: &str) -> Option<&FilledTemplate> {
        self.filled.iter().find(|(known, _)| known == language).map(|(_, filled)| filled)
    }

    /// The words without the names of the instance: a filled template, or the first sentence of a comment, which states
    /// the rule; its other sentences explain it.
    pub(super) fn headline(&self) -> &str {
        match self.says.split_once(". ") {
            Some((first, _)) if !self.is_filled => first,
            _ => self.says.strip_suffix('.').unwrap_or(&self.says),
        }
    }
}

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.names.as_slice() {
            [] => f.write_str(self.headline()),
            names => write!(f, "{} ({})", self.headline(), names.join(", ")),
        }
    }
}

/// A bound or an attribute of a domain, for readers who have no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DomainInWords {
    /// The restricted part: "each value of `board`", "each `TIME` in `lesson`".
    pub what: String,
    pub claim: DomainClaim,
}

/// The claim of a domain about a part of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DomainClaim {
    /// A bound of a number, or of a size; sizes have a noun for the counted things.
    Bound { side: Limit, number: String, counted: Option<&'static str>, says: String },
    /// An attribute such as `total`; without a word, a list of values.
    Attribute { word: &'static str, says: String },
}
