//! Options that select the encoding of a term or a constraint.

/// The sizes that separate encodings. Tests set them low or high to try each encoding on small problems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodingOptions {
    /// Terms with more values than this have the log encoding: bits instead of a literal for each value or bound. On
    /// domains of 200,000 values, products and divisions take a few hundredths of a second with it instead of up to a
    /// minute; on small domains it is slower, because unit propagation derives little from bits.
    pub log_above: u128,
    /// The maximal number of pairs of values of a function of two terms that is written value by value.
    pub by_pairs: u128,
    /// The maximal number of clauses of a linear constraint as partial sums; beyond it becomes a pseudo-Boolean
    /// constraint. With 20,000 instead of 3,000, Z3 took 0.4 s instead of 9 s for a magic square of order 5, and half
    /// the time for Golomb rulers.
    pub partial_sums: u64,
    /// The maximal number of clauses for the partial sums of a sum that is used as a number.
    pub number: u64,
    /// The maximal number of clauses of a pseudo-Boolean constraint as a decision diagram, if the solver does not
    /// support such constraints.
    pub diagram: u64,
    /// The maximal number of clauses of the problem, whatever the solver accepts.
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
