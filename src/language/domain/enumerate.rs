//! All members of a domain, one at a time, ascending in the order of values.
//!
//! Collections compare like the lists of their members, so a collection is a *word*. A depth-first
//! traversal, with each word before its continuations, visits the words in ascending order. A [`WordGrammar`]
//! says which letter may come next; one engine, [`GrammarWords`], does the walking. Letters are positions in
//! [`Pool`]s, the members of inner domains, which are computed only as far as they are needed, and not all kept.

use super::{Attributes, GroundDomain, Size, pool::Pool};
use crate::language::{
    Value,
    attributes::{Clause, Measure, Property::*},
    value::Matrix,
};
use std::sync::Arc;

/// An iterator over values.
pub(crate) type ValueIterator = Box<dyn Iterator<Item = Value> + Send>;

impl GroundDomain {
    /// The members of a finite domain, ascending.
    pub(crate) fn members(&self) -> ValueIterator {
        match self {
            GroundDomain::Bool => Box::new([Value::FALSE, Value::TRUE].into_iter()),
            GroundDomain::Int(set) => {
                let set = set.clone();
                let ranges = set.ranges().to_vec();
                Box::new(ranges.into_iter().flat_map(|(low, high)| low..=high).map(Value::Int))
            }
            GroundDomain::Tuple(items) => Box::new(GrammarWords::new(Product {
                pools: items.iter().map(Pool::new).collect(),
                build: |items: Vec<Value>| Value::Tuple(items.into()),
            })),
            GroundDomain::Record(fields) => Box::new(GrammarWords::new(Product {
                pools: fields.iter().map(|(_, item)| Pool::new(item)).collect(),
                build: |items: Vec<Value>| Value::Tuple(items.into()),
            })),
            GroundDomain::Variant(alternatives) => {
                let alternatives: Vec<GroundDomain> = alternatives.iter().map(|(_, item)| item.clone()).collect();
                Box::new(alternatives.into_iter().enumerate().flat_map(|(which, alternative)| {
                    alternative.members().map(move |value| Value::Variant(which as u32, Arc::new(value)))
                }))
            }
            GroundDomain::Matrix(index, element) => {
                let Some(length) = index.size().and_then(|size| usize::try_from(size).ok()) else {
                    return Box::new(std::iter::empty());
                };
                let index = (**index).clone();
                Box::new(GrammarWords::new(Power {
                    length,
                    pool: Pool::new(element),
                    build: move |elements| Value::Matrix(Arc::new(Matrix { index: index.clone(), elements })),
                }))
            }
            GroundDomain::Set(attributes, inner) => Box::new(subsets(Pool::new(inner), attributes.size(), Value::Set)),
            GroundDomain::MSet(attributes, inner) => Box::new(GrammarWords::new(Multisets {
                bounds: SizeRange::new(attributes.size()),
                occurrences: SizeRange::new(attributes.bounds(Measure::Occurrences)),
                pool: Pool::new(inner),
            })),
            GroundDomain::Function(attributes, from, to) => Box::new(GrammarWords::new(Functions {
                bounds: SizeRange::new(attributes.size()),
                total: attributes.has(Total),
                injective: attributes.has(Injective),
                targets: targets(attributes, to),
                arguments: Pool::new(from),
                images: Pool::new(to),
            })),
            GroundDomain::Sequence(attributes, inner) => Box::new(GrammarWords::new(Sequences {
                bounds: SizeRange::new(attributes.size()),
                injective: attributes.has(Injective),
                targets: targets(attributes, inner),
                pool: Pool::new(inner),
            })),
            GroundDomain::Relation(attributes, columns) => {
                let pool = Pool::new(&GroundDomain::Tuple(columns.clone()));
                if attributes.properties().is_empty() {
                    return Box::new(subsets(pool, attributes.size(), Value::Relation));
                }
                Box::new(GrammarWords::new(Relations {
                    subsets: Subsets { bounds: SizeRange::new(attributes.size()), pool, build: Value::Relation },
                    points: columns[0].members().count(),
                    clauses: attributes.properties().iter().filter_map(|property| property.clause()).collect(),
                    symmetric: attributes.has(Symmetric),
                    one_way: attributes.has(AntiSymmetric) || attributes.has(ASymmetric),
                }))
            }
            GroundDomain::Partition(attributes, inner) => Box::new(GrammarWords::new(Partitions {
                parts: SizeRange::new(attributes.bounds(Measure::Parts)),
                part_size: SizeRange::new(attributes.bounds(Measure::PartSize)),
                regular: attributes.has(Regular),
                pool: Pool::new(inner),
            })),
            GroundDomain::Permutation(attributes, inner) => Box::new(GrammarWords::new(Permutations {
                moved: SizeRange::new(attributes.bounds(Measure::Moved)),
                pool: Pool::new(inner),
            })),
        }
    }
}

