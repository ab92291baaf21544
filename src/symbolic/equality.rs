//! Equality of terms.

use super::*;

impl Symbolic {
    /// The condition that two terms of the same type are equal.
    pub(crate) fn equal(&mut self, left: &Term, right: &Term) -> Bool {
        match (left, right) {
            (Term::Value(left), Term::Value(right)) => Bool::from(left == right),
            (Term::Bool(_), _) | (_, Term::Bool(_)) => {
                let (left, right) = (left.bool(), right.bool());
                self.problem.equivalent(left, right)
            }
            (Term::Int(_), _) | (_, Term::Int(_)) => {
                let (left, right) = (self.int(left), self.int(right));
                self.problem.equal(left, right)
            }
            (Term::Tuple(_), _) | (_, Term::Tuple(_)) => self.all_equal(&left.items(), &right.items()),
            (Term::Variant(..), _) | (_, Term::Variant(..)) => self.equal_variants(left, right),
            _ if left.is_matrix() => self.equal_matrices(left, right),
            _ => self.equal_collections(left, right),
        }
    }

    pub(super) fn all_equal(&mut self, left: &[Term], right: &[Term]) -> Bool {
        if left.len() != right.len() {
            return Bool::FALSE;
        }
        let mut parts = Vec::with_capacity(left.len());
        for (left, right) in left.iter().zip(right) {
            let same = self.equal(left, right);
            if same == Bool::FALSE {
                return Bool::FALSE;
            }
            parts.push(same);
        }
        self.problem.and(parts)
    }

    /// The tag of a variant as a term, and its alternatives.
    pub(crate) fn variant_parts(&mut self, term: &Term) -> (Int, Vec<Option<Term>>) {
        match term {
            Term::Variant(tag, alternatives) => (*tag, alternatives.to_vec()),
            Term::Value(Value::Variant(tag, value)) => {
                let mut alternatives = vec![None; *tag as usize + 1];
                alternatives[*tag as usize] = Some(Term::Value(Value::clone(value)));
                (self.problem.constant(i64::from(*tag)), alternatives)
            }
            _ => (self.problem.constant(0), Vec::new()),
        }
    }

    fn equal_variants(&mut self, left: &Term, right: &Term) -> Bool {
        let (left_tag, left) = self.variant_parts(left);
        let (right_tag, right) = self.variant_parts(right);
        let mut parts = vec![self.problem.equal(left_tag, right_tag)];
        for (tag, pair) in (0..).zip(left.iter().zip(&right)) {
            if let (Some(left), Some(right)) = pair {
                let active = self.problem.equals_constant(left_tag, tag);
                let same = self.equal(left, right);
                parts.push(self.problem.implies(active, same));
            }
        }
        self.problem.and(parts)
    }

    /// The condition that two lists or matrices have the same elements in the same order, whatever their indices are:
    /// at every position, either both have ended or both have the same element.
    pub(crate) fn equal_elements(&mut self, left: &Term, right: &Term) -> Bool {
        let (left, right) = (self.compact(left), self.compact(right));
        self.equal_slots(&left, &right)
    }

    /// At every position, both members are absent or both are present and equal.
    fn equal_slots(&mut self, left: &[Member], right: &[Member]) -> Bool {
        let mut parts = Vec::new();
        for position in 0..left.len().max(right.len()) {
            match (left.get(position), right.get(position)) {
                (Some(left), Some(right)) => {
                    parts.push(self.problem.equivalent(left.condition, right.condition));
                    let same = self.equal(&left.term, &right.term);
                    parts.push(self.problem.implies(left.condition, same));
                }
                (Some(rest), None) | (None, Some(rest)) => parts.push(!rest.condition),
                (None, None) => {}
            }
        }
        self.problem.and(parts)
    }

