//! Without loss of generality: options that the requirements treat alike, of which one may be taken.
//!
//! The exchanges of values that map the requirements to themselves are found as for symmetry breaking
//! ([`crate::lowering::exchanges`]), which checks each of them. Whatever a solution is, some exchanges lead to one in
//! which a cell has the first of the options that they exchange. What has been taken before must stay as it is.

use super::{
    cells::Cell,
    propagate::{Fact, Knowledge},
};
use crate::problem::{Bool, Exchange, Int};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The options of cells that exchanges move, for each exchange; none for an exchange that has other effects on a cell.
pub(crate) struct Symmetries {
    images: Vec<BTreeMap<(usize, usize), Option<(usize, usize)>>>,
}

/// Options of a cell that the requirements treat alike, with the one that is taken first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AlikeOptions {
    pub cell: usize,
    pub classes: Vec<Vec<usize>>,
}

impl Symmetries {
    pub(crate) fn new(cells: &[Cell], exchanges: &[Exchange]) -> Self {
        let mut numbers: FxHashMap<(Int, i64), (usize, usize)> = FxHashMap::default();
        let mut truths: FxHashMap<Bool, (usize, usize)> = FxHashMap::default();
        for (position, cell) in cells.iter().enumerate() {
            for (option, shown) in cell.options.iter().enumerate() {
                truths.insert(shown.term, (position, option));
                if let (Some(number), Some(value)) = (cell.number, shown.value) {
                    numbers.insert((number, value), (position, option));
                }
            }
        }
        let images = exchanges.iter().map(|exchange| {
            let mut moved = BTreeMap::new();
            for ((number, value), from) in &numbers {
                let to = exchange.ints.get(number).unwrap_or(number);
                let swapped = match exchange.values.filter(|_| exchange.valued.contains(number)) {
                    Some((one, other)) if one == *value => other,
                    Some((one, other)) if other == *value => one,
                    _ => *value,
                };
                if (to, swapped) != (number, *value) {
                    moved.insert(*from, numbers.get(&(*to, swapped)).copied());
                }
            }
            for (term, from) in &truths {
                if let Some(image) = exchange.bools.get(term) {
                    moved.insert(*from, truths.get(image).copied());
                } else if let Some(image) = exchange.bools.get(&!*term) {
                    moved.insert(*from, truths.get(&!*image).copied());
                }
            }
            moved
        });
        Symmetries { images: images.collect() }
    }

    /// The cell whose options are alike most, if there is one with options that are, after some facts have been taken.
    pub(crate) fn best(&self, taken: &BTreeSet<Fact>, knowledge: &Knowledge) -> Option<AlikeOptions> {
        let keeps = |moved: &&BTreeMap<(usize, usize), Option<(usize, usize)>>| {
            taken.iter().all(|fact| {
                let (Fact::Is(cell, option) | Fact::Not(cell, option)) = *fact;
                match moved.get(&(cell, option)) {
                    None => true,
                    Some(None) => false,
                    Some(Some((cell, option))) => taken.contains(&match fact {
                        Fact::Is(..) => Fact::Is(*cell, *option),
                        Fact::Not(..) => Fact::Not(*cell, *option),
                    }),
                }
            })
        };
        let usable: Vec<_> = self.images.iter().filter(keeps).collect();
        let cells: BTreeSet<usize> = usable.iter().flat_map(|moved| moved.keys().map(|(cell, _)| *cell)).collect();
        let mut best: Option<(usize, AlikeOptions)> = None;
        for cell in cells.into_iter().filter(|cell| knowledge.fixed[*cell].is_none()) {
            let mut classes: Vec<Vec<usize>> = Vec::new();
            for option in knowledge.open(cell) {
                let class = Self::reachable(&usable, (cell, option));
                match classes.iter_mut().find(|known| class.contains(&(cell, known[0]))) {
                    Some(known) => known.push(option),
                    None => classes.push(vec![option]),
                }
            }
            let gain: usize = classes.iter().map(|class| class.len() - 1).sum();
            if gain > 0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, AlikeOptions { cell, classes }));
            }
        }
        best.map(|(_, alike)| alike)
    }

    fn reachable(
        usable: &[&BTreeMap<(usize, usize), Option<(usize, usize)>>],
        from: (usize, usize),
    ) -> BTreeSet<(usize, usize)> {
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(at) = open.pop() {
            for image in usable.iter().filter_map(|moved| moved.get(&at).copied().flatten()) {
                if seen.insert(image) {
                    open.push(image);
                }
            }
        }
        seen
    }
}

impl AlikeOptions {
    /// What is taken: the first option, or that none of the others is it.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        match self.classes.as_slice() {
            [class] => vec![Fact::Is(self.cell, class[0])],
            classes => {
                classes.iter().flat_map(|class| &class[1..]).map(|option| Fact::Not(self.cell, *option)).collect()
            }
        }
    }
}
