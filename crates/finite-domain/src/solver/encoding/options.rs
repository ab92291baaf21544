//! Options that decide how a term or a constraint is encoded.

/// The sizes at which another encoding is used. Tests set them low or high to try each encoding on small problems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodingOptions {
    /// Terms with more values than this have the log encoding: bits, not a literal for each value or bound.
    pub log_above: u128,
    /// A function of two terms is written value by value up to this many pairs of values.
    pub by_pairs: u128,
    /// A linear constraint may cost this many clauses as partial sums before it becomes a pseudo-Boolean one. Z3 took
    /// 0.4 s instead of 9 s for a magic square of order 5, and half the time for Golomb rulers, with 20,000 instead of
    /// 3,000.
    pub partial_sums: u64,
    /// A sum that is used as a number may cost this many clauses as partial sums.
    pub number: u64,
    /// A pseudo-Boolean constraint may cost this many clauses as a decision diagram, where the solver has none.
    pub diagram: u64,
    /// The problem is refused where it takes more clauses than this, whatever the solver accepts.
    pub clauses: u64,
    /// The number of integer terms that the problem may still get.
    pub reserved: usize,
}

impl Default for EncodingOptions {
    fn default() -> Self {
        EncodingOptions {
            log_above: 4_096,
            by_pairs: 20_000,
            partial_sums: 20_000,
            number: 100_000,
            diagram: 50_000,
            clauses: u64::MAX,
            reserved: 0,
        }
    }
}
