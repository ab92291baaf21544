//! Variables that are equal to others: `x = y`, `x + c = y` and `c - x = y` for integers, `a <-> b` and `a <-> !b` for
//! Booleans, if these hold unconditionally. Each class of equal variables has a leader.

use super::*;

/// The maximum offset of an alias, so that the offsets of a chain of aliases can be added up.
const MOST_OFFSET: u64 = 1 << 40;

#[derive(Default)]
pub(super) struct Aliases {
    bools: FxHashMap<BoolId, Bool>,
    /// `term = factor · leader + offset`; the factor is 1 or −1.
    ints: FxHashMap<Int, (i64, Int, i64)>,
}

pub(super) fn find_aliases(problem: &Problem, root: &RootPropagation) -> Aliases {
    let mut aliases = Aliases::default();
    for id in root.known_bools() {
        let Some(value) = root.bool(id.positive()) else { continue };
        match *problem.bool_node(id) {
            BoolNode::Equivalent(left, right) => {
                // Only variables are replaced, because the operands of a compound term already define it.
                let variable = |term: Bool| problem.is_variable(Variable::Bool(term));
                if variable(left) && variable(right) && root.bool(left).is_none() {
                    aliases.join_bools(left, if value { right } else { !right });
                }
            }
            BoolNode::Same(left, right) if value => aliases.join_ints(problem, root, left, 1, right, 0),
            BoolNode::LinearEquals(ref terms, bound) if value => {
                if let [(a, left), (b, right)] = **terms
                    && a.abs() == 1
                    && b.abs() == 1
                {
                    // The equation is a · left + b · right = bound.
                    aliases.join_ints(problem, root, left, -a * b, right, a * bound);
                }
            }
            _ => {}
        }
    }
    aliases
}

impl Aliases {
    pub(super) fn is_empty(&self) -> bool {
        self.bools.is_empty() && self.ints.is_empty()
    }

    /// Returns the leader of a variable, negated if necessary.
    pub(super) fn bool(&self, mut term: Bool) -> Bool {
        while let Some(next) = self.bools.get(&term.node().0) {
            term = if term.node().1 { !*next } else { *next };
        }
        term
    }

    /// Returns the leader of a variable, with the factor and the offset.
    pub(super) fn int(&self, mut term: Int) -> (i64, Int, i64) {
        let (mut factor, mut offset) = (1, 0);
        while let Some((inner, next, shift)) = self.ints.get(&term) {
            offset += factor * shift;
            factor *= inner;
            term = *next;
        }
        (factor, term, offset)
    }

    /// Returns the integer variables that are not leaders, in ascending order.
    pub(super) fn followers(&self) -> Vec<Int> {
        let mut followers: Vec<Int> = self.ints.keys().copied().collect();
        followers.sort_unstable();
        followers
    }

    fn join_bools(&mut self, left: Bool, right: Bool) {
        let ((left, negated), right) = (self.bool(left).node(), self.bool(right));
        let right = if negated { !right } else { right };
        // Both variables are already in the same class. If the signs disagree, root propagation finds the
        // contradiction.
        if left == right.node().0 {
            return;
        }
        // The earlier variable is always the leader, so there are no cycles.
        if left < right.node().0 {
            let (follower, negated) = right.node();
            self.bools.insert(follower, if negated { !left.positive() } else { left.positive() });
        } else {
            self.bools.insert(left, right);
        }
    }

    /// Joins the classes for `left = factor · right + offset`.
    fn join_ints(
        &mut self,
        problem: &Problem,
        root: &RootPropagation,
        left: Int,
        factor: i64,
        right: Int,
        offset: i64,
    ) {
        // A term with a single value is replaced by this value anyway.
        let free = |term: Int| problem.is_variable(Variable::Int(term)) && root.single(term).is_none();
        if !free(left) || !free(right) {
            return;
        }
        let (a, one, b) = self.int(left);
        let (c, other, d) = self.int(right);
        // Both sides in terms of their leaders: a · one + b = factor · (c · other + d) + offset.
        let wide = i128::from(factor) * i128::from(d) + i128::from(offset) - i128::from(b);
        let (factor, wide) = (a * factor * c, i128::from(a) * wide);
        let Some(offset) = i64::try_from(wide).ok().filter(|offset| offset.unsigned_abs() <= MOST_OFFSET) else {
            return;
        };
        if one == other {
            return;
        }
        if one < other {
            // Solved for the later variable: other = factor · one − factor · offset.
            self.ints.insert(other, (factor, one, -factor * offset));
        } else {
            self.ints.insert(one, (factor, other, offset));
        }
    }
}
