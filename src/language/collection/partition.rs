//! Partitions: the members are the parts, disjoint sets.

use super::*;

pub(super) struct Partitions;

impl Constructor for Partitions {
    fn keyword(&self) -> &'static str {
        "partition"
    }

    fn form(&self) -> MemberForm {
        MemberForm::Blocks
    }

    fn example(&self) -> &'static str {
        "partition({x, y}, {z}, …)"
    }

    fn notation(&self) -> (&'static str, &'static str, &'static str) {
        (" from ", "", "")
    }

    fn contradiction(&self) -> &'static str {
        "the parts overlap, or one is empty"
    }

    /// Equal parts count once. No part may be empty, and no two parts may overlap.
    fn value(&self, mut parts: Vec<Value>) -> Option<Value> {
        parts.sort_unstable();
        parts.dedup();
        let mut members: Vec<&Value> = Vec::new();
        for part in &parts {
            match part.items() {
                // An empty part is an error and is not ignored.
                [] => return None,
                items => members.extend(items),
            }
        }
        let total = members.len();
        members.sort_unstable();
        members.dedup();
        // If the parts share a member, they do not form a partition.
        (members.len() == total).then(|| Value::Collection(Collection::Partition, parts.into()))
    }

    /// The number of elements in all parts together.
    fn size_of(&self, value: &Value) -> usize {
        value.items().iter().map(|part| part.items().len()).sum()
    }

    /// Every partition of a domain has all its values.
    fn has_fixed_size(&self) -> bool {
        true
    }

    fn size(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> Option<u128> {
        partitions(attributes, parts[0].size()?)
    }

    fn log2_bound(&self, _: &Attributes<i64>, parts: &[GroundDomain]) -> f64 {
        let values = parts[0].log2();
        times(values.exp2(), values)
    }

    fn members(&self, attributes: &Attributes<i64>, parts: &[GroundDomain]) -> ValueIterator {
        Box::new(GrammarWords::new(PartitionWords {
            parts: SizeRange::new(attributes.bounds(Measure::Parts)),
            part_size: SizeRange::new(attributes.bounds(Measure::PartSize)),
            regular: attributes.has(Property::Regular),
            pool: Pool::new(&parts[0]),
        }))
    }

    fn most_members(&self, _: &Attributes<i64>, parts: &[GroundDomain]) -> Option<i64> {
        domain_value_count(&parts[0])
    }

    /// A partition of a decision variable covers its domain.
    fn check_whole(&self, domain: (&Attributes<i64>, &[GroundDomain]), value: &Value, role: DomainRole) -> Checked {
        let all = &domain.1[0];
        let covered: FxHashSet<&Value> = value.items().iter().flat_map(|part| part.items()).collect();
        if role != DomainRole::Decision || all.size() == Some(covered.len() as u128) {
            return Ok(());
        }
        match all.members().find(|value| !covered.contains(value)) {
            Some(value) => fail(OutsideReason::NotCovered(value)),
            None => Ok(()),
        }
    }
}

fn partitions(attributes: &Attributes<i64>, members: u128) -> Option<u128> {
    let sizes = size_range(attributes.bounds(Measure::PartSize), Some(members));
    let counts = size_range(attributes.bounds(Measure::Parts), Some(members));
    if attributes.has(Property::Regular) && members > 0 {
        // A part has at least one member.
        return sum_of_terms((sizes.0.max(1), sizes.1), |size| {
            // If all parts have the same size, this size divides the number of elements.
            if members.is_multiple_of(size) { partitions_into(members, (size, Some(size)), counts) } else { Some(0) }
        });
    }
    partitions_into(members, sizes, counts)
}

/// The number of partitions of `members` elements whose parts' sizes and number are in these ranges.
fn partitions_into(members: u128, sizes: (u128, Option<u128>), counts: (u128, Option<u128>)) -> Option<u128> {
    if members > LARGEST_TABLE {
        return None;
    }
    // table[n] counts the partitions of n elements into a fixed number of parts: the part of the first
    // element takes `size - 1` of the others.
    let members = members as usize;
    // The parts have no order: the first element picks its part, so that each partition counts once.
    let mut table = vec![0u128; members + 1];
    table[0] = 1;
    let mut total = 0u128;
    for count in 0..=members as u128 {
        if counts.0 <= count && counts.1.is_none_or(|max| count <= max) {
            total = total.checked_add(table[members])?;
        }
        let mut next = vec![0u128; members + 1];
        for (elements, entry) in next.iter_mut().enumerate().skip(1) {
            for size in sizes.0.max(1)..=sizes.1.unwrap_or(0).min(elements as u128) {
                let rest = table[elements - size as usize];
                if rest > 0 {
                    // The first element is always in the part, so that the order of the parts does not count.
                    let ways = binomial(elements as u128 - 1, size - 1)?.checked_mul(rest)?;
                    *entry = entry.checked_add(ways)?;
                }
            }
        }
        table = next;
    }
    Some(total)
}

/// Words of the parts' members one after the other, each 1-based, with a 0 after each part except the last. A part ends
/// before it is extended, and each part starts with the smallest member that is left.
struct PartitionWords {
    parts: SizeRange,
    part_size: SizeRange,
    regular: bool,
    pool: Pool,
}

const END_OF_PART: Letter = (0, 0);

impl PartitionWords {
    fn part_sizes(word: &[Letter]) -> impl Iterator<Item = usize> {
        word.split(|letter| *letter == END_OF_PART).map(<[Letter]>::len)
    }
}

impl WordGrammar for PartitionWords {
    fn next(&mut self, word: &[Letter], previous: Option<Letter>) -> Option<Letter> {
        let used = |letter: usize| word.contains(&(letter, 0));
        let starts_part = word.last().is_none_or(|letter| *letter == END_OF_PART);
        // The first member of a new part is determined, so it has no next choice.
        if starts_part {
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
        // The end of a part is the smallest letter, so it comes first.
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
        let part = |letters: &[Letter]| {
            Value::ascending_set(letters.iter().map(|letter| self.pool.get(letter.0 - 1)).collect())
        };
        let parts = word.split(|letter| *letter == END_OF_PART);
        Value::Collection(Collection::Partition, parts.filter(|letters| !letters.is_empty()).map(part).collect())
    }
}
