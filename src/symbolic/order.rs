//! The total order `.<` on terms, which agrees with the order of [`Value`], and a cheaper order for terms in the same
//! representation.

use super::*;

/// A key that may occur in two sorted collections: the condition for each side that it has the key, and the images to
/// compare if both sides have it.
struct SortedPlace {
    left: Bool,
    right: Bool,
    images: Option<(Term, Term)>,
}

impl Symbolic {
    /// Returns the condition `left .< right`; both have the same type.
    pub(crate) fn less(&mut self, left: &Term, right: &Term) -> Bool {
        match (left, right) {
            (Term::Value(left), Term::Value(right)) => Bool::from(left < right),
            // `false` is less than `true`.
            (Term::Bool(_), _) | (_, Term::Bool(_)) => {
                let (left, right) = (left.bool(), right.bool());
                self.problem.and([!left, right])
            }
            (Term::Int(_), _) | (_, Term::Int(_)) => {
                let (left, right) = (self.int(left), self.int(right));
                self.problem.less(left, right)
            }
            (Term::Tuple(_), _) | (_, Term::Tuple(_)) => {
                let present = |items: Vec<Term>| items.into_iter().map(Member::always).collect::<Vec<_>>();
                less_sequences(self, &present(left.items()), &present(right.items()))
            }
            (Term::Variant(..), _) | (_, Term::Variant(..)) => less_variants(self, left, right),
            _ if left.is_matrix() => self.less_matrices(left, right),
            _ => less_collections(self, left, right),
        }
    }

    /// A strict total order of the values of two terms of one domain in one representation. Each value has exactly one
    /// assignment, so comparing the assignments lexicographically is such an order.
    pub(super) fn precedes(&mut self, left: &Term, right: &Term) -> Bool {
        let present = |term: &Term| {
            let mut assigned = Vec::new();
            // Both sides list the terms that determine the value in the same order, so the comparison is lexicographic.
            assigned_terms(term, &mut assigned);
            assigned.into_iter().map(Member::always).collect::<Vec<_>>()
        };
        less_sequences(self, &present(left), &present(right))
    }

    /// The lexicographic order of lists and matrices by their elements alone, as `<lex` compares them. A proper prefix
    /// comes first.
    pub(crate) fn less_lists(&mut self, left: &Term, right: &Term) -> Bool {
        let (left, right) = (self.compact(left), self.compact(right));
        less_sequences(self, &left, &right)
    }

    /// A multiset as a set of pairs: an element, and the number of its occurrence, counted from 1.
    pub(crate) fn numbered(&mut self, members: &Arc<Members>) -> Arc<Members> {
        let mut numbered: Vec<Member> = Vec::new();
        if members.members.iter().all(|member| member.term.as_value().is_some()) {
            let mut conditions: FxHashMap<&Value, Vec<Bool>> = FxHashMap::default();
            for member in &members.members {
                if let Some(value) = member.term.as_value() {
                    conditions.entry(value).or_default().push(member.condition);
                }
            }
            for (value, conditions) in conditions {
                // Copies of a value are interchangeable, so only their number counts.
                let count = self.problem.count(conditions.iter().copied());
                for occurrence in 1..=conditions.len() as i64 {
                    let enough = !self.problem.at_most_constant(count, occurrence - 1);
                    let pair = Value::tuple(vec![value.clone(), Value::Int(occurrence)]);
                    numbered.push(Member::new(enough, Term::Value(pair)));
                }
            }
        } else {
            for (position, member) in members.members.iter().enumerate() {
                let earlier = self.frequency(&members.members[..position], &member.term);
                let one = self.problem.constant(1);
                let occurrence = self.problem.add(earlier, one);
                let pair = Term::pair(member.term.clone(), self.int_term(occurrence));
                numbered.push(Member::new(member.condition, pair));
            }
        }
        Arc::new(Members::new(numbered, Repetition::Never))
    }
}

