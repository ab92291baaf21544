//! Relations: by occurrence of their tuples, or by ascending slots.

use super::*;
use crate::language::attributes::Attributes;

impl Declarer<'_> {
    pub(super) fn relation(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        columns: &[GroundDomain],
        plan: &Plan,
    ) -> Term {
        let tuples = GroundDomain::Tuple(columns.to_vec());
        let members = if chosen.representation == Representation::Occurrence {
            let members: Vec<Member> =
                tuples.members().map(|value| Member::new(self.new_bool(), Term::Value(value))).collect();
            self.require_size(attributes.size(), members.iter().map(|member| member.condition));
            Members::new(members, Repetition::Never).ascending()
        } else {
            let members = self.slots(attributes.size(), chosen.slots(), &tuples, &plan.tuples());
            self.in_ascent(members, Ascent::Strict, Term::clone)
        };
        let term = Term::Collection(Collection::Relation, Arc::new(members));
        let columns: Vec<&GroundDomain> = columns.iter().collect();
        for property in attributes.properties() {
            let holds = attributes::has_property(self.symbolic, *property, &term, &columns);
            self.symbolic.problem.require(holds);
        }
        term
    }
}
