//! The words of rules and domains in explanations, as data.

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
}

impl InWords {
    /// Returns true if a rule has neither a template nor a comment.
    pub fn is_empty(&self) -> bool {
        self.says.is_empty()
    }

    /// A filled template as a part of a longer sentence.
    pub(super) fn quoted(&self) -> Option<String> {
        self.is_filled.then(|| format!("\"{}\"", self.says.strip_suffix('.').unwrap_or(&self.says)))
    }
}

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        // The first sentence of a comment states the rule; the others explain it.
        let first = match self.says.split_once(". ") {
            Some((first, _)) if !self.is_filled => first,
            _ => self.says.strip_suffix('.').unwrap_or(&self.says),
        };
        match self.names.as_slice() {
            [] => f.write_str(first),
            names => write!(f, "{first} ({})", names.join(", ")),
        }
    }
}

/// A bound or an attribute of a domain, for readers who have no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DomainInWords {
    /// A bound of `what`.
    Bound {
        what: String,
        side: Limit,
        number: String,
    },
    Sentence(String),
}
