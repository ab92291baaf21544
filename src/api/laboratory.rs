//! The search laboratory: textbook searches and their steps.

use super::{Instance, Pictures, Report, Solution, stack::deep};
use crate::{
    laboratory::{self, Arity, Counters, Network, PageFrame, Recorder, SearchRun, Strategy, Verdict},
    picture::stage::stage,
    pipeline, solution,
    solver::EngineOptions,
};
use std::time::{Duration, Instant};

/// The largest number of recorded steps of a search. Chosen.
const MOST_STEPS: usize = 200_000;

with_setters! {
    /// Options for the search laboratory.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct SearchOptions {
        /// The strategies; each runs one search. If empty, forward checking with the variable order of the model's
        /// `heuristic`.
        pub strategies: Vec<Strategy>,
        /// Replace `allDiff` with inequalities between two variables.
        pub binary: bool,
        /// Record the steps in [`StrategyRun::transcript`].
        pub transcript: bool,
        /// The words and pictures of a page of HTML that shows the searches step by step, if one is requested.
        pub page: Option<SearchPage>,
        /// The limits of the searches; each strategy gets an equal part of the remaining time.
        pub search: EngineOptions,
    }
}

with_setters! {
    /// The words and pictures of a page about searches.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct SearchPage {
        /// The title.
        pub title: String,
        /// The command that generates the page, for readers to copy; empty if there is none.
        pub command: String,
        /// The pictures of the model's variables: [`Model::pictures`](crate::Model::pictures).
        pub pictures: Pictures,
    }
}

/// The results of searching in an instance.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchReport {
    /// One result for each strategy.
    pub runs: Vec<StrategyRun>,
    /// The page, if it was requested.
    pub page: Option<String>,
}

/// The result of a strategy.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StrategyRun {
    /// The strategy.
    pub strategy: Strategy,
    /// The verdict of the search.
    pub verdict: Verdict,
    /// The last solution found; with an objective, the optimal one unless a limit ended the search.
    pub solution: Option<Solution>,
    /// The counters of the search.
    pub counters: Counters,
    /// The time that the search took.
    pub time: Duration,
    /// The steps, one per line; empty if they were not requested.
    pub transcript: String,
}

impl Instance {
    /// Runs a textbook search for each strategy.
    ///
    /// ```
    /// use conjure_like::{Model, SearchOptions, Text, Verdict};
    ///
    /// let model = Model::read(&Text::new("two.essence", "find x, y : int(1..2)\nsuch that x != y"))?;
    /// let options = SearchOptions::default().strategies(vec!["fc".parse().unwrap()]);
    /// let report = model.instance(&[])?.search(&options)?;
    /// assert_eq!(report.runs[0].verdict, Verdict::Solved);
    /// assert_eq!(report.runs[0].counters.nodes, 2);
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the instance is too large.
    pub fn search(&self, options: &SearchOptions) -> Result<SearchReport, Report> {
        deep(|| {
            // The limits apply to the searches, which report their progress, but not to lowering.
            let lowered = pipeline::lower_instance(&self.bound, &EngineOptions::default());
            let lowered = lowered.map_err(|halt| self.report(halt.into_diagnostics()))?;
            let arity = if options.binary { Arity::Binary } else { Arity::Any };
            let network = Network::new(&self.bound, &lowered, arity);
            let network = network.map_err(|error| self.report(vec![error]))?;
            let mut strategies = options.strategies.clone();
            if strategies.is_empty() {
                strategies.push(Strategy::of_heuristic(self.bound.model.heuristic.as_deref()));
            }
            let steps = if options.transcript || options.page.is_some() { MOST_STEPS } else { 0 };
            let mut searched: Vec<(Strategy, SearchRun)> = Vec::new();
            let mut runs = Vec::new();
            for (waiting, strategy) in (1..=strategies.len() as u32).rev().zip(strategies) {
                let now = Instant::now();
                let deadline =
                    // The remaining time is divided anew for each strategy, so later ones get the time that earlier
                    // ones leave over.
                    options.search.limits.deadline.map(|end| now + end.saturating_duration_since(now) / waiting);
                let engine_options = options.search.clone().limits(options.search.limits.clone().deadline(deadline));
                let run = laboratory::run_strategy(&network, strategy, &engine_options, Recorder::new(steps));
                let values = run.solution.as_ref().map(|assignment| lowered.read_back(assignment));
                if let Some(values) = &values {
                    // The solution is checked with the model, which does not depend on the network.
                    solution::verify(&self.bound, values).map_err(|wrong| self.report(vec![*wrong]))?;
                }
                runs.push(StrategyRun {
                    strategy,
                    verdict: run.verdict,
                    solution: values.map(|values| Solution::new(self.bound.clone(), values)),
                    counters: run.counters,
                    time: run.time,
                    transcript: match options.transcript {
                        true => laboratory::transcript(&network, &run.recorder),
                        false => String::new(),
                    },
                });
                searched.push((strategy, run));
            }
            let page = options.page.as_ref().map(|SearchPage { title, command, pictures }| {
                let shown: Vec<(Strategy, &SearchRun)> =
                    searched.iter().map(|(strategy, run)| (*strategy, run)).collect();
                let frame = PageFrame { title, command, stage: stage(&self.bound, &pictures.directives) };
                laboratory::search_page(&frame, &network, &shown)
            });
            Ok(SearchReport { runs, page })
        })
    }
}
