//! The representations by name.

use std::fmt;

/// A representation of a value by finite-domain variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Representation {
    /// One variable: Booleans and integers.
    Variable,
    /// The components, each by itself: tuples, records, variants, matrices.
    Components,
    /// A Boolean for each possible member: sets, relations.
    Occurrence,
    /// The number of its occurrences for each possible member: multisets.
    Counts,
    /// Ascending slots for the largest number of members: sets, multisets, relations.
    Explicit,
    /// An image for each possible argument: functions, permutations.
    Images,
    /// Slots of an argument and its image for the largest number of arguments, ascending in the argument: functions.
    Pairs,
    /// A slot for each possible index: sequences.
    Positions,
    /// The number of its part for each element: partitions.
    Parts,
}

use Representation::*;

impl Representation {
    /// All representations that a user can ask for.
    pub(crate) const OF_COLLECTIONS: [Representation; 7] =
        [Occurrence, Counts, Explicit, Images, Pairs, Positions, Parts];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Variable => "variable",
            Components => "components",
            Occurrence => "occurrence",
            Counts => "counts",
            Explicit => "explicit",
            Images => "images",
            Pairs => "pairs",
            Positions => "positions",
            Parts => "parts",
        }
    }

    /// The unit that the representation needs many of, in the plural.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Variable => "values",
            Components => "components",
            Occurrence => "possible members",
            Counts => "possible occurrences",
            Explicit | Pairs => "slots",
            Images => "possible arguments",
            Positions => "positions",
            Parts => "elements",
        }
    }
}

impl fmt::Display for Representation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
