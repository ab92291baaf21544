//! Searches that confirm or refute conjectures about a model on its instances.

use super::ImproveOptions;
use crate::{
    api::{Count, Model, SolveOptions, SolveStatus, Text},
    comparison::CompareOptions,
    solver::EngineOptions,
};
use std::{ops::ControlFlow, time::Instant};

/// A model with the instances on which conjectures are checked.
pub(super) struct ConjectureChecker<'a> {
    pub model: &'a Model,
    pub instances: &'a [Vec<Text>],
    pub options: &'a ImproveOptions,
}

/// The result of a comparison on all instances.
pub(super) enum Confirmation {
    /// No difference; the number of instances that were compared completely.
    Same(usize),
    Different,
}

impl ConjectureChecker<'_> {
    fn search(&self) -> EngineOptions {
        // Each conjecture has its own limit, so that a hard one does not use up the time of all others.
        let mut search = self.options.search.clone();
        let deadline = Instant::now().checked_add(self.options.search_time);
        search.limits.deadline = search.limits.deadline.into_iter().chain(deadline).min();
        search
    }

    /// True if the time for all searches is over.
    pub(super) fn is_over(&self) -> bool {
        self.options.search.limits.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Compares a changed model with the original, whose variables are these expressions over the variables of the
    /// changed model.
    pub(super) fn compared(&self, changed: &Model, mapping: &[(String, String)]) -> Confirmation {
        let mut same = 0;
        for data in self.instances {
            let compare = CompareOptions::default().mapping(mapping.to_vec()).search(self.search());
            match changed.compare(self.model, data, &compare) {
                Ok(compared) if compared.difference.is_some() => return Confirmation::Different,
                Ok(compared) => same += usize::from(compared.complete),
                // An instance that is too large for one of the two models neither confirms nor refutes the conjecture.
                Err(_) => {}
            }
        }
        Confirmation::Same(same)
    }

    /// True if a model without an objective has no solution for an instance; `None` if a limit ended the search.
    pub(super) fn has_none(&self, text: &str, data: &[Text]) -> Option<bool> {
        let model = Model::read(&Text::new("", text)).ok()?;
        let options = SolveOptions::default().search(self.search());
        let summary = model.instance(data).ok()?.solve(&options, &mut |_| ControlFlow::Continue(())).ok()?;
        match summary.status {
            SolveStatus::Unsatisfiable => Some(true),
            SolveStatus::Satisfied | SolveStatus::AllSolutions | SolveStatus::Optimal => Some(false),
            _ => None,
        }
    }

    /// Some solutions of an instance, in Essence.
    pub(super) fn solutions(&self, data: &[Text], most: usize) -> Vec<Text> {
        let mut found = Vec::new();
        let solve = || -> Option<()> {
            let model = self.model.without_objective().ok()?;
            // With a seed, the enumeration splits the space at decisions in random order, so that the solutions differ
            // in more than the last variables.
            let search = self.search().seed(Some(1));
            let options = SolveOptions::default().solutions(Count::First(most)).search(search);
            let instance = model.instance(data).ok()?;
            let summary = instance.solve(&options, &mut |solution| {
                found.push(Text::new("", solution.to_essence(usize::MAX)));
                ControlFlow::Continue(())
            });
            summary.ok().map(drop)
        };
        // If a limit ends the search, the solutions so far still count.
        let _ = { solve }();
        found
    }
}
