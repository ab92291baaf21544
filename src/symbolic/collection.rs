//! The primitives of collections: membership, size, inclusion, image.

use super::*;
use std::collections::BTreeMap;

/// With at least this many pairs, different values are counted by value if that takes fewer terms.
const FEWEST_PAIRS: usize = if cfg!(test) { 3 } else { 2_000 };

/// Counts the occurrences of many terms among members. Constant members are looked up in a map, so not every term is
/// compared with every member.
pub(crate) struct MemberCounts<'m> {
    values: FxHashMap<&'m Value, Vec<Bool>>,
    others: Vec<&'m Member>,
    members: &'m [Member],
}

impl<'m> MemberCounts<'m> {
    pub(crate) fn new(members: &'m [Member]) -> Self {
        let mut occurrences = MemberCounts { values: FxHashMap::default(), others: Vec::new(), members };
        for member in members {
            match member.term.as_value() {
                Some(value) => occurrences.values.entry(value).or_default().push(member.condition),
                None => occurrences.others.push(member),
            }
        }
        occurrences
    }

    /// The number of occurrences of an element among the members.
    pub(crate) fn frequency(&self, symbolic: &mut Symbolic, element: &Term) -> Int {
        // A term that is not constant may equal any member, so nothing can be looked up.
        let Some(value) = element.as_value() else { return symbolic.frequency(self.members, element) };
        let mut parts = self.values.get(value).cloned().unwrap_or_default();
        for member in &self.others {
            let same = symbolic.equal(&member.term, element);
            parts.push(symbolic.problem.and([member.condition, same]));
        }
        symbolic.problem.count(parts)
    }
}

impl Symbolic {
    /// The condition that an element is among the members.
    pub(crate) fn contains(&mut self, members: &Arc<Members>, element: &Term) -> Bool {
        if let Some(positions) = members.positions(Key::Element) {
            match element {
                Term::Value(value) => {
                    return positions.get(value).map_or(Bool::FALSE, |&position| members.members[position].condition);
                }
                Term::Int(term) => {
                    // One implication per value of the term is shorter than one equation per member.
                    let values = self.problem.values(*term).clone();
                    // Without this bound, a term with a large domain would need more implications than there are
                    // members.
                    if values.size().is_some_and(|size| size <= 4 * positions.len() as u128 + 4) {
                        let mut parts = Vec::new();
                        for value in values.iter() {
                            let present = positions
                                .get(&Value::Int(value))
                                // A value that is not a member is excluded.
                                .map_or(Bool::FALSE, |&position| members.members[position].condition);
                            let here = self.problem.equals_constant(*term, value);
                            parts.push(self.problem.implies(here, present));
                        }
                        return self.problem.and(parts);
                    }
                }
                _ => {}
            }
        }
        let mut parts = Vec::with_capacity(members.members.len());
        for member in &members.members {
            let same = self.equal(&member.term, element);
            parts.push(self.problem.and([member.condition, same]));
        }
        self.problem.or(parts)
    }

    /// The condition that every member on the left is among the members on the right.
    pub(crate) fn subset(&mut self, left: &Arc<Members>, right: &Arc<Members>) -> Bool {
        let mut parts = Vec::with_capacity(left.members.len());
        for member in &left.members {
            let inside = self.contains(right, &member.term);
            parts.push(self.problem.implies(member.condition, inside));
        }
        self.problem.and(parts)
    }

    /// The number of occurrences of an element among the members.
    pub(crate) fn frequency(&mut self, members: &[Member], element: &Term) -> Int {
        let mut parts = Vec::new();
        for member in members {
            let same = self.equal(&member.term, element);
            parts.push(self.problem.and([member.condition, same]));
        }
        self.problem.count(parts)
    }

