//! Instances: models whose parameters have values.

use super::{
    Report, Text,
    stack::{Deep, deep},
};
use crate::{
    cubes::Cube,
    diagnostic::Diagnostics,
    halt::{Halt, StopReason},
    instance::{
        self, oracle,
        symmetry::{SymmetryBreaking, SymmetryDetection},
    },
    lowering::representations,
    pipeline,
    solver::{EngineOptions, SolverName},
    source::Sources,
};
use std::{str::FromStr, sync::Arc};

/// A model whose parameters have values, so that it can be solved.
///
/// ```
/// use conjure_like::{Count, Model, SolveOptions, SolveStatus, Text};
/// use std::ops::ControlFlow;
///
/// let model = Model::read(&Text::new("even.essence", "given n : int(1..)\nfind x : int(1..n)\nsuch that x % 2 = 0"))?;
/// let instance = model.instance(&[Text::new("6.param", "letting n be 6")])?;
/// let mut found = Vec::new();
/// let options = SolveOptions::default().solutions(Count::All);
/// let summary = instance.solve(&options, &mut |solution| {
///     found.push(solution.to_json());
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(summary.status, SolveStatus::AllSolutions);
/// found.sort();
/// assert_eq!(found, [r#"{"x": 2}"#, r#"{"x": 4}"#, r#"{"x": 6}"#]);
/// # Ok::<(), conjure_like::Report>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    pub(crate) sources: Sources,
    pub(crate) bound: Arc<Deep<instance::GroundInstance>>,
    /// The model as it was read.
    pub(crate) read: Arc<Deep<pipeline::ReadModel>>,
    pub(super) warnings: Diagnostics,
}

/// Options for solving.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SolveOptions {
    /// The solver.
    pub solver: SolverName,
    /// The number of solutions wanted. With an objective, one solution is a best one, and several are all best ones.
    pub solutions: Count,
    /// The symmetry breaking for unnamed types; `None` keeps all solutions.
    pub unnamed_symmetry: Option<SymmetryBreaking>,
    /// Whether to break the symmetries that the model shows.
    pub symmetry: SymmetryDetection,
    /// The representations that some collections shall have, as `x=explicit` or `x.member=occurrence`.
    pub representations: Vec<String>,
    /// The part of the space of solutions to search; all of it by default.
    pub cube: Option<Cube>,
    /// With an objective, only solutions that are better than this value are wanted. If there are several objectives,
    /// the first one may have the value.
    pub better_than: Option<i64>,
    /// An earlier plan with which to begin, in Essence or JSON. It need not be a solution, nor fit the data any longer;
    /// if it is a solution, only better ones follow.
    pub start: Option<Text>,
    /// When to end before there is an answer, and how to end the search from another thread.
    pub search: EngineOptions,
}

setters!(SolveOptions {
    solver: SolverName,
    solutions: Count,
    unnamed_symmetry: Option<SymmetryBreaking>,
    symmetry: SymmetryDetection,
    representations: Vec<String>,
    cube: Option<Cube>,
    better_than: Option<i64>,
    start: Option<Text>,
    search: EngineOptions,
});

/// The number of solutions wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// All solutions.
    All,
    /// At most this many solutions.
    First(usize),
}

impl Count {
    /// The most solutions that are wanted, if not all are.
    pub(super) fn most(self) -> Option<usize> {
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

impl Instance {
    /// The number of decision variables.
    pub fn finds(&self) -> usize {
        self.bound.finds.len()
    }

    /// The number of combinations of values of the decision variables, which [`SolverName::Brute`] tries; `None` if
    /// they cannot be counted.
    pub fn combinations(&self) -> Option<u128> {
        oracle::combinations(&self.bound)
    }

    /// The decision variables with the representations that the collections in them can have, the preferred one first,
    /// as [`SolveOptions::representations`] takes them.
    pub fn possible_representations(&self) -> Vec<(&str, Vec<&'static str>)> {
        representations::possible(&self.bound)
    }

    /// How the collections in the decision variables are represented under these options, and why, for people.
    ///
    /// # Errors
    ///
    /// The options ask for a representation that there is not.
    pub fn representations(&self, options: &SolveOptions) -> Result<String, Report> {
        deep(|| {
            let wanted = representations::wanted(&self.bound, &options.representations);
            let wanted = wanted.map_err(|wrong| self.report(vec![wrong]))?;
            Ok(representations::describe(&self.bound, &wanted))
        })
    }

    /// The limit that has ended something; the error says what is wrong instead.
    pub(super) fn limit(&self, halt: Halt) -> Result<StopReason, Report> {
        match halt {
            Halt::Stopped(stopped) => Ok(stopped),
            Halt::Wrong(wrong) => Err(self.report(wrong)),
        }
    }

    pub(super) fn report(&self, diagnostics: Diagnostics) -> Report {
        Report::of(&self.sources, diagnostics)
    }
}
