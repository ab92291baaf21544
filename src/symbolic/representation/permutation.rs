//! Permutations: an image for each point, all different.

use super::*;
use crate::language::attributes::Measure;

pub(super) struct RepresentedPermutations;

impl Represented for RepresentedPermutations {
    fn candidates(&self, _: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate> {
        vec![Candidate::by_element(Representation::Images, parts[0].amount())]
    }

    fn has_variables(&self, _: usize, _: Representation) -> bool {
        true
    }

    fn is_quadratic(&self) -> bool {
        true
    }

    fn declare(
        &self,
        declaration: &mut Declarer,
        _: Candidate,
        attributes: &Attributes<i64>,
        parts: &[GroundDomain],
        plan: &Plan,
    ) -> Option<Term> {
        declaration.permutation(attributes, &parts[0], plan)
    }

    fn advice(&self, _: &Attributes<i64>) -> &'static str {
        "use a smaller domain after `of`"
    }
}

impl Declarer<'_> {
    fn permutation(&mut self, attributes: &Attributes<i64>, inner: &GroundDomain, plan: &Plan) -> Option<Term> {
        let plan = plan.content("image");
        let members: Vec<Member> = inner
            .members()
            .map(|point| Some(Member::always(Term::pair(Term::Value(point), self.value(inner, &plan)?))))
            .collect::<Option<_>>()?;
        self.require_all_different(&members, |pair| pair.item(1));
        let mut conditions = Vec::with_capacity(members.len());
        // The size of a permutation is the number of points that move.
        for member in &members {
            conditions.push(!self.symbolic.equal(&member.term.item(0), &member.term.item(1)));
        }
        self.require_size(attributes.bounds(Measure::Moved), conditions);
        Some(self.symbolic.collection(Collection::Permutation, members, Repetition::Never))
    }
}
