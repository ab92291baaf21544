//! Large cliques by local search: sets of pairwise compatible values, where a problem about two values defines
//! compatibility. This is dynamic local search (Pullan, Hoos, "Dynamic Local Search for the Maximum Clique Problem",
//! JAIR 25, 2006): a value that is compatible with all members is added, or else exchanged for the only member that it
//! excludes.
//!
//! The search proves nothing, and the caller checks the cliques.

use super::{EngineOptions, assigned, network::TermNetwork};
use crate::problem::{PairProblem, Variable};
use crate::solver::tuning::clique::{INTERVAL, MOST_CHOICES, MOST_KEPT, PAIRS, PATIENCE, RESTART, TENURE};
use rustc_hash::FxHashMap;
use std::{ops::ControlFlow, sync::Arc};

/// A value by its position in the order.
type Vertex = usize;

/// Passes on larger and larger cliques, each in the order of its values, until the search has no more success.
pub fn cliques(pairs: &PairProblem, options: &EngineOptions, found: &mut dyn FnMut(&[Vertex]) -> ControlFlow<()>) {
    let count = pairs.values.len();
    let Some(exclusions) = Exclusions::new(pairs, options) else { return };
    let random = fastrand::Rng::with_seed(options.seed.unwrap_or(0).into());
    let (against, free_from) = (vec![0; count], vec![0; count]);
    let mut search = CliqueSearch {
        exclusions,
        members: Vec::new(),
        against,
        free_from,
        step: 0,
        largest: Vec::new(),
        reported: 0,
        random,
    };
    search.run(found);
}

struct CliqueSearch<'a> {
    exclusions: Exclusions<'a>,
    members: Vec<Vertex>,
    /// The number of members that each value excludes.
    against: Vec<u32>,
    /// The first exchange in which a value may be added; never for a member.
    free_from: Vec<u64>,
    /// The number of exchanges.
    step: u64,
    /// The largest clique so far.
    largest: Vec<Vertex>,
    /// The size of the last clique that was passed on.
    reported: usize,
    random: fastrand::Rng,
}

impl CliqueSearch<'_> {
    fn run(&mut self, found: &mut dyn FnMut(&[Vertex]) -> ControlFlow<()>) {
        let (mut success, mut looked) = (0, 0);
        while self.step - success < PATIENCE && self.exclusions.looked_at - looked < PAIRS {
            let addable = self.choice(0).0;
            let added = addable.is_some_and(|value| self.add(value).is_some());
            if self.members.len() > self.largest.len() {
                self.largest.clone_from(&self.members);
                (success, looked) = (self.step, self.exclusions.looked_at);
            }
            // A clique that can still grow is reported only if its size has doubled, because growing a large clique
            // takes long.
            if (!added || self.largest.len() >= 2 * self.reported) && self.report(found).is_break() {
                return;
            }
            // If the value could be neither added nor exchanged, a limit was reached.
            if !added && (addable.is_some() || self.exchange(success).is_none()) {
                return;
            }
        }
    }

    /// Passes the largest clique on, unless it has been.
    fn report(&mut self, found: &mut dyn FnMut(&[Vertex]) -> ControlFlow<()>) -> ControlFlow<()> {
        if self.largest.len() <= self.reported {
            return ControlFlow::Continue(());
        }
        self.largest.sort_unstable();
        self.reported = self.largest.len();
        found(&self.largest)
    }

    /// Exchanges a member or removes one; `None` if a limit is reached.
    fn exchange(&mut self, success: u64) -> Option<()> {
        self.step += 1;
        // From time to time, a random value is added, so that the search leaves the neighbourhood of its clique.
        let (chosen, choices) = match (self.step - success) % RESTART {
            0 => (Some(self.random.usize(0..self.against.len())), 0),
            _ => self.choice(1),
        };
        match chosen {
            Some(value) => self.force(value, choices),
            None if self.members.is_empty() => Some(()),
            None => {
                let place = self.random.usize(0..self.members.len());
                self.remove(place, choices)
            }
        }
    }

    /// Returns a random one of the values that exclude this number of members, and the number of these values.
    fn choice(&mut self, against: u32) -> (Option<Vertex>, u64) {
        let (mut chosen, mut choices) = (None, 0);
        for (value, (&other, &from)) in self.against.iter().zip(&self.free_from).enumerate() {
            if other == against && from <= self.step {
                choices += 1;
                // With reservoir sampling, all choices have the same chance.
                if self.random.u64(0..choices) == 0 {
                    chosen = Some(value);
                }
            }
        }
        (chosen, choices)
    }

    /// Adds a value and removes the members that it excludes.
    fn force(&mut self, value: Vertex, choices: u64) -> Option<()> {
        let excluded = self.exclusions.of(value)?;
        if let Some(place) = self.members.iter().position(|member| *member == value) {
            return self.remove(place, choices);
        }
        // `remove` fills the gap with the last member, so the loop runs from the end.
        for place in (0..self.members.len()).rev() {
            if is_in(&excluded, self.members[place]) {
                self.remove(place, choices)?;
            }
        }
        self.add(value)
    }

    fn add(&mut self, value: Vertex) -> Option<()> {
        for_each_in(&self.exclusions.of(value)?, |other| self.against[other] += 1);
        self.free_from[value] = u64::MAX;
        self.members.push(value);
        Some(())
    }

    /// Removes the member at this position; the more choices there were, the longer it is tabu.
    fn remove(&mut self, position: usize, choices: u64) -> Option<()> {
        let value = self.members[position];
        for_each_in(&self.exclusions.of(value)?, |other| self.against[other] -= 1);
        self.free_from[value] = self.step + self.random.u64(1..=TENURE + choices.min(MOST_CHOICES));
        self.members.swap_remove(position);
        Some(())
    }
}

