//! Relations: by occurrence of their tuples, or by ascending slots.

use super::*;
use crate::language::attributes::Attributes;

impl Symbolic {
    pub(super) fn declare_relation(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        columns: &[GroundDomain],
        plan: &Plan,
        role: Role,
    ) -> Term {
        let tuples = GroundDomain::Tuple(columns.to_vec());
        let members = if chosen.representation == Representation::Occurrence {
            let members: Vec<Member> =
                tuples.members().map(|value| Member::new(self.problem.new_bool(role), Term::Value(value))).collect();
            self.require_size(attributes.size(), members.iter().map(|member| member.condition));
            members
        } else {
            let members = self.declare_slots(attributes.size(), chosen.slots(), &tuples, &plan.tuples(), role);
            self.require_ascending(&members, Ascent::Strict, Term::clone);
            members
        };
        let term = Term::Collection(Collection::Relation, Rc::new(Members::ascending(members, Repetition::Never)));
        let columns: Vec<&GroundDomain> = columns.iter().collect();
        for property in attributes.properties() {
            let holds = self.has_property(*property, &term, &columns);
            self.problem.require(holds);
        }
        term
    }
}