    /// The condition that every member on the left occurs at most as often on the left as on the right.
    pub(crate) fn mset_at_most(&mut self, left: &Arc<Members>, right: &Arc<Members>) -> Bool {
        let mut parts = Vec::new();
        let (mine, other) = (MemberCounts::new(&left.members), MemberCounts::new(&right.members));
        let mut seen: FxHashMap<Value, ()> = FxHashMap::default();
        for member in &left.members {
            // The comparison of the two counts covers all occurrences of a constant.
            if let Some(value) = member.term.as_value()
                && seen.insert(value.clone(), ()).is_some()
            {
                continue;
            }
            let (here, there) = (mine.frequency(self, &member.term), other.frequency(self, &member.term));
            let enough = self.problem.at_most(here, there);
            // The counts of a constant are compared even if this occurrence of it is absent.
            parts.push(match member.term {
                Term::Value(_) => enough,
                _ => self.problem.implies(member.condition, enough),
            });
        }
        self.problem.and(parts)
    }

    /// The condition that two sets have no common member.
    pub(crate) fn disjoint(&mut self, left: &Term, right: &Term) -> Bool {
        let (left, right) = (self.members(left), self.members(right));
        let mut parts = Vec::with_capacity(left.members.len());
        for member in &left.members {
            let shared = self.contains(&right, &member.term);
            parts.push(!self.problem.and([member.condition, shared]));
        }
        self.problem.and(parts)
    }

    /// The members for the terms of a literal: each is present unless it equals an earlier one.
    pub(crate) fn once(
        &mut self,
        terms: Vec<Term>,
        mut same: impl FnMut(&mut Self, &Term, &Term) -> Bool,
    ) -> Vec<Member> {
        let mut members = Vec::with_capacity(terms.len());
        for (position, term) in terms.iter().enumerate() {
            let mut repeated = Vec::new();
            // If equal members are present, only the first one counts.
            for earlier in &terms[..position] {
                repeated.push(same(self, earlier, term));
            }
            members.push(Member::new(!self.problem.or(repeated), term.clone()));
        }
        members
    }

    /// The members without repetition: at most one of several equal members is present. Multisets stay as they are.
    pub(crate) fn distinct(&mut self, term: &Term, members: &Arc<Members>) -> Arc<Members> {
        if members.repetition == Repetition::Never
            || collection_kind_of(term).is_some_and(|kind| kind.row().has_occurrences())
        {
            return members.clone();
        }
        let mut result: Vec<Member> = Vec::with_capacity(members.members.len());
        for member in &members.members {
            let mut parts = vec![member.condition];
            for earlier in &result {
                let same = self.equal(&earlier.term, &member.term);
                parts.push(!self.problem.and([earlier.condition, same]));
            }
            result.push(Member::new(self.problem.and(parts), member.term.clone()));
        }
        result.retain(|member| member.condition != Bool::FALSE);
        Arc::new(Members::new(result, Repetition::Never))
    }

    /// The elements over which a generator ranges ([`Symbolic::elements`]), in the order in which values list their
    /// members: ascending, unless the order is part of the collection.
    pub(crate) fn ascending_elements(&mut self, term: &Term) -> Vec<Member> {
        let mut members = self.elements(term);
        let Some(kind) = collection_kind_of(term) else { return members };
        // With fewer than two members, there is nothing to sort.
        if members.len() < 2 || self.members(term).ascending {
            return members;
        }
        let key = |member: &Member| if kind.form().is_keyed() { member.term.item(0) } else { member.term.clone() };
        let keys: Vec<Term> = members.iter().map(key).collect();
        if keys.iter().all(|key| key.as_value().is_some()) {
            members.sort_by_cached_key(|member| key(member).as_value().cloned());
            return members;
        }
        self.sorted(&members, &keys)
    }

    /// Sorts the members by their keys: one slot for each rank.
    pub(crate) fn sorted(&mut self, members: &[Member], keys: &[Term]) -> Vec<Member> {
        // The rank of a member is the number of present members before it.
        let mut ranks = Vec::with_capacity(members.len());
        for (position, key) in keys.iter().enumerate() {
            let mut before = Vec::with_capacity(members.len());
            for (other, member) in members.iter().enumerate().filter(|(other, _)| *other != position) {
                // Only multisets have equal keys; their order is kept.
                let earlier = match other < position {
                    true => !self.less(key, &keys[other]),
                    false => self.less(&keys[other], key),
                };
                before.push(self.problem.and([member.condition, earlier]));
            }
            ranks.push(self.problem.count(before));
        }
        let mut slots = Vec::with_capacity(members.len());
        for slot in 0..members.len() {
            let mut candidates = Vec::with_capacity(members.len());
            for (member, rank) in members.iter().zip(&ranks) {
                // Ranks count present members only, so the slots are filled from 0 without gaps.
                let here = self.problem.equals_constant(*rank, slot as i64);
                candidates.push((self.problem.and([member.condition, here]), member.term.clone()));
            }
            let present = self.problem.or(candidates.iter().map(|candidate| candidate.0));
            slots.push(Member::new(present, self.choose(candidates)));
        }
        slots.retain(|slot| slot.condition != Bool::FALSE);
        slots
    }

