//! The options of `solve`.
//!
//! Each option is a field here if it is about what is asked, or a field of [`EngineOptions`] if it is about how an
//! engine searches. No other type between a front end and a solver declares one: the phases read these fields.

use super::{Cube, Text};
use crate::{
    instance::symmetry::{SymmetryBreaking, SymmetryDetection},
    solver::{EngineOptions, SolverName},
};
use std::str::FromStr;

with_setters! {
    /// The options for solving: what is asked of an instance.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct SolveOptions {
        /// The solver.
        pub solver: SolverName,
        /// The number of solutions wanted. With an objective, one solution is a best one, and several are all best
        /// ones.
        pub solutions: Count,
        /// The symmetry breaking for unnamed types; `None` keeps all solutions.
        pub unnamed_symmetry: Option<SymmetryBreaking>,
        /// Whether to break the symmetries that the model shows.
        pub symmetry: SymmetryDetection,
        /// The representations that some collections shall have, as `x=explicit` or `x.member=occurrence`.
        pub representations: Vec<String>,
        /// The part of the space of solutions to search; all of it by default.
        pub cube: Option<Cube>,
        /// With an objective, only solutions that are better than this value are wanted. If there are several
        /// objectives, the first one may have the value.
        pub better_than: Option<i64>,
        /// An earlier plan with which to begin, in Essence or JSON. It need not be a solution, nor fit the data any
        /// longer; if it is a solution, only better ones follow.
        pub start: Option<Text>,
        /// When to end before there is an answer, and how to end the search from another thread.
        pub search: EngineOptions,
    }
}

/// The number of solutions wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// All solutions.
    All,
    /// At most this many solutions.
    First(usize),
}

impl SolveOptions {
    /// Whether all values are tried, so that there is no problem for a solver.
    pub(super) fn tries_all(&self) -> bool {
        self.solver == SolverName::Brute
    }

    /// Whether a part of the space of solutions is searched, or all of it.
    pub(crate) fn is_about_part(&self) -> bool {
        self.cube.is_some() || self.better_than.is_some()
    }

    /// Whether the solver breaks the symmetries that the model shows, in a search that ends with one solution.
    pub(super) fn breaks_symmetries(&self) -> bool {
        match self.symmetry {
            SymmetryDetection::On => true,
            SymmetryDetection::Off => false,
            // What one engine answers at once would have to wait for the detection.
            SymmetryDetection::Auto => {
                self.solver == SolverName::Auto || self.cube.as_ref().is_some_and(|cube| cube.up_to_symmetry)
            }
        }
    }

    /// Whether a SAT solver that keeps what it has learnt may answer before the solver of the search.
    pub(super) fn keeps_learnt(&self) -> bool {
        matches!(self.solver, SolverName::Auto | SolverName::Cadical)
    }
}

impl Count {
    /// The most solutions that are wanted, if not all are.
    pub(crate) fn most(self) -> Option<usize> {
        match self {
            Count::First(most) => Some(most),
            Count::All => None,
        }
    }
}

impl Default for Count {
    fn default() -> Self {
        Count::First(1)
    }
}

impl FromStr for Count {
    type Err = &'static str;

    /// Reads a number from 1 on, or `all`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.parse()) {
            ("all", _) => Ok(Count::All),
            (_, Ok(count)) if count > 0 => Ok(Count::First(count)),
            _ => Err("a number from 1 on, or `all`"),
        }
    }
}