    /// Moves the present elements of a list to the front. In the result, position `i` is present if there are more than
    /// `i` elements, and its term is the element with that rank.
    pub(crate) fn compact(&mut self, list: &Term) -> Vec<Member> {
        let members = list.list_members();
        let fixed = members.iter().take_while(|member| member.condition == Bool::TRUE).count();
        if fixed == members.len() {
            return members;
        }
        // The rank of a member is the number of present members before it.
        let mut ranks = Vec::with_capacity(members.len());
        for position in 0..members.len() {
            ranks.push(self.problem.count(members[..position].iter().map(|member| member.condition)));
        }
        let mut slots = Vec::with_capacity(members.len());
        for rank in 0..members.len() {
            let mut alternatives = Vec::new();
            for (position, member) in members.iter().enumerate().skip(rank) {
                let here = self.problem.equals_constant(ranks[position], rank as i64);
                let here = self.problem.and([here, member.condition]);
                if here != Bool::FALSE {
                    alternatives.push((here, member.term.clone()));
                }
            }
            if alternatives.is_empty() {
                // Later positions need even more elements, so the list ends here.
                break;
            }
            let present = self.problem.or(alternatives.iter().map(|alternative| alternative.0));
            slots.push(Member::new(present, self.choose(alternatives)));
        }
        slots
    }

    fn equal_collections(&mut self, left: &Term, right: &Term) -> Bool {
        match (left, right) {
            (Term::PowerSet(left), Term::PowerSet(right)) => return self.equal(left, right),
            (Term::PowerSet(base), sets) | (sets, Term::PowerSet(base)) => {
                let (one, other) =
                    (power_set::are_subsets(self, sets, base), power_set::has_all_subsets(self, sets, base));
                return self.problem.and([one, other]);
            }
            _ => {}
        }
        let Some(kind) = collection_kind_of(left).or(collection_kind_of(right)) else { return Bool::FALSE };
        let is_packed = |term: &Term, members: &Members| members.packed || matches!(term, Term::Value(_));
        let (one, other) = (self.members(left), self.members(right));
        let are_packed = is_packed(left, &one) && is_packed(right, &other);
        let (left, right) = (one, other);
        match kind {
            // Both sides fill their slots in the same order, so equal values are in the same slots.
            _ if are_packed => self.equal_slots(&left.members, &right.members),
            _ if kind.row().has_occurrences() => {
                let one = self.mset_at_most(&left, &right);
                let other = self.mset_at_most(&right, &left);
                self.problem.and([one, other])
            }
            _ if kind.form() == MemberForm::Cycles => self.equal_permutations(&left, &right),
            _ => match (left.positions(Key::of(kind)), right.positions(Key::of(kind))) {
                // Constant keys identify the members, so only members with the same key are compared.
                (Some(left_positions), Some(right_positions)) => {
                    let mut parts = Vec::new();
                    for (key, &position) in left_positions {
                        let left = &left.members[position];
                        match right_positions.get(key) {
                            None => parts.push(!left.condition),
                            Some(&position) => {
                                let right = &right.members[position];
                                parts.push(self.problem.equivalent(left.condition, right.condition));
                                if kind.form().is_keyed() {
                                    let same = self.equal(&left.term.item(1), &right.term.item(1));
                                    parts.push(self.problem.implies(left.condition, same));
                                }
                            }
                        }
                    }
                    for (key, &position) in right_positions {
                        if !left_positions.contains_key(key) {
                            parts.push(!right.members[position].condition);
                        }
                    }
                    self.problem.and(parts)
                }
                _ => {
                    let one = self.subset(&left, &right);
                    let other = self.subset(&right, &left);
                    self.problem.and([one, other])
                }
            },
        }
    }

    /// The condition that two permutations are equal. Points that one of them does not mention stay fixed.
    fn equal_permutations(&mut self, left: &Arc<Members>, right: &Arc<Members>) -> Bool {
        let mut parts = Vec::new();
        for (one, other) in [(left, right), (right, left)] {
            for member in &one.members {
                let (point, image) = (member.term.item(0), member.term.item(1));
                let there = self.permuted(other, &point);
                let same = self.equal(&image, &there);
                parts.push(self.problem.implies(member.condition, same));
            }
        }
        self.problem.and(parts)
    }
}
