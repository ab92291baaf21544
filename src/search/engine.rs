//! The search itself: depth first, one value after the other for each variable, with what a [`Strategy`] adds.

use super::{
    consistency::{Domains, Evaluator},
    network::{Constraint, ConstraintId, Kind, Network, VariableId},
    strategy::{Inference, Strategy, ValueOrder, VariableOrder},
    trace::{Event, Recorder},
};
use crate::problem::{Assignment, Int};
use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// When to give up.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub interrupted: Arc<AtomicBool>,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Assignments of a value to a variable.
    pub nodes: u64,
    /// Nodes that were found to be hopeless at once, by a violated constraint or an empty domain.
    pub dead_ends: u64,
    /// How often a constraint was tested on values.
    pub checks: u64,
    /// Values removed from domains by inference.
    pub prunings: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A solution was found; with an objective, the best one.
    Solved,
    /// There is none.
    Unsatisfiable,
    /// The time or the user ended the search.
    Stopped,
}

#[derive(Debug)]
pub struct Run {
    pub verdict: Verdict,
    /// The last solution that was found.
    pub solution: Option<Assignment>,
    pub counters: Counters,
    pub time: Duration,
    pub recorder: Recorder,
}

/// Searches for a solution, the best one if there is an objective.
pub fn run(network: &Network, strategy: Strategy, limits: &Limits, recorder: Recorder) -> Run {
    let start = Instant::now();
    let mut engine = Engine {
        network,
        strategy,
        limits,
        evaluator: Evaluator::new(network),
        domains: Domains::new(network),
        assigned: vec![None; network.variables.len()],
        open: network.constraints.iter().map(|constraint| constraint.scope.len()).collect(),
        weights: vec![1; network.constraints.len()],
        counters: Counters::default(),
        recorder,
        best: None,
        solution: None,
        stopped: false,
    };
    if engine.prepare() {
        engine.search();
    }
    let verdict = match (&engine.solution, engine.stopped) {
        (_, true) => Verdict::Stopped,
        (Some(_), false) => Verdict::Solved,
        (None, false) => Verdict::Unsatisfiable,
    };
    let Engine { solution, counters, recorder, .. } = engine;
    Run { verdict, solution, counters, time: start.elapsed(), recorder }
}

/// Whether the search may go on, or what ended it, has been found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    End,
}

struct Engine<'n> {
    network: &'n Network<'n>,
    strategy: Strategy,
    limits: &'n Limits,
    evaluator: Evaluator,
    domains: Domains,
    /// The position of the value of each variable.
    assigned: Vec<Option<usize>>,
    /// How many variables of each constraint have no value.
    open: Vec<usize>,
    /// One more for each dead end that a constraint has caused.
    weights: Vec<u64>,
    counters: Counters,
    recorder: Recorder,
    /// The objective of the best solution so far, the most important term first.
    best: Option<Vec<i128>>,
    solution: Option<Assignment>,
    stopped: bool,
}

