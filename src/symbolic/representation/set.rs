//! Sets: by occurrence, or by ascending slots.

use super::*;

pub(super) struct RepresentedSets;

impl Represented for RepresentedSets {
    fn candidates(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate> {
        let possible = parts[0].amount();
        vec![
            Candidate::by_member(Representation::Occurrence, possible),
            Candidate::by_slot(Representation::Explicit, slot_count(attributes.size(), possible)),
        ]
    }

    fn declare(
        &self,
        declaration: &mut Declarer,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        parts: &[GroundDomain],
        plan: &Plan,
    ) -> Option<Term> {
        declaration.set(chosen, attributes, &parts[0], plan)
    }

    fn advice(&self, _: &Attributes<i64>) -> &'static str {
        "bound its size with `maxSize` (or `size`), or use a smaller domain for its members"
    }
}

impl Declarer<'_> {
    fn set(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        inner: &GroundDomain,
        plan: &Plan,
    ) -> Option<Term> {
        let size = attributes.size();
        if chosen.representation == Representation::Occurrence {
            // With one Boolean per possible member, each set has exactly one assignment.
            let members: Vec<Member> =
                plan.members_of(inner).map(|value| Member::new(self.new_bool(), Term::Value(value))).collect();
            self.require_size(size, members.iter().map(|member| member.condition));
            let members = Members::new(members, Repetition::Never).limited(size.max);
            return Some(Term::Collection(Collection::Set, Arc::new(members)));
        }
        let members = self.slots(size, chosen.slots(), inner, &plan.content("member"))?;
        Some(Term::Collection(Collection::Set, Arc::new(self.in_ascent(members, Ascent::Strict, Term::clone))))
    }
}
