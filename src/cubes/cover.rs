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

/// A fault of cubes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverFault {
    /// A solution is in no cube; with symmetry breaking, no solution symmetric to it is in one either.
    Missing,
    /// The cubes at these positions could have a solution in common: their options of every cell overlap.
    Overlap(usize, usize),
}

/// Proves that each solution, or one of each class of symmetric ones, is in exactly one cube. The solver refutes that a
/// solution is in no cube, and any two cubes have disjoint options for some cell.
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
        // One solution of each class is enough, so symmetry breaking excludes the others.
        problem = lowering::break_interchangeable(&instance.model, lowered, &problem.simplify());
        let breaking = problem.symmetry_breaking().to_vec();
        breaking.into_iter().for_each(|constraint| problem.require(constraint));
    }
    let missing = incremental(&problem, options).refute(&[])?.is_none();
    Ok(missing.then_some(CoverFault::Missing))
}

/// Returns true if two cubes have no option in common for some cell.
fn are_apart(one: &Cube, other: &Cube) -> bool {
    one.steps.iter().any(|step| {
        let common = |other: &str| step.options.iter().any(|option| option == other);
        other.steps.iter().any(|other| other.cell == step.cell && !other.options.iter().any(|option| common(option)))
    })
}
