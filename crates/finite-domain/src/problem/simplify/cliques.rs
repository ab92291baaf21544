//! Disequalities that are joined to `allDifferent`: `x + a`, `y + b`, `z + c` are all different if `x - y != b - a`, `x
//! - z != c - a` and `y - z != c - b` hold. Each clique is grown greedily from a pair that no clique has covered yet.

use super::*;
use crate::problem::tuning::simplify::{MOST_COMPARISONS, MOST_PAIRS, SMALLEST_CLIQUE};

#[derive(Default)]
pub(super) struct Cliques {
    /// Terms with offsets whose sums differ pairwise.
    pub cliques: Vec<Vec<(Int, i64)>>,
    /// The constraints that the cliques replace.
    pub covered: FxHashSet<BoolId>,
}

impl Cliques {
    pub(super) fn is_empty(&self) -> bool {
        self.cliques.is_empty()
    }
}

/// `left - right` differs from this number.
type OffsetDifference = (Int, Int, i64);

pub(super) fn find_cliques(problem: &Problem, root: &RootPropagation) -> Cliques {
    let mut pairs: FxHashMap<OffsetDifference, BoolId> = FxHashMap::default();
    let mut order: Vec<OffsetDifference> = Vec::new();
    for id in root.known_bools().filter(|id| root.bool(id.positive()) == Some(false)) {
        let pair = match *problem.bool_node(id) {
            BoolNode::Same(left, right) => (left, right, 0),
            BoolNode::LinearEquals(ref terms, bound) => match **terms {
                [(1, left), (-1, right)] => (left, right, bound),
                _ => continue,
            },
            _ => continue,
        };
        // If one of the terms is fixed, the other one has already lost this value.
        if root.single(pair.0).is_some() || root.single(pair.1).is_some() {
            continue;
        }
        // A pair may occur both as an inequality and in an equation of a sum; its first occurrence determines the
        // order.
        if pairs.insert(pair, id).is_none() {
            order.push(pair);
        }
    }
    let mut found = Cliques::default();
    if pairs.len() < SMALLEST_CLIQUE || pairs.len() > MOST_PAIRS {
        return found;
    }
    let mut differing: FxHashMap<Int, Vec<(Int, i64)>> = FxHashMap::default();
    for (left, right, bound) in &order {
        // The pair means that left + 0 differs from right + bound.
        differing.entry(*left).or_default().push((*right, *bound));
        differing.entry(*right).or_default().push((*left, -*bound));
    }
    let pair = |left: (Int, i64), right: (Int, i64)| {
        // Returns the constraint for left.0 + left.1 != right.0 + right.1.
        let (left, right) = if left.0 < right.0 { (left, right) } else { (right, left) };
        pairs.get(&(left.0, right.0, right.1.checked_sub(left.1)?)).copied()
    };
    let mut comparisons = MOST_COMPARISONS;
    for start in &order {
        // Each pair is covered by one clique, so there are fewer cliques than pairs.
        if found.covered.contains(&pairs[start]) {
            continue;
        }
        let members = grow(*start, &differing, &|left, right| pair(left, right).is_some(), &mut comparisons);
        if members.len() < SMALLEST_CLIQUE {
            continue;
        }
        for (position, one) in members.iter().enumerate() {
            found.covered.extend(members[position + 1..].iter().filter_map(|other| pair(*one, *other)));
        }
        found.cliques.push(members);
    }
    found
}

/// Returns the members of a clique that starts with this pair.
fn grow(
    start: OffsetDifference,
    differing: &FxHashMap<Int, Vec<(Int, i64)>>,
    differ: &impl Fn((Int, i64), (Int, i64)) -> bool,
    comparisons: &mut usize,
) -> Vec<(Int, i64)> {
    let mut members = vec![(start.0, 0), (start.1, start.2)];
    // Candidates differ from both members of the pair, so the loop below compares them only with later members.
    let is_candidate = |other: &(Int, i64)| other.0 != start.1 && differ(members[1], *other);
    let mut candidates: Vec<(Int, i64)> = differing[&start.0].iter().copied().filter(is_candidate).collect();
    // Candidates that differ from many others come first: the squares of one row before squares of several rows.
    if let Some(left) = comparisons.checked_sub(candidates.len() * candidates.len()) {
        *comparisons = left;
        let degree = |one: &(Int, i64)| candidates.iter().filter(|other| differ(*one, **other)).count();
        let mut by_degree: Vec<(usize, (Int, i64))> = candidates.iter().map(|one| (degree(one), *one)).collect();
        by_degree.sort_by_key(|(degree, _)| std::cmp::Reverse(*degree));
        candidates = by_degree.into_iter().map(|(_, candidate)| candidate).collect();
    }
    for candidate in candidates {
        if members[2..].iter().all(|member| member.0 != candidate.0 && differ(*member, candidate)) {
            members.push(candidate);
        }
    }
    members
}
