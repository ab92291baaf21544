//! Counts of the values among some terms (a global cardinality constraint: Régin, "Generalized arc consistency for
//! global cardinality constraint", 1996), if the counts are terms, too. Each count is defined by an equation. Together,
//! the counts add up to the number of terms, and multiplied by their values, they add up to the sum of the terms. If
//! the terms count themselves, as in a magic sequence, these two sums leave few values.

use super::*;
use crate::problem::tuning::simplify::{FEWEST_TERMS, MOST_STEPS};
use std::cmp::Reverse;

/// A sum that follows from the constraints: `Σ coefficient · term <= bound`, or `= bound`.
pub(super) struct ImpliedSum {
    pub terms: Vec<(i64, Int)>,
    pub bound: i64,
    pub is_equation: bool,
}

/// The count of a value among some terms: `Σ coefficient · term + constant`.
struct Occurrences {
    value: i64,
    among: FxHashSet<Int>,
    sum: Vec<(i64, Int)>,
    constant: i64,
}

/// The counts of values among the same terms.
#[derive(Default)]
pub(super) struct Cardinality {
    terms: FxHashSet<Int>,
    values: FxHashMap<i64, Occurrences>,
}

pub(super) fn find_implied_sums(problem: &Problem, root: &RootPropagation) -> Vec<ImpliedSum> {
    cardinalities(problem, root).iter().flat_map(|cardinality| cardinality.implied_sums(root)).collect()
}

pub(super) fn cardinalities(problem: &Problem, root: &RootPropagation) -> Vec<Cardinality> {
    let mut found: Vec<Cardinality> = Vec::new();
    let mut of_term: FxHashMap<Int, Vec<usize>> = FxHashMap::default();
    let mut steps = 0;
    let equations = root.known_bools().filter(|id| root.bool(id.positive()) == Some(true));
    let mut all: Vec<Occurrences> = equations.filter_map(|id| Occurrences::of(problem, id)).collect();
    // A count of a value that all terms can have shows best which terms belong together, so it comes first.
    all.sort_by_key(|occurrences| Reverse(occurrences.among.len()));
    for occurrences in all {
        // The same terms may be counted for several values, and a term together with different others.
        let mut shared: FxHashMap<usize, usize> = FxHashMap::default();
        for cardinality in occurrences.among.iter().filter_map(|term| of_term.get(term)).flatten() {
            *shared.entry(*cardinality).or_default() += 1;
            steps += 1;
        }
        if steps > MOST_STEPS {
            return Vec::new();
        }
        // Two counts belong together if they have more than half of their terms in common.
        let fits = |(cardinality, count): &(usize, usize)| {
            2 * count > occurrences.among.len() && !found[*cardinality].values.contains_key(&occurrences.value)
        };
        let most = shared.into_iter().filter(fits).max_by_key(|(cardinality, count)| (*count, Reverse(*cardinality)));
        let position = most.map_or(found.len(), |(cardinality, _)| cardinality);
        if position == found.len() {
            found.push(Cardinality::default());
        }
        for term in &occurrences.among {
            if found[position].terms.insert(*term) {
                of_term.entry(*term).or_default().push(position);
            }
        }
        found[position].values.insert(occurrences.value, occurrences);
    }
    found.retain_mut(|cardinality| cardinality.completes(root));
    found
}

