//! Sets: by occurrence, or by ascending slots.

use super::*;
use crate::language::attributes::Attributes;

impl Declarer<'_> {
    pub(super) fn set(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        inner: &GroundDomain,
        plan: &Plan,
    ) -> Term {
        let size = attributes.size();
        if chosen.representation == Representation::Occurrence {
            let members: Vec<Member> =
                inner.members().map(|value| Member::new(self.new_bool(), Term::Value(value))).collect();
            self.require_size(size, members.iter().map(|member| member.condition));
            return Term::Collection(
                Collection::Set,
                Arc::new(Members::new(members, Repetition::Never).limited(size.max)),
            );
        }
        let members = self.slots(size, chosen.slots(), inner, &plan.content("member"));
        Term::Collection(Collection::Set, Arc::new(self.in_ascent(members, Ascent::Strict, Term::clone)))
    }
}
