//! Relations: by occurrence of their tuples, or by ascending slots.

use super::*;

pub(super) struct RepresentedRelations;

impl Represented for RepresentedRelations {
    fn candidates(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate> {
        let possible = GroundDomain::Tuple(parts.to_vec()).amount();
        // A property constrains all possible pairs, even if the relation has only a few.
        let all_pairs = !attributes.properties().is_empty() && parts[0].amount().number > MOST_OCCURRENCES;
        // The properties need all pairs anyway, so slots would save nothing.
        let slots = if all_pairs { possible } else { slot_count(attributes.size(), possible) };
        vec![
            Candidate::by_member(Representation::Occurrence, possible),
            Candidate::by_slot(Representation::Explicit, slots),
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
        declaration.relation(chosen, attributes, parts, plan)
    }

    fn advice(&self, _: &Attributes<i64>) -> &'static str {
        "bound its size with `maxSize` (or `size`), or use smaller domains for its columns"
    }
}

impl Declarer<'_> {
    fn relation(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        columns: &[GroundDomain],
        plan: &Plan,
    ) -> Option<Term> {
        let tuples = GroundDomain::Tuple(columns.to_vec());
        let members = if chosen.representation == Representation::Occurrence {
            let members: Vec<Member> =
                plan.members_of(&tuples).map(|value| Member::new(self.new_bool(), Term::Value(value))).collect();
            self.require_size(attributes.size(), members.iter().map(|member| member.condition));
            Members::new(members, Repetition::Never).ascending()
        } else {
            let members = self.slots(attributes.size(), chosen.slots(), &tuples, &plan.tuples())?;
            // Ascending slots make the assignment of each relation unique.
            self.in_ascent(members, Ascent::Strict, Term::clone)
        };
        let term = Term::Collection(Collection::Relation, Arc::new(members));
        let columns: Vec<&GroundDomain> = columns.iter().collect();
        for property in attributes.properties() {
            let holds = attributes::term_has_property(self.symbolic, *property, &term, &columns);
            self.symbolic.problem.require(holds);
        }
        Some(term)
    }
}