impl Occurrences {
    /// Recognises an equation that defines the count of a value.
    fn of(problem: &Problem, equation: BoolId) -> Option<Occurrences> {
        let BoolNode::LinearEquals(terms, bound) = problem.bool_node(equation) else { return None };
        let counted = |term: Int| match problem.int_node(term) {
            IntNode::FromBool(condition) => has_value(problem, *condition),
            _ => None,
        };
        let times: Vec<(i64, Int, i64)> = terms
            .iter()
            .filter_map(|(factor, term)| counted(*term).map(|(term, value)| (*factor, term, value)))
            .collect();
        let mut counts: FxHashMap<(i64, i64), usize> = FxHashMap::default();
        for (factor, _, value) in times.iter().filter(|(factor, ..)| factor.abs() == 1) {
            *counts.entry((*factor, *value)).or_default() += 1;
        }
        let ((factor, value), _) = counts.into_iter().max_by_key(|(key, count)| (*count, *key))?;
        let is_counted = |(here, _, of): &(i64, Int, i64)| (*here, *of) == (factor, value);
        let among: FxHashSet<Int> = times.iter().filter(|one| is_counted(one)).map(|(_, term, _)| *term).collect();
        let rest =
            terms.iter().filter(|(here, term)| *here != factor || counted(*term).is_none_or(|(_, of)| of != value));
        let sum = rest.map(|(here, term)| Some((here.checked_mul(-factor)?, *term))).collect::<Option<_>>()?;
        (among.len() > 1).then_some(Occurrences { value, among, sum, constant: factor.checked_mul(*bound)? })
    }
}

/// Recognises a condition that a term has a value; returns both.
fn has_value(problem: &Problem, condition: Bool) -> Option<(Int, i64)> {
    let (id, negated) = condition.node();
    let BoolNode::Equals(term, value) = *problem.bool_node(id) else { return None };
    if !negated {
        return Some((term, value));
    }
    // If there are two values, `x != v` means that `x` has the other one.
    let values = problem.values(term);
    let other = values.iter().take(3).find(|other| *other != value)?;
    (values.size() == Some(2)).then_some((term, other))
}

impl Cardinality {
    /// Keeps the values that are counted among all terms that can have them. Returns true if there are enough terms,
    /// and some counts are decided.
    fn completes(&mut self, root: &RootPropagation) -> bool {
        let is_counted =
            |value: i64, one: &Occurrences, term: &Int| one.among.contains(term) || !root.values(*term).contains(value);
        self.values.retain(|value, one| self.terms.iter().all(|term| is_counted(*value, one, term)));
        self.terms.len() >= FEWEST_TERMS && self.values.values().any(|one| !one.sum.is_empty())
    }

    fn implied_sums(&self, root: &RootPropagation) -> Vec<ImpliedSum> {
        let counted = IntSet::from_values(self.values.keys().copied());
        let ranges = self.terms.iter().flat_map(|term| root.values(*term).ranges().to_vec());
        let others = &IntSet::from_ranges(ranges).intersect(&IntSet::from_ranges(counted.gaps()));
        let mut sums = Vec::new();
        sums.extend(self.weighted(|_| 1).and_then(|(terms, constant)| {
            let bound = i64::try_from(self.terms.len()).ok()?.checked_sub(constant)?;
            Some(ImpliedSum { terms, bound, is_equation: others.is_empty() })
        }));
        // If no count is among the counted terms, the second sum is weak.
        let counts_itself = self.values.values().flat_map(|one| &one.sum).any(|(_, term)| self.terms.contains(term));
        // Values that are not counted increase one of the sides, if all of them have the same sign.
        let sign = match (others.min(), others.max()) {
            (Some(..0), Some(1..)) => None,
            (Some(..0), _) => Some(-1),
            _ => Some(1),
        };
        sums.extend(sign.filter(|_| counts_itself).and_then(|sign| {
            let (mut terms, constant) = self.weighted(|value| sign * value)?;
            terms.extend(self.terms.iter().map(|term| (-sign, *term)));
            Some(ImpliedSum { terms, bound: constant.checked_neg()?, is_equation: others.is_empty() })
        }));
        sums
    }

    /// Returns the sum of all counts, each with a weight that depends on its value.
    fn weighted(&self, weight: impl Fn(i64) -> i64) -> Option<(Vec<(i64, Int)>, i64)> {
        let (mut terms, mut constant) = (Vec::new(), 0i64);
        for one in self.values.values() {
            let weight = weight(one.value);
            constant = constant.checked_add(weight.checked_mul(one.constant)?)?;
            for (factor, term) in &one.sum {
                terms.push((weight.checked_mul(*factor)?, *term));
            }
        }
        Some((terms, constant))
    }
}