    /// The number of members of a collection; the parts of a partition are its members.
    pub(crate) fn size(&mut self, term: &Term) -> Int {
        if let Term::PowerSet(set) = term {
            return power_set::count_subsets(self, set);
        }
        let members = self.members(term);
        let has_occurrences = collection_kind_of(term).is_some_and(|kind| kind.row().has_occurrences());
        if members.repetition == Repetition::Possible
            && !has_occurrences
            && let Some(taken) = self.values_taken(&members.members)
        {
            return taken;
        }
        let members = self.distinct(term, &members);
        self.problem.count(members.members.iter().map(|member| member.condition))
    }

    /// The number of different values of integers, counted by value; `None` if comparing all pairs takes fewer terms.
    fn values_taken(&mut self, members: &[Member]) -> Option<Int> {
        let pairs = members.len() * members.len().saturating_sub(1) / 2;
        if pairs < FEWEST_PAIRS {
            return None;
        }
        // Comparing two integers takes about four terms.
        let mut room = 4 * pairs as u128;
        // Each value of a member takes one equation. If they need more than this room, comparing pairs is cheaper.
        for member in members {
            let size = match &member.term {
                Term::Int(term) => self.problem.values(*term).size()?,
                Term::Value(Value::Int(_)) => 1,
                _ => return None,
            };
            room = room.checked_sub(size)?;
        }
        let mut takers: BTreeMap<i64, Vec<Bool>> = BTreeMap::new();
        for member in members {
            match member.term {
                Term::Int(term) => {
                    for value in self.problem.values(term).clone().iter() {
                        let here = self.problem.equals_constant(term, value);
                        let here = self.problem.and([member.condition, here]);
                        takers.entry(value).or_default().push(here);
                    }
                }
                Term::Value(Value::Int(value)) => takers.entry(value).or_default().push(member.condition),
                _ => return None,
            }
        }
        let taken: Vec<Bool> = takers.into_values().map(|takers| self.problem.or(takers)).collect();
        Some(self.problem.count(taken))
    }

    /// The participants of a partition: the elements of its parts.
    pub(crate) fn participants(&mut self, partition: &Term) -> Vec<Member> {
        let mut members = Vec::new();
        for part in &self.members(partition).members {
            for member in &self.members(&part.term).members {
                let condition = self.problem.and([part.condition, member.condition]);
                members.push(Member::new(condition, member.term.clone()));
            }
        }
        members
    }

    /// The image of an argument under a function or sequence; undefined if the argument has none.
    pub(crate) fn image(&mut self, function: &Arc<Members>, argument: &Term) -> Partial {
        if let (Some(positions), Term::Value(value)) = (function.positions(Key::Argument), argument) {
            return match positions.get(value) {
                Some(&position) => {
                    let member = &function.members[position];
                    Partial { term: member.term.item(1), defined: member.condition }
                }
                None => Partial { term: default_of(function), defined: Bool::FALSE },
            };
        }
        let mut alternatives = Vec::with_capacity(function.members.len());
        for member in &function.members {
            let same = self.equal(&member.term.item(0), argument);
            // Arguments that cannot be equal need no alternative, which keeps the choice small.
            if same != Bool::FALSE {
                let here = self.problem.and([member.condition, same]);
                alternatives.push((here, member.term.item(1)));
            }
        }
        let conditions = alternatives.iter().map(|alternative| alternative.0);
        // Without this test, `defined` would be a disjunction that always holds.
        let defined = if self.is_total_on(function, argument) { Bool::TRUE } else { self.problem.or(conditions) };
        if alternatives.is_empty() {
            return Partial { term: default_of(function), defined: Bool::FALSE };
        }
        Partial { term: self.choose(alternatives), defined }
    }

