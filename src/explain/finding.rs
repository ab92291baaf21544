//! Findings inside a constraint: its parts, each with a truth value.

use std::fmt;

/// Findings beyond this number are only counted. Chosen.
pub(super) const MOST: usize = 50;

/// The findings about a constraint.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Findings {
    /// The first findings.
    pub shown: Vec<Finding>,
    /// The number of further findings.
    pub more: usize,
}

/// A part of a constraint with the values of its names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finding {
    /// The values of the quantified names inside the constraint; may be empty.
    pub with: String,
    /// The part, as Essence.
    pub says: String,
    /// The finding about the part.
    pub kind: FindingKind,
    /// The reason why the part is undefined, if one can be given.
    pub because: Option<String>,
}

/// A finding about an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingKind {
    /// The part is true.
    True,
    /// The part is false.
    False,
    /// The part has no value.
    Undefined,
    /// The list has no elements.
    Empty,
    /// The part must be defined, by the facts known before the search.
    Required,
}

/// The finding in one word, for programs that read the answer.
impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FindingKind::True => "true",
            FindingKind::False => "false",
            FindingKind::Undefined => "undefined",
            FindingKind::Empty => "empty",
            FindingKind::Required => "required",
        })
    }
}

impl From<bool> for FindingKind {
    fn from(holds: bool) -> Self {
        if holds { FindingKind::True } else { FindingKind::False }
    }
}

impl Findings {
    /// Returns true if nothing was found.
    pub fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    pub(super) fn add(&mut self, finding: Finding) {
        if self.shown.len() < MOST {
            self.shown.push(finding);
        } else {
            self.more += 1;
        }
    }
}
