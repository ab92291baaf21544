//! Decides if conditions hold for all values of the decision variables, with a solver on a small budget. The budget is
//! in conflicts, so the answer is the same on every machine.

use super::instances::instances_of;
use crate::{
    analysis::model::{Category, Comprehension, Expr, ExprKind, Qualifier},
    diagnostic::Diagnostic,
    instance::GroundInstance,
    language::{Type, Value},
    lowering::{self, Facts},
    operators::{self, OperatorSymbol, symbols},
    problem::{Bool, Problem},
    solver::{EngineOptions, Incremental, incremental_within},
};
use std::sync::Arc;

/// The work limit of one condition, and of all conditions of a model. Chosen.
const WORK: u64 = 300;
const WORK_IN_ALL: u64 = 60_000;
/// The limits on terms and clauses of all conditions together. A quantifier may have few instances that each choose
/// among very many elements, and one variable can take very many terms. Chosen.
const MOST_TERMS: usize = 1_000_000;
const MOST_CLAUSES: u64 = 1_000_000;
/// A smaller limit on terms reduces the work, too: a conflict takes about as long as this many terms, and so does an
/// instance of a condition, even if it shares all its terms with others.
const TERMS_PER_CONFLICT: u64 = 10;
const TERMS_PER_INSTANCE: usize = 10;

/// A warning found on an instance.
#[derive(Clone, Debug)]
pub(crate) struct InstanceWarning {
    pub warning: Diagnostic,
    /// True if the data may be the cause; such a warning counts only if several instances have it.
    pub depends_on_data: bool,
}

/// Decides conditions on an instance.
pub(crate) struct Prover<'a> {
    pub(super) instance: &'a GroundInstance,
    options: &'a EngineOptions,
    most_terms: usize,
}

impl<'a> Prover<'a> {
    /// A prover with a limit on terms of the domains and conditions together.
    pub(crate) fn new(instance: &'a GroundInstance, options: &'a EngineOptions, most_terms: Option<usize>) -> Self {
        Prover { instance, options, most_terms: most_terms.unwrap_or(MOST_TERMS) }
    }

    /// Returns true for each condition that is known to hold for all values in the domains.
    pub(super) fn certain(&self, conditions: &[Expr]) -> Vec<bool> {
        let Some(Facts { lowered, terms }) = self.facts(conditions) else { return vec![false; conditions.len()] };
        let mut solver = self.solver(&lowered.problem);
        let mut left = WORK_IN_ALL.min(self.most_terms as u64 / TERMS_PER_CONFLICT);
        // If the domains are empty, every condition holds, which says nothing about the model.
        if refute(&mut *solver, &[], &mut left) {
            return vec![false; conditions.len()];
        }
        let certain: Vec<bool> =
            terms.iter().map(|term| term.is_some_and(|term| refute(&mut *solver, &[!term], &mut left))).collect();
        // The first check may have reached its limit, so a second one makes sure that the domains are not the reason.
        if certain.contains(&true) && !are_satisfiable(&mut *solver, left.max(WORK)) {
            return vec![false; conditions.len()];
        }
        certain
    }

    /// A solver for a problem, with a limit on clauses.
    pub(super) fn solver<'p>(&self, problem: &'p Problem) -> Box<dyn Incremental + 'p> {
        incremental_within(problem, MOST_CLAUSES, self.options)
    }

    /// The conditions as terms. If there are too many instances, the largest conditions get none.
    pub(super) fn facts(&self, conditions: &[Expr]) -> Option<Facts> {
        let mut env = self.instance.environment.clone();
        let mut sizes: Vec<(u128, usize)> =
            conditions.iter().map(|condition| instances_of(condition, &mut env)).zip(0..).collect();
        sizes.sort_unstable();
        let (mut left, mut small) = ((self.most_terms / TERMS_PER_INSTANCE) as u128, vec![false; conditions.len()]);
        for (instances, position) in sizes {
            // The sizes ascend, so after the first that does not fit, none of the others fits.
            let Some(rest) = left.checked_sub(instances) else { break };
            (left, small[position]) = (rest, true);
        }
        let chosen: Vec<Expr> = (conditions.iter().zip(&small))
            .filter(|(_, small)| **small)
            .map(|(condition, _)| condition.clone())
            .collect();
        let facts = lowering::facts(&self.instance.environment, &chosen, self.options.limits.clone(), self.most_terms)?;
        let mut terms = facts.terms.iter().copied();
        let terms = small.iter().map(|small| if *small { terms.next().flatten() } else { None }).collect();
        Some(Facts { lowered: facts.lowered, terms })
    }
}