    /// Returns true if a function of constants has an image for every value that an argument can take.
    fn is_total_on(&self, function: &Arc<Members>, argument: &Term) -> bool {
        let Some(positions) = function.positions(Key::Argument) else { return false };
        let is_argument = |value: &Value| {
            positions.get(value).is_some_and(|&position| function.members[position].condition == Bool::TRUE)
        };
        self.possible_values(argument, positions.len()).is_some_and(|values| values.iter().all(is_argument))
    }

    /// The values that a term can take, or a superset of them; `None` if there are more than `most`.
    fn possible_values(&self, term: &Term, most: usize) -> Option<Vec<Value>> {
        match term {
            Term::Value(value) => Some(vec![value.clone()]),
            Term::Int(term) => {
                let values = self.problem.values(*term);
                values.size().is_some_and(|size| size <= most as u128).then(|| values.iter().map(Value::Int).collect())
            }
            Term::Tuple(items) => {
                let mut tuples = vec![Vec::new()];
                for item in items.iter() {
                    // The limit applies to the number of tuples, so each item may have only as many values as the
                    // earlier ones leave.
                    let values = self.possible_values(item, most / tuples.len().max(1))?;
                    let longer = |tuple: &Vec<Value>| {
                        let with = |value: &Value| [tuple.as_slice(), std::slice::from_ref(value)].concat();
                        values.iter().map(with).collect::<Vec<_>>()
                    };
                    tuples = tuples.iter().flat_map(longer).collect();
                }
                Some(tuples.into_iter().map(|items| Value::Tuple(items.into())).collect())
            }
            // Nested collections can have too many values to list them.
            _ => None,
        }
    }

    /// The image of a point under a permutation. Points that the permutation does not mention stay fixed.
    pub(crate) fn permuted(&mut self, permutation: &Arc<Members>, point: &Term) -> Term {
        if permutation.members.is_empty() {
            return point.clone();
        }
        let image = self.image(permutation, point);
        match image.defined {
            Bool::TRUE => image.term,
            Bool::FALSE => point.clone(),
            defined => self.choose(vec![(defined, image.term), (!defined, point.clone())]),
        }
    }

    /// The element of a matrix at an index; undefined outside its index domain.
    pub(crate) fn element(&mut self, index: &GroundDomain, elements: &[Term], at: &Term) -> Partial {
        let mut alternatives = Vec::new();
        let mut conditions = Vec::new();
        match (index, at) {
            (GroundDomain::Int(values), Term::Value(Value::Int(value))) => {
                return match values.position(*value) {
                    Some(position) => elements[position].clone().into(),
                    None => no_element(elements),
                };
            }
            (GroundDomain::Bool, Term::Value(Value::Bool(value))) => {
                return elements[usize::from(*value)].clone().into();
            }
            // A Boolean index is always in its domain, so the element is defined.
            (GroundDomain::Bool, at) => {
                let at = at.bool();
                alternatives = vec![(!at, elements[0].clone()), (at, elements[1].clone())];
                conditions.push(Bool::TRUE);
            }
            (GroundDomain::Int(values), at) => {
                let at = self.int(at);
                // An alternative for a value that the index cannot take would never be used.
                let reachable = self.problem.values(at).intersect(values);
                for value in reachable.iter() {
                    let here = self.problem.equals_constant(at, value);
                    if let Some(position) = values.position(value) {
                        alternatives.push((here, elements[position].clone()));
                    }
                }
                // The element is defined for every index in the domain, whichever alternative is chosen.
                conditions.push(self.problem.member(at, values));
            }
            _ => {}
        }
        if alternatives.is_empty() {
            return no_element(elements);
        }
        let defined = self.problem.or(conditions);
        Partial { term: self.choose(alternatives), defined }
    }
}

/// Any image of the function, as a placeholder for an undefined one.
fn default_of(function: &Arc<Members>) -> Term {
    function.members.first().map_or(Term::Value(Value::Int(0)), |member| member.term.item(1))
}

fn no_element(elements: &[Term]) -> Partial {
    Partial { term: elements.first().cloned().unwrap_or(Term::Value(Value::Int(0))), defined: Bool::FALSE }
}
