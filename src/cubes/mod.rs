//! Cubes: parts of the space of solutions that can be searched separately, by different machines (Heule, Kullmann,
//! Wieringa, Biere, "Cube and Conquer", 2012).
//!
//! A cube is a conjunction of conditions on the cells of [`crate::explain::cells_of_variables`], such as `board[1, 1] =
//! 3`. So it has the same meaning on each machine with the model and its data. [`mod@split`] makes the cubes as the
//! leaves of a tree. The branches at a node are all options of one cell, so cubes have no solution in common. A branch
//! is left out only if propagation or a brief search refutes it, so each solution is in a cube. If one solution is
//! enough, the constraints that break symmetries are propagated as well: then some solution of each class is in a cube.
//! [`mod@cover`] proves this independently. [`cube_problem`] is the problem of one cube.
//!
//! You may change the choice of cubes. Campaigns on several machines rely on two invariants: no two cubes share a
//! solution, and together they contain all solutions.

mod cover;
#[cfg(feature = "cadical")]
mod split;

use crate::{
    diagnostic::{Code, Diagnostic},
    explain::{Cell, CellOption, Describer, cells_of_variables},
    instance::GroundInstance,
    language::Name,
    lowering::{self, Lowered},
    pipeline::Cube,
    problem::{Bool, Problem, Variable},
    source::Sources,
    symbolic::Symbolic,
};
pub use cover::CoverFault;
pub(crate) use cover::cover;
use rustc_hash::FxHashSet;
#[cfg(feature = "cadical")]
pub(crate) use split::split;

/// The maximum number of values of a decision without a name that gets a cell. Chosen.
const MOST_VALUES: usize = 1000;

/// The cubes of a split.
pub(crate) struct Split {
    pub cubes: Vec<Cube>,
    /// The number of refuted branches.
    pub refuted: usize,
}

/// The problem of an instance with its cells.
struct CellProblem {
    symbolic: Symbolic,
    cells: Vec<Cell>,
}

impl CellProblem {
    fn new(instance: &GroundInstance, sources: &Sources, lowered: &Lowered) -> Self {
        let mut symbolic = Symbolic::from(lowered.problem.clone());
        let describer = Describer::new(instance, sources);
        let mut cells = cells_of_variables(instance, &describer, &mut symbolic, &lowered.layout);
        let unnamed = cells_of_unnamed(&mut symbolic, &cells, lowered.problem.decisions());
        cells.extend(unnamed);
        CellProblem { symbolic, cells }
    }

    /// The condition of a cube.
    fn condition(&mut self, cube: &Cube) -> Result<Bool, Box<Diagnostic>> {
        let mut conditions = Vec::with_capacity(cube.steps.len());
        for step in &cube.steps {
            let cell = self.cells.iter().find(|cell| cell.name == step.cell);
            let option = |shown: &String| cell?.options.iter().find(|option| option.shown == *shown);
            let terms: Option<Vec<Bool>> = step.options.iter().map(|shown| Some(option(shown)?.term)).collect();
            let terms = terms.ok_or_else(|| {
                let message = format!(
                    "the cubes do not fit the instance, which has no part of which `{}` could be said",
                    step.says
                );
                let error = Diagnostic::error(Code::CUBES, message);
                error.help("make new cubes with `conjure-like cubes make`, with the same model and data")
            })?;
            conditions.push(self.symbolic.problem.or(terms));
        }
        Ok(self.symbolic.problem.and(conditions))
    }
}

/// The problem whose solutions are the solutions in a cube; with an objective, only the ones that are better than a
/// value.
pub(crate) fn cube_problem(
    instance: &GroundInstance,
    sources: &Sources,
    lowered: &Lowered,
    cube: Option<&Cube>,
    better_than: Option<i64>,
) -> Result<Problem, Box<Diagnostic>> {
    let mut board = CellProblem::new(instance, sources, lowered);
    let mut required = Vec::new();
    if let Some(cube) = cube {
        required.push(board.condition(cube)?);
    }
    // If there are several objectives, the first one may be equal.
    if let (Some(value), Some(objective)) = (better_than, lowered.problem.objective())
        && let [term, others @ ..] = &*objective.terms
    {
        let (problem, sense) = (&mut board.symbolic.problem, objective.sense);
        let value = if others.is_empty() { sense.step(value) } else { value };
        required.push(problem.at_least_as_good(sense, *term, value));
    }
    let mut problem = board.symbolic.finish().map_err(|refusal| Box::new(lowering::refused_lowering(refusal)))?;
    required.into_iter().for_each(|condition| problem.require(condition));
    Ok(problem)
}

/// Cells for decisions without a name in the model: parts of nested collections.
fn cells_of_unnamed(symbolic: &mut Symbolic, cells: &[Cell], decisions: &[Variable]) -> Vec<Cell> {
    let mut named: FxHashSet<Variable> = FxHashSet::default();
    let roots = cells.iter().flat_map(|cell| &cell.options).map(|option| Variable::Bool(option.term));
    // A decision that occurs in an option of a named cell is made together with the cell.
    symbolic.problem.visit(roots, |term| {
        named.insert(term.positive());
        true
    });
    let mut found = Vec::new();
    for (position, decision) in
        decisions.iter().enumerate().filter(|(_, decision)| !named.contains(&decision.positive()))
    {
        let name = format!("decision {}", position + 1);
        let values: Vec<i64> = match decision {
            Variable::Bool(_) => vec![0, 1],
            Variable::Int(term) => symbolic.problem.values(*term).iter().take(MOST_VALUES + 1).collect(),
        };
        if values.len() > MOST_VALUES {
            continue;
        }
        let options = values.into_iter().map(|value| {
            let term = match decision {
                Variable::Bool(term) => {
                    if value == 1 {
                        *term
                    } else {
                        !*term
                    }
                }
                Variable::Int(term) => symbolic.problem.equals_constant(*term, value),
            };
            CellOption::new(format!("{name} = {value}"), value.to_string(), term)
        });
        let options = options.collect();
        let labels = Vec::new();
        found.push(Cell {
            name,
            variable: Name::from(""),
            labels,
            options,
            numeric: true,
            number: None,
            unlisted: None,
        });
    }
    found
}

/// Returns the error that cubes need a SAT solver that reports the literals it propagates.
#[cfg(not(feature = "cadical"))]
pub(crate) fn split(
    _: &GroundInstance,
    _: &Sources,
    _: &Lowered,
    _up_to_symmetry: bool,
    _count: usize,
    _: &crate::solver::EngineOptions,
) -> Result<Split, crate::halt::Halt> {
    Err(crate::halt::StopReason::Unknown("this build does not have CaDiCaL, which makes them".into()).into())
}
