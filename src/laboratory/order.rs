//! Variable and value ordering heuristics.

use super::{
    engine::TreeSearch,
    inference::view_value,
    network::{Constraint, ConstraintId, NetworkConstraintKind, VariableId},
    strategy::{Inference, ValueOrder, VariableOrder},
};

impl TreeSearch<'_> {
    /// Chooses the next variable to assign; `None` if all are assigned.
    pub(super) fn next_variable(&mut self) -> Option<VariableId> {
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
                // The quotients size / weight are compared without division, by cross-multiplication.
                (sizes.0 * right_weight).cmp(&(sizes.1 * left_weight))
            }),
        }
    }

    /// The constraints of a variable that have another unassigned variable.
    fn troubled(&self, variable: VariableId) -> impl Iterator<Item = ConstraintId> + '_ {
        self.network.constraints_of[variable].iter().copied().filter(|constraint| self.open[*constraint] > 1)
    }

    /// The number of values that do not conflict with the assigned variables. With inference, the domain has exactly
    /// these.
    fn legal_values(&mut self, variable: VariableId) -> usize {
        if self.strategy.inference != Inference::None {
            return self.domains.count(variable) as usize;
        }
        let network = self.network;
        let positions: Vec<usize> = self.domains.positions(variable).collect();
        let mut legal = 0;
        for position in positions {
            if self.stopped {
                break;
            }
            let value = Some(self.value(variable, position));
            let constraints = &network.constraints_of[variable];
            legal += usize::from(constraints.iter().all(|constraint| self.agrees(*constraint, variable, value)));
        }
        legal
    }

    pub(super) fn ordered_values(&mut self, variable: VariableId) -> Vec<usize> {
        let mut positions: Vec<usize> = self.domains.positions(variable).collect();
        if self.strategy.values == ValueOrder::Lcv && positions.len() > 1 {
            // Counting takes many checks, so the counts are cached.
            positions.sort_by_cached_key(|position| self.ruled_out(variable, *position));
        }
        positions
    }

    /// The number of values of unassigned neighbours that a value would rule out.
    fn ruled_out(&mut self, variable: VariableId, position: usize) -> usize {
        if self.stopped {
            return 0;
        }
        let network = self.network;
        let value = self.value(variable, position);
        let mut ruled_out = 0;
        for constraint in network.constraints_of[variable].iter().copied() {
            let Constraint { scope, kind, .. } = &network.constraints[constraint];
            if let NetworkConstraintKind::AllDifferent(views) = kind {
                let Some(image) = view_value(views, variable, value) else { continue };
                for view in views.iter().filter(|view| view.variable != variable) {
                    if self.assigned[view.variable].is_none() {
                        self.count_check();
                        let same = self.position(*view, image);
                        ruled_out += usize::from(same.is_some_and(|same| self.domains.has(view.variable, same)));
                    }
                }
                continue;
            }
            // If more variables are open, no single value of a neighbour is certain to be ruled out.
            if self.open[constraint] != 2 {
                continue;
            }
            for other in scope.iter().copied() {
                if other == variable || self.assigned[other].is_some() {
                    continue;
                }
                let positions: Vec<usize> = self.domains.positions(other).collect();
                for position in positions {
                    let tried = [(variable, value), (other, self.value(other, position))];
                    ruled_out += usize::from(!self.is_possible(constraint, &tried));
                    if self.stopped {
                        return 0;
                    }
                }
            }
        }
        ruled_out
    }
}
