//! The options of `solve`.
//!
//! Each option that concerns the question is a field here; each option that concerns the search of an engine is a field
//! of [`EngineOptions`]. No other type between a front end and a solver declares options: the phases read these fields.

use super::{Cube, Text};
use crate::{
    instance::symmetry::{SymmetryBreaking, SymmetryDetection},
    solver::{EngineOptions, SolverName},
};
use std::str::FromStr;

with_setters! {
    /// The options for solving: the question about an instance.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct SolveOptions {
        /// The solver.
        pub solver: SolverName,
        /// The number of solutions wanted. With an objective, only best solutions count.
        pub solutions: Count,
        /// The symmetry breaking for unnamed types; `None` keeps all solutions.
        pub unnamed_symmetry: Option<SymmetryBreaking>,
        /// The detection and breaking of symmetries that the model shows.
        pub symmetry: SymmetryDetection,
        /// The representations of some collections, as `x=explicit` or `x.member=occurrence`.
        pub representations: Vec<String>,
        /// The part of the space of solutions to search; by default, all of it.
        pub cube: Option<Cube>,
        /// With an objective, only solutions that are better than this value are wanted. With several objectives, the
        /// first one may have the value.
        pub better_than: Option<i64>,
        /// An earlier plan from which the search starts, in Essence or JSON. It need not be a solution or fit the
        /// current data; if it is a solution, only better ones follow.
        pub start: Option<Text>,
        /// The limits of the search, and the means to end it from another thread.
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
    /// Returns true if all values are tried, so that there is no problem for a solver.
    pub(super) fn tries_all(&self) -> bool {
        self.solver == SolverName::Brute
    }

    /// Returns true if only a part of the space of solutions is searched.
    pub(crate) fn is_about_part(&self) -> bool {
        self.cube.is_some() || self.better_than.is_some()
    }

    /// Returns true if the solver breaks the symmetries that the model shows, in a search that ends with one solution.
    pub(super) fn breaks_symmetries(&self) -> bool {
        match self.symmetry {
            SymmetryDetection::On => true,
            SymmetryDetection::Off => false,
            // Detection would delay an answer that one engine finds at once.
            SymmetryDetection::Auto => {
                self.solver == SolverName::Auto || self.cube.as_ref().is_some_and(|cube| cube.up_to_symmetry)
            }
        }
    }

    /// Returns true if a SAT solver that keeps its learnt clauses may answer before the solver of the search.
    pub(super) fn keeps_learnt(&self) -> bool {
        matches!(self.solver, SolverName::Auto | SolverName::Cadical)
    }
}

impl Count {
    /// The largest number of solutions wanted, unless all are.
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

    /// Reads a number of at least 1, or `all`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.parse()) {
            ("all", _) => Ok(Count::All),
            (_, Ok(count)) if count > 0 => Ok(Count::First(count)),
            _ => Err("a number of at least 1, or `all`"),
        }
    }
}
