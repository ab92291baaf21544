//! Finds all solutions of an instance by trying all values. This is slow, but as close to the meaning of a model as a
//! program can be, so all solvers are tested against it.
//!
//! Decision variables get their values in the order of their declarations, and a constraint is checked as soon as the
//! variables in it have values.

use super::{GroundInstance, SolutionValues, best_choice, holds};
use crate::{
    analysis::model::{DeclarationId, Expr, ExprKind, TypedModel},
    language::{Evaluated, Stop, Value},
};
use std::ops::ControlFlow;

/// The first `most` solutions in the order of their values; with an objective, the optimal ones.
#[cfg(any(test, fuzzing))]
pub(crate) fn solutions(instance: &GroundInstance, most: usize) -> Evaluated<Vec<SolutionValues>> {
    let mut found = Vec::new();
    let mut best: Option<Value> = None;
    let step = || ControlFlow::Continue(());
    let _ = try_all_values(instance, step, |solution, value| {
        if let (Some(objective), Some(value)) = (&instance.model.objective, value) {
            if best.as_ref().is_none_or(|best| objective.sense.is_better(value, best)) {
                found.clear();
                best = Some(value.clone());
            } else if best.as_ref() != Some(value) {
                // A worse solution is dropped, but an equally good one is kept.
                return Ok(ControlFlow::Continue(()));
            }
        }
        if found.len() < most {
            found.push(solution.clone());
        }
        // If there is an objective, the search must run to the end.
        let enough = value.is_none() && found.len() >= most;
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(found)
}

/// The number of combinations of values; `None` if they cannot be counted.
pub(crate) fn combinations(instance: &GroundInstance) -> Option<u128> {
    instance.finds.iter().try_fold(1u128, |all, find| all.checked_mul(find.domain.size()?))
}

/// Calls `found` for each solution, in the order of their values, with the value of the objective if there is one.
/// Either `found` or `step`, which is called before each value of a decision variable, may end the search.
pub(crate) fn try_all_values<B>(
    instance: &GroundInstance,
    step: impl FnMut() -> ControlFlow<B>,
    found: impl FnMut(&SolutionValues, Option<&Value>) -> Evaluated<ControlFlow<B>>,
) -> Evaluated<ControlFlow<B>> {
    if instance.undefined_domain.is_some() {
        return Ok(ControlFlow::Continue(()));
    }
    let model = &instance.model;
    let mut search = OracleSearch {
        environment: instance.environment.clone(),
        due: vec![Vec::new(); instance.finds.len() + 1],
        instance,
        partial: Vec::new(),
        step,
        found,
    };
    for constraint in &model.constraints {
        // A constraint is checked as soon as its last variable has a value. Constraints without decision variables are
        // checked before the first value, at position 0.
        let last = instance.finds.iter().rposition(|find| depends_on(constraint, find.id, model));
        search.due[last.map_or(0, |last| last + 1)].push(constraint);
    }
    search.extend()
}

/// Returns true if an expression depends on a declaration, directly or through lettings.
pub(crate) fn depends_on(expr: &Expr, wanted: DeclarationId, model: &TypedModel) -> bool {
    model.has_part(expr, &mut |part| matches!(part.kind, ExprKind::Global(id) if id == wanted))
}

struct OracleSearch<'a, S, F> {
    instance: &'a GroundInstance,
    environment: super::Environment,
    /// The constraints that can be checked once this many decision variables have values.
    due: Vec<Vec<&'a Expr>>,
    partial: SolutionValues,
    step: S,
    found: F,
}

impl<B, S, F> OracleSearch<'_, S, F>
where
    S: FnMut() -> ControlFlow<B>,
    F: FnMut(&SolutionValues, Option<&Value>) -> Evaluated<ControlFlow<B>>,
{
    fn extend(&mut self) -> Evaluated<ControlFlow<B>> {
        let depth = self.partial.len();
        for constraint in &self.due[depth] {
            if !holds(constraint, &mut self.environment)? {
                return Ok(ControlFlow::Continue(()));
            }
        }
        let Some(find) = self.instance.finds.get(depth) else { return self.accept() };
        for value in find.domain.members() {
            if let ControlFlow::Break(end) = (self.step)() {
                return Ok(ControlFlow::Break(end));
            }
            self.environment.bind_global(find.id, value.clone());
            self.partial.push((find.id, value));
            let end = self.extend()?;
            self.partial.pop();
            if end.is_break() {
                return Ok(end);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn accept(&mut self) -> Evaluated<ControlFlow<B>> {
        let value = match &self.instance.model.objective {
            Some(objective) => match best_choice(&objective.value, objective.sense, &mut self.environment) {
                // A solution counts only if its objective is defined.
                Err(Stop::Undefined) => return Ok(ControlFlow::Continue(())),
                value => Some(value?),
            },
            None => None,
        };
        (self.found)(&self.partial, value.as_ref())
    }
}
