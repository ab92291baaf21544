//! Sequences: a slot for each possible index, the used ones first.

use super::*;
use crate::language::attributes::{Attributes, Property};

impl Declarer<'_> {
    pub(super) fn sequence(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        inner: &GroundDomain,
        plan: &Plan,
    ) -> Term {
        let plan = plan.content("element");
        let members: Vec<Member> = (1..)
            .zip(self.slots(attributes.size(), chosen.slots(), inner, &plan))
            .map(|(index, slot)| Member::new(slot.condition, Term::pair(Term::Value(Value::Int(index)), slot.term)))
            .collect();
        if attributes.has(Property::Injective) {
            self.require_all_different(&members, |pair| pair.item(1));
        }
        if attributes.has(Property::Surjective) {
            let onto = attributes::reaches_all(self.symbolic, &members, 1, inner);
            self.symbolic.problem.require(onto);
        }
        Term::Collection(Collection::Sequence, Arc::new(Members::new(members, Repetition::Never)))
    }
}
