//! Whether a term lies in a domain, as [`GroundDomain::contains`] says it of values.

use super::*;
use crate::language::domain::{FunctionAttributes, PartitionAttributes, RelationAttributes, Size};

impl Symbolic {
    pub fn in_domain(&mut self, domain: &GroundDomain, term: &Term) -> Bool {
        match (domain, term) {
            (_, Term::Value(value)) => Bool::from(domain.contains(value)),
            (GroundDomain::Bool, _) => Bool::TRUE,
            (GroundDomain::Int(values), term) => {
                let term = self.int(term);
                self.problem.member(term, values)
            }
            (GroundDomain::Tuple(domains), term) => self.all_in(domains.iter().zip(term.items())),
            (GroundDomain::Record(fields), term) => {
                self.all_in(fields.iter().map(|(_, domain)| domain).zip(term.items()))
            }
            (GroundDomain::Variant(alternatives), term) => {
                let (tag, terms) = self.variant_parts(term);
                let mut parts = Vec::with_capacity(terms.len());
                for (position, ((_, domain), term)) in alternatives.iter().zip(terms).enumerate() {
                    let inside = term.map_or(Bool::FALSE, |term| self.in_domain(domain, &term));
                    let active = self.problem.equals_constant(tag, position as i64);
                    parts.push(self.problem.implies(active, inside));
                }
                self.problem.and(parts)
            }
            (GroundDomain::Matrix(index, element), term) => self.in_matrix_domain(index, element, term),
            (GroundDomain::Set(size, inner), term) => {
                let members = self.members(term);
                let members = self.distinct(term, &members);
                let (sized, inside) = (self.sized(size, &members.members), self.each_in(inner, &members.members));
                self.problem.and([sized, inside])
            }
            (GroundDomain::MSet(size, occurrences, inner), term) => {
                let members = self.members(term);
                let mut parts = vec![self.sized(size, &members.members), self.each_in(inner, &members.members)];
                if occurrences.max.is_some() {
                    let most = Size { min: None, max: occurrences.max };
                    for member in &members.members {
                        let frequency = self.frequency(&members.members, &member.term);
                        let within = self.is_within(&most, frequency);
                        parts.push(self.problem.implies(member.condition, within));
                    }
                }
                if occurrences.min.is_some_and(|min| min > 0) {
                    let least = Size { min: occurrences.min, max: None };
                    for value in self.few_members(inner, members.members.len()) {
                        let frequency = self.frequency(&members.members, &Term::Value(value));
                        parts.push(self.is_within(&least, frequency));
                    }
                }
                self.problem.and(parts)
            }
            (GroundDomain::Function(attributes, from, to), term) => {
                let members = self.members(term);
                let arguments = self.parts_of(&members, 0);
                let mut parts = vec![self.each_in(from, &arguments)];
                if attributes.total && from.is_finite() {
                    let all = from.size().and_then(|size| i64::try_from(size).ok()).unwrap_or(i64::MAX);
                    parts.push(self.sized(&Size { min: Some(all), max: None }, &arguments));
                }
                parts.push(self.have_images(attributes, to, &members));
                self.problem.and(parts)
            }
            (GroundDomain::Sequence(attributes, inner), term) => {
                let members = self.members(term);
                self.have_images(attributes, inner, &members)
            }
            (GroundDomain::Relation(attributes, columns), term) => self.in_relation_domain(attributes, columns, term),
            (GroundDomain::Partition(attributes, inner), term) => self.in_partition_domain(attributes, inner, term),
            (GroundDomain::Permutation(moved, inner), term) => {
                let members = Members::new(self.elements(term), true);
                let points = self.parts_of(&members, 0);
                let (sized, inside) = (self.sized(moved, &points), self.each_in(inner, &points));
                self.problem.and([sized, inside])
            }
        }
    }

