//! Sets: by occurrence, or by ascending slots.

use super::*;

impl Symbolic {
    pub(super) fn declare_set(&mut self, size: &Size<i64>, inner: &GroundDomain, decision: bool) -> Term {
        let possible = count(inner);
        if possible <= OCCURRENCE_LIMIT {
            let members: Vec<Member> =
                inner.members().map(|value| Member::new(self.problem.new_bool(decision), Term::Value(value))).collect();
            self.require_size(size, members.iter().map(|member| member.condition));
            return Term::Collection(Collection::Set, Rc::new(Members::new(members, true)));
        }
        let slots = slots(size, possible);
        if slots > SLOT_LIMIT {
            return self.refuse_size("the set", possible);
        }
        let members = self.declare_slots(size, slots as i64, inner, decision);
        self.require_ascending(&members, true, Term::clone);
        Term::Collection(Collection::Set, Rc::new(Members::new(members, true)))
    }
}
