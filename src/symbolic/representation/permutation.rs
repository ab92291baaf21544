//! Permutations: an image for each point, all different.

use super::*;
use crate::language::attributes::{Attributes, Measure};

impl Declarer<'_> {
    pub(super) fn permutation(&mut self, attributes: &Attributes<i64>, inner: &GroundDomain, plan: &Plan) -> Term {
        let plan = plan.content("image");
        let members: Vec<Member> = inner
            .members()
            .map(|point| Member::always(Term::pair(Term::Value(point), self.value(inner, &plan))))
            .collect();
        self.require_all_different(&members, |pair| pair.item(1));
        let mut conditions = Vec::with_capacity(members.len());
        for member in &members {
            conditions.push(!self.symbolic.equal(&member.term.item(0), &member.term.item(1)));
        }
        self.require_size(attributes.bounds(Measure::Moved), conditions);
        self.symbolic.collection(Collection::Permutation, members, Repetition::Never)
    }
}