/// The lexicographic order of sequences whose present elements come first.
fn less_sequences(symbolic: &mut Symbolic, left: &[Member], right: &[Member]) -> Bool {
    let mut less = Bool::from(false);
    // The loop runs from the last position to the first, so `less` is the result for the positions after this one.
    for position in (0..left.len().max(right.len())).rev() {
        let absent = |side: &[Member]| side.get(position).map_or(Bool::TRUE, |member| !member.condition);
        let (no_left, no_right) = (absent(left), absent(right));
        less = match (left.get(position), right.get(position)) {
            (Some(one), Some(other)) => {
                let before = symbolic.less(&one.term, &other.term);
                let same = symbolic.equal(&one.term, &other.term);
                let later = symbolic.problem.and([same, less]);
                let decided = symbolic.problem.or([before, later]);
                let within = symbolic.problem.and([!no_left, !no_right, decided]);
                // The left side ends first, so it is a proper prefix.
                let ended = symbolic.problem.and([no_left, !no_right]);
                symbolic.problem.or([within, ended])
            }
            _ => symbolic.problem.and([no_left, !no_right]),
        };
    }
    less
}

fn less_variants(symbolic: &mut Symbolic, left: &Term, right: &Term) -> Bool {
    let (left_tag, left) = symbolic.variant_parts(left);
    let (right_tag, right) = symbolic.variant_parts(right);
    // Alternatives are compared only if their tags are equal; otherwise, the tags decide.
    let before = symbolic.problem.less(left_tag, right_tag);
    let mut cases = vec![before];
    for (tag, pair) in (0..).zip(left.iter().zip(&right)) {
        if let (Some(left), Some(right)) = pair {
            let one = symbolic.problem.equals_constant(left_tag, tag);
            let other = symbolic.problem.equals_constant(right_tag, tag);
            let less = symbolic.less(left, right);
            cases.push(symbolic.problem.and([one, other, less]));
        }
    }
    symbolic.problem.or(cases)
}

