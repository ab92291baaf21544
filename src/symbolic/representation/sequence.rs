//! Sequences: a slot for each possible index; the used slots come first.

use super::*;
use crate::language::attributes::Property;

pub(super) struct RepresentedSequences;

impl Represented for RepresentedSequences {
    fn candidates(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate> {
        // An injective sequence cannot be longer than the number of possible elements.
        let most = attributes.size().max.map(|max| Amount::exactly(max.max(0) as u128));
        let different = attributes.has(Property::Injective).then(|| parts[0].amount());
        let longest = most.into_iter().chain(different).reduce(Amount::at_most);
        // The length of a finite domain is unbounded only if there are no elements, so the only sequence is empty.
        vec![Candidate::by_slot(Representation::Positions, longest.unwrap_or(Amount::exactly(0)))]
    }

    fn has_variables(&self, _: usize, _: Representation) -> bool {
        true
    }

    fn declare(
        &self,
        declaration: &mut Declarer,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        parts: &[GroundDomain],
        plan: &Plan,
    ) -> Option<Term> {
        declaration.sequence(chosen, attributes, &parts[0], plan)
    }

    fn advice(&self, _: &Attributes<i64>) -> &'static str {
        "bound its length with a smaller `maxSize` (or `size`)"
    }
}

impl Declarer<'_> {
    fn sequence(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        inner: &GroundDomain,
        plan: &Plan,
    ) -> Option<Term> {
        let plan = plan.content("element");
        let members: Vec<Member> = (1..)
            .zip(self.slots(attributes.size(), chosen.slots(), inner, &plan)?)
            .map(|(index, slot)| Member::new(slot.condition, Term::pair(Term::Value(Value::Int(index)), slot.term)))
            .collect();
        if attributes.has(Property::Injective) {
            self.require_all_different(&members, |pair| pair.item(1));
            let place = |member: &Member| match member.term.item(1) {
                Term::Int(term) => Some((member.condition, term)),
                _ => None,
            };
            if let Some(places) = members.iter().map(place).collect() {
                // CP-SAT gets a sequence of different integers as a path.
                self.symbolic.problem.note_sequence(places);
            }
        }
        if attributes.has(Property::Surjective) {
            let onto = attributes::reaches_all(self.symbolic, &members, 1, inner);
            self.symbolic.problem.require(onto);
        }
        Some(Term::Collection(Collection::Sequence, Arc::new(Members::new(members, Repetition::Never))))
    }
}
