//! Lists all members of a domain, one at a time, in the ascending order of values.
//!
//! Collections compare like the lists of their members, so a collection is a *word*. A depth-first traversal that
//! visits each word before its continuations visits the words in ascending order. A [`WordGrammar`] determines the next
//! letter; one engine, [`GrammarWords`], walks. Letters are positions in [`Pool`]s, the members of inner domains, which
//! are computed on demand and not all kept.

use super::{GroundDomain, Size, pool::Pool};
use crate::language::{Value, value::Matrix};
use std::sync::Arc;

/// An iterator over values.
pub(crate) type ValueIterator = Box<dyn Iterator<Item = Value> + Send>;

impl GroundDomain {
    /// The members of a finite domain in ascending order.
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
            GroundDomain::Collection(kind, attributes, parts) => kind.row().members(attributes, parts),
        }
    }
}

/// `size`, `minSize` and `maxSize` as numbers of members; contradictory bounds contain nothing.
#[derive(Clone, Copy)]
pub(in crate::language) struct SizeRange {
    pub min: usize,
    pub max: usize,
    pub impossible: bool,
}

impl SizeRange {
    pub(in crate::language) fn new(size: &Size<i64>) -> Self {
        let (min, max) = (size.min.unwrap_or(0).max(0), size.max.unwrap_or(i64::MAX));
        SizeRange { min: min as usize, max: max.max(0) as usize, impossible: max < min }
    }

    pub(in crate::language) fn contains(&self, count: usize) -> bool {
        !self.impossible && self.min <= count && count <= self.max
    }

    pub(in crate::language) fn admits_more(&self, count: usize) -> bool {
        !self.impossible && count < self.max
    }
}

/// A position in a pool; functions and permutations pair two.
pub(in crate::language) type Letter = (usize, usize);

/// A set of words over letters.
pub(in crate::language) trait WordGrammar {
    /// The smallest letter that may follow `word`, after the letter `previous` in the order of letters.
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter>;
    /// Returns true if the word is complete.
    fn accepts(&mut self, word: &[Letter]) -> bool;
    fn value(&mut self, word: &[Letter]) -> Value;
}

/// The words of a grammar in lexicographic order.
pub(in crate::language) struct GrammarWords<G> {
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
    pub(in crate::language) fn new(grammar: G) -> Self {
        GrammarWords { grammar, word: Vec::new(), state: WordState::Start }
    }

    /// Moves to the next word that may be the start of an accepted word.
    fn step(&mut self) -> bool {
        let mut previous = None;
        loop {
            if let Some(letter) = self.grammar.next(&self.word, previous) {
                self.word.push(letter);
                return true;
            }
            match self.word.pop() {
                // This position gets its next letter, and the letters after it are chosen again.
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

/// The position after `previous`, or the first allowed position.
pub(in crate::language) fn following(previous: Option<Letter>, first: usize) -> usize {
    previous.map_or(first, |letter| letter.0 + 1)
}

/// Words of a fixed length with a pool for each position.
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
