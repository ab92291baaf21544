//! Data that are generated: puzzles with exactly one solution, and instances similar to given ones.
//!
//! A model whose parameters are open, that is, decision variables, has data together with a solution as its solutions
//! ([`crate::rewriting::parameter_generator`]). [`OpenProblem`] takes random ones. For a puzzle, it fills in all clues
//! that the solution allows, and takes clues away while the solver refutes every other solution. [`clues`] finds out
//! which parameters can be empty, and which fix parts of the answer; it asks the solver, not the text of the model.
//! A parameter with too many possible members to list them gets some from a [`pool`].
//! [`Difficulty`] is measured by the steps of [`crate::explain`]. [`manner`] has what examples have in common.
//!
//! You may change how clues are chosen, how steps are weighed, and what is learnt from examples. Callers rely on two
//! properties of each puzzle: one solution, and no superfluous clue.

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

/// Shuffles items in the same way on all systems: a random `usize` is another number on a system with 32 bits, and the
/// page would grade with other instances than the program.
fn shuffle<T>(items: &mut [T], random: &mut fastrand::Rng) {
    for at in 1..items.len() {
        items.swap(at, random.u64(..=at as u64) as usize);
    }
}
