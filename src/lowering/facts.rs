//! Lowers conditions that the caller wants to refute from the domains of the decision variables alone, without the
//! constraints of the model.

use super::*;

/// Conditions as terms over a problem whose only constraints come from the domains.
#[derive(Debug)]
pub(crate) struct Facts {
    pub lowered: Lowered,
    /// A term for each condition; `None` if it cannot be expressed.
    pub terms: Vec<Option<Bool>>,
}

/// Lowers the conditions; returns `None` if the domains are too large.
pub(crate) fn facts(
    environment: &Environment,
    conditions: &[Expr],
    limits: Limits,
    most_terms: usize,
) -> Option<Facts> {
    let mut lowering = Lowering::new(environment);
    lowering.symbolic.problem.stop_at(limits);
    lowering.symbolic.problem.stop_above(most_terms);
    // The declarations add the constraints of the domains, and nothing else is required.
    let layout = lowering.declare_finds(&Representations::new(), &DomainOverrides::new()).ok()?;
    let terms = conditions.iter().map(|condition| lowering.denied(condition).ok()).collect();
    Some(Facts { lowered: lowering.finish(layout).ok()?, terms })
}

impl Lowering<'_> {
    /// Lowers a condition that the caller will deny. Local decision variables in it are free.
    pub(super) fn denied(&mut self, fact: &Expr) -> LoweringResult<Bool> {
        let context = Context::CONSTRAINT.with(Polarity::Negative);
        let (fact, demanded) = requirements::with_demands(self, |lowering| lowering.condition(fact, &context))?;
        // If this disjunction is denied, the local decision variables must satisfy their conditions.
        let unmet = !self.symbolic.problem.and(demanded);
        Ok(self.symbolic.problem.or([fact, unmet]))
    }
}
