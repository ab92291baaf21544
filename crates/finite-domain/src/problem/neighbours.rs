//! What local search is told of the assignments of a problem: how to change one into another, or what goes together.

use super::*;

/// How the assignments of a problem are changed in local search.
pub trait Neighbours: Sync {
    /// The problem whose assignments walks change. It may ask for less than the one that is solved, such as no order
    /// of what is interchangeable; making it may take a while the first time.
    fn problem(&self) -> &Problem;

    /// A walk that begins with this assignment of the problem that is solved, or anywhere; `None` if there is nothing
    /// to change.
    fn walk(&self, start: Option<&Assignment>) -> Option<Box<dyn Walk + '_>>;
}

/// A walk among assignments.
pub trait Walk {
    /// The values of all decisions.
    fn values(&self) -> Vec<(Variable, i64)>;

    /// Proposes another assignment; returns the values that differ, or nothing if the problem rules it out.
    fn propose(&mut self, random: &mut fastrand::Rng) -> Option<Vec<(Variable, i64)>>;

    /// Goes on from the last proposal.
    fn accept(&mut self);

    /// What this has come to in the problem that is solved; `None` if that rules it out.
    fn assignment(&self) -> Option<Assignment>;
}

/// Values, and a problem about two of them that says which go together.
pub struct PairProblem {
    pub problem: Problem,
    /// The variables of the smaller value, and the variables of the larger one.
    pub places: [Vec<Variable>; 2],
    /// The numbers for the variables that make each value, in the order of the values.
    pub values: Vec<Vec<i64>>,
}
