//! The representations by name.

use std::fmt;

/// A representation of a value by finite-domain variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Representation {
    /// One variable: Booleans and integers.
    Variable,
    /// The components, each by itself: tuples, records, variants, matrices.
    Components,
    /// A Boolean for each possible member, for sets and relations.
    Occurrence,
    /// The number of occurrences of each possible member, for multisets.
    Counts,
    /// As many slots as there can be members, in ascending order, for sets, multisets and relations.
    Explicit,
    /// An image for each possible argument, for functions and permutations.
    Images,
    /// As many slots as there can be arguments, each with an argument and its image, in ascending order of the
    /// arguments, for functions.
    Pairs,
    /// A slot for each possible index, for sequences.
    Positions,
    /// A part number for each element, for partitions.
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

    /// The unit that the representation counts, in the plural.
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