impl Engine<'_> {
    fn value(&self, variable: VariableId, position: usize) -> i64 {
        self.network.variables[variable].values[position]
    }

    fn prune(&mut self, variable: VariableId, position: usize, constraint: ConstraintId) {
        self.counters.prunings += 1;
        self.recorder.record(Event::Prune(variable, position, constraint));
        self.domains.remove(variable, position);
    }

    /// Removes what constraints on one variable forbid, and what arc consistency forbids if that is asked for.
    /// Returns whether every variable has a value left.
    fn prepare(&mut self) -> bool {
        let network = self.network;
        for (id, constraint) in network.constraints.iter().enumerate() {
            match constraint.scope[..] {
                [] if !self.holds(id) => {
                    self.recorder.record(Event::Violated(id));
                    return false;
                }
                [variable] if !self.filter(id, variable) => return false,
                _ => {}
            }
        }
        // What is maintained has to hold from the start.
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

    fn search(&mut self) -> Flow {
        if self.limits.interrupted.load(Relaxed)
            || self.counters.nodes.is_multiple_of(256) && self.limits.deadline.is_some_and(|end| Instant::now() >= end)
        {
            self.stopped = true;
            return Flow::End;
        }
        let Some(variable) = self.next_variable() else { return self.found() };
        for position in self.ordered_values(variable) {
            self.counters.nodes += 1;
            self.recorder.record(Event::Assign(variable, position));
            let mark = self.domains.mark();
            self.assigned[variable] = Some(position);
            self.domains.keep_only(variable, position);
            self.network.constraints_of[variable].iter().for_each(|constraint| self.open[*constraint] -= 1);
            let hopeful = self.is_consistent(variable) && self.infer(variable) && self.can_improve();
            let flow = if hopeful {
                stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.search())
            } else {
                self.counters.dead_ends += 1;
                Flow::GoOn
            };
            if flow == Flow::End {
                return flow;
            }
            self.network.constraints_of[variable].iter().for_each(|constraint| self.open[*constraint] += 1);
            self.assigned[variable] = None;
            self.domains.undo(mark);
            self.recorder.record(Event::Undo(variable, position));
        }
        Flow::GoOn
    }

    /// All variables have values.
    fn found(&mut self) -> Flow {
        self.recorder.record(Event::Solution);
        let value = |variable: VariableId| match self.assigned[variable] {
            Some(position) => self.value(variable, position),
            None => unreachable!("all variables have values in a solution"),
        };
        self.solution = Some(self.network.assignment(value));
        match self.network.objective {
            Some((_, terms)) => {
                self.best = Some(self.objective(terms, false));
                Flow::GoOn
            }
            None => Flow::End,
        }
    }

    /// The least, or the largest, values that the terms of the objective can have.
    fn objective(&mut self, terms: &[Int], largest: bool) -> Vec<i128> {
        let mut values = Vec::with_capacity(terms.len());
        for term in terms {
            let (low, high) = self.evaluator.range(self.network, &self.domains, *term, &[]);
            values.push(if largest { high } else { low });
        }
        values
    }

    /// Whether the objective can still be better than that of the best solution.
    fn can_improve(&mut self) -> bool {
        let Some((maximising, terms)) = self.network.objective else { return true };
        if self.best.is_none() {
            return true;
        }
        let reachable = Some(self.objective(terms, maximising));
        let better = if maximising { reachable > self.best } else { reachable < self.best };
        if !better {
            self.recorder.record(Event::NoBetter);
        }
        better
    }

    fn violated(&mut self, constraint: ConstraintId) -> bool {
        self.weights[constraint] += 1;
        self.recorder.record(Event::Violated(constraint));
        false
    }

    /// Whether no constraint is violated by the assigned variables, the last of which is given.
    fn is_consistent(&mut self, variable: VariableId) -> bool {
        // Inference has removed the values that would be.
        if self.strategy.inference != Inference::None {
            return true;
        }
        let network = self.network;
        for constraint in &network.constraints_of[variable] {
            if !self.agrees(*constraint, variable, self.assigned[variable].map(|at| self.value(variable, at))) {
                return self.violated(*constraint);
            }
        }
        true
    }

    /// Whether a constraint allows a value beside the assigned variables. Until all others have values, that is known of
    /// `allDiff` alone.
    fn agrees(&mut self, constraint: ConstraintId, variable: VariableId, value: Option<i64>) -> bool {
        let Some(value) = value else { return true };
        let network = self.network;
        let Constraint { scope, kind, .. } = &network.constraints[constraint];
        match kind {
            Kind::AllDifferent => {
                for other in scope {
                    if *other != variable
                        && let Some(position) = self.assigned[*other]
                    {
                        self.counters.checks += 1;
                        if self.value(*other, position) == value {
                            return false;
                        }
                    }
                }
                true
            }
            Kind::Condition(condition) => {
                let others = self.open[constraint] - usize::from(self.assigned[variable].is_none());
                if others > 0 {
                    return true;
                }
                self.counters.checks += 1;
                self.evaluator.possible(network, &self.domains, *condition, &[(variable, value)])
            }
        }
    }

    /// Whether a constraint without open variables holds.
    fn holds(&mut self, constraint: ConstraintId) -> bool {
        match &self.network.constraints[constraint].kind {
            Kind::AllDifferent => true,
            Kind::Condition(condition) => {
                self.counters.checks += 1;
                self.evaluator.possible(self.network, &self.domains, *condition, &[])
            }
        }
    }

    /// Removes the values of a variable that a constraint does not allow beside the assigned ones. Returns whether a value is
    /// left.
    fn filter(&mut self, constraint: ConstraintId, variable: VariableId) -> bool {
        let positions: Vec<usize> = self.domains.positions(variable).collect();
        for position in positions {
            if !self.agrees(constraint, variable, Some(self.value(variable, position))) {
                self.prune(variable, position, constraint);
            }
        }
        self.has_values(variable, constraint)
    }

    fn has_values(&mut self, variable: VariableId, constraint: ConstraintId) -> bool {
        let left = self.domains.count(variable) > 0;
        if !left {
            self.weights[constraint] += 1;
            self.recorder.record(Event::WipeOut(variable));
        }
        left
    }

    /// Draws the conclusions from an assignment; returns whether they leave a value to every variable.
    fn infer(&mut self, variable: VariableId) -> bool {
        match self.strategy.inference {
            Inference::None => true,
            Inference::ForwardChecking => self.check_forward(variable),
            Inference::Mac => {
                let network = self.network;
                let arcs = network.constraints_of[variable].iter().flat_map(|constraint| {
                    let others = network.constraints[*constraint].scope.iter();
                    others.filter(|other| **other != variable).map(|other| (*constraint, *other))
                });
                self.make_consistent(arcs.collect())
            }
        }
    }

    /// Constraints with one open variable remove its values, and `allDiff` those of all its variables.
    fn check_forward(&mut self, variable: VariableId) -> bool {
        let network = self.network;
        for constraint in network.constraints_of[variable].iter().copied() {
            let Constraint { scope, kind, .. } = &network.constraints[constraint];
            let open = self.open[constraint];
            if open == 0 || open > 1 && *kind != Kind::AllDifferent {
                continue;
            }
            for other in scope.iter().copied() {
                if self.assigned[other].is_some() {
                    continue;
                }
                let left = match kind {
                    Kind::AllDifferent => self.remove_equal(constraint, other, variable),
                    Kind::Condition(_) => self.filter(constraint, other),
                };
                if !left {
                    return false;
                }
            }
        }
        true
    }

    /// Removes from a variable the only value of another one. Returns whether a value is left.
    fn remove_equal(&mut self, constraint: ConstraintId, variable: VariableId, fixed: VariableId) -> bool {
        let Some(position) = self.domains.positions(fixed).next() else { return true };
        let value = self.value(fixed, position);
        self.counters.checks += 1;
        if let Ok(position) = self.network.variables[variable].values.binary_search(&value)
            && self.domains.has(variable, position)
        {
            self.prune(variable, position, constraint);
        }
        self.has_values(variable, constraint)
    }

    /// AC-3: makes arcs consistent, and those that a change touches, until nothing changes. An arc is a constraint with one
    /// of its variables.
    fn make_consistent(&mut self, arcs: Vec<(ConstraintId, VariableId)>) -> bool {
        let network = self.network;
        let mut waiting: Vec<Vec<bool>> = Vec::new();
        waiting.resize_with(network.constraints.len(), Vec::new);
        let mut queue = VecDeque::new();
        let mut enqueue = |queue: &mut VecDeque<_>, constraint: ConstraintId, variable: VariableId, on: bool| {
            let scope = &network.constraints[constraint].scope;
            let flags = &mut waiting[constraint];
            flags.resize(scope.len(), false);
            let Some(at) = scope.iter().position(|other| *other == variable) else { return };
            if on && !flags[at] {
                queue.push_back((constraint, variable));
            }
            flags[at] = on;
        };
        for (constraint, variable) in arcs {
            enqueue(&mut queue, constraint, variable, true);
        }
        while let Some((constraint, variable)) = queue.pop_front() {
            enqueue(&mut queue, constraint, variable, false);
            if self.assigned[variable].is_some() {
                continue;
            }
            let before = self.domains.count(variable);
            if !self.revise(constraint, variable) {
                return false;
            }
            if self.domains.count(variable) == before {
                continue;
            }
            for touched in network.constraints_of[variable].iter().copied().filter(|touched| *touched != constraint) {
                for other in network.constraints[touched].scope.iter().copied() {
                    if other != variable && self.assigned[other].is_none() {
                        enqueue(&mut queue, touched, other, true);
                    }
                }
            }
            // The others of a larger constraint may have lost their support as well.
            if network.constraints[constraint].scope.len() > 2 {
                for other in network.constraints[constraint].scope.iter().copied() {
                    if other != variable && self.assigned[other].is_none() {
                        enqueue(&mut queue, constraint, other, true);
                    }
                }
            }
        }
        true
    }

    /// Removes the values of a variable without support in a constraint: exactly where it has one other open
    /// variable, by ranges where it has more. Returns whether a value is left.
    fn revise(&mut self, constraint: ConstraintId, variable: VariableId) -> bool {
        let network = self.network;
        let Constraint { scope, kind, .. } = &network.constraints[constraint];
        let condition = match kind {
            Kind::AllDifferent => {
                for other in scope.iter().copied() {
                    if other != variable
                        && self.domains.count(other) == 1
                        && !self.remove_equal(constraint, variable, other)
                    {
                        return false;
                    }
                }
                return true;
            }
            Kind::Condition(condition) => *condition,
        };
        let mut others = scope.iter().copied().filter(|other| *other != variable && self.domains.count(*other) > 1);
        let other = match (others.next(), others.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        };
        let positions: Vec<usize> = self.domains.positions(variable).collect();
        for position in positions {
            let value = self.value(variable, position);
            let supported = match other {
                Some(other) => {
                    let partners: Vec<usize> = self.domains.positions(other).collect();
                    partners.into_iter().any(|partner| {
                        self.counters.checks += 1;
                        let tried = [(variable, value), (other, self.value(other, partner))];
                        self.evaluator.possible(network, &self.domains, condition, &tried)
                    })
                }
                None => {
                    self.counters.checks += 1;
                    self.evaluator.possible(network, &self.domains, condition, &[(variable, value)])
                }
            };
            if !supported {
                self.prune(variable, position, constraint);
            }
        }
        self.has_values(variable, constraint)
    }

    /// The next variable to assign; `None` if all have values.
    fn next_variable(&mut self) -> Option<VariableId> {
        let unassigned: Vec<VariableId> =
            (0..self.assigned.len()).filter(|variable| self.assigned[*variable].is_none()).collect();
        match self.strategy.variables {
            VariableOrder::AsWritten => unassigned.first().copied(),
            VariableOrder::Mrv => unassigned.into_iter().min_by_key(|variable| self.legal_values(*variable)),
            VariableOrder::MrvDegree => unassigned.into_iter().min_by_key(|variable| {
                let degree = self.troubled(*variable).count();
                (self.legal_values(*variable), std::cmp::Reverse(degree))
            }),
            VariableOrder::DomWdeg => unassigned.into_iter().min_by(|left, right| {
                let weight = |variable| -> u64 { self.troubled(variable).map(|id| self.weights[id]).sum() };
                let (left_weight, right_weight) = (u128::from(weight(*left).max(1)), u128::from(weight(*right).max(1)));
                let sizes = (u128::from(self.domains.count(*left)), u128::from(self.domains.count(*right)));
                (sizes.0 * right_weight).cmp(&(sizes.1 * left_weight))
            }),
        }
    }

    /// The constraints of a variable that have another open variable.
    fn troubled(&self, variable: VariableId) -> impl Iterator<Item = ConstraintId> + '_ {
        self.network.constraints_of[variable].iter().copied().filter(|constraint| self.open[*constraint] > 1)
    }

    /// How many values do not clash with the assigned variables; inference has removed the others.
    fn legal_values(&mut self, variable: VariableId) -> usize {
        if self.strategy.inference != Inference::None {
            return self.domains.count(variable) as usize;
        }
        let network = self.network;
        let positions: Vec<usize> = self.domains.positions(variable).collect();
        let mut legal = 0;
        for position in positions {
            let value = Some(self.value(variable, position));
            let constraints = &network.constraints_of[variable];
            legal += usize::from(constraints.iter().all(|constraint| self.agrees(*constraint, variable, value)));
        }
        legal
    }

    fn ordered_values(&mut self, variable: VariableId) -> Vec<usize> {
        let mut positions: Vec<usize> = self.domains.positions(variable).collect();
        if self.strategy.values == ValueOrder::Lcv && positions.len() > 1 {
            positions.sort_by_cached_key(|position| self.ruled_out(variable, *position));
        }
        positions
    }

    /// How many values of open neighbours a value would rule out.
    fn ruled_out(&mut self, variable: VariableId, position: usize) -> usize {
        let network = self.network;
        let value = self.value(variable, position);
        let mut ruled_out = 0;
        for constraint in network.constraints_of[variable].iter().copied() {
            let Constraint { scope, kind, .. } = &network.constraints[constraint];
            for other in scope.iter().copied() {
                if other == variable || self.assigned[other].is_some() {
                    continue;
                }
                match kind {
                    Kind::AllDifferent => {
                        self.counters.checks += 1;
                        let same = network.variables[other].values.binary_search(&value);
                        ruled_out += usize::from(same.is_ok_and(|same| self.domains.has(other, same)));
                    }
                    Kind::Condition(condition) if self.open[constraint] == 2 => {
                        let positions: Vec<usize> = self.domains.positions(other).collect();
                        for position in positions {
                            self.counters.checks += 1;
                            let tried = [(variable, value), (other, self.value(other, position))];
                            let possible = self.evaluator.possible(network, &self.domains, *condition, &tried);
                            ruled_out += usize::from(!possible);
                        }
                    }
                    Kind::Condition(_) => {}
                }
            }
        }
        ruled_out
    }
}
