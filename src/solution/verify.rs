//! Checks solutions against the instance as it was before lowering, by evaluation alone.

use crate::{
    analysis::model::{DeclarationId, LocalId},
    diagnostic::{Code, Diagnostic},
    instance::{Environment, GroundInstance, best_choice, holds},
    language::{Stop, Value, domain::DomainRole},
};

/// Checks that every decision variable has a value in its domain and that every constraint holds. A failure is a bug in
/// this program: in lowering, a solver, or the evaluation itself.
pub(crate) fn verify(instance: &GroundInstance, solution: &[(DeclarationId, Value)]) -> Result<(), Box<Diagnostic>> {
    verify_with(instance, solution, [])
}

/// Verifies a solution with candidate values for local names. The candidates are checked like other values, but need
/// not be searched for.
pub(crate) fn verify_with(
    instance: &GroundInstance,
    solution: &[(DeclarationId, Value)],
    witnesses: impl IntoIterator<Item = (LocalId, Vec<Value>)>,
) -> Result<(), Box<Diagnostic>> {
    let declarations = &instance.model.declarations;
    for find in &instance.finds {
        let declaration = &declarations[find.id.0 as usize];
        let Some((_, value)) = solution.iter().find(|(id, _)| *id == find.id) else {
            let message = format!("a solution without a value for `{}`", declaration.name);
            return Err(Box::new(Diagnostic::error(Code::WRONG_SOLUTION, message)));
        };
        if let Err(violation) = find.domain.check(value, DomainRole::Decision) {
            let message = format!("a solution with a value of `{}` outside its domain", declaration.name);
            let reason = violation.describe(&declaration.ty, &instance.names);
            return Err(Box::new(
                Diagnostic::error(Code::WRONG_SOLUTION, message).at(declaration.span, reason).note(format!(
                    "{} = {}",
                    declaration.name,
                    instance.names.show(value, &declaration.ty)
                )),
            ));
        }
    }
    let mut env = bound_environment(instance, solution);
    for (first, values) in witnesses {
        env.add_witness(first, values);
    }
    for constraint in &instance.model.constraints {
        match holds(constraint, &mut env) {
            Ok(true) => {}
            Err(Stop::Fault(diagnostic)) => return Err(diagnostic),
            _ => {
                let mut diagnostic = Diagnostic::error(Code::WRONG_SOLUTION, "a solution that violates a constraint")
                    .at(constraint.span, "this is false");
                for note in crate::instance::values_of_names(constraint, &mut env, &instance.names) {
                    diagnostic = diagnostic.note(note);
                }
                return Err(Box::new(diagnostic));
            }
        }
    }
    Ok(())
}

/// The value of the objective in a solution; `None` without an objective, or if it is undefined.
pub(crate) fn objective_value(
    instance: &GroundInstance,
    solution: &[(DeclarationId, Value)],
) -> Result<Option<Value>, Box<Diagnostic>> {
    let Some(objective) = &instance.model.objective else { return Ok(None) };
    match best_choice(&objective.value, objective.sense, &mut bound_environment(instance, solution)) {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Undefined) => Ok(None),
        Err(Stop::Fault(diagnostic)) => Err(diagnostic),
    }
}

fn bound_environment(instance: &GroundInstance, solution: &[(DeclarationId, Value)]) -> Environment {
    let mut env = instance.environment.clone();
    for (id, value) in solution {
        env.bind_global(*id, value.clone());
    }
    env
}
