//! Inference after an assignment: checks constraints, and removes values before they are tried.

use super::{
    consistency::TrialValues,
    engine::TreeSearch,
    network::{Constraint, ConstraintId, LinearView, NetworkConstraintKind, VariableId},
    strategy::Inference,
    trace::TraceEvent,
};
use std::collections::VecDeque;

impl TreeSearch<'_> {
    pub(super) fn violated(&mut self, constraint: ConstraintId) -> bool {
        // dom/wdeg uses these weights to choose the next variable.
        self.weights[constraint] += 1;
        self.record(TraceEvent::Violated(constraint));
        false
    }

    /// Returns true if no constraint is violated by the assigned variables, given the last one.
    pub(super) fn is_consistent(&mut self, variable: VariableId) -> bool {
        // With inference, the values that would violate a constraint have been removed.
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

    /// Returns true if a constraint allows a value together with the assigned variables. While others are unassigned,
    /// only `allDiff` can be violated.
    pub(super) fn agrees(&mut self, constraint: ConstraintId, variable: VariableId, value: Option<i64>) -> bool {
        let Some(value) = value else { return true };
        let network = self.network;
        if let NetworkConstraintKind::AllDifferent(views) = &network.constraints[constraint].kind {
            let Some(image) = view_value(views, variable, value) else { return true };
            for other in views.iter().filter(|other| other.variable != variable) {
                if let Some(position) = self.assigned[other.variable] {
                    self.count_check();
                    if other.of(self.value(other.variable, position)) == image {
                        return false;
                    }
                }
            }
            return true;
        }
        // The variable itself counts as assigned, because it gets the value that is tried.
        let others = self.open[constraint] - usize::from(self.assigned[variable].is_none());
        others > 0 || self.is_possible(constraint, &[(variable, value)])
    }

    /// Counts a constraint check. Limits are checked here, too, because there may be millions of checks before the next
    /// node.
    pub(super) fn count_check(&mut self) {
        self.counters.checks += 1;
        if self.counters.checks.is_multiple_of(16) {
            self.look_at_limits();
        }
    }

    /// Returns true if a constraint can hold with these values and the remaining values of other variables.
    pub(super) fn is_possible(&mut self, constraint: ConstraintId, tried: TrialValues) -> bool {
        self.count_check();
        let network = self.network;
        match &network.constraints[constraint].kind {
            NetworkConstraintKind::Condition(condition) => {
                self.evaluator.possible(network, &self.domains, *condition, tried)
            }
            NetworkConstraintKind::Different(left, right) => {
                self.evaluator.can_differ(network, &self.domains, *left, *right, tried)
            }
            NetworkConstraintKind::AllDifferent(_) => true,
        }
    }

    /// Removes the values of a variable that a constraint does not allow together with the assigned ones. Returns true
    /// if a value remains.
    pub(super) fn filter(&mut self, constraint: ConstraintId, variable: VariableId) -> bool {
        let positions: Vec<usize> = self.domains.positions(variable).collect();
        for position in positions {
            let agrees = self.agrees(constraint, variable, Some(self.value(variable, position)));
            if self.stopped {
                return false;
            }
            if !agrees {
                self.prune(variable, position, constraint);
            }
        }
        self.has_values(variable, constraint)
    }

    fn has_values(&mut self, variable: VariableId, constraint: ConstraintId) -> bool {
        let left = self.domains.count(variable) > 0;
        if !left {
            self.weights[constraint] += 1;
            self.record(TraceEvent::WipeOut(variable));
        }
        left
    }

    /// Runs the inference after an assignment; returns false if a domain becomes empty.
    pub(super) fn infer(&mut self, variable: VariableId) -> bool {
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

    /// Forward checking: constraints with one unassigned variable remove values of that variable, and `allDiff` removes
    /// values of all unassigned variables.
    fn check_forward(&mut self, variable: VariableId) -> bool {
        let network = self.network;
        for constraint in network.constraints_of[variable].iter().copied() {
            let Constraint { scope, kind, .. } = &network.constraints[constraint];
            let open = self.open[constraint];
            if open == 0 || open > 1 && !matches!(kind, NetworkConstraintKind::AllDifferent(_)) {
                continue;
            }
            if let NetworkConstraintKind::AllDifferent(views) = kind {
                let assigned = self.assigned[variable].map(|position| self.value(variable, position));
                let Some(image) = assigned.and_then(|value| view_value(views, variable, value)) else { continue };
                for view in views.iter().filter(|view| view.variable != variable) {
                    if self.assigned[view.variable].is_none() && !self.remove_equal(constraint, *view, image) {
                        return false;
                    }
                }
                continue;
            }
            for other in scope.iter().copied() {
                if self.assigned[other].is_none() && !self.filter(constraint, other) {
                    return false;
                }
            }
        }
        true
    }

    /// Removes the value of a variable for which its view equals the value of another view. Returns true if a value
    /// remains.
    fn remove_equal(&mut self, constraint: ConstraintId, view: LinearView, image: i128) -> bool {
        self.count_check();
        if self.stopped {
            return false;
        }
        if let Some(position) = self.position(view, image)
            && self.domains.has(view.variable, position)
        {
            self.prune(view.variable, position, constraint);
        }
        self.has_values(view.variable, constraint)
    }

    /// The position of the variable's value for which its view has a given value.
    pub(super) fn position(&self, view: LinearView, image: i128) -> Option<usize> {
        self.network.variables[view.variable].values.binary_search(&view.inverse(image)?).ok()
    }

    /// AC-3: makes arcs consistent, and after each change the arcs that it affects, up to the fixed point. An arc is a
    /// constraint with one of its variables.
    pub(super) fn make_consistent(&mut self, arcs: Vec<(ConstraintId, VariableId)>) -> bool {
        let network = self.network;
        // The matrix records which arcs are queued, so that an arc is in the queue at most once.
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
            // The revised constraint itself is skipped: if it is binary, the removed values had no support in it, so
            // they supported nothing.
            for touched in network.constraints_of[variable].iter().copied().filter(|touched| *touched != constraint) {
                for other in network.constraints[touched].scope.iter().copied() {
                    if other != variable && self.assigned[other].is_none() {
                        enqueue(&mut queue, touched, other, true);
                    }
                }
            }
            // If the constraint is larger, its other variables may have lost support, too.
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

    /// Removes the values of a variable that have no support in a constraint. With one other open variable, the test is
    /// exact; with more, it uses ranges. Returns true if a value remains.
    fn revise(&mut self, constraint: ConstraintId, variable: VariableId) -> bool {
        // For `allDiff`, only variables with a single value remove values. This is weaker than matching, but it is the
        // propagation that textbooks show.
        let network = self.network;
        let Constraint { scope, kind, .. } = &network.constraints[constraint];
        if let NetworkConstraintKind::AllDifferent(views) = kind {
            let Some(view) = views.iter().find(|view| view.variable == variable) else { return true };
            for other in views.iter().filter(|other| other.variable != variable) {
                if self.domains.count(other.variable) > 1 {
                    continue;
                }
                let only = self.domains.positions(other.variable).next();
                if let Some(image) = only.map(|position| other.of(self.value(other.variable, position)))
                    && !self.remove_equal(constraint, *view, image)
                {
                    return false;
                }
            }
            return true;
        }
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
                        let tried = [(variable, value), (other, self.value(other, partner))];
                        // After a limit, the value counts as supported, so the search ends without pruning it.
                        self.is_possible(constraint, &tried) || self.stopped
                    })
                }
                None => self.is_possible(constraint, &[(variable, value)]),
            };
            if self.stopped {
                return false;
            }
            if !supported {
                self.prune(variable, position, constraint);
            }
        }
        self.has_values(variable, constraint)
    }
}

/// The value of a variable's view.
pub(super) fn view_value(views: &[LinearView], variable: VariableId, value: i64) -> Option<i128> {
    views.iter().find(|view| view.variable == variable).map(|view| view.of(value))
}
