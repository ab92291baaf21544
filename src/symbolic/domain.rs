//! The condition that a term is in a domain: [`GroundDomain::contains`] for terms.

use super::*;
use crate::language::attributes::{Attributes, Limit, Measure, Size};

impl Symbolic {
    pub(crate) fn in_domain(&mut self, domain: &GroundDomain, term: &Term) -> Bool {
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
            (GroundDomain::Collection(kind, attributes, parts), term) => {
                let mut attributes = attributes.clone();
                let form = kind.form();
                let inside = match form {
                    MemberForm::Blocks => self.is_partition_of(&parts[0], term),
                    // The domain restricts only the points that move, so a fixed point may be outside.
                    MemberForm::Cycles => {
                        let points = Members::new(self.elements(term), Repetition::Never);
                        self.each_in(&parts[0], &sides_of_pairs(&points, 0))
                    }
                    MemberForm::Values if kind.row().has_occurrences() => {
                        let members = self.members(term);
                        let mut all = vec![self.each_in(&parts[0], &members.members)];
                        // A minimum number of occurrences also applies to absent values, but the attributes below see
                        // only members.
                        let occurrences = attributes.bounds(Measure::Occurrences);
                        if let Some(min) = occurrences.min.filter(|min| *min > 0) {
                            let least = Size::of(Limit::AtLeast, min);
                            let every = MemberCounts::new(&members.members);
                            for value in few_members(&parts[0], members.members.len()) {
                                let frequency = every.frequency(self, &Term::Value(value));
                                all.push(attributes::term_within(self, &least, frequency));
                            }
                        }
                        let most = Size { min: None, max: occurrences.max };
                        attributes = attributes.bounding(Measure::Occurrences, most);
                        self.problem.and(all)
                    }
                    MemberForm::Values | MemberForm::Tuples => {
                        let members = self.members(term);
                        let members = self.distinct(term, &members);
                        let member = form.member_domain(&attributes, parts.clone());
                        self.each_in(&member, &members.members)
                    }
                    MemberForm::Pairs | MemberForm::Positions => {
                        let members = self.members(term);
                        let item = |part: usize| form.item(part).unwrap_or(part);
                        let inside = parts.iter().enumerate();
                        let inside: Vec<Bool> = inside
                            .map(|(part, domain)| self.each_in(domain, &sides_of_pairs(&members, item(part))))
                            .collect();
                        self.problem.and(inside)
                    }
                };
                self.with_attributes(inside, domain, &attributes, term)
            }
        }
    }

    /// The condition that a term has a domain's attributes; `inside` is the condition that its parts are in the
    /// domain's parts.
    fn with_attributes(
        &mut self,
        inside: Bool,
        domain: &GroundDomain,
        attributes: &Attributes<i64>,
        term: &Term,
    ) -> Bool {
        let mut parts = vec![inside];
        for (measure, bounds) in attributes.measures() {
            for (condition, number) in attributes::measured_numbers(self, *measure, term) {
                let within = attributes::term_within(self, bounds, number);
                parts.push(self.problem.implies(condition, within));
            }
        }
        for property in attributes.properties() {
            parts.push(attributes::term_has_property(self, *property, term, &domain.sides()));
        }
        self.problem.and(parts)
    }

    fn all_in<'a>(&mut self, terms: impl Iterator<Item = (&'a GroundDomain, Term)>) -> Bool {
        let parts: Vec<Bool> = terms.map(|(domain, term)| self.in_domain(domain, &term)).collect();
        self.problem.and(parts)
    }

    /// The condition that all present members are in a domain.
    fn each_in(&mut self, domain: &GroundDomain, members: &[Member]) -> Bool {
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            let inside = self.in_domain(domain, &member.term);
            parts.push(self.problem.implies(member.condition, inside));
        }
        self.problem.and(parts)
    }

    fn in_matrix_domain(&mut self, index: &GroundDomain, element: &GroundDomain, term: &Term) -> Bool {
        let Indexed { entries, boolean } = self.indexed(term);
        let mut parts = vec![if *index == GroundDomain::Bool { boolean } else { !boolean }];
        // The indices of the term may be fewer or more than the indices of the domain.
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

    /// The condition that the parts of a partition have all values of a domain, and no others.
    fn is_partition_of(&mut self, inner: &GroundDomain, term: &Term) -> Bool {
        let members = self.members(term);
        let mut parts = Vec::with_capacity(members.members.len() + 1);
        let mut covered = Vec::with_capacity(members.members.len());
        let zero = self.problem.constant(0);
        let set = GroundDomain::set(inner.clone());
        for part in &members.members {
            let inside = self.in_domain(&set, &part.term);
            parts.push(self.problem.implies(part.condition, inside));
            let size = self.size(&part.term);
            covered.push((1, self.problem.choice([(part.condition, size), (Bool::TRUE, zero)])));
        }
        // The parts are disjoint, so they cover the domain if the sum of their sizes is the size of the domain.
        let covered = self.problem.linear(covered, 0);
        let all = inner.size().and_then(|size| i64::try_from(size).ok());
        parts.push(all.map_or(Bool::FALSE, |all| self.problem.equals_constant(covered, all)));
        self.problem.and(parts)
    }
}

/// The arguments or the images of the pairs.
fn sides_of_pairs(members: &Members, position: usize) -> Vec<Member> {
    members.members.iter().map(|member| Member::new(member.condition, member.term.item(position))).collect()
}

/// The values of a domain that the given number of members must cover. If the domain has more values, one value more
/// than the members is enough to show that one of them is missing.
fn few_members(domain: &GroundDomain, members: usize) -> Vec<Value> {
    domain.members().take(members.saturating_add(1)).collect()
}
