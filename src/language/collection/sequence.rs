//! Sequences: the members are pairs of a position and a value.

use super::*;

pub(super) struct Sequences;

impl Constructor for Sequences {
    fn keyword(&self) -> &'static str {
        "sequence"
    }

    fn form(&self) -> MemberForm {
        MemberForm::Positions
    }

    fn example(&self) -> &'static str {
        "sequence(x, y, …)"
    }

    fn value(&self, members: Vec<Value>) -> Option<Value> {
        Some(Value::Collection(Collection::Sequence, members.into()))
    }

    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128> {
        sequences(attributes, parts[0].size())
    }

    fn size_advice(&self) -> Option<&'static str> {
        Some("give it an attribute: `sequence (maxSize 9) of …` or `sequence (size 9) of …`")
    }

    fn is_finite(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> bool {
        let bounded = attributes.size().max.is_some() || attributes.has(Property::Injective);
        parts[0].is_finite() && (bounded || parts[0].size() == Some(0))
    }

    fn log2_bound(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> f64 {
        // Each part is queried once; otherwise the time would double with each level of nesting.
        let values = parts[0].log2();
        times(longest(attributes, values), log2_sum(values, 0.0))
    }

    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator {
        Box::new(GrammarWords::new(SequenceWords {
            bounds: SizeRange::new(attributes.size()),
            injective: attributes.has(Property::Injective),
            targets: targets(attributes, &parts[0]),
            pool: Pool::new(&parts[0]),
        }))
    }

    fn most_members(&self, attributes: &Attributes<i64>, _: &[GroundDomain]) -> Option<i64> {
        attributes.size().max
    }
}

fn sequences(attributes: &Attributes<i64>, inner: Option<u128>) -> Option<u128> {
    let longest = match inner {
        Some(0) => Some(0),
        Some(images) if attributes.has(Property::Injective) => Some(images),
        _ => None,
    };
    let lengths = size_range(attributes.size(), longest);
    sum_of_terms((lengths.0, Some(lengths.1?)), |length| {
        if length == 0 { maps(attributes, 0, inner.unwrap_or(1)) } else { maps(attributes, length, inner?) }
    })
}

fn longest(attributes: &Attributes<i64>, log2_images: f64) -> f64 {
    let most = attributes.size().max.map_or(f64::INFINITY, |max| max.max(0) as f64);
    if attributes.has(Property::Injective) { most.min(log2_images.exp2()) } else { most }
}

/// Words whose letters also have the value as their second component, so that images can be counted.
struct SequenceWords {
    bounds: SizeRange,
    injective: bool,
    targets: Option<usize>,
    pool: Pool,
}

impl WordGrammar for SequenceWords {
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
        Value::Collection(Collection::Sequence, word.iter().map(|letter| self.pool.get(letter.0)).collect())
    }
}
