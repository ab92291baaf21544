//! Sequences: a slot for each possible index, the used ones first.

use super::*;
use crate::language::attributes::{Attributes, Property};

impl Symbolic {
    pub(super) fn declare_sequence(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        inner: &GroundDomain,
        plan: &Plan,
        role: Role,
    ) -> Term {
        let plan = plan.content("element");
        let members: Vec<Member> = (1..)
            .zip(self.declare_slots(attributes.size(), chosen.slots(), inner, &plan, role))
            .map(|(index, slot)| Member::new(slot.condition, Term::pair(Term::Value(Value::Int(index)), slot.term)))
            .collect();
        if attributes.has(Property::Injective) {
            self.require_all_different(&members, |pair| pair.item(1));
        }
        if attributes.has(Property::Surjective) {
            let onto = self.reaches_all(&members, 1, inner);
            self.problem.require(onto);
        }
        Term::Collection(Collection::Sequence, Rc::new(Members::new(members, Repetition::Never)))
    }
}
