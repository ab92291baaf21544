//! Choices without loss of generality: if the requirements treat options alike, one of them may be taken.
//!
//! The exchanges of values that map the requirements to themselves are found as for symmetry breaking
//! ([`crate::lowering::exchanges`]), which checks each of them. From any solution, exchanges lead to one in which a
//! cell has the first of the options that they exchange. Choices made earlier must be preserved by the exchanges that
//! justify later ones.

use super::{
    cells::Cell,
    propagate::{Fact, Knowledge},
    sums::is_truth,
};
use crate::{
    language::Name,
    problem::{Automorphisms, Bool, Exchange, Problem},
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The work limit for computing the images of options, in terms. Chosen.
const WORK: usize = 2_000_000;

/// A cell and one of its options.
type CellOptionAt = (usize, usize);

/// The options that an exchange moves; the image is `None` if it is not an option.
type OptionImages = BTreeMap<CellOptionAt, Option<CellOptionAt>>;

/// The options of cells that each exchange moves. An exchange that maps an option to another kind of term has no image
/// for it.
pub(crate) struct Symmetries {
    images: Vec<OptionImages>,
}

/// Options or cells that the requirements treat alike; the first one is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AlikeOptions {
    /// A cell, and the classes of its options.
    Options(usize, Vec<Vec<usize>>),
    /// Truth cells, at least one of which holds.
    Cells(Vec<usize>),
}

impl Symmetries {
    /// The exchanges must be automorphisms of the problem.
    pub(crate) fn new(problem: &Problem, cells: &[Cell], exchanges: &[Exchange]) -> Self {
        // Exchanges map terms, so the options are found by their terms.
        let mut places: FxHashMap<Bool, (usize, usize)> = FxHashMap::default();
        let mut terms: Vec<Bool> = Vec::new();
        for (position, cell) in cells.iter().enumerate() {
            for (option, shown) in cell.options.iter().enumerate() {
                terms.push(shown.term);
                places.insert(shown.term, (position, option));
            }
        }
        let mut automorphisms = Automorphisms::new(problem, WORK);
        let mut found = Vec::new();
        for exchange in exchanges {
            let images = automorphisms.as_mut().map(|automorphisms| automorphisms.images(exchange, &terms));
            // The work limit is reached; fewer symmetries are still sound.
            let Some(Ok(images)) = images else { break };
            let mut moved = BTreeMap::new();
            // An option that is its own image does not move and needs no entry.
            for (term, image) in terms.iter().zip(images).filter(|(term, image)| Some(**term) != *image) {
                moved.insert(places[term], image.and_then(|image| places.get(&image)).copied());
            }
            found.push(moved);
        }
        Symmetries { images: found }
    }

    /// Adds exchanges of members of unnamed types by their names: no requirement can distinguish the members.
    pub(crate) fn with_members(mut self, cells: &[Cell], exchanges: &[[Name; 2]]) -> Self {
        let mut places: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for (position, cell) in cells.iter().enumerate() {
            for (option, shown) in cell.options.iter().enumerate() {
                places.insert(shown.is.clone(), (position, option));
            }
        }
        for exchange in exchanges {
            let mut moved = BTreeMap::new();
            for (text, place) in &places {
                let image = exchanged(text, exchange);
                // If neither name occurs in the text, the exchange does not move the option.
                if image != *text {
                    moved.insert(*place, places.get(&image).copied());
                }
            }
            self.images.push(moved);
        }
        self
    }

    /// The exchanges that preserve the choices made before.
    fn usable(&self, taken: &BTreeSet<Fact>) -> Vec<&OptionImages> {
        let keeps = |moved: &&OptionImages| {
            taken.iter().all(|fact| {
                let (Fact::Is(cell, option) | Fact::Not(cell, option)) = *fact;
                match moved.get(&(cell, option)) {
                    None => true,
                    // If an exchange maps a choice to something other than an option, it could undo the choice.
                    Some(None) => false,
                    // An exchange may permute the choices among themselves.
                    Some(Some((cell, option))) => taken.contains(&match fact {
                        Fact::Is(..) => Fact::Is(*cell, *option),
                        Fact::Not(..) => Fact::Not(*cell, *option),
                    }),
                }
            })
        };
        self.images.iter().filter(keeps).collect()
    }