/// The subsets, within the bounds on their size, of a set whose members are given ascending.
pub(crate) fn subsets_of(members: Vec<Value>, size: &Size<i64>) -> impl Iterator<Item = Value> + use<> {
    subsets(Pool::listed(members), size, Value::Set)
}

fn subsets(pool: Pool, size: &Size<i64>, build: fn(Arc<[Value]>) -> Value) -> GrammarWords<Subsets> {
    GrammarWords::new(Subsets { bounds: SizeRange::new(size), pool, build })
}

/// The number of different images that are needed if every value must be one; a number that cannot be counted is too
/// large for any word.
fn targets(attributes: &Attributes<i64>, images: &GroundDomain) -> Option<usize> {
    let all = || images.size().and_then(|size| usize::try_from(size).ok()).unwrap_or(usize::MAX);
    attributes.has(Surjective).then(all)
}

/// `size`, `minSize` and `maxSize` as numbers of members; contradictory ones contain nothing.
#[derive(Clone, Copy)]
struct SizeRange {
    min: usize,
    max: usize,
    impossible: bool,
}

impl SizeRange {
    fn new(size: &Size<i64>) -> Self {
        let (min, max) = (size.min.unwrap_or(0).max(0), size.max.unwrap_or(i64::MAX));
        SizeRange { min: min as usize, max: max.max(0) as usize, impossible: max < min }
    }

    fn contains(&self, count: usize) -> bool {
        !self.impossible && self.min <= count && count <= self.max
    }

    fn admits_more(&self, count: usize) -> bool {
        !self.impossible && count < self.max
    }
}

/// A position in a pool; functions and permutations pair two.
type Letter = (usize, usize);

/// A set of words over letters.
trait WordGrammar {
    /// The smallest letter that may follow `word`, after the letter `previous` in the order of letters.
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter>;
    /// Whether the word is complete.
    fn accepts(&mut self, word: &[Letter]) -> bool;
    fn value(&mut self, word: &[Letter]) -> Value;
}

/// The words of a grammar in lexicographic order.
struct GrammarWords<G> {
    grammar: G,
    word: Vec<Letter>,
    state: WordState,
}

#[derive(Clone, Copy, PartialEq)]
enum WordState {
    Start,
    Inside,
    Done,
}

impl<G: WordGrammar> GrammarWords<G> {
    fn new(grammar: G) -> Self {
        GrammarWords { grammar, word: Vec::new(), state: WordState::Start }
    }

    /// Moves to the next word that some acceptable word begins with.
    fn step(&mut self) -> bool {
        let mut previous = None;
        loop {
            if let Some(letter) = self.grammar.next(&self.word, previous) {
                self.word.push(letter);
                return true;
            }
            match self.word.pop() {
                Some(letter) => previous = Some(letter),
                None => return false,
            }
        }
    }
}

impl<G: WordGrammar> Iterator for GrammarWords<G> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            let state = self.state;
            self.state = match state {
                WordState::Start => WordState::Inside,
                WordState::Inside if self.step() => WordState::Inside,
                _ => WordState::Done,
            };
            if self.state == WordState::Done {
                return None;
            }
            if self.grammar.accepts(&self.word) {
                return Some(self.grammar.value(&self.word));
            }
        }
    }
}

/// The position after `previous`, or the first one allowed.
fn following(previous: Option<Letter>, first: usize) -> usize {
    previous.map_or(first, |letter| letter.0 + 1)
}

/// Words of a fixed length with a pool for each place.
struct Product<B> {
    pools: Vec<Pool>,
    build: B,
}

impl<B: Fn(Vec<Value>) -> Value> WordGrammar for Product<B> {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let letter = following(previous, 0);
        self.pools.get_mut(word.len())?.has(letter).then_some((letter, 0))
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        word.len() == self.pools.len()
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        (self.build)(word.iter().zip(&mut self.pools).map(|(letter, pool)| pool.get(letter.0)).collect())
    }
}

/// Words of a fixed length over one pool.
struct Power<B> {
    length: usize,
    pool: Pool,
    build: B,
}

impl<B: Fn(Vec<Value>) -> Value> WordGrammar for Power<B> {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let letter = following(previous, 0);
        (word.len() < self.length && self.pool.has(letter)).then_some((letter, 0))
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        word.len() == self.length
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        (self.build)(word.iter().map(|letter| self.pool.get(letter.0)).collect())
    }
}

/// Ascending words without repetition.
struct Subsets {
    bounds: SizeRange,
    pool: Pool,
    build: fn(Arc<[Value]>) -> Value,
}

impl WordGrammar for Subsets {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let letter = following(previous.or(word.last().copied()), 0);
        let missing = self.bounds.min.saturating_sub(word.len()).max(1);
        (self.bounds.admits_more(word.len()) && self.pool.has_at_least(letter.saturating_add(missing)))
            .then_some((letter, 0))
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.bounds.contains(word.len())
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        (self.build)(word.iter().map(|letter| self.pool.get(letter.0)).collect())
    }
}

