//! Sequences: a slot for each possible index, the used ones first.

use super::*;
use crate::language::domain::FunctionAttributes;

impl Symbolic {
    pub(super) fn declare_sequence(
        &mut self,
        attributes: &FunctionAttributes<i64>,
        inner: &GroundDomain,
        decision: bool,
    ) -> Term {
        let mut size = attributes.size.clone();
        if attributes.injective {
            let most = i64::try_from(count(inner)).unwrap_or(i64::MAX);
            size.max = Some(size.max.map_or(most, |max| max.min(most)));
        }
        let slots = slots(&size, u128::MAX);
        if slots > SLOT_LIMIT {
            return self.refuse_size("the sequence", slots);
        }
        let members: Vec<Member> = (1..)
            .zip(self.declare_slots(&size, slots as i64, inner, decision))
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