/// Returns true if the domains are known to be non-empty within this much work.
fn are_satisfiable(solver: &mut dyn Incremental, work: u64) -> bool {
    solver.allow(Some(work));
    let result = solver.refute(&[]);
    solver.allow(None);
    matches!(result, Ok(None))
}

/// Returns true if the assumptions are refuted within the work limit of one condition; deducts the work from `left`.
fn refute(solver: &mut dyn Incremental, assumptions: &[Bool], left: &mut u64) -> bool {
    refuted_with(solver, assumptions, WORK, left).is_some()
}

/// The unsat core of the assumptions, if they are refuted within this much work.
pub(super) fn refuted_with(
    solver: &mut dyn Incremental,
    assumptions: &[Bool],
    work: u64,
    left: &mut u64,
) -> Option<Vec<Bool>> {
    // The condition was decided by lowering, which costs no work.
    if assumptions.contains(&Bool::FALSE) {
        return Some(vec![Bool::FALSE]);
    }
    let allowed = work.min(*left);
    if allowed == 0 {
        return None;
    }
    solver.allow(Some(allowed));
    let result = solver.refute(assumptions);
    *left -= allowed - solver.allow(None).unwrap_or(0).min(allowed);
    result.ok().flatten()
}

/// The negation of a Boolean expression.
pub(super) fn not(expr: Expr) -> Expr {
    application_to(symbols::NOT, expr)
}

/// The condition that `body` holds for all bindings of the qualifiers.
pub(super) fn for_all_bindings(qualifiers: &[Qualifier], body: &Expr) -> Expr {
    quantified_expr(symbols::ALL, qualifiers, body)
}

/// The condition that `body` holds for some binding of the qualifiers.
pub(super) fn exists(qualifiers: &[Qualifier], body: &Expr) -> Expr {
    quantified_expr(symbols::ANY, qualifiers, body)
}

/// The condition that the qualifiers have a binding.
pub(super) fn is_reached(qualifiers: &[Qualifier]) -> Expr {
    exists(qualifiers, &constant(true))
}

fn constant(value: bool) -> Expr {
    let span = Default::default();
    Expr { kind: ExprKind::Constant(Value::Bool(value)), ty: Type::Bool, category: Category::Constant, span }
}

fn quantified_expr(symbol: OperatorSymbol, qualifiers: &[Qualifier], body: &Expr) -> Expr {
    if qualifiers.is_empty() {
        return body.clone();
    }
    let mut category = body.category;
    qualifiers.iter().for_each(|qualifier| qualifier.for_each_part(&mut |part| category = category.max(part.category)));
    let comprehension = Comprehension::plain(body.clone(), qualifiers.to_vec());
    let kind = ExprKind::Comprehension(Box::new(comprehension));
    application_to(symbol, Expr { kind, ty: Type::List(Arc::new(Type::Bool)), category, span: body.span })
}

/// The application of an operator, by its first row, to this operand.
fn application_to(symbol: OperatorSymbol, operand: Expr) -> Expr {
    let (category, span) = (operand.category, operand.span);
    Expr { kind: ExprKind::Apply(operators::rows_of_symbol(symbol)[0], vec![operand]), ty: Type::Bool, category, span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostic::Diagnostics, pipeline, source::Sources};

    fn instance(text: &str) -> GroundInstance {
        let mut sources = Sources::default();
        let source = sources.add("m.essence", text);
        let mut diagnostics = Diagnostics::new();
        let read = pipeline::read_model_text(&sources, source, &mut diagnostics).expect("a model");
        pipeline::read_instance(&read.model, &sources, &[], &mut diagnostics).expect("an instance")
    }

    #[test]
    fn instances_with_very_many_terms_are_not_looked_at() {
        let has_facts = |size: usize| {
            let instance = instance(&format!("find x : matrix indexed by [int(1..{size})] of bool"));
            Prover::new(&instance, &EngineOptions::default(), None).facts(&[]).is_some()
        };
        assert!(has_facts(MOST_TERMS / 10));
        assert!(!has_facts(MOST_TERMS + 1));
    }

    #[test]
    fn conditions_with_very_many_instances_together_are_not_all_looked_at() {
        let instance = instance("find x : bool such that x, forAll i, j, k, l, m : int(1..8) . x");
        let [small, large] = &instance.model.constraints[..] else { panic!("two constraints") };
        let conditions = [large, large, large, large, small].map(Clone::clone);
        let facts = Prover::new(&instance, &EngineOptions::default(), None).facts(&conditions).expect("terms");
        let looked_at: Vec<bool> = facts.terms.iter().map(Option::is_some).collect();
        assert_eq!(looked_at, [true, true, true, false, true]);
    }
}