    /// Groups of open truth cells that the remaining exchanges treat alike.
    pub(crate) fn alike_cells(&self, cells: &[Cell], taken: &BTreeSet<Fact>, knowledge: &Knowledge) -> Vec<Vec<usize>> {
        let usable = self.usable(taken);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (cell, shown) in cells.iter().enumerate() {
            let is_open = is_truth(shown) && shown.options[1].shown == shown.options[1].is;
            // Exchanges can be applied in both directions, so a cell in an earlier group would only give the same group
            // again.
            if !is_open || knowledge.fixed[cell].is_some() || groups.iter().any(|group| group.contains(&cell)) {
                continue;
            }
            let class = Self::reachable(&usable, (cell, 1));
            let group = class.into_iter().filter(|(cell, option)| *option == 1 && knowledge.fixed[*cell].is_none());
            groups.push(group.map(|(cell, _)| cell).collect());
        }
        groups.retain(|group| group.len() > 1);
        groups
    }

    /// The cell with the most options that the remaining exchanges treat alike.
    pub(crate) fn best(&self, taken: &BTreeSet<Fact>, knowledge: &Knowledge) -> Option<AlikeOptions> {
        // Symmetries that an earlier choice has broken are no longer sound.
        let usable = self.usable(taken);
        let cells: BTreeSet<usize> = usable.iter().flat_map(|moved| moved.keys().map(|(cell, _)| *cell)).collect();
        let mut best: Option<(usize, AlikeOptions)> = None;
        for cell in cells.into_iter().filter(|cell| knowledge.fixed[*cell].is_none()) {
            let mut classes: Vec<Vec<usize>> = Vec::new();
            for option in knowledge.open(cell) {
                let class = Self::reachable(&usable, (cell, option));
                // Options that reach each other form a class, so one known option is enough to find it.
                match classes.iter_mut().find(|known| class.contains(&(cell, known[0]))) {
                    Some(known) => known.push(option),
                    None => classes.push(vec![option]),
                }
            }
            // A class of n options excludes n - 1 options.
            let gain: usize = classes.iter().map(|class| class.len() - 1).sum();
            if gain > 0 && best.as_ref().is_none_or(|(most, _)| gain > *most) {
                best = Some((gain, AlikeOptions::Options(cell, classes)));
            }
        }
        best.map(|(_, alike)| alike)
    }

    fn reachable(usable: &[&OptionImages], from: (usize, usize)) -> BTreeSet<(usize, usize)> {
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

/// A text with two names exchanged, as whole words.
fn exchanged(text: &str, [one, other]: &[Name; 2]) -> String {
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '\'');
    let mut image = String::with_capacity(text.len());
    // Words alternate with the text between them; the first word may be empty.
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|letter| !is_inside(letter)).unwrap_or(rest.len());
        image += match &rest[..word] {
            name if *name == **one => other,
            name if *name == **other => one,
            name => name,
        };
        let between = rest[word..].find(is_inside).unwrap_or(rest.len() - word);
        image += &rest[word..word + between];
        rest = &rest[word + between..];
    }
    image
}

impl AlikeOptions {
    /// The facts of the choice: a value if all options are alike, otherwise the exclusion of all but the first option
    /// of each class.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        match self {
            AlikeOptions::Cells(cells) => vec![Fact::Is(cells[0], 1)],
            // If all options are alike, any of them can be taken without loss of generality.
            AlikeOptions::Options(cell, classes) => match classes.as_slice() {
                [class] => vec![Fact::Is(*cell, class[0])],
                classes => {
                    classes.iter().flat_map(|class| &class[1..]).map(|option| Fact::Not(*cell, *option)).collect()
                }
            },
        }
    }
}
