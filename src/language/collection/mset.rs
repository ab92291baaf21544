//! Multisets.

use super::*;

pub(super) struct Multisets;

impl Constructor for Multisets {
    fn keyword(&self) -> &'static str {
        "mset"
    }

    fn noun(&self) -> &'static str {
        "multiset"
    }

    fn article(&self) -> &'static str {
        "an"
    }

    fn form(&self) -> MemberForm {
        MemberForm::Values
    }

    fn example(&self) -> &'static str {
        "mset(x, y, …)"
    }

    fn value(&self, mut members: Vec<Value>) -> Option<Value> {
        members.sort_unstable();
        Some(Value::Collection(Collection::MSet, members.into()))
    }

    fn has_occurrences(&self) -> bool {
        true
    }

    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128> {
        multisets(parts[0].size(), attributes.size(), attributes.bounds(Measure::Occurrences))
    }

    fn size_advice(&self) -> Option<&'static str> {
        Some("give it an attribute: `mset (maxSize 9) of …` or `mset (maxOccur 2) of …`")
    }

    fn is_finite(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> bool {
        let bounded = attributes.measures().iter().any(|(_, bounds)| bounds.max.is_some());
        parts[0].is_finite() && (bounded || parts[0].size() == Some(0))
    }

    fn log2_bound(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> f64 {
        let (size, occurrences) = (attributes.size(), attributes.bounds(Measure::Occurrences));
        let values = parts[0].log2();
        // If `max` bounds the occurrences, each value occurs between 0 and `max` times.
        let by_occurrences = occurrences.max.map(|max| times(values.exp2(), (max.max(0) as f64 + 1.0).log2()));
        // If the size is bounded, each of the elements is one of the values or absent.
        let by_size = size.max.map(|max| times(max.max(0) as f64, log2_sum(values, 0.0)));
        [by_occurrences, by_size].into_iter().flatten().fold(f64::INFINITY, f64::min)
    }

    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator {
        Box::new(GrammarWords::new(MultisetWords {
            bounds: SizeRange::new(attributes.size()),
            occurrences: SizeRange::new(attributes.bounds(Measure::Occurrences)),
            pool: Pool::new(&parts[0]),
        }))
    }

    fn most_members(&self, attributes: &Attributes<i64>, _: &[GroundDomain]) -> Option<i64> {
        attributes.size().max
    }

    fn check_whole(&self, domain: (&Attributes<i64>, &[GroundDomain]), value: &Value, role: DomainRole) -> Checked {
        let (attributes, parts) = domain;
        let occurrences = attributes.bounds(Measure::Occurrences);
        // In a parameter, `minOccur` concerns only values that occur.
        if role != DomainRole::Decision || occurrences.min.is_none_or(|min| min <= 0) {
            return Ok(());
        }
        match parts[0].members().find(|member| value.items().binary_search(member).is_err()) {
            Some(value) => fail(OutsideReason::Measure(Measure::Occurrences, Some(value), 0, occurrences.clone())),
            None => Ok(()),
        }
    }
}

/// The number of multisets over `n` values: `table[s]` counts the multisets of size `s` over the values so far.
fn multisets(members: Option<u128>, size: &Size<i64>, occurrences: &Size<i64>) -> Option<u128> {
    let least = occurrences.min.unwrap_or(0).max(0) as u128;
    let most = occurrences.max.map(|max| max.max(0) as u128);
    if most.is_some_and(|most| most < least) || occurrences.max.is_some_and(|max| max < 0) {
        return Some(0);
    }
    let Some(values) = members else {
        // If there are infinitely many values, only the empty multiset can be counted.
        return if least == 0 && size_range(size, None) == (0, Some(0)) { Some(1) } else { None };
    };
    // Each value has `minOccur` occurrences, so these are taken away, and the multisets of the rest are counted.
    let forced = values.checked_mul(least)?;
    // The occurrences beyond the forced ones are distributed freely.
    let spare = match most {
        Some(most) => Some(values.checked_mul(most - least)?),
        None if values == 0 => Some(0),
        None => None,
    };
    let (min, max) = size_range(size, spare.and_then(|spare| forced.checked_add(spare)));
    let max = max?;
    if max < min || max < forced {
        return Some(0);
    }
    let bounds = (min.saturating_sub(forced), Some(max - forced));
    let Some(most) = most else {
        // Stars and bars give the number of multisets of each size.
        return sum_of_terms(bounds, |count| if count == 0 { Some(1) } else { binomial(values + count - 1, count) });
    };
    let (most, length) = (most - least, max - forced);
    if length > LARGEST_TABLE || values > LARGEST_TABLE {
        return None;
    }
    let mut table = vec![0u128; length as usize + 1];
    table[0] = 1;
    for _ in 0..values {
        // The counts without this value are kept apart, because all new entries are computed from them.
        let previous = table.clone();
        for (total, entry) in table.iter_mut().enumerate() {
            // The new value occurs between 0 and `most` times.
            let from = total.saturating_sub(most as usize);
            *entry = previous[from..=total].iter().try_fold(0u128, |sum, count| sum.checked_add(*count))?;
        }
    }
    sum_of_terms(bounds, |count| table.get(count as usize).copied())
}

/// Ascending words. With `minOccur`, every member of the pool occurs.
struct MultisetWords {
    bounds: SizeRange,
    occurrences: SizeRange,
    pool: Pool,
}

/// The number of times that the last letter is repeated at the end of the word.
fn last_run(word: &[Letter]) -> usize {
    word.iter().rev().take_while(|letter| Some(*letter) == word.last()).count()
}

impl WordGrammar for MultisetWords {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        if !self.bounds.admits_more(word.len()) || self.occurrences.impossible {
            return None;
        }
        // The next letter repeats the last one if it may occur again, and must repeat it if it occurs too rarely.
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
        // Values after the last one are missing, so the word must have reached the end of the pool.
        let complete = self.occurrences.min == 0
            || (last_run(word) >= self.occurrences.min || word.is_empty())
                && !self.pool.has(word.last().map_or(0, |letter| letter.0 + 1));
        complete && !self.occurrences.impossible && self.bounds.contains(word.len())
    }

    fn value(&mut self, word: &[Letter]) -> Value {
        Value::Collection(Collection::MSet, word.iter().map(|letter| self.pool.get(letter.0)).collect())
    }
}
