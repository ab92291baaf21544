//! Representations: the finite-domain variables of a decision variable of Essence.
//!
//! Each representation is one file: the variables that it makes for a domain, the constraints that give every value of
//! the domain exactly one assignment (slots in ascending order, unused ones fixed), and the term that stands for the
//! variable from then on. Nothing else knows which representation was chosen: operators see members with conditions,
//! and [`super::read`] turns any term back into a value.
//!
//! The rule is data, in [`choice`]. If a collection has few possible members, each has a condition (*occurrence*, and
//! for functions an image for each argument). If there are many, or far more than the collection can have at a time,
//! the collection has slots with a variable for the member in each (*explicit*). If both would need too many variables,
//! the collection is refused with its size. [`choice_report`] describes the choice.
//!
//! You may add a representation. Counting relies on the constraints: each value of the domain has exactly one
//! assignment.

mod choice;
pub(crate) mod choice_report;
mod function;
mod kind;
mod mset;
mod partition;
mod permutation;
mod plan;
mod relation;
mod sequence;
mod set;
#[cfg(test)]
mod tests;

use super::order;
use super::*;
use crate::language::attributes::{Attributes, Size};
use crate::language::domain::Amount;
pub(crate) use choice::{Candidate, candidates, choose, has_more_combinations, possible, variable_count};
use choice::{MOST_OCCURRENCES, slot_count};
pub(crate) use kind::Representation;
pub(crate) use plan::{Path, Plan, inner_domains};

/// Up to this number of values, each value gets a constraint even if there are only a few members. Chosen.
const MOST_VALUES: u128 = 10_000;

/// The maximum number of elements of one dimension of a matrix. Chosen.
pub(crate) const MATRIX_LIMIT: u128 = 1_000_000;

/// The way in which neighbours in a list ascend.
#[derive(Clone, Copy)]
enum Ascent {
    Strict,
    /// Neighbours may be equal.
    Weak,
}

/// The representations of one type constructor's domains.
trait Represented: Sync {
    /// The representations that a domain can have, the preferred one first; at least one.
    fn candidates(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Vec<Candidate>;

    /// Returns true if the values of a part of the domain have variables.
    fn has_variables(&self, _part: usize, representation: Representation) -> bool {
        representation == Representation::Explicit
    }

    /// Returns true if the cost is quadratic in the number of elements.
    fn is_quadratic(&self) -> bool {
        false
    }

    /// Declares variables for one value of a domain and returns its term; `None` if a part was refused.
    fn declare(
        &self,
        declaration: &mut Declarer,
        chosen: Candidate,
        attributes: &Attributes<i64>,
        parts: &[GroundDomain],
        plan: &Plan,
    ) -> Option<Term>;

    /// Returns advice for a domain that is too large.
    fn advice(&self, attributes: &Attributes<i64>) -> &'static str;
}

fn representation_row(kind: Collection) -> &'static dyn Represented {
    match kind {
        Collection::Set => &set::RepresentedSets,
        Collection::MSet => &mset::RepresentedMultisets,
        Collection::Function => &function::RepresentedFunctions,
        Collection::Sequence => &sequence::RepresentedSequences,
        Collection::Relation => &relation::RepresentedRelations,
        Collection::Partition => &partition::RepresentedPartitions,
        Collection::Permutation => &permutation::RepresentedPermutations,
    }
}

impl Symbolic {
    /// Declares variables for one value of a domain and returns its term.
    pub(crate) fn declare(&mut self, domain: &GroundDomain, role: Role) -> Result<Term, LoweringRefusal> {
        self.declare_as(domain, &Plan::default(), role)
    }

    /// Declares a variable with a plan for the collections in the domain.
    pub(crate) fn declare_as(
        &mut self,
        domain: &GroundDomain,
        plan: &Plan,
        role: Role,
    ) -> Result<Term, LoweringRefusal> {
        let term = Declarer { symbolic: self, role }.value(domain, plan);
        self.check()?;
        term.ok_or(LoweringRefusal::Unbuildable(Fault::Terms))
    }
}

/// The declaration of variables with a role.
struct Declarer<'s> {
    symbolic: &'s mut Symbolic,
    role: Role,
}

