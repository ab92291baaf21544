//! Multisets: by a count for each possible element, or by ascending slots.

use super::*;
use crate::language::attributes::Measure;

pub(super) struct RepresentedMultisets;

impl Represented for RepresentedMultisets {
    fn candidates(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate> {
        let (size, occurrences) = (attributes.size(), attributes.bounds(Measure::Occurrences));
        let possible = parts[0].amount();
        // A multiset with at most `max` members cannot have more than `max` occurrences of one of them.
        let most = occurrences.max.into_iter().chain(size.max).min().unwrap_or(i64::MAX);
        let occurrences = possible.times(most.max(0) as u128);
        let needed = if occurrences.number < possible.number { possible } else { occurrences };
        vec![
            Candidate::by_member(Representation::Counts, needed),
            Candidate::by_slot(Representation::Explicit, slot_count(size, occurrences)),
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
        declaration.mset(chosen, attributes, &parts[0], plan)
    }

    fn advice(&self, _: &Attributes<i64>) -> &'static str {
        "bound its size with `maxSize` (or `size`), or use `maxOccur` and a smaller domain for its members"
    }
}

impl Declarer<'_> {
    fn mset(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        inner: &GroundDomain,
        plan: &Plan,
    ) -> Option<Term> {
        let (size, occurrences) = (attributes.size(), attributes.bounds(Measure::Occurrences));
        let possible = count_or_max(inner);
        let least = occurrences.min.unwrap_or(0).max(0);
        let most = occurrences.max.unwrap_or(i64::MAX).min(size.max.unwrap_or(i64::MAX)).max(0);
        if chosen.representation == Representation::Counts {
            let mut members = Vec::new();
            for value in inner.members() {
                let count = self.new_int(IntSet::range(least, most));
                for occurrence in 1..=most {
                    // The condition of the n-th occurrence is that the count exceeds n - 1.
                    let condition = !self.symbolic.problem.at_most_constant(count, occurrence - 1);
                    members.push(Member::new(condition, Term::Value(value.clone())));
                }
            }
            self.require_size(size, members.iter().map(|member| member.condition));
            let members = Members::new(members, Repetition::Possible);
            return Some(Term::Collection(Collection::MSet, Arc::new(members)));
        }
        let slots = chosen.needs.number;
        if least > 0 && possible > slots {
            self.symbolic.problem.require(Bool::FALSE);
        }
        let members = self.slots(size, chosen.slots(), inner, &plan.content("member"))?;
        let members = self.in_ascent(members, Ascent::Weak, Term::clone);
        if let Some(most) = occurrences.max {
            // Equal elements are neighbours, so two elements that are `most` positions apart must differ.
            for (later, earlier) in members.members.iter().skip(most.max(0) as usize).zip(&members.members) {
                let same = self.symbolic.equal(&earlier.term, &later.term);
                let clash = self.symbolic.problem.and([later.condition, same]);
                self.symbolic.problem.require(!clash);
            }
        }
        if least > 0 && possible <= slots {
            // Equal members may be in any slots, so the occurrences are counted by value.
            let every = MemberCounts::new(&members.members);
            for value in inner.members() {
                let frequency = every.frequency(self.symbolic, &Term::Value(value));
                let enough = !self.symbolic.problem.at_most_constant(frequency, least - 1);
                self.symbolic.problem.require(enough);
            }
        }
        Some(Term::Collection(Collection::MSet, Arc::new(members)))
    }
}
