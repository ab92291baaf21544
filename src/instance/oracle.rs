//! All solutions of an instance by trying all values: slow, and as close to the meaning of a model as a
//! program can be. Other ways to solve are tested against it.
//!
//! Decision variables get their values in the order of their declarations, and a constraint is checked as
//! soon as those that it mentions have values.

use super::{Instance, Solution, evaluate};
use crate::{
    analysis::model::{DeclarationId, DeclarationKind, Expr, ExprKind, Model},
    language::{Evaluated, Value},
};

/// The first solutions, at most so many, in the order of their values. With an objective, the optimal ones.
pub fn solutions(instance: &Instance, most: usize) -> Evaluated<Vec<Solution>> {
    if instance.undefined_domain.is_some() {
        return Ok(Vec::new());
    }
    let model = &instance.model;
    let mut search = Search {
        environment: instance.environment.clone(),
        due: vec![Vec::new(); instance.finds.len() + 1],
        instance,
        partial: Vec::new(),
        found: Vec::new(),
        best: None,
        most,
    };
    for constraint in &model.constraints {
        let last = instance.finds.iter().rposition(|find| mentions(constraint, find.id, model));
        search.due[last.map_or(0, |last| last + 1)].push(constraint);
    }
    search.extend()?;
    Ok(search.found)
}

/// Whether an expression depends on a declaration, through lettings, too.
fn mentions(expr: &Expr, wanted: DeclarationId, model: &Model) -> bool {
    if let ExprKind::Global(id) = expr.kind {
        return id == wanted
            || matches!(&model.declarations[id.0 as usize].kind,
                DeclarationKind::Letting(value) if mentions(value, wanted, model));
    }
    let mut found = false;
    expr.for_each_part(&mut |part| found = found || mentions(part, wanted, model));
    found
}

struct Search<'a> {
    instance: &'a Instance,
    environment: super::Environment,
    /// The constraints that can be checked when so many decision variables have values.
    due: Vec<Vec<&'a Expr>>,
    partial: Solution,
    found: Vec<Solution>,
    /// The value of the objective in the solutions found so far.
    best: Option<Value>,
    most: usize,
}

impl Search<'_> {
    fn extend(&mut self) -> Evaluated<()> {
        let depth = self.partial.len();
        for constraint in &self.due[depth] {
            if !evaluate(constraint, &mut self.environment)?.as_bool() {
                return Ok(());
            }
        }
        let Some(find) = self.instance.finds.get(depth) else { return self.accept() };
        for value in find.domain.members() {
            self.environment.bind_global(find.id, value.clone());
            self.partial.push((find.id, value));
            self.extend()?;
            self.partial.pop();
            if self.instance.model.objective.is_none() && self.found.len() >= self.most {
                break;
            }
        }
        Ok(())
    }

    fn accept(&mut self) -> Evaluated<()> {
        if let Some(objective) = &self.instance.model.objective {
            let value = match evaluate(&objective.value, &mut self.environment) {
                // Where the objective is undefined, there is no solution.
                Err(crate::language::Stop::Undefined) => return Ok(()),
                result => result?,
            };
            let better =
                self.best.as_ref().is_none_or(|best| if objective.maximising { value > *best } else { value < *best });
            if better {
                self.found.clear();
            } else if self.best.as_ref() != Some(&value) {
                return Ok(());
            }
            self.best = Some(value);
        }
        if self.found.len() < self.most {
            self.found.push(self.partial.clone());
        }
        Ok(())
    }
}
