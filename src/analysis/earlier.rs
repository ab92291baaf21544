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
    /// Makes the distance to earlier plans a goal: the last one, or the only one of a model whose solutions are not
    /// among the plans.
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

    /// The number of changes from a plan; `None` if it has no value for a variable.
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

    /// The goals of the model, and after these a small distance.
    fn last_goal(&mut self, distance: Expr) -> ObjectiveExpr {
        let Some(ObjectiveExpr { sense, value, .. }) = self.objective.take() else {
            return ObjectiveExpr::new(Sense::Minimise, distance);
        };
        let span = value.span;
        let mut goals = match value {
            Expr { kind: ExprKind::Tuple(goals) | ExprKind::Matrix(goals, None), .. } => goals,
            one => vec![one],
        };
        // The number of changes is shown without the sign.
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

/// The application of the first meaning of an operator.
fn application_of(symbol: OperatorSymbol, operands: Vec<Expr>, ty: Type) -> Expr {
    let (category, span) = (highest(&operands), operands[0].span);
    Expr::new(ExprKind::Apply(operators::rows_of_symbol(symbol)[0], operands), ty, category, span)
}
