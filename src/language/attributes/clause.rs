//! Properties of binary relations as formulas. Checking, lowering, counting and explanations read them.

use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The mark for an existentially quantified point, instead of a point.
pub(crate) const SOME: usize = usize::MAX;

/// A clause about all points 0, 1, …: if all `given` pairs are related, one of the pairs in `then` is, or (with
/// `or_same`) the points 0 and 1 are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clause {
    pub given: &'static [(usize, usize)],
    pub then: &'static [(usize, usize)],
    pub or_same: bool,
}

/// The largest number of points of any clause.
const MOST: usize = 3;

impl Clause {
    /// The number of points that the clause mentions.
    pub(crate) fn points(&self) -> usize {
        let named = self.given.iter().chain(self.then).flat_map(|(left, right)| [*left, *right]);
        named.filter(|point| *point != SOME).max().map_or(0, |highest| highest + 1)
    }

    /// Returns true if the clause requires something of points that are in no pair.
    pub(crate) fn is_about_all_points(&self) -> bool {
        self.given.is_empty()
    }

    /// Returns true if the clause can be checked for any two points separately.
    pub(crate) fn is_local(&self) -> bool {
        self.points() <= 2 && !self.then.iter().any(|(left, right)| [*left, *right].contains(&SOME))
    }

    /// Returns true if a local clause holds for these points.
    pub(crate) fn holds_of(&self, points: [usize; 2], related: &dyn Fn(usize, usize) -> bool) -> bool {
        let is_in = |pair: &(usize, usize)| related(points[pair.0], points[pair.1]);
        !self.given.iter().all(is_in) || self.then.iter().any(is_in) || self.or_same && points[0] == points[1]
    }

    /// Points that show that a relation with these pairs lacks the property, and cannot get it with more pairs, because
    /// the `missing` pairs are ruled out.
    pub(crate) fn counterexample<P: Copy + Eq + Hash>(
        &self,
        pairs: &[(P, P)],
        points: &[P],
        holds: &dyn Fn(P, P) -> bool,
        missing: &dyn Fn(P, P) -> bool,
    ) -> Option<Vec<P>> {
        let mut images: FxHashMap<P, Vec<P>> = FxHashMap::default();
        // A second given pair needs the images, because the first pair may have bound its left point.
        if self.given.len() > 1 {
            pairs.iter().for_each(|(left, right)| images.entry(*left).or_default().push(*right));
        }
        let mut search = CounterexampleSearch {
            clause: self,
            count: self.points(),
            pairs,
            images,
            points,
            holds,
            missing,
            found: [None; MOST],
        };
        search.given(self.given).then(|| search.found.iter().flatten().copied().collect())
    }
}

/// A search for a counterexample.
struct CounterexampleSearch<'a, P> {
    clause: &'a Clause,
    count: usize,
    pairs: &'a [(P, P)],
    images: FxHashMap<P, Vec<P>>,
    points: &'a [P],
    holds: &'a dyn Fn(P, P) -> bool,
    missing: &'a dyn Fn(P, P) -> bool,
    found: [Option<P>; MOST],
}

impl<P: Copy + Eq + Hash> CounterexampleSearch<'_, P> {
    /// Finds points for which these pairs are related.
    fn given(&mut self, given: &'static [(usize, usize)]) -> bool {
        let Some(((left, right), rest)) = given.split_first() else { return self.others() };
        match (self.found[*left], self.found[*right]) {
            (Some(one), Some(other)) => (self.holds)(one, other) && self.given(rest),
            (Some(one), None) => {
                let images = self.images.get(&one).cloned().unwrap_or_default();
                images.into_iter().any(|image| self.with(*right, image, |search| search.given(rest)))
            }
            _ => {
                let pairs = self.pairs;
                pairs.iter().any(|(one, other)| match left == right {
                    true => one == other && self.with(*left, *one, |search| search.given(rest)),
                    false => self.with(*left, *one, |search| search.with(*right, *other, |search| search.given(rest))),
                })
            }
        }
    }

    /// Finds the points that no given pair names.
    fn others(&mut self) -> bool {
        let points = self.points;
        match (0..self.count).find(|point| self.found[*point].is_none()) {
            Some(open) => points.iter().any(|point| self.with(open, *point, Self::others)),
            None => self.is_violated(),
        }
    }

    fn is_violated(&self) -> bool {
        let lacks = |(left, right): &(usize, usize)| match (self.found.get(*left), self.found.get(*right)) {
            (Some(Some(one)), Some(Some(other))) => (self.missing)(*one, *other),
            (Some(Some(one)), _) => self.points.iter().all(|other| (self.missing)(*one, *other)),
            (_, Some(Some(other))) => self.points.iter().all(|one| (self.missing)(*one, *other)),
            _ => unreachable!("a pair names a point"),
        };
        !(self.clause.or_same && self.found[0] == self.found[1]) && self.clause.then.iter().all(lacks)
    }

    /// Tries a point, and removes it if there is no counterexample with it.
    fn with(&mut self, position: usize, point: P, then: impl FnOnce(&mut Self) -> bool) -> bool {
        self.found[position] = Some(point);
        let found = then(self);
        if !found {
            self.found[position] = None;
        }
        found
    }
}
