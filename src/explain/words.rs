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
}

impl fmt::Display for InWords {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.names.as_slice() {
            [] => f.write_str(&self.says),
            names => write!(f, "{} ({})", without_full_stop(&self.says), names.join(", ")),
        }
    }
}

/// A text of one sentence without its full stop, so that something can follow.
pub(super) fn without_full_stop(text: &str) -> &str {
    if text.contains(". ") { text } else { text.strip_suffix('.').unwrap_or(text) }
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
