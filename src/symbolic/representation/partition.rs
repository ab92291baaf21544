//! Partitions: each element has the number of its part, and parts are numbered by their first elements.
//!
//! The numbers form a restricted growth string (Knuth, TAOCP 4A, 7.2.1.5): the first element is in part 1, and each
//! later one is in the part of an earlier one or in the next new one. So each partition has one assignment.

use super::*;
use crate::{
    language::attributes::{Measure, Property},
    problem::Extreme,
};

pub(super) struct RepresentedPartitions;

impl Represented for RepresentedPartitions {
    fn candidates(&self, _: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate> {
        vec![Candidate::by_element(Representation::Parts, parts[0].amount())]
    }

    fn has_variables(&self, _: usize, _: Representation) -> bool {
        false
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
        _: &Plan,
    ) -> Option<Term> {
        Some(declaration.partition(attributes, &parts[0]))
    }

    fn advice(&self, _: &Attributes<i64>) -> &'static str {
        "use a smaller domain after `from`"
    }
}

impl Declarer<'_> {
    fn partition(&mut self, attributes: &Attributes<i64>, inner: &GroundDomain) -> Term {
        let elements: Vec<Value> = inner.members().collect();
        let total = elements.len() as i64;
        let (bounds, part_size) = (attributes.bounds(Measure::Parts), attributes.bounds(Measure::PartSize));
        // If each part has at least `min` elements, there are at most `fit` parts.
        let fit = total / part_size.min.unwrap_or(1).clamp(1, total.max(1));
        let most = bounds.max.unwrap_or(total).min(fit);
        let mut numbers: Vec<Int> = Vec::with_capacity(elements.len());
        // The highest part number so far; the next element may start a part with the next number.
        let mut highest = self.symbolic.problem.constant(0);
        for position in 0..total {
            // The first element is in part 1, the next one in part 1 or 2, and so on. Parts are numbered by their least
            // elements, so each partition has one assignment.
            let number = self.new_int(IntSet::range(1, (position + 1).min(most)));
            let one = self.symbolic.problem.constant(1);
            let next = self.symbolic.problem.add(highest, one);
            let grows = self.symbolic.problem.at_most(number, next);
            self.symbolic.problem.require(grows);
            highest = self.symbolic.problem.extreme(Extreme::Maximum, [highest, number]);
            numbers.push(number);
        }
        self.require_within(bounds, highest);
        let mut parts: Vec<Member> = Vec::new();
        let mut sizes: Vec<Int> = Vec::new();
        for part in 1..=most {
            // The part numbers have no gaps, so a part is present if the highest number is at least its number.
            let present = !self.symbolic.problem.at_most_constant(highest, part - 1);
            let members: Vec<Member> = elements
                .iter()
                .zip(&numbers)
                .map(|(element, number)| {
                    Member::new(self.symbolic.problem.equals_constant(*number, part), Term::Value(element.clone()))
                })
                .collect();
            let size = self.symbolic.problem.count(members.iter().map(|member| member.condition));
            if let Some(min) = part_size.min {
                let small = self.symbolic.problem.at_most_constant(size, min - 1);
                let clash = self.symbolic.problem.and([present, small]);
                self.symbolic.problem.require(!clash);
            }
            if let Some(max) = part_size.max {
                let few = self.symbolic.problem.at_most_constant(size, max);
                // An absent part is empty, so the maximum needs no condition, unlike the minimum above.
                self.symbolic.problem.require(few);
            }
            if attributes.has(Property::Regular)
                && let Some(&first) = sizes.first()
            {
                let same = self.symbolic.problem.equal(first, size);
                let regular = self.symbolic.problem.implies(present, same);
                self.symbolic.problem.require(regular);
            }
            sizes.push(size);
            let set = self.symbolic.set(members, Repetition::Never);
            parts.push(Member::new(present, set));
        }
        let term = self.symbolic.collection(Collection::Partition, parts, Repetition::Never);
        // The collection may have dropped absent parts or become a value. If it has not become a value, it keeps the
        // numbers.
        match term {
            Term::Collection(kind, members) => {
                let members = Members::new(members.members.clone(), members.repetition);
                Term::Collection(kind, Arc::new(members.numbered(elements.into_iter().zip(numbers).collect())))
            }
            constant => constant,
        }
    }
}