fn less_collections(symbolic: &mut Symbolic, left: &Term, right: &Term) -> Bool {
    let Some(kind) = collection_kind_of(left).or(collection_kind_of(right)) else { return Bool::FALSE };
    let (left_members, right_members) = (sorted_form(symbolic, kind, left), sorted_form(symbolic, kind, right));
    match (left_members.positions(Key::of(kind)), right_members.positions(Key::of(kind))) {
        (Some(left_positions), Some(right_positions)) => {
            // A key that only one side can have is compared, too: it is absent on the other side.
            let mut keys: Vec<&Value> = left_positions.keys().chain(right_positions.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            let places = keys
                .into_iter()
                .map(|key| {
                    let left = left_positions.get(key).map(|&position| &left_members.members[position]);
                    let right = right_positions.get(key).map(|&position| &right_members.members[position]);
                    SortedPlace {
                        left: left.map_or(Bool::FALSE, |member| member.condition),
                        right: right.map_or(Bool::FALSE, |member| member.condition),
                        images: match (left, right) {
                            (Some(left), Some(right)) if kind.form().is_keyed() => {
                                Some((left.term.item(1), right.term.item(1)))
                            }
                            _ => None,
                        },
                    }
                })
                .collect();
            less_by_places(symbolic, places)
        }
        _ => less_by_least_difference(symbolic, &left_members, &right_members),
    }
}

/// The members as a set in the order of values: permutations without fixed points, multisets with numbered occurrences.
fn sorted_form(symbolic: &mut Symbolic, kind: Collection, term: &Term) -> Arc<Members> {
    let members = symbolic.members(term);
    match kind {
        _ if kind.form() == MemberForm::Cycles => {
            let mut moved = Vec::with_capacity(members.members.len());
            for member in &members.members {
                let fixed = symbolic.equal(&member.term.item(0), &member.term.item(1));
                moved.push(Member::new(symbolic.problem.and([member.condition, !fixed]), member.term.clone()));
            }
            Arc::new(Members::new(moved, Repetition::Never))
        }
        _ if kind.row().has_occurrences() => symbolic.numbered(&members),
        _ => symbolic.distinct(term, &members),
    }
}

/// Compares collections with constant keys, which are given in ascending order. At the first difference, the side that
/// has the key is smaller, unless the other side has no later key.
fn less_by_places(symbolic: &mut Symbolic, places: Vec<SortedPlace>) -> Bool {
    let mut less = Bool::FALSE;
    let (mut more_left, mut more_right) = (Bool::FALSE, Bool::FALSE);
    // The loop runs from the last key to the first, so `less` is the result for the later keys.
    for place in places.into_iter().rev() {
        let (before, same) = match &place.images {
            Some((left, right)) => (symbolic.less(left, right), symbolic.equal(left, right)),
            None => (Bool::FALSE, Bool::TRUE),
        };
        let later = symbolic.problem.and([same, less]);
        let decided = symbolic.problem.or([before, later]);
        let both = symbolic.problem.and([place.left, place.right, decided]);
        let left_only = symbolic.problem.and([place.left, !place.right, more_right]);
        let right_only = symbolic.problem.and([!place.left, place.right, !more_left]);
        // Neither side has the key, so the later keys decide.
        let neither = symbolic.problem.and([!place.left, !place.right, less]);
        less = symbolic.problem.or([both, left_only, right_only, neither]);
        more_left = symbolic.problem.or([more_left, place.left]);
        more_right = symbolic.problem.or([more_right, place.right]);
    }
    less
}

/// Compares collections whose elements depend on decisions. The least element that only one side has decides: that side
/// is the smaller one, unless the other side has no greater element.
fn less_by_least_difference(symbolic: &mut Symbolic, left: &Arc<Members>, right: &Arc<Members>) -> Bool {
    let mut only_left = Vec::with_capacity(left.members.len());
    for member in &left.members {
        let inside = symbolic.contains(right, &member.term);
        only_left.push(Member::new(symbolic.problem.and([member.condition, !inside]), member.term.clone()));
    }
    let mut only_right = Vec::with_capacity(right.members.len());
    for member in &right.members {
        let inside = symbolic.contains(left, &member.term);
        only_right.push(Member::new(symbolic.problem.and([member.condition, !inside]), member.term.clone()));
    }
    let mut cases = Vec::new();
    for (mine, others, on_left) in [(&only_left, right, true), (&only_right, left, false)] {
        for candidate in mine {
            let mut parts = vec![candidate.condition];
            for other in only_left.iter().chain(&only_right) {
                // The candidate decides only if no smaller member is on one side alone.
                let before = symbolic.less(&other.term, &candidate.term);
                parts.push(!symbolic.problem.and([other.condition, before]));
            }
            // A prefix is smaller than its extension, so the greater members of the other side are needed.
            let mut greater = Vec::new();
            for other in &others.members {
                let after = symbolic.less(&candidate.term, &other.term);
                greater.push(symbolic.problem.and([other.condition, after]));
            }
            let greater = symbolic.problem.or(greater);
            // The side with the candidate is smaller if the other side has a greater member. Otherwise, the other side
            // is a prefix and therefore smaller.
            parts.push(if on_left { greater } else { !greater });
            cases.push(symbolic.problem.and(parts));
        }
    }
    symbolic.problem.or(cases)
}

/// The terms that determine the value of a term, in the same order for all terms of one representation.
fn assigned_terms(term: &Term, assigned: &mut Vec<Term>) {
    match term {
        Term::Tuple(items) => items.iter().for_each(|item| assigned_terms(item, assigned)),
        Term::Matrix(_, elements) => elements.iter().for_each(|element| assigned_terms(element, assigned)),
        Term::Variant(tag, alternatives) => {
            assigned.push(Term::Int(*tag));
            alternatives.iter().flatten().for_each(|alternative| assigned_terms(alternative, assigned));
        }
        Term::Collection(kind, members) if kind.form() == MemberForm::Blocks => {
            assigned.extend(members.numbered_elements().into_iter().map(|(_, number)| Term::Int(number)));
        }
        Term::Collection(_, members) => {
            for member in &members.members {
                assigned.push(Term::Bool(member.condition));
                assigned_terms(&member.term, assigned);
            }
        }
        _ => assigned.push(term.clone()),
    }
}

/// Returns true if a collection is part of a term.
pub(super) fn contains_collection(term: &Term) -> bool {
    match term {
        Term::Tuple(items) => items.iter().any(contains_collection),
        Term::Matrix(_, elements) => elements.iter().any(contains_collection),
        Term::Variant(_, alternatives) => alternatives.iter().flatten().any(contains_collection),
        Term::Bool(_) | Term::Int(_) | Term::Value(_) => false,
        _ => true,
    }
}
