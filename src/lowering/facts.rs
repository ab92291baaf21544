//! Conditions about the values of the decision variables' domains, to be denied: whether a model's constraints hold
//! does not matter.

use super::*;

/// Conditions as terms over a problem whose only constraints come from the domains.
#[derive(Debug)]
pub(crate) struct Facts {
    pub lowered: Lowered,
    /// A term for each condition; `None` if it cannot be expressed.
    pub terms: Vec<Option<Bool>>,
}

/// The conditions as terms; `None` if the domains are too large.
pub(crate) fn facts(
    environment: &Environment,
    conditions: &[Expr],
    limits: Limits,
    most_terms: usize,
) -> Option<Facts> {
    let mut lowering = Lowering::new(environment);
    lowering.symbolic.problem.stop_at(limits);
    lowering.symbolic.problem.stop_above(most_terms);
    let layout = lowering.declare_finds(&Representations::new(), &DomainOverrides::new()).ok()?;
    let terms = conditions.iter().map(|condition| lowering.denied(condition).ok()).collect();
    Some(Facts { lowered: lowering.finish(layout).ok()?, terms })
}

impl Lowering<'_> {
    /// The term of a condition that is to be denied. Local decision variables in it are free.
    pub(super) fn denied(&mut self, fact: &Expr) -> LoweringResult<Bool> {
        let context = Context::CONSTRAINT.with(Polarity::Negative);
        let (fact, demanded) = requirements::with_demands(self, |lowering| lowering.condition(fact, &context))?;
        let unmet = !self.symbolic.problem.and(demanded);
        Ok(self.symbolic.problem.or([fact, unmet]))
    }
}