/// The values that each value excludes, computed on demand.
struct Exclusions<'a> {
    pairs: &'a PairProblem,
    options: &'a EngineOptions,
    network: TermNetwork,
    /// The values that the network has at both places.
    placed: [Vertex; 2],
    known: FxHashMap<Vertex, Arc<[u64]>>,
    /// The number of pairs that were evaluated.
    looked_at: u64,
}

impl<'a> Exclusions<'a> {
    fn new(pairs: &'a PairProblem, options: &'a EngineOptions) -> Option<Self> {
        let first = pairs.values.first()?;
        let values: Vec<(Variable, i64)> =
            pairs.places.iter().flat_map(|place| place.iter().copied().zip(first.iter().copied())).collect();
        let network = TermNetwork::new(&pairs.problem, &assigned(&values))?;
        Some(Exclusions { pairs, options, network, placed: [0; 2], known: FxHashMap::default(), looked_at: 0 })
    }

    /// Returns the bit set of values that a value excludes; `None` if a limit is reached.
    fn of(&mut self, value: Vertex) -> Option<Arc<[u64]>> {
        if self.options.reached().is_some() {
            return None;
        }
        if let Some(known) = self.known.get(&value) {
            return Some(known.clone());
        }
        let count = self.pairs.values.len();
        let mut row = vec![0; count.div_ceil(64)];
        // The problem has a place for the smaller value and one for the larger value: this value is first the larger
        // one of each pair, then the smaller one.
        for (position, others) in [(1, 0..value), (0, value + 1..count)] {
            self.put(position, value);
            for other in others {
                self.put(1 - position, other);
                row[other / 64] |= u64::from(self.network.penalty() != 0) << (other % 64);
                if other % INTERVAL == 0 && self.options.reached().is_some() {
                    return None;
                }
            }
        }
        // The time of the last use is not recorded, so all rows are dropped.
        if (self.known.len() + 1) * row.len() > MOST_KEPT {
            self.known.clear();
        }
        let row: Arc<[u64]> = row.into();
        self.known.insert(value, row.clone());
        self.looked_at += count as u64;
        Some(row)
    }

    fn put(&mut self, place: usize, value: Vertex) {
        let (new, old) = (&self.pairs.values[value], &self.pairs.values[self.placed[place]]);
        let changed = self.pairs.places[place].iter().zip(new).zip(old).filter(|((_, new), old)| new != old);
        let changed: Vec<(Variable, i64)> = changed.map(|((variable, new), _)| (*variable, *new)).collect();
        self.network.change(&changed);
        self.placed[place] = value;
    }
}

fn is_in(row: &[u64], value: Vertex) -> bool {
    row[value / 64] >> (value % 64) & 1 == 1
}

fn for_each_in(row: &[u64], mut visit: impl FnMut(Vertex)) {
    for (position, word) in row.iter().enumerate() {
        let mut left = *word;
        while left != 0 {
            visit(position * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        IntSet,
        problem::{Builder, Role},
        solver::test_problems::Random,
    };

    const COUNT: usize = 12;

    /// A random graph: a problem about two values, and for each value the compatible ones.
    fn random_pairs(seed: u64) -> (PairProblem, Vec<u32>) {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut problem = Builder::new();
        let two = [(); 2].map(|()| problem.new_int(IntSet::range(1, COUNT as i64), Role::Decision));
        let mut with = vec![0u32; COUNT];
        for smaller in 0..COUNT {
            for larger in smaller + 1..COUNT {
                if random.between(0, 9) < 6 {
                    with[smaller] |= 1 << larger;
                    with[larger] |= 1 << smaller;
                } else {
                    let places = [(two[0], smaller), (two[1], larger)];
                    let others = places.map(|(variable, value)| !problem.equals_constant(variable, value as i64 + 1));
                    let other = problem.or(others);
                    problem.require(other);
                }
            }
        }
        let values = (1..=COUNT as i64).map(|value| vec![value]).collect();
        let places = two.map(|variable| vec![Variable::Int(variable)]);
        (PairProblem { problem: problem.finish().expect("small numbers"), places, values }, with)
    }

    /// The cliques grow, and the last one is a maximum clique.
    #[test]
    fn largest_cliques_of_small_graphs_are_found() {
        for seed in 1..60 {
            let (pairs, with) = random_pairs(seed);
            let is_clique = |set: u32| (0..COUNT).all(|one| set >> one & 1 == 0 || set & !with[one] == 1 << one);
            let largest = (0..1u32 << COUNT).filter(|set| is_clique(*set)).map(u32::count_ones).max();
            let mut last = 0;
            cliques(&pairs, &EngineOptions::default(), &mut |found| {
                let set = found.iter().fold(0, |set, position| set | 1 << position);
                assert!(is_clique(set) && found.is_sorted() && found.len() > last, "seed {seed}: {found:?}");
                last = found.len();
                ControlFlow::Continue(())
            });
            assert_eq!(Some(last as u32), largest, "seed {seed}");
        }
    }
}
