//! Cubes as data: conditions on parts of the decision variables. [`crate::cubes`] makes and reads them.

use std::fmt;

/// A part of the space of solutions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cube {
    /// The conditions, which hold together.
    pub steps: Vec<CubeStep>,
    /// An estimate of the work, as a share of all work between 0 and 1.
    pub share: f64,
    /// True if the cubes contain a solution of each class of symmetric ones, but not all solutions.
    pub up_to_symmetry: bool,
}

/// A condition of a cube: a part of a decision variable has one of some values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeStep {
    /// The part, such as `board[1, 2]`.
    pub cell: String,
    /// The values, such as `3`.
    pub options: Vec<String>,
    /// The condition in Essence: `board[1, 2] = 3`.
    pub says: String,
}

impl fmt::Display for Cube {
    /// Writes the conditions, joined by `/\`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let says: Vec<&str> = self.steps.iter().map(|step| step.says.as_str()).collect();
        formatter.write_str(if says.is_empty() { "true" } else { "" })?;
        formatter.write_str(&says.join(" /\\ "))
    }
}
