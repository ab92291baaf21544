//! The partial terms that must be defined in a conflict: `f(1) = 2` is false if `f` is not defined for 1.
//!
//! A term is reported if its requirement implies that it is defined, and if the conflict remains one when the
//! requirement is weakened to the definedness of its reported terms. The solver checks both.

use super::{
    Describer, Reason,
    case::{DomainConflict, ExplainedCase},
    conflict::within_work,
    finding::{Finding, FindingKind},
    statement::{Substitution, printed},
};
use crate::{
    halt::StopReason,
    lowering::{RequiredValue, Requirement, RequirementOrigin},
    problem::Bool,
    solver::{Incremental, incremental},
};

/// The work limit of the search for needed terms: a few tenths of a second. Chosen.
const WORK: u64 = 10_000;

/// Adds the terms that must be defined to the reasons that have no findings yet.
pub(super) fn add(
    describer: &mut Describer,
    case: &ExplainedCase,
    contradiction: &DomainConflict,
    reasons: &mut [Reason],
    reason_of: &[usize],
) {
    let members = &contradiction.members;
    if members.iter().all(|member| member.needs.is_empty()) {
        return;
    }
    // If there is a widened problem, the terms of the members belong to it.
    let parts = contradiction.widened.as_ref().unwrap_or(&contradiction.plain);
    let facts: Vec<Bool> = parts.facts.iter().map(|fact| !*fact).collect();
    let mut solver = incremental(&parts.lowered.problem, case.engine_options);
    let needed = within_work(&mut *solver, |solver| solver, WORK, |solver| needed_parts(solver, members, &facts));
    for (position, needs) in needed.into_iter().enumerate() {
        let reason = &mut reasons[reason_of[position]];
        // The instances of a reason are in the order of their requirements.
        let instance = reason_of[..position].iter().filter(|other| **other == reason_of[position]).count();
        let findings = match reason.instances.get_mut(instance) {
            Some(said) => &mut said.findings,
            None => &mut reason.findings,
        };
        if findings.is_empty() {
            needs
                .iter()
                .filter_map(|need| describer.need(&members[position], need))
                .for_each(|need| findings.add(need));
        }
    }
}

/// The terms of each member whose definedness is enough for the conflict in place of the member, as far as this is
/// known.
fn needed_parts<'m>(
    solver: &mut dyn Incremental,
    members: &'m [Requirement],
    facts: &[Bool],
) -> Vec<Vec<&'m RequiredValue>> {
    let mut needed: Vec<Vec<&RequiredValue>> = vec![Vec::new(); members.len()];
    for position in 0..members.len() {
        let mut needs: Vec<&RequiredValue> = members[position].needs.iter().collect();
        if needs.is_empty() {
            continue;
        }
        // The needs replace the member: if they are enough for the contradiction, nothing else of the member is used.
        let mut is_enough = |needs: &[&RequiredValue]| -> Result<bool, StopReason> {
            let mut conditions = facts.to_vec();
            for (other, member) in members.iter().enumerate() {
                match if other == position { needs } else { &needed[other] } {
                    // A member without needs counts in full, and a member that was already weakened counts only with
                    // its needs.
                    [] if other != position => conditions.push(member.condition),
                    needs => conditions.extend(needs.iter().map(|need| need.defined)),
                }
            }
            Ok(solver.refute(&conditions)?.is_some())
        };
        let Ok(true) = is_enough(&needs) else { continue };
        // Deletion starts from the end, because later parts, such as outer operators, are more often dispensable.
        for need in members[position].needs.iter().rev() {
            let others: Vec<&RequiredValue> =
                needs.iter().copied().filter(|other| !std::ptr::eq(*other, need)).collect();
            if matches!(is_enough(&others), Ok(true)) {
                needs = others;
            }
        }
        let condition = members[position].condition;
        let follows = |need: &&RequiredValue| matches!(solver.refute(&[condition, !need.defined]), Ok(Some(_)));
        // The text claims all needs, so all of them must follow from the requirement.
        if needs.iter().all(follows) {
            needed[position] = needs;
        }
    }
    needed
}

impl Describer<'_> {
    /// "`f(1)` must be defined"
    fn need(&mut self, requirement: &Requirement, need: &RequiredValue) -> Option<Finding> {
        let RequirementOrigin::Constraint { context, .. } = &requirement.origin else { return None };
        // If a name has no value, the sentence cannot be printed.
        if need.bindings.iter().any(|(_, value)| value.is_none()) {
            return None;
        }
        self.enter(&need.bindings, context);
        let says = printed(&self.tree(&need.expr, Substitution::Data)?);
        Some(Finding { with: String::new(), says, kind: FindingKind::Required, because: None })
    }
}
