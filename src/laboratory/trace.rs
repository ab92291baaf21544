//! The steps of a search, as data and as text.

use super::network::{ConstraintId, Network, VariableId};
use std::fmt::Write;

/// A step. Values are positions in the variable's original domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TraceEvent {
    /// A variable is assigned a value: a node of the search tree.
    Assign(VariableId, usize),
    /// A value is removed because it contradicts the assignment or has no support.
    Prune(VariableId, usize, ConstraintId),
    /// A constraint is violated by the assigned variables.
    Violated(ConstraintId),
    /// The domain of a variable is empty.
    WipeOut(VariableId),
    /// No solution below this node can improve on the incumbent.
    NoBetter,
    /// All variables are assigned, and all constraints hold.
    Solution,
    /// The assignment is undone.
    Undo(VariableId, usize),
}

/// A trace that keeps the first steps, up to a limit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    pub events: Vec<TraceEvent>,
    /// The limit on recorded steps.
    pub limit: usize,
    /// True if there were more steps.
    pub truncated: bool,
    /// The number of constraint checks before each step.
    pub checks: Vec<u64>,
    /// Numbers of steps, each with the bounds of the objective after it, the most important term first. After a
    /// solution, these are its values.
    pub bounds: Vec<(usize, Vec<i128>)>,
}

impl Recorder {
    pub(crate) fn new(limit: usize) -> Self {
        Recorder { limit, ..Recorder::default() }
    }

    /// Records a step, with the number of constraint checks before it.
    pub(crate) fn record(&mut self, event: TraceEvent, checks: u64) {
        if self.is_recording() {
            self.events.push(event);
            self.checks.push(checks);
        } else {
            self.truncated = true;
        }
    }

    /// Records the bounds of the objective after the last step.
    pub(crate) fn record_bound(&mut self, reachable: &[i128]) {
        if self.is_recording() {
            self.bounds.push((self.events.len(), reachable.to_vec()));
        }
    }

    /// Returns true if there is room for another step.
    pub(crate) fn is_recording(&self) -> bool {
        self.events.len() < self.limit
    }
}

/// The steps as text, one per line, indented by the depth in the search tree.
pub(crate) fn transcript(network: &Network, recorder: &Recorder) -> String {
    let mut text = String::new();
    let mut depth = 0;
    let equation = |variable: VariableId, position: usize| {
        let value = network.value_name(variable, network.variables[variable].values[position]);
        (network.variables[variable].name.as_str(), value)
    };
    let mut events = recorder.events.iter().peekable();
    while let Some(event) = events.next() {
        let mut line = |depth: usize, words: String| {
            let _ = writeln!(text, "{:width$}{words}", "", width = 2 * depth);
        };
        match *event {
            TraceEvent::Assign(variable, position) => {
                let (name, value) = equation(variable, position);
                line(depth, format!("{name} = {value}"));
                depth += 1;
            }
            TraceEvent::Prune(variable, position, constraint) => {
                let (name, value) = equation(variable, position);
                let mut values = vec![value];
                // Consecutive prunings of one variable by the same constraint share a line.
                while let Some(TraceEvent::Prune(next, position, reason)) = events.peek()
                    && *next == variable
                    && *reason == constraint
                {
                    values.push(equation(variable, *position).1);
                    events.next();
                }
                line(depth, format!("{name} loses {}: {}", values.join(", "), network.constraints[constraint].text));
            }
            TraceEvent::Violated(constraint) => {
                line(depth, format!("violated: {}", network.constraints[constraint].text))
            }
            TraceEvent::WipeOut(variable) => {
                line(depth, format!("no value is left for {}", network.variables[variable].name))
            }
            TraceEvent::NoBetter => line(depth, "no better solution is possible here".to_owned()),
            TraceEvent::Solution => line(depth, "solution".to_owned()),
            TraceEvent::Undo(variable, position) => {
                depth = depth.saturating_sub(1);
                let (name, value) = equation(variable, position);
                line(depth, format!("back: {name} is not {value}"));
            }
        }
    }
    if recorder.truncated {
        let _ = writeln!(text, "… (only the first {} steps are shown)", recorder.limit);
    }
    text
}
