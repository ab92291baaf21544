//! Functions: an image for each possible argument, or a slot for each pair that can be present, in strictly ascending
//! order of the arguments. Part 0 of the domain is the argument, part 1 the image. A bound on the slots must leave room
//! for every member of the domain; `choice.rs` chooses among the candidates.

use super::*;
use crate::language::attributes::Property;

pub(super) struct RepresentedFunctions;

impl Represented for RepresentedFunctions {
    fn candidates(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate> {
        let arguments = parts[0].amount();
        let mut pairs = slot_count(attributes.size(), arguments);
        if attributes.has(Property::Injective) {
            pairs = pairs.at_most(parts[1].amount());
        }
        vec![Candidate::by_member(Representation::Images, arguments), Candidate::by_slot(Representation::Pairs, pairs)]
    }

    fn has_variables(&self, part: usize, representation: Representation) -> bool {
        part == 1 || representation == Representation::Pairs
    }

    fn declare(
        &self,
        declaration: &mut Declarer,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        parts: &[GroundDomain],
        plan: &Plan,
    ) -> Option<Term> {
        declaration.function(chosen, attributes, &parts[0], &parts[1], plan)
    }

    fn advice(&self, attributes: &Attributes<i64>) -> &'static str {
        match attributes.has(Property::Total) {
            true => "use a smaller domain for its arguments, or drop `total` and bound its size with `maxSize`",
            false => "bound its size with `maxSize` (or `size`), or use a smaller domain for its arguments",
        }
    }
}

impl Declarer<'_> {
    fn function(
        &mut self,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        from: &GroundDomain,
        to: &GroundDomain,
        plan: &Plan,
    ) -> Option<Term> {
        let members = if chosen.representation == Representation::Images {
            let members = self.images(attributes, from, to, plan)?;
            Members::new(members, Repetition::Never).ascending()
        } else {
            let mut size = attributes.size().clone();
            if attributes.has(Property::Total) {
                let all = i64::try_from(count_or_max(from)).unwrap_or(i64::MAX);
                size.min = Some(size.min.map_or(all, |min| min.max(all)));
            }
            let pair = GroundDomain::Tuple(vec![from.clone(), to.clone()]);
            let members = self.slots(&size, chosen.slots(), &pair, &plan.tuples())?;
            self.in_ascent(members, Ascent::Strict, |pair| pair.item(0))
        };
        if attributes.has(Property::Injective) {
            self.require_all_different(&members.members, |pair| pair.item(1));
        }
        if attributes.has(Property::Surjective) {
            let onto = attributes::reaches_all(self.symbolic, &members.members, 1, to);
            self.symbolic.problem.require(onto);
        }
        Some(Term::Collection(Collection::Function, Arc::new(members)))
    }

    /// Declares a condition (unless total) and an image for each argument. An argument that has no image gets a fixed
    /// one.
    fn images(
        &mut self,
        attributes: &Attributes<i64>,
        from: &GroundDomain,
        to: &GroundDomain,
        plan: &Plan,
    ) -> Option<Vec<Member>> {
        if is_empty(to) {
            // Without images, only the empty function is left; if the function must be total, there is none.
            let conflict = attributes.has(Property::Total) && !is_empty(from);
            self.symbolic.problem.require(Bool::from(!conflict));
            self.require_size(attributes.size(), []);
            return Some(Vec::new());
        }
        let mut members = Vec::new();
        let inside = plan.content("image");
        for argument in plan.members_of(from) {
            let condition = if attributes.has(Property::Total) { Bool::TRUE } else { self.new_bool() };
            let image = self.value(to, &inside)?;
            self.fix_unless(condition, &image, to);
            members.push(Member::new(condition, Term::pair(Term::Value(argument), image)));
        }
        self.require_size(attributes.size(), members.iter().map(|member| member.condition));
        Some(members)
    }
}
