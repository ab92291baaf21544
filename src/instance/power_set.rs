//! Power sets as operands, which are listed only if the operator needs that.

use super::{Environment, evaluate};
use crate::{
    analysis::model::{DeclarationKind, Expr, ExprKind},
    language::{Evaluated, Type, Value},
    operators::{Operator, power_set::SetOfSets},
};

/// The operand of `powerSet`, if the expression is a power set.
pub(super) fn base(expr: &Expr, env: &mut Environment) -> Evaluated<Option<Value>> {
    match &expr.kind {
        ExprKind::Apply(operator, sets) if operator.is_power_set() => evaluate(&sets[0], env).map(Some),
        ExprKind::Global(id) => {
            let model = env.model().clone();
            match &model.declaration(*id).kind {
                DeclarationKind::Letting(value) => base(value, env),
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

/// The value of an operator on power sets that does not need them listed; `None` for other operators and operands.
pub(super) fn unlisted(operator: &Operator, operands: &[Expr], env: &mut Environment) -> Evaluated<Option<Value>> {
    let Some(on_power_sets) = operator.on_power_sets else { return Ok(None) };
    let is_set_of_sets = |ty: &Type| ty.as_set().is_some_and(|member| member.as_set().is_some());
    // The types are checked first, because evaluating the operands could take long.
    if !operands.iter().any(|operand| is_set_of_sets(&operand.ty)) {
        return Ok(None);
    }
    let bases: Vec<Option<Value>> = operands.iter().map(|operand| base(operand, env)).collect::<Evaluated<_>>()?;
    if bases.iter().all(Option::is_none) {
        return Ok(None);
    }
    let sets = operands.iter().zip(bases).map(|(operand, base)| match base {
        Some(base) => Ok(SetOfSets::Subsets(base)),
        None => evaluate(operand, env).map(SetOfSets::Listed),
    });
    on_power_sets(&sets.collect::<Evaluated<Vec<_>>>()?).transpose()
}
