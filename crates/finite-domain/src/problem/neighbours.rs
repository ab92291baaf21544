//! The caller's knowledge for local search: the moves between assignments, and the compatible pairs of values.

use super::*;

/// The moves of local search.
pub trait Neighbours: Sync {
    /// Returns the problem whose assignments the walks change. It may lack constraints of the problem to be solved,
    /// such as the order of interchangeable parts; the first call may take a while.
    fn problem(&self) -> &Problem;

    /// Starts a walk at this assignment of the problem to be solved, or anywhere; `None` if nothing can be changed.
    fn walk(&self, start: Option<&Assignment>) -> Option<Box<dyn Walk + '_>>;
}

/// A walk from one assignment to the next.
pub trait Walk {
    /// Returns the values of all decision variables.
    fn values(&self) -> Vec<(Variable, i64)>;

    /// Proposes a move; returns the values that differ, or `None` if the problem rules the move out.
    fn propose(&mut self, random: &mut fastrand::Rng) -> Option<Vec<(Variable, i64)>>;

    /// Accepts the last proposal.
    fn accept(&mut self);

    /// Returns the current assignment of the problem to be solved; `None` if that problem rules it out.
    fn assignment(&self) -> Option<Assignment>;
}

/// Values, and a problem about a pair of values that defines which pairs are compatible.
pub struct PairProblem {
    pub problem: Problem,
    /// The variables of the smaller value and of the larger one.
    pub places: [Vec<Variable>; 2],
    /// The numbers that the variables have for each value, in the order of the values.
    pub values: Vec<Vec<i64>>,
}