impl Declarer<'_> {
    fn new_bool(&mut self) -> Bool {
        self.symbolic.problem.new_bool(self.role)
    }

    fn new_int(&mut self, values: IntSet) -> Int {
        self.symbolic.problem.new_int(values, self.role)
    }

    /// Declares variables for one value of a domain, with a plan for the collections in it, and returns its term;
    /// `None` if the problem is full, or if a domain needs too many variables in every representation.
    fn value(&mut self, domain: &GroundDomain, plan: &Plan) -> Option<Term> {
        if self.symbolic.problem.is_full() {
            return None;
        }
        let chosen = match choose(domain, plan) {
            Ok(chosen) => chosen,
            Err(candidates) => {
                self.symbolic.refuse(|| choice_report::too_large_domain(domain, &candidates));
                return None;
            }
        };
        Some(match domain {
            GroundDomain::Bool => self.new_bool().into(),
            GroundDomain::Int(values) => {
                let term = self.new_int(values.clone());
                self.symbolic.int_term(term)
            }
            GroundDomain::Tuple(items) => {
                let items = (1..).zip(items);
                let declare = |(number, item): (usize, _)| self.value(item, &plan.component(number));
                Term::tuple(items.map(declare).collect::<Option<_>>()?)
            }
            GroundDomain::Record(fields) => {
                let fields = fields.iter();
                let declare = |(name, field): &(_, _)| self.value(field, &plan.component(name));
                Term::tuple(fields.map(declare).collect::<Option<_>>()?)
            }
            GroundDomain::Variant(alternatives) => self.variant(alternatives, plan)?,
            GroundDomain::Matrix(index, element) => {
                let plan = plan.component("element");
                let elements = (0..count_or_max(index)).map(|_| self.value(element, &plan)).collect::<Option<_>>()?;
                Term::matrix(GroundDomain::clone(index), elements)
            }
            GroundDomain::Collection(kind, attributes, parts) => {
                representation_row(*kind).declare(self, chosen, attributes, parts, plan)?
            }
        })
    }

    /// Declares a tag, and a value for each alternative. Inactive alternatives have a fixed value.
    fn variant(&mut self, alternatives: &[(crate::language::Name, GroundDomain)], plan: &Plan) -> Option<Term> {
        let possible: Vec<bool> = alternatives.iter().map(|(_, domain)| !is_empty(domain)).collect();
        let tags = (0..).zip(&possible).filter(|(_, possible)| **possible).map(|(tag, _)| tag);
        let tag = self.new_int(IntSet::from_values(tags));
        let mut terms = Vec::with_capacity(alternatives.len());
        for (position, (name, domain)) in alternatives.iter().enumerate() {
            if !possible[position] {
                terms.push(None);
                continue;
            }
            let term = self.value(domain, &plan.component(name))?;
            let active = self.symbolic.problem.equals_constant(tag, position as i64);
            self.fix_unless(active, &term, domain);
            terms.push(Some(term));
        }
        Some(Term::Variant(tag, terms.into()))
    }

    /// Requires the term to have its domain's first value if the condition does not hold.
    fn fix_unless(&mut self, condition: Bool, term: &Term, domain: &GroundDomain) {
        if condition == Bool::TRUE {
            return;
        }
        if let Some(first) = domain.members().next() {
            let fixed = self.symbolic.equal(term, &Term::Value(first));
            let constraint = self.symbolic.problem.or([condition, fixed]);
            self.symbolic.problem.require(constraint);
        }
    }

    /// Requires that the number of conditions that hold is within the bounds.
    fn require_size(&mut self, size: &Size<i64>, conditions: impl IntoIterator<Item = Bool>) {
        let count = self.symbolic.problem.count(conditions);
        self.require_within(size, count);
    }

    fn require_within(&mut self, size: &Size<i64>, term: Int) {
        if let Some(min) = size.min {
            let enough = !self.symbolic.problem.at_most_constant(term, min - 1);
            self.symbolic.problem.require(enough);
        }
        if let Some(max) = size.max {
            let few = self.symbolic.problem.at_most_constant(term, max);
            self.symbolic.problem.require(few);
        }
    }

    /// Declares up to `slots` slots for members of a domain. The used slots come first; unused ones have the domain's
    /// first value.
    fn slots(&mut self, size: &Size<i64>, slots: i64, inner: &GroundDomain, plan: &Plan) -> Option<Vec<Member>> {
        let slots = if is_empty(inner) { 0 } else { slots };
        let least = size.min.unwrap_or(0).max(0);
        if least > slots || size.max.is_some_and(|most| most < 0) {
            self.symbolic.problem.require(Bool::FALSE);
        }
        let mut members: Vec<Member> = Vec::with_capacity(slots as usize);
        for position in 0..slots {
            let condition = if position < least { Bool::TRUE } else { self.new_bool() };
            if let Some(previous) = members.last() {
                // If there could be gaps between the used slots, a value would have several assignments.
                let dense = self.symbolic.problem.implies(condition, previous.condition);
                self.symbolic.problem.require(dense);
            }
            let term = self.value(inner, plan)?;
            self.fix_unless(condition, &term, inner);
            members.push(Member::new(condition, term));
        }
        Some(members)
    }

    /// Requires that slots ascend by the keys that `key` returns for them: in the order of the values, or in a cheaper
    /// order if the keys contain collections.
    fn in_ascent(&mut self, members: Vec<Member>, ascent: Ascent, key: impl Fn(&Term) -> Term) -> Members {
        let keys: Vec<Term> = members.iter().map(|member| key(&member.term)).collect();
        let by_value = keys.first().is_none_or(|key| !order::contains_collection(key));
        for (two, second) in keys.windows(2).zip(members.iter().skip(1)) {
            let (left, right) = match ascent {
                Ascent::Strict => (&two[0], &two[1]),
                Ascent::Weak => (&two[1], &two[0]),
            };
            let less = if by_value { self.symbolic.less(left, right) } else { self.symbolic.precedes(left, right) };
            let ascending = match ascent {
                Ascent::Strict => less,
                Ascent::Weak => !less,
            };
            let constraint = self.symbolic.problem.implies(second.condition, ascending);
            let from = self.symbolic.problem.constraints().len();
            self.symbolic.problem.require(constraint);
            let parts = &self.symbolic.problem.constraints()[from..];
            self.symbolic.slot_order.extend(parts);
        }
        let members = match ascent {
            Ascent::Strict => Members::new(members, Repetition::Never),
            Ascent::Weak => Members::new(members, Repetition::Possible),
        };
        if by_value { members.packed() } else { members }
    }

    /// Requires that the parts that `part` returns differ for any two present members.
    fn require_all_different(&mut self, members: &[Member], part: impl Fn(&Term) -> Term) {
        let parts: Vec<Term> = members.iter().map(|member| part(&member.term)).collect();
        if members.iter().all(|member| member.condition == Bool::TRUE)
            && parts.iter().all(|part| matches!(part, Term::Int(_) | Term::Value(Value::Int(_))))
        {
            let terms: Vec<Int> = parts.iter().map(|part| self.symbolic.int(part)).collect();
            let different = self.symbolic.problem.all_different(terms);
            self.symbolic.problem.require(different);
            return;
        }
        if members.len() > 2 && self.require_each_value_once(members, &parts) {
            return;
        }
        for left in 0..members.len() {
            for right in left + 1..members.len() {
                let same = self.symbolic.equal(&parts[left], &parts[right]);
                let clash = self.symbolic.problem.and([members[left].condition, members[right].condition, same]);
                self.symbolic.problem.require(!clash);
            }
        }
    }

    /// Requires that different members have different integers by taking each value at most once, which needs fewer
    /// terms than comparing pairs. Returns false if the parts are not integers or have too many values.
    fn require_each_value_once(&mut self, members: &[Member], parts: &[Term]) -> bool {
        if !parts.iter().all(|part| matches!(part, Term::Int(_) | Term::Value(Value::Int(_)))) {
            return false;
        }
        let terms: Vec<Int> = parts.iter().map(|part| self.symbolic.int(part)).collect();
        let ranges =
            terms.iter().flat_map(|term| self.symbolic.problem.values(*term).ranges().to_vec()).collect::<Vec<_>>();
        let values = IntSet::from_ranges(ranges);
        let pairs = (members.len() * members.len()) as u128;
        if values.size().is_none_or(|size| size > MOST_VALUES.max(pairs)) {
            return false;
        }
        for value in values.iter() {
            let mut taken = Vec::with_capacity(members.len());
            for (member, term) in members.iter().zip(&terms) {
                let same = self.symbolic.problem.equals_constant(*term, value);
                taken.push(self.symbolic.problem.and([member.condition, same]));
            }
            let count = self.symbolic.problem.count(taken);
            let once = self.symbolic.problem.at_most_constant(count, 1);
            self.symbolic.problem.require(once);
        }
        true
    }
}

/// The number of values of a domain; `u128::MAX` if they cannot be counted.
fn count_or_max(domain: &GroundDomain) -> u128 {
    domain.size().unwrap_or(u128::MAX)
}

fn is_empty(domain: &GroundDomain) -> bool {
    count_or_max(domain) == 0
}
