//! Checks solutions against the instance as it was before lowering, by evaluation alone.

use crate::{
    analysis::model::{DeclarationId, Expr, LocalId},
    diagnostic::{Code, Diagnostic},
    instance::{Environment, GroundInstance, PartValues, Recheck, best_choice, holds},
    language::{Stop, Value, domain::DomainRole},
};

/// A constraint with fewer bindings is evaluated as a whole each time.
const FEWEST_BINDINGS: u64 = if cfg!(test) { 100 } else { 2_000 };

/// Checks that every decision variable has a value in its domain and that every constraint holds. A failure is a bug in
/// this program: in lowering, a solver, or the evaluation itself.
pub(crate) fn verify(instance: &GroundInstance, solution: &[(DeclarationId, Value)]) -> Result<(), Box<Diagnostic>> {
    Verifier::new(instance).verify(solution, [])
}

/// Checks one solution after the other. Instances of constraints that read the same values as before are not evaluated
/// again.
pub(crate) struct Verifier<'a> {
    instance: &'a GroundInstance,
    env: Environment,
    parts: PartValues,
    constraints: Vec<ConstraintCheck<'a>>,
}

/// The check of a constraint in the next solution.
enum ConstraintCheck<'a> {
    /// The constraint has not been checked yet.
    New,
    /// It is evaluated as a whole.
    Whole,
    /// It is split into its instances.
    Split,
    Again(Box<Recheck<'a>>),
}

impl<'a> Verifier<'a> {
    pub(crate) fn new(instance: &'a GroundInstance) -> Self {
        let constraints = instance.model.constraints.iter().map(|_| ConstraintCheck::New).collect();
        Verifier { instance, env: instance.environment.clone(), parts: PartValues::default(), constraints }
    }

    /// Verifies a solution with candidate values for local names. The candidates are checked like other values, but
    /// need not be searched for.
    pub(crate) fn verify(
        &mut self,
        solution: &[(DeclarationId, Value)],
        witnesses: impl IntoIterator<Item = (LocalId, Vec<Value>)>,
    ) -> Result<(), Box<Diagnostic>> {
        check_domains(self.instance, solution)?;
        for (id, value) in solution {
            self.env.bind_global(*id, value.clone());
        }
        self.env.clear_witnesses();
        for (first, values) in witnesses {
            self.env.add_witness(first, values);
        }
        self.parts.update(&mut self.env);
        let constraints = &self.instance.model.constraints;
        let violated = constraints.iter().enumerate().find_map(|(position, _)| self.check(position).err());
        // The record of evaluated instances is valid only after a solution, so a violation resets it.
        violated.map_or(Ok(()), |violated| {
            *self = Verifier::new(self.instance);
            Err(violated)
        })
    }

    fn check(&mut self, position: usize) -> Result<(), Box<Diagnostic>> {
        let constraint = &self.instance.model.constraints[position];
        let (check, env) = (&mut self.constraints[position], &mut self.env);
        match check {
            ConstraintCheck::New => {
                let before = env.visited();
                check_whole(self.instance, constraint, env)?;
                // The choices for local decisions apply to the whole constraint, so it cannot be split.
                let is_long = env.visited() - before >= FEWEST_BINDINGS && !env.model().has_local_finds;
                *check = if is_long { ConstraintCheck::Split } else { ConstraintCheck::Whole };
            }
            ConstraintCheck::Whole => check_whole(self.instance, constraint, env)?,
            ConstraintCheck::Split => match Recheck::of(constraint, &mut self.parts, env) {
                Ok(Some(recheck)) => *check = ConstraintCheck::Again(Box::new(recheck)),
                _ => {
                    *check = ConstraintCheck::Whole;
                    check_whole(self.instance, constraint, env)?;
                }
            },
            ConstraintCheck::Again(recheck) => {
                if !matches!(recheck.holds(&mut self.parts, env), Ok(true)) {
                    *check = ConstraintCheck::New;
                    check_whole(self.instance, constraint, env)?;
                }
            }
        }
        Ok(())
    }
}

fn check_domains(instance: &GroundInstance, solution: &[(DeclarationId, Value)]) -> Result<(), Box<Diagnostic>> {
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
    Ok(())
}

fn check_whole(instance: &GroundInstance, constraint: &Expr, env: &mut Environment) -> Result<(), Box<Diagnostic>> {
    match holds(constraint, env) {
        Ok(true) => Ok(()),
        Err(Stop::Fault(diagnostic)) => Err(diagnostic),
        _ => {
            let mut diagnostic = Diagnostic::error(Code::WRONG_SOLUTION, "a solution that violates a constraint")
                .at(constraint.span, "this is false");
            for note in crate::instance::values_of_names(constraint, env, &instance.names) {
                diagnostic = diagnostic.note(note);
            }
            Err(Box::new(diagnostic))
        }
    }
}

