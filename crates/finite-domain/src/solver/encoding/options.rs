//! Options that select the encoding of a term or a constraint.

use crate::solver::tuning::encoding::{BY_PAIRS, DIAGRAM, LOG_ABOVE, NUMBER, PARTIAL_SUMS};

/// The sizes that separate encodings; [`tuning::encoding`](crate::solver::tuning::encoding) has their values. Tests set
/// them low or high to try each encoding on small problems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodingOptions {
    /// Terms with more values than this have the log encoding.
    pub log_above: u128,
    /// The maximum number of pairs of values of a function of two terms that is written value by value.
    pub by_pairs: u128,
    /// The maximum number of clauses of a linear constraint as partial sums.
    pub partial_sums: u64,
    /// The maximum number of clauses for the partial sums of a sum that is used as a number.
    pub number: u64,
    /// The maximum number of clauses of a pseudo-Boolean constraint as a decision diagram.
    pub diagram: u64,
    /// The maximum number of clauses of the problem, whatever the solver accepts.
    pub clauses: u64,
    /// The number of integer terms that the problem may still get.
    pub reserved: usize,
}

impl Default for EncodingOptions {
    fn default() -> Self {
        EncodingOptions {
            log_above: LOG_ABOVE,
            by_pairs: BY_PAIRS,
            partial_sums: PARTIAL_SUMS,
            number: NUMBER,
            diagram: DIAGRAM,
            clauses: u64::MAX,
            reserved: 0,
        }
    }
}
