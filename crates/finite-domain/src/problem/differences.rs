//! Bounds of differences that follow from other constraints: `a < b` and `b < c` imply a bound on `c - a`. They are the
//! lengths of shortest paths (Floyd, "Algorithm 97", 1962).

use super::*;
use crate::problem::tuning::differences::MOST_TERMS;

/// The bounds on the differences of terms that the constraints of a problem imply.
#[derive(Default)]
pub(crate) struct DifferenceBounds {
    places: FxHashMap<Int, usize>,
    /// The upper bound on the difference of two terms, by their positions; `None` if there is no bound.
    most: Vec<Option<i64>>,
}

impl DifferenceBounds {
    pub(crate) fn of(problem: &Problem) -> Self {
        let limits: Vec<_> =
            problem.constraints().iter().filter_map(|constraint| difference_limit(problem, *constraint)).collect();
        let mut places = FxHashMap::default();
        for term in limits.iter().flat_map(|(first, second, _)| [*first, *second]) {
            let next = places.len();
            places.entry(term).or_insert(next);
        }
        let count = places.len();
        if count > MOST_TERMS {
            return Self::default();
        }
        let mut bounds = DifferenceBounds { places, most: vec![None; count * count] };
        for (first, second, bound) in limits {
            bounds.tighten(bounds.places[&first], bounds.places[&second], bound);
        }
        // After each round, all paths through the terms up to `between` are known.
        for between in 0..count {
            for first in 0..count {
                let Some(before) = bounds.most[first * count + between] else { continue };
                for second in 0..count {
                    if let Some(after) = bounds.most[between * count + second] {
                        bounds.tighten(first, second, before.saturating_add(after));
                    }
                }
            }
        }
        // If the constraints contradict each other, a cycle has negative length, and the bounds mean nothing.
        let contradict = (0..count).any(|place| bounds.most[place * count + place].is_some_and(|bound| bound < 0));
        if contradict { Self::default() } else { bounds }
    }

    /// Returns two terms if the sum is their difference.
    pub(crate) fn pair(terms: &[(i64, Int)]) -> Option<(Int, Int)> {
        match *terms {
            [(1, first), (-1, second)] | [(-1, second), (1, first)] => Some((first, second)),
            _ => None,
        }
    }

    fn tighten(&mut self, first: usize, second: usize, bound: i64) {
        let known = &mut self.most[first * self.places.len() + second];
        *known = Some(known.map_or(bound, |known| known.min(bound)));
    }

    /// Returns the possible values of the difference of two terms plus a constant.
    pub(crate) fn values(&self, first: Int, second: Int, constant: i64) -> IntSet {
        let most = |first: Int, second: Int| {
            let (first, second) = (self.places.get(&first)?, self.places.get(&second)?);
            self.most[first * self.places.len() + second]
        };
        let low = most(second, first).map_or(IntSet::MINUS_INFINITY, |bound| constant.saturating_sub(bound));
        let high = most(first, second).map_or(IntSet::INFINITY, |bound| constant.saturating_add(bound));
        IntSet::range(low, high)
    }
}

/// Returns the terms whose difference a constraint limits, and the limit.
fn difference_limit(problem: &Problem, constraint: Bool) -> Option<(Int, Int, i64)> {
    let (id, negated) = constraint.node();
    let BoolNode::LinearAtMost(terms, bound) = problem.bool_node(id) else { return None };
    let (first, second) = DifferenceBounds::pair(terms)?;
    Some(if negated { (second, first, bound.checked_add(1)?.checked_neg()?) } else { (first, second, *bound) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::test_problems::ascending;

    #[test]
    fn orders_bound_differences() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut exact = 0;
        for round in 0..200 {
            let mut problem = Builder::new();
            let terms: Vec<Int> = (0..4).map(|_| problem.new_int(IntSet::range(0, 4), Role::Decision)).collect();
            let mut limits = Vec::new();
            for _ in 0..4 {
                let (first, second, bound) = (random.usize(0..4), random.usize(0..4), random.i64(-2..3));
                let difference = problem.linear([(1, terms[first]), (-1, terms[second])], 0);
                let limited = problem.at_most_constant(difference, bound);
                let refused = random.bool();
                problem.require(if refused { !limited } else { limited });
                limits.push((first, second, bound, refused));
            }
            let problem = problem.finish().expect("small numbers");
            let solutions: Vec<[i64; 4]> = (0..5_i64.pow(4))
                .map(|number| [1, 5, 25, 125].map(|digit| number / digit % 5))
                .filter(|values| {
                    let holds = |(first, second, bound, refused): &(usize, usize, i64, bool)| {
                        (values[*first] - values[*second] <= *bound) != *refused
                    };
                    limits.iter().all(holds)
                })
                .collect();
            let bounds = DifferenceBounds::of(&problem);
            for (first, second) in (0..4).flat_map(|first| (0..4).map(move |second| (first, second))) {
                let found = bounds.values(terms[first], terms[second], 3);
                let differences: Vec<i64> = solutions.iter().map(|values| values[first] - values[second] + 3).collect();
                assert!(differences.iter().all(|value| found.contains(*value)), "{round}: {found:?}\n{problem}");
                let possible = found.intersect(&IntSet::range(-1, 7));
                let ends = differences.iter().min().zip(differences.iter().max());
                exact += usize::from(ends.is_some_and(|(low, high)| possible == IntSet::range(*low, *high)));
            }
        }
        assert!(exact > 500, "{exact}");
    }

    #[test]
    fn orders_are_transitive() {
        let (problem, marks) = ascending(5, 50);
        let bounds = DifferenceBounds::of(&problem.finish().expect("small numbers"));
        assert_eq!(bounds.values(marks[4], marks[1], 10), IntSet::range(13, IntSet::INFINITY));
        assert_eq!(bounds.values(marks[1], marks[4], 10), IntSet::range(IntSet::MINUS_INFINITY, 7));
    }
}
