//! Generates data: puzzles with exactly one solution, and instances similar to given ones.
//!
//! If the parameters of a model are open, that is, decision variables, each solution consists of data and a solution
//! for these data ([`crate::rewriting::parameter_generator`]). [`OpenProblem`] draws random ones. For a puzzle, it
//! fills in all clues that the solution allows, and removes clues as long as the solver refutes every other solution.
//! [`clues`] determines which parameters can be empty and which fix parts of the answer; it asks the solver and does
//! not inspect the text of the model. A parameter with too many possible members to list gets some from a [`pool`].
//! [`Difficulty`] is measured by the steps of [`crate::explain`]. [`manner`] has the common properties of examples.
//!
//! You may change the choice of clues, the weights of steps, and the properties that are learnt from examples. Callers
//! rely on two properties of each puzzle: it has one solution, and no clue is superfluous.

mod clues;
mod difficulty;
pub(crate) mod manner;
mod open;
mod pool;
mod puzzle;

pub(crate) use clues::ClueParameter;
pub use difficulty::Difficulty;
pub(crate) use difficulty::difficulty;
pub use manner::ParameterManner;
pub(crate) use open::{OpenProblem, RandomWish};
pub(crate) use pool::Pools;
pub(crate) use puzzle::{Attempt, PuzzleWish};

/// Shuffles items in the same way on all systems: a random `usize` differs between 32-bit and 64-bit systems, so the
/// page and the program would grade with different instances.
fn shuffle<T>(items: &mut [T], random: &mut fastrand::Rng) {
    for at in 1..items.len() {
        items.swap(at, random.u64(..=at as u64) as usize);
    }
}
