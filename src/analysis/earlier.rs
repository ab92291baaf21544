//! The distance to earlier plans as a goal of a model.

use super::{
    highest,
    model::{Category, DeclarationId, DeclarationKind, Expr, ExprKind, ObjectiveExpr, TypedModel},
};
use crate::{
    language::{Name, Sense, Type, Value},
    operators::{self, OperatorSymbol, plan_distance::CHANGES, symbols},
    syntax::ast::EarlierPlans,
};
use std::sync::Arc;

impl TypedModel {
    /// Adds the distance to earlier plans to the objective, as the last goal. If the solutions must differ from the
    /// plans (`Maximise`), the distance is the only goal.
    pub(super) fn add_goal_of_plans(&mut self, earlier: &EarlierPlans) {
        let distances: Vec<Expr> = earlier.plans.iter().filter_map(|plan| self.distance(plan)).collect();
        let Some(first) = distances.first().cloned() else { return };
        if let Some(most) = earlier.most {
            let most = Expr::constant(Value::Int(most), Type::INT, first.span);
            self.constraints.push(application_of(symbols::AT_MOST, vec![first.clone(), most], Type::Bool));
        }
        let goal = match earlier.sense {
            Sense::Minimise => self.last_goal(first),
            Sense::Maximise => {
                let (category, span) = (highest(&distances), first.span);
                // The distance to several plans is the distance to the nearest one. At least one change is required,
                // which excludes the plans themselves.
                let list = Type::List(Arc::new(Type::INT));
                let list = Expr::new(ExprKind::Matrix(distances, None), list, category, span);
                let least = application_of(symbols::MIN, vec![list], Type::INT);
                let one = Expr::constant(Value::Int(1), Type::INT, span);
                self.constraints.push(application_of(symbols::AT_LEAST, vec![least.clone(), one], Type::Bool));
                ObjectiveExpr::new(Sense::Maximise, least)
            }
        };
        self.objective = Some(goal);
    }

    /// The number of changes from a plan; `None` if the plan has no value for any variable of the model.
    fn distance(&self, plan: &[(Name, Value)]) -> Option<Expr> {
        let known = plan.iter().filter_map(|(name, value)| Some((self.id_of(name)?, value)));
        let (ids, values): (Vec<DeclarationId>, Vec<Value>) = known.map(|(id, value)| (id, value.clone())).unzip();
        let span = self.declaration(*ids.first()?).span;
        let variables = ids.into_iter().map(|id| {
            let declaration = self.declaration(id);
            let category = match declaration.kind {
                DeclarationKind::Find(_) => Category::Decision,
                _ => Category::Parameter,
            };
            Expr::new(ExprKind::Global(id), declaration.ty.clone(), category, declaration.span)
        });
        let variables: Vec<Expr> = variables.collect();
        let ty = Type::Tuple(variables.iter().map(|variable| variable.ty.clone()).collect());
        let category = highest(&variables);
        let now = Expr::new(ExprKind::Tuple(variables), ty.clone(), category, span);
        let old = Expr::constant(Value::tuple(values), ty, span);
        Some(Expr::new(ExprKind::Apply(&CHANGES, vec![now, old]), Type::INT, category, span))
    }

    /// Returns the goals of the model, followed by a small distance.
    fn last_goal(&mut self, distance: Expr) -> ObjectiveExpr {
        let Some(ObjectiveExpr { sense, value, .. }) = self.objective.take() else {
            return ObjectiveExpr::new(Sense::Minimise, distance);
        };
        let span = value.span;
        let mut goals = match value {
            Expr { kind: ExprKind::Tuple(goals) | ExprKind::Matrix(goals, None), .. } => goals,
            one => vec![one],
        };
        // To maximise the objective, the distance is negated; users see the number of changes without the sign.
        let mut negated = vec![false; goals.len()];
        negated.push(sense == Sense::Maximise);
        goals.push(match sense {
            Sense::Minimise => distance,
            Sense::Maximise => application_of(symbols::NEGATE, vec![distance], Type::INT),
        });
        let (category, types) = (highest(&goals), goals.iter().map(|goal| goal.ty.clone()).collect());
        let value = Expr::new(ExprKind::Tuple(goals), Type::Tuple(types), category, span);
        ObjectiveExpr { negated, ..ObjectiveExpr::new(sense, value) }
    }
}

/// Applies the first row of an operator.
fn application_of(symbol: OperatorSymbol, operands: Vec<Expr>, ty: Type) -> Expr {
    let (category, span) = (highest(&operands), operands[0].span);
    Expr::new(ExprKind::Apply(operators::rows_of_symbol(symbol)[0], operands), ty, category, span)
}