/// Ascending words. With `minOccur`, every member of the pool occurs.
struct Multisets {
    bounds: SizeRange,
    occurrences: SizeRange,
    pool: Pool,
}

/// The number of times that the last letter is repeated at the end of the word.
fn last_run(word: &[Letter]) -> usize {
    word.iter().rev().take_while(|letter| Some(*letter) == word.last()).count()
}

impl WordGrammar for Multisets {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        if !self.bounds.admits_more(word.len()) || self.occurrences.impossible {
            return None;
        }
        let run = last_run(word);
        let (first, last) = match word.last() {
            None => (0, if self.occurrences.min > 0 { 0 } else { usize::MAX }),
            Some(letter) => (
                if run < self.occurrences.max { letter.0 } else { letter.0 + 1 },
                match self.occurrences.min {
                    0 => usize::MAX,
                    min if run < min => letter.0,
                    _ => letter.0 + 1,
                },
            ),
        };
        let letter = following(previous, first);
        (letter <= last && self.occurrences.max > 0 && self.pool.has(letter)).then_some((letter, 0))
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        let complete = self.occurrences.min == 0
            || (last_run(word) >= self.occurrences.min || word.is_empty())
                && !self.pool.has(word.last().map_or(0, |letter| letter.0 + 1));
        complete && !self.occurrences.impossible && self.bounds.contains(word.len())
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::MSet(word.iter().map(|letter| self.pool.get(letter.0)).collect())
    }
}

/// The number of different second components of the letters.
fn distinct_images(word: &[Letter]) -> usize {
    let mut images: Vec<usize> = word.iter().map(|letter| letter.1).collect();
    images.sort_unstable();
    images.dedup();
    images.len()
}

/// Argument and image, ascending in the argument.
struct Functions {
    bounds: SizeRange,
    total: bool,
    injective: bool,
    targets: Option<usize>,
    arguments: Pool,
    images: Pool,
}

impl Functions {
    /// Whether enough arguments remain from `argument` on, itself included.
    fn enough(&mut self, word: &[Letter], argument: usize) -> bool {
        let mut missing = self.bounds.min.saturating_sub(word.len()).max(1);
        if let Some(targets) = self.targets {
            missing = missing.max(targets.saturating_sub(distinct_images(word)));
        }
        self.arguments.has_at_least(argument.saturating_add(missing))
    }
}

impl WordGrammar for Functions {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        if !self.bounds.admits_more(word.len()) {
            return None;
        }
        let first = word.last().map_or(0, |letter| letter.0 + 1);
        let (mut argument, mut image) = previous.map_or((first, 0), |letter| (letter.0, letter.1 + 1));
        loop {
            if (self.total && argument > first) || !self.enough(word, argument) {
                return None;
            }
            if !self.images.has(image) {
                if image == 0 {
                    return None;
                }
                (argument, image) = (argument + 1, 0);
            } else if self.injective && word.iter().any(|letter| letter.1 == image) {
                image += 1;
            } else {
                return Some((argument, image));
            }
        }
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.bounds.contains(word.len())
            && (!self.total || !self.arguments.has(word.len()))
            && self.targets.is_none_or(|targets| distinct_images(word) == targets)
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::Function(word.iter().map(|letter| (self.arguments.get(letter.0), self.images.get(letter.1))).collect())
    }
}

/// Words whose letters carry the value as their second component, too, so that images can be counted.
struct Sequences {
    bounds: SizeRange,
    injective: bool,
    targets: Option<usize>,
    pool: Pool,
}

impl WordGrammar for Sequences {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        if !self.bounds.admits_more(word.len()) {
            return None;
        }
        let mut letter = following(previous, 0);
        while self.injective && word.contains(&(letter, letter)) {
            letter += 1;
        }
        self.pool.has(letter).then_some((letter, letter))
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.bounds.contains(word.len()) && self.targets.is_none_or(|targets| distinct_images(word) == targets)
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::Sequence(word.iter().map(|letter| self.pool.get(letter.0)).collect())
    }
}

/// Sets of pairs with properties. A word decides about all pairs up to its last one, and some properties
/// decide about others; where these violate a property already, the walk turns back.
struct Relations {
    subsets: Subsets,
    points: usize,
    clauses: Vec<Clause>,
    /// A pair decides about the pair that goes back.
    symmetric: bool,
    one_way: bool,
}

