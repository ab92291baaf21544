//! The number of members of a domain, by formulas where combinatorics has them.

use super::{Attributes, GroundDomain, Size};
use crate::language::attributes::{Clause, Measure, Property};

/// Relations with properties that no formula counts are counted one by one among the subsets of at most this many
/// pairs.
const COUNTED_ONE_BY_ONE: u128 = 16;
/// Larger sums and recurrences overflow, or are not worth their time.
const LARGEST_TABLE: u128 = 4096;

impl GroundDomain {
    /// The number of members; `None` if it is infinite or cannot be told (beyond 10³⁸, as a rule).
    pub(crate) fn size(&self) -> Option<u128> {
        match self {
            GroundDomain::Bool => Some(2),
            GroundDomain::Int(set) => set.size(),
            GroundDomain::Tuple(items) => product(items.iter().map(GroundDomain::size)),
            GroundDomain::Record(fields) => product(fields.iter().map(|(_, item)| item.size())),
            GroundDomain::Variant(alternatives) => {
                alternatives.iter().try_fold(0u128, |sum, (_, item)| sum.checked_add(item.size()?))
            }
            GroundDomain::Matrix(index, element) => match (index.size()?, element.size()) {
                (0, _) => Some(1),
                (_, Some(0)) => Some(0),
                (length, elements) => power(elements?, length),
            },
            GroundDomain::Set(attributes, inner) => subsets(inner.size(), attributes.size()),
            GroundDomain::MSet(attributes, inner) => {
                multisets(inner.size(), attributes.size(), attributes.bounds(Measure::Occurrences))
            }
            GroundDomain::Function(attributes, from, to) => functions(attributes, from.size(), to.size()),
            GroundDomain::Sequence(attributes, inner) => sequences(attributes, inner.size()),
            GroundDomain::Relation(attributes, columns) => {
                let pairs = product(columns.iter().map(GroundDomain::size));
                if attributes.properties().is_empty() {
                    return subsets(pairs, attributes.size());
                }
                match pairs? {
                    0..=COUNTED_ONE_BY_ONE => Some(self.members().count() as u128),
                    _ => relations(attributes, columns[0].size()?),
                }
            }
            GroundDomain::Partition(attributes, inner) => partitions(attributes, inner.size()?),
            GroundDomain::Permutation(attributes, inner) => {
                let points = inner.size()?;
                sum(range(attributes.bounds(Measure::Moved), Some(points)), |count| {
                    choose(points, count)?.checked_mul(derangements(count)?)
                })
            }
        }
    }

    /// Whether the number of members is finite.
    pub(crate) fn is_finite(&self) -> bool {
        match self {
            GroundDomain::Bool => true,
            GroundDomain::Int(set) => set.is_finite(),
            GroundDomain::Tuple(items) => items.iter().all(GroundDomain::is_finite),
            GroundDomain::Record(fields) | GroundDomain::Variant(fields) => {
                fields.iter().all(|(_, item)| item.is_finite())
            }
            GroundDomain::Matrix(index, element) => index.is_finite() && element.is_finite(),
            GroundDomain::Set(_, inner) | GroundDomain::Partition(_, inner) | GroundDomain::Permutation(_, inner) => {
                inner.is_finite()
            }
            GroundDomain::MSet(attributes, inner) => {
                let bounded = attributes.measures().iter().any(|(_, bounds)| bounds.max.is_some());
                inner.is_finite() && (bounded || inner.size() == Some(0))
            }
            GroundDomain::Function(_, from, to) => from.is_finite() && to.is_finite(),
            GroundDomain::Sequence(attributes, inner) => {
                let bounded = attributes.size().max.is_some() || attributes.has(Property::Injective);
                inner.is_finite() && (bounded || inner.size() == Some(0))
            }
            GroundDomain::Relation(_, columns) => columns.iter().all(GroundDomain::is_finite),
        }
    }

    /// Whether a finite domain does not have a member.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        match self.size() {
            Some(size) => size == 0,
            None => self.is_finite() && self.members().next().is_none(),
        }
    }
}

fn product(factors: impl Iterator<Item = Option<u128>>) -> Option<u128> {
    // Each factor is counted once: otherwise the time would double with each level of nesting.
    let factors: Vec<Option<u128>> = factors.collect();
    if factors.contains(&Some(0)) {
        return Some(0);
    }
    factors.into_iter().try_fold(1u128, |product, factor| product.checked_mul(factor?))
}

fn power(base: u128, exponent: u128) -> Option<u128> {
    match base {
        0 => Some(u128::from(exponent == 0)),
        1 => Some(1),
        _ => base.checked_pow(u32::try_from(exponent).ok()?),
    }
}

