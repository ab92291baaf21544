//! The search: depth-first, one value after the other for each variable, with the additions of a [`Strategy`].

use super::{
    consistency::{CurrentDomains, Evaluator},
    network::{ConstraintId, Network, VariableId},
    strategy::{Inference, Strategy},
    trace::{Recorder, TraceEvent},
};
use crate::{
    memory,
    problem::{Assignment, Objective},
    solver::EngineOptions,
};
use std::time::{Duration, Instant};

/// The counters of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counters {
    /// The number of assignments of a value to a variable.
    pub nodes: u64,
    /// The number of nodes that fail at once, by a violated constraint or an empty domain.
    pub dead_ends: u64,
    /// The number of constraint checks on values.
    pub checks: u64,
    /// The number of values removed by inference.
    pub prunings: u64,
}

/// The end of a search in the laboratory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A solution was found; with an objective, the best one.
    Solved,
    /// There are no solutions.
    Unsatisfiable,
    /// A limit or the user ended the search.
    Stopped,
}

#[derive(Debug)]
pub(crate) struct SearchRun {
    pub verdict: Verdict,
    /// The last solution found.
    pub solution: Option<Assignment>,
    pub counters: Counters,
    pub time: Duration,
    pub recorder: Recorder,
}

/// Searches for a solution, or for the best one if there is an objective.
pub(crate) fn run_strategy(
    network: &Network,
    strategy: Strategy,
    options: &EngineOptions,
    recorder: Recorder,
) -> SearchRun {
    let start = Instant::now();
    let mut engine = TreeSearch {
        network,
        strategy,
        options,
        evaluator: Evaluator::new(network),
        domains: CurrentDomains::new(network),
        assigned: vec![None; network.variables.len()],
        open: network.constraints.iter().map(|constraint| constraint.scope.len()).collect(),
        weights: vec![1; network.constraints.len()],
        counters: Counters::default(),
        recorder,
        best: None,
        solution: None,
        stopped: false,
    };
    if engine.prepare() && engine.can_improve() {
        engine.search();
    }
    let verdict = match (&engine.solution, engine.stopped) {
        // A solution may be known at this point, but with an objective, a better one may exist.
        (_, true) => Verdict::Stopped,
        (Some(_), false) => Verdict::Solved,
        (None, false) => Verdict::Unsatisfiable,
    };
    let TreeSearch { solution, counters, recorder, .. } = engine;
    SearchRun { verdict, solution, counters, time: start.elapsed(), recorder }
}

/// The control flow of the search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Continuation {
    GoOn,
    End,
}

pub(super) struct TreeSearch<'n> {
    pub(super) network: &'n Network<'n>,
    pub(super) strategy: Strategy,
    pub(super) options: &'n EngineOptions,
    pub(super) evaluator: Evaluator,
    pub(super) domains: CurrentDomains,
    /// The position of the value of each assigned variable.
    pub(super) assigned: Vec<Option<usize>>,
    /// The number of unassigned variables of each constraint.
    pub(super) open: Vec<usize>,
    /// The weight of each constraint, which grows by one with each dead end that it causes.
    pub(super) weights: Vec<u64>,
    pub(super) counters: Counters,
    pub(super) recorder: Recorder,
    /// The objective of the incumbent, the most important term first.
    pub(super) best: Option<Vec<i128>>,
    pub(super) solution: Option<Assignment>,
    pub(super) stopped: bool,
}

