//! Pairs of terms that differ, joined where all of some terms differ pairwise: `x + a`, `y + b`, `z + c` are all
//! different if `x - y != b - a`, `x - z != c - a` and `y - z != c - b` hold. Each clique is grown greedily from
//! a pair that no clique has covered yet.

use super::*;

/// Smaller cliques say no more than their pairs.
const SMALLEST: usize = 3;

/// With more pairs than this, nothing is tried.
const MOST_PAIRS: usize = 500_000;

#[derive(Default)]
pub(super) struct Cliques {
    /// Terms with offsets whose sums differ pairwise.
    pub cliques: Vec<Vec<(Int, i64)>>,
    /// What they say.
    pub covered: FxHashSet<BoolId>,
}

impl Cliques {
    pub(super) fn is_empty(&self) -> bool {
        self.cliques.is_empty()
    }
}

/// `left - right` is not this number.
type Pair = (Int, Int, i64);

pub(super) fn find(problem: &Problem, facts: &Facts) -> Cliques {
    let mut pairs: FxHashMap<Pair, BoolId> = FxHashMap::default();
    let mut order: Vec<Pair> = Vec::new();
    for id in facts.known_bools().filter(|id| facts.bool(id.positive()) == Some(false)) {
        let pair = match *problem.bool_node(id) {
            BoolNode::Same(left, right) => (left, right, 0),
            BoolNode::LinearEquals(ref terms, bound) => match **terms {
                [(1, left), (-1, right)] => (left, right, bound),
                _ => continue,
            },
            _ => continue,
        };
        if facts.single(pair.0).is_some() || facts.single(pair.1).is_some() {
            continue;
        }
        if pairs.insert(pair, id).is_none() {
            order.push(pair);
        }
    }
    let mut found = Cliques::default();
    if pairs.len() < SMALLEST || pairs.len() > MOST_PAIRS {
        return found;
    }
    let mut differing: FxHashMap<Int, Vec<(Int, i64)>> = FxHashMap::default();
    for (left, right, bound) in &order {
        // left + 0 differs from right + bound.
        differing.entry(*left).or_default().push((*right, *bound));
        differing.entry(*right).or_default().push((*left, -*bound));
    }
    let pair = |left: (Int, i64), right: (Int, i64)| {
        // left.0 + left.1 != right.0 + right.1
        let key =
            if left.0 < right.0 { (left.0, right.0, right.1 - left.1) } else { (right.0, left.0, left.1 - right.1) };
        pairs.get(&key).copied()
    };
    for start in &order {
        let members = grow(*start, &differing, &|left, right| pair(left, right).is_some(), &pairs, &found.covered);
        if members.len() < SMALLEST {
            continue;
        }
        for (position, one) in members.iter().enumerate() {
            found.covered.extend(members[position + 1..].iter().filter_map(|other| pair(*one, *other)));
        }
        found.cliques.push(members);
    }
    found
}

/// The members of a clique that begins with this pair; none if the pair is covered.
fn grow(
    start: Pair,
    differing: &FxHashMap<Int, Vec<(Int, i64)>>,
    differ: &impl Fn((Int, i64), (Int, i64)) -> bool,
    pairs: &FxHashMap<Pair, BoolId>,
    covered: &FxHashSet<BoolId>,
) -> Vec<(Int, i64)> {
    if pairs.get(&start).is_some_and(|id| covered.contains(id)) {
        return Vec::new();
    }
    let mut members = vec![(start.0, 0), (start.1, start.2)];
    for candidate in &differing[&start.0] {
        let new = members.iter().all(|member| member.0 != candidate.0);
        if new && members[1..].iter().all(|member| differ(*member, *candidate)) {
            members.push(*candidate);
        }
    }
    members
}