/// The numbers of members that bounds leave, given the most that there can be (`None`: no limit).
fn range(bounds: &Size<i64>, most: Option<u128>) -> (u128, Option<u128>) {
    let min = bounds.min.unwrap_or(0).max(0) as u128;
    match bounds.max {
        Some(max) if max < 0 => (1, Some(0)),
        Some(max) => (min, Some(most.map_or(max as u128, |most| most.min(max as u128)))),
        None => (min, most),
    }
}

/// `Σ term(k)` for `k` in a range. The terms of long sums overflow early, so that no sum takes long.
fn sum((min, max): (u128, Option<u128>), mut term: impl FnMut(u128) -> Option<u128>) -> Option<u128> {
    let mut total = 0u128;
    let mut at = min;
    while max.is_none_or(|max| at <= max) {
        if at - min > LARGEST_TABLE {
            return None;
        }
        total = total.checked_add(term(at)?)?;
        at += 1;
    }
    Some(total)
}

/// `n · (n - 1) ⋯ (n - k + 1)`
fn falling(n: u128, k: u128) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut product = 1u128;
    for factor in (n - k + 1..=n).rev() {
        product = product.checked_mul(factor)?;
    }
    Some(product)
}

/// The binomial coefficient.
fn choose(n: u128, k: u128) -> Option<u128> {
    if k > n {
        return Some(0);
    }
    let mut result = 1u128;
    for step in 0..k.min(n - k) {
        result = result.checked_mul(n - step)? / (step + 1);
    }
    Some(result)
}

fn subsets(members: Option<u128>, size: &Size<i64>) -> Option<u128> {
    sum(range(size, members), |count| if count == 0 { Some(1) } else { choose(members?, count) })
}

/// The number of multisets over `n` values: `table[s]` counts the multisets of size `s` over the values so far.
fn multisets(members: Option<u128>, size: &Size<i64>, occurrences: &Size<i64>) -> Option<u128> {
    let least = occurrences.min.unwrap_or(0).max(0) as u128;
    let most = occurrences.max.map(|max| max.max(0) as u128);
    if most.is_some_and(|most| most < least) || occurrences.max.is_some_and(|max| max < 0) {
        return Some(0);
    }
    let Some(values) = members else {
        return if least == 0 && range(size, None) == (0, Some(0)) { Some(1) } else { None };
    };
    let forced = values.checked_mul(least)?;
    let spare = match most {
        Some(most) => Some(values.checked_mul(most - least)?),
        None if values == 0 => Some(0),
        None => None,
    };
    let (min, max) = range(size, spare.and_then(|spare| forced.checked_add(spare)));
    let max = max?;
    if max < min || max < forced {
        return Some(0);
    }
    let bounds = (min.saturating_sub(forced), Some(max - forced));
    let Some(most) = most else {
        // Stars and bars.
        return sum(bounds, |count| if count == 0 { Some(1) } else { choose(values + count - 1, count) });
    };
    let (most, length) = (most - least, max - forced);
    if length > LARGEST_TABLE || values > LARGEST_TABLE {
        return None;
    }
    let mut table = vec![0u128; length as usize + 1];
    table[0] = 1;
    for _ in 0..values {
        let previous = table.clone();
        for (total, entry) in table.iter_mut().enumerate() {
            let from = total.saturating_sub(most as usize);
            *entry = previous[from..=total].iter().try_fold(0u128, |sum, count| sum.checked_add(*count))?;
        }
    }
    sum(bounds, |count| table.get(count as usize).copied())
}

/// Surjections from `from` onto `to` elements.
fn surjections(from: u128, to: u128) -> Option<u128> {
    if to > from {
        return Some(0);
    }
    if to <= 1 {
        return Some(u128::from(to == 1 || from == 0));
    }
    if from > LARGEST_TABLE {
        return None;
    }
    // onto(n, k) = k · (onto(n - 1, k) + onto(n - 1, k - 1))
    let mut onto = vec![0u128; to as usize + 1];
    onto[0] = 1;
    for _ in 0..from {
        for k in (1..onto.len()).rev() {
            onto[k] = onto[k].checked_add(onto[k - 1])?.checked_mul(k as u128)?;
        }
        onto[0] = 0;
    }
    onto.last().copied()
}

/// Maps from `arguments` elements with the attributes' properties.
fn maps(attributes: &Attributes<i64>, arguments: u128, images: u128) -> Option<u128> {
    match (attributes.has(Property::Injective), attributes.has(Property::Surjective)) {
        (true, true) if arguments != images => Some(0),
        (true, _) => falling(images, arguments),
        (false, true) => surjections(arguments, images),
        (false, false) => power(images, arguments),
    }
}