impl TreeSearch<'_> {
    pub(super) fn value(&self, variable: VariableId, position: usize) -> i64 {
        self.network.variables[variable].values[position]
    }

    pub(super) fn record(&mut self, event: TraceEvent) {
        self.recorder.record(event, self.counters.checks);
    }

    pub(super) fn prune(&mut self, variable: VariableId, position: usize, constraint: ConstraintId) {
        self.counters.prunings += 1;
        self.record(TraceEvent::Prune(variable, position, constraint));
        self.domains.remove(variable, position);
    }

    /// Enforces node consistency, and arc consistency if the strategy asks for it. Returns false if a domain becomes
    /// empty.
    fn prepare(&mut self) -> bool {
        let network = self.network;
        for (id, constraint) in network.constraints.iter().enumerate() {
            match constraint.scope[..] {
                // A constraint without variables is true or false before the search.
                [] if !self.is_possible(id, &[]) => {
                    self.record(TraceEvent::Violated(id));
                    return false;
                }
                [variable] if !self.filter(id, variable) => return false,
                _ => {}
            }
        }
        // MAC maintains arc consistency, so the root must already be consistent.
        if self.strategy.preprocess || self.strategy.inference == Inference::Mac {
            let arcs = network
                .constraints
                .iter()
                .enumerate()
                .flat_map(|(id, constraint)| constraint.scope.iter().map(move |variable| (id, *variable)));
            return self.make_consistent(arcs.collect());
        }
        true
    }

    /// Checks the limits and interruption.
    pub(super) fn look_at_limits(&mut self) {
        self.stopped |= self.options.reached().is_some();
    }

    fn search(&mut self) -> Continuation {
        if self.counters.nodes.is_multiple_of(64) {
            self.look_at_limits();
        }
        let Some(variable) = self.next_variable() else { return self.found() };
        for position in self.ordered_values(variable) {
            if self.stopped {
                return Continuation::End;
            }
            self.counters.nodes += 1;
            self.record(TraceEvent::Assign(variable, position));
            let mark = self.domains.mark();
            self.assigned[variable] = Some(position);
            self.domains.keep_only(variable, position);
            self.network.constraints_of[variable].iter().for_each(|constraint| self.open[*constraint] -= 1);
            let hopeful = self.is_consistent(variable) && self.infer(variable) && self.can_improve();
            let flow = if self.stopped {
                Continuation::End
            } else if hopeful {
                memory::with_more_stack(|| self.search())
            } else {
                self.counters.dead_ends += 1;
                Continuation::GoOn
            };
            if flow == Continuation::End {
                return flow;
            }
            // The value has failed or its subtree is exhausted, so the state is restored for the next one.
            self.network.constraints_of[variable].iter().for_each(|constraint| self.open[*constraint] += 1);
            self.assigned[variable] = None;
            self.domains.undo(mark);
            self.record(TraceEvent::Undo(variable, position));
        }
        Continuation::GoOn
    }

    /// Records a solution: all variables are assigned.
    fn found(&mut self) -> Continuation {
        self.record(TraceEvent::Solution);
        let value = |variable: VariableId| match self.assigned[variable] {
            Some(position) => self.value(variable, position),
            None => unreachable!("all variables have values in a solution"),
        };
        self.solution = Some(self.network.assignment(value));
        match self.network.objective {
            Some(objective) => {
                // All variables have values, so the bound is the value of the objective itself.
                let value = self.reachable(objective);
                self.recorder.record_bound(&value);
                self.best = Some(value);
                // Branch and bound continues after a solution, and prunes the nodes that cannot lead to a better one.
                Continuation::GoOn
            }
            None => Continuation::End,
        }
    }

    /// The best values of the objective's terms within their ranges.
    fn reachable(&mut self, objective: &Objective) -> Vec<i128> {
        let range = |term: &_| self.evaluator.range(self.network, &self.domains, *term, &[]);
        objective.terms.iter().map(range).map(|range| objective.sense.end(range)).collect()
    }

    /// Returns true if a solution below this node can improve on the incumbent.
    fn can_improve(&mut self) -> bool {
        let Some(objective) = self.network.objective else { return true };
        // Without an incumbent, every value is an improvement, so the bound is computed only for the trace.
        if self.best.is_none() && !self.recorder.is_recording() {
            return true;
        }
        let reachable = self.reachable(objective);
        self.recorder.record_bound(&reachable);
        let better = self.best.as_ref().is_none_or(|best| objective.sense.is_better(&reachable, best));
        if !better {
            self.record(TraceEvent::NoBetter);
        }
        better
    }
}
