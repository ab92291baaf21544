//! Instances: models whose parameters have values.

use super::{
    Report, SolveOptions, data,
    stack::{Deep, deep},
};
use crate::{
    diagnostic::Diagnostics,
    halt::{Halt, StopReason},
    instance::{self, oracle},
    lowering::representations,
    pipeline,
    source::Sources,
};
use std::sync::Arc;

/// A model whose parameters have values, so that it can be solved.
///
/// ```
/// use conjure_like::{Count, Model, SolveOptions, Text};
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
/// assert!(summary.status.knows_all());
/// found.sort();
/// assert_eq!(found, [r#"{"x": 2}"#, r#"{"x": 4}"#, r#"{"x": 6}"#]);
/// # Ok::<(), conjure_like::Report>(())
/// ```
#[derive(Clone, Debug)]
pub struct Instance {
    pub(crate) sources: Sources,
    pub(crate) bound: Arc<Deep<instance::GroundInstance>>,
    /// The parsed and typed model.
    pub(crate) read: Arc<Deep<pipeline::ReadModel>>,
    pub(super) warnings: Diagnostics,
}

impl Instance {
    /// The number of decision variables.
    pub fn finds(&self) -> usize {
        self.bound.finds.len()
    }

    /// The values of the parameters, as a parameter file in Essence.
    pub fn data(&self) -> String {
        deep(|| data::data_in_essence(&self.bound.model, &mut self.bound.environment.clone(), &self.bound.names))
    }

    /// The number of combinations of values of the decision variables, all of which
    /// [`SolverName::Brute`](crate::SolverName::Brute) tries; `None` if they cannot be counted.
    pub fn combinations(&self) -> Option<u128> {
        oracle::combinations(&self.bound)
    }

    /// The decision variables with the possible representations of their collections, the preferred one first, as
    /// accepted by [`SolveOptions::representations`].
    pub fn possible_representations(&self) -> Vec<(&str, Vec<&'static str>)> {
        representations::possible_for_variables(&self.bound)
    }

    /// Describes, for people, the representations of the collections under these options, and the reasons for the
    /// choice.
    ///
    /// # Errors
    ///
    /// Returns an error if the options name an unknown representation.
    pub fn representations(&self, options: &SolveOptions) -> Result<String, Report> {
        deep(|| {
            let wanted = representations::wanted_representations(&self.bound, &options.representations);
            let wanted = wanted.map_err(|wrong| self.report(vec![wrong]))?;
            Ok(representations::describe(&self.bound, &wanted))
        })
    }

    /// Returns the limit that was reached, or the errors as a report.
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