fn functions(attributes: &Attributes<i64>, from: Option<u128>, to: Option<u128>) -> Option<u128> {
    let mut defined = range(attributes.size(), from);
    if attributes.has(Property::Total) {
        let all = from?;
        defined = (defined.0.max(all), defined.1);
    }
    if attributes.has(Property::Injective)
        && let Some(to) = to
    {
        defined.1 = Some(defined.1.map_or(to, |max| max.min(to)));
    }
    if attributes.has(Property::Surjective) {
        defined.0 = defined.0.max(to?);
    }
    sum(defined, |count| {
        if count == 0 {
            maps(attributes, 0, to.unwrap_or(1))
        } else {
            choose(from?, count)?.checked_mul(maps(attributes, count, to?)?)
        }
    })
}

fn sequences(attributes: &Attributes<i64>, inner: Option<u128>) -> Option<u128> {
    let longest = match inner {
        Some(0) => Some(0),
        Some(images) if attributes.has(Property::Injective) => Some(images),
        _ => None,
    };
    let lengths = range(attributes.size(), longest);
    sum((lengths.0, Some(lengths.1?)), |length| {
        if length == 0 { maps(attributes, 0, inner.unwrap_or(1)) } else { maps(attributes, length, inner?) }
    })
}

/// Relations on `points` points whose properties are about each two points by themselves: what stands between
/// one pair of points can be chosen independently of what stands between others.
fn relations(attributes: &Attributes<i64>, points: u128) -> Option<u128> {
    let clauses: Vec<Clause> = attributes.properties().iter().filter_map(|property| property.clause()).collect();
    if points > LARGEST_TABLE || !clauses.iter().all(Clause::is_local) {
        return None;
    }
    // How many choices there are with 0, 1 and 2 pairs: of a point with itself, and of two different points.
    let itself = [false, true].map(|related| clauses.iter().all(|clause| clause.holds_of([0, 0], &|_, _| related)));
    let itself = [itself[0], itself[1], false].map(u128::from);
    let between = |forth: bool, back: bool| {
        let related = |left: usize, _| if left == 0 { forth } else { back };
        let both_ways = |clause: &Clause| clause.holds_of([0, 1], &related) && clause.holds_of([1, 0], &related);
        u128::from(clauses.iter().filter(|clause| clause.points() == 2).all(both_ways))
    };
    let two = [between(false, false), between(true, false) + between(false, true), between(true, true)];
    // by_size[s] counts the relations with s pairs.
    let mut by_size = vec![1u128];
    for choices in std::iter::repeat_n(itself, points as usize)
        .chain(std::iter::repeat_n(two, (points * points.saturating_sub(1) / 2) as usize))
    {
        let mut next = vec![0u128; by_size.len() + 2];
        for (size, count) in by_size.iter().enumerate() {
            for (more, ways) in choices.iter().enumerate() {
                next[size + more] = next[size + more].checked_add(count.checked_mul(*ways)?)?;
            }
        }
        by_size = next;
    }
    let sizes = range(attributes.size(), Some(by_size.len() as u128 - 1));
    sum(sizes, |size| by_size.get(size as usize).copied())
}

/// Permutations of `n` elements that move all of them.
fn derangements(n: u128) -> Option<u128> {
    let (mut before, mut current) = (0u128, 1u128);
    for step in 1..=n {
        // D(n) = (n - 1) · (D(n - 1) + D(n - 2))
        (before, current) = (current, (step - 1).checked_mul(current.checked_add(before)?)?);
    }
    Some(current)
}

fn partitions(attributes: &Attributes<i64>, members: u128) -> Option<u128> {
    let sizes = range(attributes.bounds(Measure::PartSize), Some(members));
    let counts = range(attributes.bounds(Measure::Parts), Some(members));
    if attributes.has(Property::Regular) && members > 0 {
        return sum((sizes.0.max(1), sizes.1), |size| {
            if members.is_multiple_of(size) { partitions_into(members, (size, Some(size)), counts) } else { Some(0) }
        });
    }
    partitions_into(members, sizes, counts)
}

/// Partitions of `members` elements whose parts' sizes and number lie in ranges.
fn partitions_into(members: u128, sizes: (u128, Option<u128>), counts: (u128, Option<u128>)) -> Option<u128> {
    if members > LARGEST_TABLE {
        return None;
    }
    // table[n] counts the partitions of n elements into a fixed number of parts: the part of the first
    // element takes `size - 1` of the others.
    let members = members as usize;
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
                    let ways = choose(elements as u128 - 1, size - 1)?.checked_mul(rest)?;
                    *entry = entry.checked_add(ways)?;
                }
            }
        }
        table = next;
    }
    Some(total)
}