impl Relations {
    fn violates(&self, word: &[Letter], is_complete: bool) -> bool {
        let mut present = vec![false; self.points * self.points];
        word.iter().for_each(|letter| present[letter.0] = true);
        let position = |left: usize, right: usize| left * self.points + right;
        let decided = |position: usize| is_complete || word.last().is_some_and(|last| position <= last.0);
        let holds = |left, right| present[position(left, right)];
        let missing = |left, right| {
            let back = position(right, left);
            !holds(left, right)
                && (decided(position(left, right))
                    || (self.symmetric && !present[back] && decided(back))
                    || (self.one_way && left != right && present[back]))
        };
        let pairs: Vec<(usize, usize)> =
            word.iter().map(|letter| (letter.0 / self.points, letter.0 % self.points)).collect();
        let points: Vec<usize> = (0..self.points).collect();
        self.clauses.iter().any(|clause| clause.counterexample(&pairs, &points, &holds, &missing).is_some())
    }
}

impl WordGrammar for Relations {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let mut extended = word.to_vec();
        let mut letter = self.subsets.next(word, previous)?;
        loop {
            extended.push(letter);
            if !self.violates(&extended, false) {
                return Some(letter);
            }
            extended.pop();
            letter = self.subsets.next(word, Some(letter))?;
        }
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.subsets.accepts(word) && !self.violates(word, true)
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        self.subsets.value(word)
    }
}

/// The parts' members one after the other, each 1-based, with a 0 after each part but the last. A part ends
/// before it goes on, and each part begins with the smallest member that is left.
struct Partitions {
    parts: SizeRange,
    part_size: SizeRange,
    regular: bool,
    pool: Pool,
}

const END_OF_PART: Letter = (0, 0);

impl Partitions {
    fn part_sizes(word: &[Letter]) -> impl Iterator<Item = usize> {
        word.split(|letter| *letter == END_OF_PART).map(<[Letter]>::len)
    }
}

impl WordGrammar for Partitions {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let used = |letter: usize| word.contains(&(letter, 0));
        let begins_part = word.last().is_none_or(|letter| *letter == END_OF_PART);
        if begins_part {
            if previous.is_some() {
                return None;
            }
            let mut letter = 1;
            while used(letter) {
                letter += 1;
            }
            return self.pool.has(letter - 1).then_some((letter, 0));
        }
        let size = Self::part_sizes(word).last().unwrap_or(0);
        if previous.is_none() && self.part_size.contains(size) {
            let members = word.iter().filter(|letter| **letter != END_OF_PART).count();
            if self.pool.has(members) && self.parts.admits_more(Self::part_sizes(word).count()) {
                return Some(END_OF_PART);
            }
        }
        let last = word.last().map_or(0, |letter| letter.0);
        let mut letter = following(previous.filter(|letter| *letter != END_OF_PART), last + 1);
        while used(letter) {
            letter += 1;
        }
        (self.part_size.admits_more(size) && self.pool.has(letter - 1)).then_some((letter, 0))
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        if word.is_empty() {
            return !self.pool.has(0) && self.parts.contains(0);
        }
        let sizes: Vec<usize> = Self::part_sizes(word).collect();
        let members: usize = sizes.iter().sum();
        !self.pool.has(members)
            && self.parts.contains(sizes.len())
            && sizes.iter().all(|size| *size > 0 && self.part_size.contains(*size))
            && (!self.regular || sizes.iter().all(|size| *size == sizes[0]))
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        let part = |letters: &[Letter]| Value::Set(letters.iter().map(|letter| self.pool.get(letter.0 - 1)).collect());
        let parts = word.split(|letter| *letter == END_OF_PART);
        Value::Partition(parts.filter(|letters| !letters.is_empty()).map(part).collect())
    }
}

/// Moved points with their images, ascending in the point.
struct Permutations {
    moved: SizeRange,
    pool: Pool,
}

impl WordGrammar for Permutations {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        if !self.moved.admits_more(word.len()) {
            return None;
        }
        let is_point = |point: usize| word.iter().any(|letter| letter.0 == point);
        let is_image = |point: usize| word.iter().any(|letter| letter.1 == point);
        let first = word.last().map_or(0, |letter| letter.0 + 1);
        // An image that is not a point yet has to become one, and points come in order.
        let last = word.iter().map(|letter| letter.1).filter(|image| !is_point(*image)).min().unwrap_or(usize::MAX);
        let (mut point, mut image) = previous.map_or((first, 0), |letter| (letter.0, letter.1 + 1));
        while point <= last && self.pool.has(point) {
            if !self.pool.has(image) {
                (point, image) = (point + 1, 0);
            } else if image == point || is_image(image) || (image < point && !is_point(image)) {
                image += 1;
            } else {
                return Some((point, image));
            }
        }
        None
    }

    fn accepts(&mut self, word: &[Letter]) -> bool {
        self.moved.contains(word.len()) && word.iter().all(|letter| word.iter().any(|other| other.0 == letter.1))
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::Permutation(word.iter().map(|letter| (self.pool.get(letter.0), self.pool.get(letter.1))).collect())
    }
}
