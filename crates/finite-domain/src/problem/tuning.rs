//! The constants of the builder, the simplifier and the relaxation: the unit, the reason, and the measurement.
//!
//! "Chosen" marks a value that was not measured against others. No user sets these values: they bound the time and the
//! memory of building a problem, and change how well the engines propagate, but never an answer. Bounds that keep
//! numbers from overflowing stay beside the arithmetic that relies on them.

/// Terms: their values, normal form and memory.
pub(super) mod terms {
    /// Up to this number of combinations of operand values, the values of a compound term are exact; with more, they
    /// are a range. Chosen.
    pub(crate) const EXACT: u128 = 1_000;
    /// Sums with more terms than this are not flattened into other sums; otherwise, sums of sums would grow
    /// quadratically. Chosen.
    pub(crate) const MOST_OPENED: usize = 200;
    /// The maximum number of integers between the bounds of an index for which a choice is a lookup in a list. Chosen:
    /// the list has an entry for each of them, even for the holes of the index.
    pub(crate) const MOST_NUMBERS: u64 = 100_000;
    /// The maximum number of entries of a lookup by two indices that are tabulated. Chosen.
    pub(crate) const MOST_ENTRIES: u128 = 1_000_000;
    /// The bytes of a term apart from its operands and values: the node and its slot in an index.
    pub(crate) const OF_TERM: u64 = 80;
    /// The number of terms between two checks of the limits. Chosen.
    pub(crate) const STOP_INTERVAL: usize = 4096;
}

/// Symmetries.
pub(super) mod automorphism {
    /// The work of an exchange apart from the visited terms, in visits. Chosen.
    pub(crate) const EXCHANGE: usize = 100;
}

/// Bounds of differences.
#[cfg(feature = "cpsat")]
pub(super) mod differences {
    /// The maximum number of terms; with more, finding all paths takes too long (cubic time). Chosen.
    pub(crate) const MOST_TERMS: usize = 100;
}

/// The simplifier (`docs/decisions/one-simplifier.md`).
pub(super) mod simplify {
    /// The maximum number of rounds. Terms in a new form may show more known values, aliases and cliques; after this
    /// many rounds little is gained. Chosen.
    pub(crate) const ROUNDS: usize = 3;
    /// The average number of visits to each operand of each node before root propagation stops. Chosen: bounds that
    /// creep, as for `x < y` and `y < x` on large domains, would take a visit for each value.
    pub(crate) const VISITS: usize = 40;
    /// The size that is added to the size of a problem to get its budget, in terms, so that a small problem is
    /// simplified as far as possible. Chosen.
    pub(crate) const ALLOWANCE: usize = 1_000;
    /// The maximum total size of all definitions with their operands, as a multiple of the size of the problem; further
    /// definitions are not examined. Chosen.
    pub(crate) const MOST_WORK: usize = 20;
    /// The maximum number of addends in a sum in which definitions replace variables, including the replaced ones.
    /// Chosen.
    #[cfg(feature = "cpsat")]
    pub(crate) const MOST_ADDENDS: usize = 100_000;
    /// The maximum number of values for which a function of one operand is propagated value by value. Chosen, like the
    /// number of values above which the encoder uses bits.
    pub(crate) const MOST_VALUES: u128 = 4_096;
    /// The maximum number of ranges for which the holes of two terms are matched. Chosen.
    pub(crate) const MOST_RANGES: usize = 256;
    /// The minimum size of a clique: smaller ones propagate no better than their pairs.
    pub(crate) const SMALLEST_CLIQUE: usize = 3;
    /// The maximum number of pairs for which cliques are searched. Chosen.
    pub(crate) const MOST_PAIRS: usize = 500_000;
    /// The maximum number of comparisons of candidates for a clique; later candidates are taken in their order. Chosen.
    pub(crate) const MOST_COMPARISONS: usize = 2_000_000;
    /// The minimum number of terms for which sums of occurrences pay. Chosen.
    pub(crate) const FEWEST_TERMS: usize = 3;
    /// The maximum number of steps to find the counts of occurrences that belong together. Chosen.
    pub(crate) const MOST_STEPS: usize = 10_000_000;
}

/// The dual bound before the search (`docs/decisions/objectives-are-bounded-first.md`).
pub(super) mod relaxation {
    /// The maximum total number of terms in the constraints that are considered. `LARGEST_COST` relies on it.
    pub(crate) const MOST_ENTRIES: usize = 200_000;
    /// The maximum number of improvements of each multiplier. Chosen.
    pub(crate) const ROUNDS: usize = 20;
}