    fn all_in<'a>(&mut self, terms: impl Iterator<Item = (&'a GroundDomain, Term)>) -> Bool {
        let parts: Vec<Bool> = terms.map(|(domain, term)| self.in_domain(domain, &term)).collect();
        self.problem.and(parts)
    }

    /// Whether the members that are present lie in a domain.
    fn each_in(&mut self, domain: &GroundDomain, members: &[Member]) -> Bool {
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            let inside = self.in_domain(domain, &member.term);
            parts.push(self.problem.implies(member.condition, inside));
        }
        self.problem.and(parts)
    }

    /// The arguments or the images of the pairs.
    fn parts_of(&self, members: &Members, position: usize) -> Vec<Member> {
        members.members.iter().map(|member| Member::new(member.condition, member.term.item(position))).collect()
    }

    fn is_within(&mut self, bounds: &Size<i64>, number: Int) -> Bool {
        let few = bounds.max.map_or(Bool::TRUE, |max| self.problem.at_most_constant(number, max));
        let enough = match bounds.min {
            Some(min) => !self.problem.at_most_constant(number, min.saturating_sub(1)),
            None => Bool::TRUE,
        };
        self.problem.and([few, enough])
    }

    /// Whether as many members are present as the bounds allow.
    fn sized(&mut self, bounds: &Size<i64>, members: &[Member]) -> Bool {
        let count = self.problem.count(members.iter().map(|member| member.condition));
        self.is_within(bounds, count)
    }

    /// The values of a domain each of which some of so many members must have: if there are more values than
    /// members, one more than members is enough to show that they have not.
    fn few_members(&self, domain: &GroundDomain, members: usize) -> Vec<Value> {
        domain.members().take(members.saturating_add(1)).collect()
    }

    fn in_matrix_domain(&mut self, index: &GroundDomain, element: &GroundDomain, term: &Term) -> Bool {
        let Indexed { entries, boolean } = self.indexed(term);
        let mut parts = vec![if *index == GroundDomain::Bool { boolean } else { !boolean }];
        let mut missing = index.size().unwrap_or(u128::MAX);
        for (position, member) in &entries {
            let value = if *index == GroundDomain::Bool { Value::Bool(*position == 1) } else { Value::Int(*position) };
            if index.contains(&value) {
                missing -= 1;
                parts.push(member.condition);
                parts.push(self.in_domain(element, &member.term));
            } else {
                parts.push(!member.condition);
            }
        }
        parts.push(Bool::from(missing == 0));
        self.problem.and(parts)
    }

    fn have_images(&mut self, attributes: &FunctionAttributes<i64>, to: &GroundDomain, members: &Members) -> Bool {
        let images = self.parts_of(members, 1);
        let mut parts = vec![self.sized(&attributes.size, &images), self.each_in(to, &images)];
        if attributes.injective {
            for (position, left) in images.iter().enumerate() {
                for right in &images[position + 1..] {
                    let same = self.equal(&left.term, &right.term);
                    parts.push(!self.problem.and([left.condition, right.condition, same]));
                }
            }
        }
        if attributes.surjective && to.is_finite() {
            for value in self.few_members(to, images.len()) {
                let reached = self.frequency(&images, &Term::Value(value));
                parts.push(!self.problem.at_most_constant(reached, 0));
            }
        }
        self.problem.and(parts)
    }

    fn in_relation_domain(
        &mut self,
        attributes: &RelationAttributes<i64>,
        columns: &[GroundDomain],
        term: &Term,
    ) -> Bool {
        let members = self.members(term);
        let members = self.distinct(term, &members);
        let tuples = GroundDomain::Tuple(columns.to_vec());
        let mut parts = vec![self.sized(&attributes.size, &members.members), self.each_in(&tuples, &members.members)];
        if !attributes.properties.is_empty() {
            let points: Vec<Term> = columns[0].members().map(Term::Value).collect();
            for property in &attributes.properties {
                parts.push(self.has_property(&members, &points, *property));
            }
        }
        self.problem.and(parts)
    }

    fn in_partition_domain(
        &mut self,
        attributes: &PartitionAttributes<i64>,
        inner: &GroundDomain,
        term: &Term,
    ) -> Bool {
        let members = self.members(term);
        let mut parts = vec![self.sized(&attributes.parts, &members.members)];
        let mut sizes: Vec<(Bool, Int)> = Vec::with_capacity(members.members.len());
        let mut covered = Vec::with_capacity(members.members.len());
        let zero = self.problem.constant(0);
        for part in &members.members {
            let set = GroundDomain::Set(attributes.part_size.clone(), Box::new(inner.clone()));
            let inside = self.in_domain(&set, &part.term);
            parts.push(self.problem.implies(part.condition, inside));
            let size = self.size(&part.term);
            if attributes.regular {
                for (other, other_size) in &sizes {
                    let same = self.problem.equal(size, *other_size);
                    parts.push(self.problem.or([!part.condition, !*other, same]));
                }
            }
            covered.push((1, self.problem.choice([(part.condition, size), (Bool::TRUE, zero)])));
            sizes.push((part.condition, size));
        }
        // The parts are disjoint: together they have as many members as there are.
        let covered = self.problem.linear(covered, 0);
        let all = inner.size().and_then(|size| i64::try_from(size).ok());
        parts.push(all.map_or(Bool::FALSE, |all| self.problem.equals_constant(covered, all)));
        self.problem.and(parts)
    }
}
