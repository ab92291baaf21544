//! Streamliners: additional constraints that make the search short if some solution satisfies them.
//!
//! [`kinds`] generates them, as text, from the domains of the decision variables. [`training`] chooses combinations on
//! training instances. [`portfolio`] writes and reads these as a file, and tries them before the search of the whole
//! space.
//!
//! You may add kinds; each streamliner must be well-typed for its domain. Callers rely on one invariant: a search with
//! a streamliner can only find a solution, and its failure proves nothing.

mod kinds;
mod portfolio;
mod training;

use crate::{
    api::{Count, Model, Report, Solution, SolveOptions, Summary, Text, deep},
    improvement::ModelView,
    solver::{ConfirmationEffort, EngineOptions, SolverName},
};
use kinds::Kinds;
pub use portfolio::{PortfolioEntry, StreamlinedSearch, StreamlinerPortfolio};
use std::ops::ControlFlow;
pub use training::{StreamlineOptions, Training, TrainingInstance, TrainingUse, TriedCombination};

/// A constraint that may make the search short, and that may exclude all solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Streamliner {
    /// The decision variable and the property in words.
    pub says: String,
    /// The constraint in Essence.
    pub constraint: String,
    /// The part of the model and the kind of property. Streamliners of one group are not combined.
    pub group: String,
    /// The number of words such as "half of" in the name. Streamliners with a small weight are tried first.
    weight: usize,
}

impl Model {
    /// Returns the streamliners that the types of the decision variables suggest.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "given n : int(1..)\nfind x : set of int(1..n)"))?;
    /// let found = model.streamliners();
    /// assert!(found.iter().any(|found| found.constraint == "forAll q1 in x . q1 % 2 = 1"));
    /// assert!(found.iter().all(|found| model.requiring(&[found.constraint.clone()]).is_ok()));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn streamliners(&self) -> Vec<Streamliner> {
        deep(|| Kinds::of(&ModelView::of(self)).all())
    }
}

/// The end of a search with a budget of conflicts.
struct BudgetedSearch {
    summary: Summary,
    /// The last solution, which is the best one that was found.
    solution: Option<Solution>,
    conflicts: u64,
}

/// Searches an instance of a model with a SAT solver, so that the budget and the result are the same on every machine.
/// With an objective, the search ends at a value that is as good as `target`.
fn search_with_budget(
    model: &Model,
    data: &[Text],
    conflicts: u64,
    target: Option<i64>,
    search: &EngineOptions,
) -> Result<BudgetedSearch, Report> {
    // No answer depends on the failure of this search, so no second engine needs to confirm it.
    let search = search.clone().conflicts(Some(conflicts)).confirmation(ConfirmationEffort::None);
    let options = SolveOptions::default().solver(SolverName::OF_CLAUSES).solutions(Count::First(1)).search(search);
    let mut last = None;
    let is_good = |solution: &Solution| match (target, objective_of(solution)) {
        (Some(target), Some(value)) if model.maximises() == Some(true) => value >= target,
        (Some(target), Some(value)) => value <= target,
        _ => false,
    };
    let summary = model.instance(data)?.solve(&options, &mut |solution| {
        last = Some(solution.clone());
        if is_good(solution) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let counters = summary.statistics.iter().flat_map(|statistics| &statistics.counters);
    let conflicts = counters.filter(|(name, _)| *name == "conflicts").map(|(_, count)| count).sum();
    Ok(BudgetedSearch { summary, solution: last, conflicts })
}

/// The value of an objective that is one integer.
fn objective_of(solution: &Solution) -> Option<i64> {
    solution.objective().and_then(|value| value.as_int())
}
