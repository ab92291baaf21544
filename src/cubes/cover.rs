//! The proof that cubes are a partition of the space of solutions.

use super::CellProblem;
use crate::{
    halt::Halt,
    instance::GroundInstance,
    lowering::{self, Lowered},
    pipeline::Cube,
    solver::{EngineOptions, incremental},
    source::Sources,
};

/// What is wrong with cubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverFault {
    /// Some solution is in no cube, and perhaps none that is symmetric to it.
    Missing,
    /// The cubes of these positions could have a solution in common: no part of a variable tells them apart.
    Overlap(usize, usize),
}

/// Proves that each solution, or one of each class of symmetric ones, is in exactly one cube: the solver refutes that
/// one is in none, and two cubes always differ in the options of a cell.
pub(crate) fn cover(
    instance: &GroundInstance,
    sources: &Sources,
    lowered: &Lowered,
    cubes: &[Cube],
    options: &EngineOptions,
) -> Result<Option<CoverFault>, Halt> {
    for (position, one) in cubes.iter().enumerate() {
        for (other_position, other) in cubes.iter().enumerate().skip(position + 1) {
            if !are_apart(one, other) {
                return Ok(Some(CoverFault::Overlap(position, other_position)));
            }
        }
    }
    let mut board = CellProblem::new(instance, sources, lowered);
    let mut conditions = Vec::with_capacity(cubes.len());
    for cube in cubes {
        conditions.push(board.condition(cube)?);
    }
    let mut problem = board.symbolic.finish()?;
    conditions.into_iter().for_each(|condition| problem.require(!condition));
    if cubes.iter().any(|cube| cube.up_to_symmetry) {
        problem = lowering::break_interchangeable(&instance.model, lowered, &problem.simplify());
        let breaking = problem.symmetry_breaking().to_vec();
        breaking.into_iter().for_each(|constraint| problem.require(constraint));
    }
    let missing = incremental(&problem, options).refute(&[])?.is_none();
    Ok(missing.then_some(CoverFault::Missing))
}

/// Whether two cubes allow no common option in some cell.
fn are_apart(one: &Cube, other: &Cube) -> bool {
    one.steps.iter().any(|step| {
        let common = |other: &str| step.options.iter().any(|option| option == other);
        other.steps.iter().any(|other| other.cell == step.cell && !other.options.iter().any(|option| common(option)))
    })
}
