//! Sequences: a slot for each possible index, the used ones first.

use super::*;
use crate::language::domain::FunctionAttributes;

impl Symbolic {
    pub(super) fn declare_sequence(
        &mut self,
        chosen: Candidate,
        attributes: &FunctionAttributes<i64>,
        inner: &GroundDomain,
        plan: &Plan,
        decision: bool,
    ) -> Term {
        let plan = plan.content("element");
        let members: Vec<Member> = (1..)
            .zip(self.declare_slots(&attributes.size, chosen.slots(), inner, &plan, decision))
            .map(|(index, slot)| Member::new(slot.condition, Term::pair(Term::Value(Value::Int(index)), slot.term)))
            .collect();
        if attributes.injective {
            self.require_all_different(&members, |pair| pair.item(1));
        }
        if attributes.surjective {
            self.require_surjective(&members, inner, |pair| pair.item(1));
        }
        Term::Collection(Collection::Sequence, Rc::new(Members::new(members, true)))
    }
}