/// The value of the objective in a solution; `None` without an objective, or if it is undefined.
pub(crate) fn objective_value(
    instance: &GroundInstance,
    solution: &[(DeclarationId, Value)],
) -> Result<Option<Value>, Box<Diagnostic>> {
    let Some(objective) = &instance.model.objective else { return Ok(None) };
    let mut env = instance.environment.clone();
    for (id, value) in solution {
        env.bind_global(*id, value.clone());
    }
    match best_choice(&objective.value, objective.sense, &mut env) {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Undefined) => Ok(None),
        Err(Stop::Fault(diagnostic)) => Err(diagnostic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::{common::instantiate, generated::random::Random};

    /// Instances that read cells, images, members, a letting, and values of which some are read only for others.
    const MODEL: &str = "
letting n be 40
find x : matrix indexed by [int(1..4)] of int(1..9)
find f : function (total) int(1..4) --> int(1..4)
find s : set of int(1..9)
letting reach be max([x[i] + f(i) | i : int(1..4)])
such that forAll a, b : int(1..n) . a < b -> x[a % 4 + 1] + x[b % 4 + 1] <= 14 + (a * b) % 3,
    forAll a : int(1..n) . (forAll b : int(1..n), (a + b) % 2 = 0 . x[f(a % 4 + 1)] < 9 \\/ b % 9 + 1 in s) /\\
        (a % 9 + 1 in s -> reach <= 9 + a % 3),
    forAll a, b : int(1..n), a in s \\/ b in s . |s| <= 6 + (a + b) % 2,
    and([k / x[i] >= 1 | i : int(1..4), j : int(1..n), letting k be x[i] + j])
";

    fn instance() -> GroundInstance {
        instantiate(MODEL, "").expect("a model")
    }

    fn values(instance: &GroundInstance, random: &mut Random, before: &mut [i64; 9]) -> Vec<(DeclarationId, Value)> {
        // Only a few decisions change, and the others keep their values.
        for _ in 0..=random.below(2) {
            let at = random.below(9);
            before[at] = random.between(1, if (4..8).contains(&at) { 4 } else { 8 });
        }
        let list = |numbers: &[i64]| Value::list(numbers.iter().map(|number| Value::Int(*number)).collect());
        let pair = |(number, at): (&i64, i64)| (Value::Int(at), Value::Int(*number));
        let pairs = before[4..8].iter().zip(1..).map(pair).collect();
        let members = (1..=before[8]).map(Value::Int).collect();
        let values =
            [list(&before[..4]), Value::Mapping(crate::language::Collection::Function, pairs), Value::set(members)];
        instance.finds.iter().zip(values).map(|(find, value)| (find.id, value)).collect()
    }

    #[test]
    fn what_is_checked_again_agrees_with_a_whole_check() {
        let instance = instance();
        let (mut verifier, mut before) = (Verifier::new(&instance), [3; 9]);
        let random = &mut Random::new(9, 0);
        let mut counts = [0; 2];
        for step in 0..400 {
            let solution = values(&instance, random, &mut before);
            let whole = verify(&instance, &solution).map_err(|wrong| wrong.labels[0].span);
            let again = verifier.verify(&solution, []).map_err(|wrong| wrong.labels[0].span);
            assert_eq!(again, whole, "step {step}: {before:?}");
            counts[usize::from(whole.is_ok())] += 1;
            if whole.is_err() {
                before = [3; 9];
            }
        }
        assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
    }

    #[test]
    fn instances_that_depend_on_other_decisions_are_not_evaluated_again() {
        let instance = instance();
        let mut verifier = Verifier::new(&instance);
        let list = |last: i64| Value::list([1, 1, 1, last].map(Value::Int).to_vec());
        let random = &mut Random::new(9, 0);
        let mut solution = values(&instance, random, &mut [3; 9]);
        let mut visited = Vec::new();
        for last in [1, 2, 3, 2, 3, 2] {
            solution[0].1 = list(last);
            let before = verifier.env.visited();
            verifier.verify(&solution, []).expect("a solution");
            visited.push(verifier.env.visited() - before);
        }
        assert!(visited[0] > 1_500, "{visited:?}");
        assert!(visited[2] < visited[0] * 3 / 4, "a new value of one cell: {visited:?}");
        assert!(visited[3..].iter().all(|count| *count < 10), "values that were there before: {visited:?}");
    }
}
