//! Sets of integers as sorted ranges, possibly unbounded: the values of terms here, and Essence domains in the
//! compiler. Equal sets have equal ranges; comparison and hashing rely on that.

use std::{cmp::Ordering, sync::Arc};

/// A set of integers: ascending inclusive ranges that neither overlap nor touch. A range from
/// [`IntSet::MINUS_INFINITY`] or up to [`IntSet::INFINITY`] is unbounded on that side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntSet {
    ranges: Arc<[(i64, i64)]>,
}

impl IntSet {
    /// The mark of a missing lower bound. It is not an Essence integer, as these lie within ±(2^62-1).
    pub const MINUS_INFINITY: i64 = i64::MIN;
    /// The mark of a missing upper bound.
    pub const INFINITY: i64 = i64::MAX;

    pub fn empty() -> Self {
        IntSet { ranges: Arc::new([]) }
    }

    pub fn all() -> Self {
        IntSet::range(Self::MINUS_INFINITY, Self::INFINITY)
    }

    pub fn single(value: i64) -> Self {
        IntSet::range(value, value)
    }

    /// The range `low..high`, which is empty if `low > high`.
    pub fn range(low: i64, high: i64) -> Self {
        if low > high { IntSet::empty() } else { IntSet { ranges: Arc::new([(low, high)]) } }
    }

    /// The union of ranges in any order; they may overlap or be empty.
    pub fn from_ranges(ranges: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let mut sorted: Vec<(i64, i64)> = ranges.into_iter().filter(|(low, high)| low <= high).collect();
        sorted.sort_unstable();
        let mut merged: Vec<(i64, i64)> = Vec::with_capacity(sorted.len());
        for (low, high) in sorted {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        IntSet { ranges: merged.into() }
    }

    pub fn from_values(values: impl IntoIterator<Item = i64>) -> Self {
        IntSet::from_ranges(values.into_iter().map(|value| (value, value)))
    }

    pub fn ranges(&self) -> &[(i64, i64)] {
        &self.ranges
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The smallest member; [`IntSet::MINUS_INFINITY`] if the set has no lower bound.
    pub fn min(&self) -> Option<i64> {
        self.ranges.first().map(|range| range.0)
    }

    /// The largest member; [`IntSet::INFINITY`] if the set has no upper bound.
    pub fn max(&self) -> Option<i64> {
        self.ranges.last().map(|range| range.1)
    }

    pub fn is_finite(&self) -> bool {
        self.min() != Some(Self::MINUS_INFINITY) && self.max() != Some(Self::INFINITY)
    }

    pub fn contains(&self, value: i64) -> bool {
        let after = self.ranges.partition_point(|range| range.0 <= value);
        after > 0 && value <= self.ranges[after - 1].1
    }

    /// The number of members; `None` if there are infinitely many.
    pub fn size(&self) -> Option<u128> {
        self.is_finite().then(|| self.ranges.iter().map(|(low, high)| (*high as i128 - *low as i128 + 1) as u128).sum())
    }

    /// The members in ascending order; the set must be finite.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = i64> + '_ {
        self.ranges.iter().flat_map(|(low, high)| *low..=*high)
    }

    /// The number of members that are less than `value`, which must be a member; the set must be finite.
    pub fn position(&self, value: i64) -> Option<usize> {
        let mut before = 0;
        for (low, high) in self.ranges.iter() {
            if value < *low {
                return None;
            }
            if value <= *high {
                return Some(before + (value - low) as usize);
            }
            before += (high - low + 1) as usize;
        }
        None
    }

    pub fn union(&self, other: &IntSet) -> IntSet {
        IntSet::from_ranges(self.ranges.iter().chain(other.ranges.iter()).copied())
    }

    pub fn intersect(&self, other: &IntSet) -> IntSet {
        let (mut left, mut right) = (0, 0);
        let mut common = Vec::new();
        while left < self.ranges.len() && right < other.ranges.len() {
            let (a, b) = (self.ranges[left], other.ranges[right]);
            if a.0.max(b.0) <= a.1.min(b.1) {
                common.push((a.0.max(b.0), a.1.min(b.1)));
            }
            // The range that ends first cannot overlap with later ranges.
            if a.1 < b.1 {
                left += 1;
            } else {
                right += 1;
            }
        }
        // Ranges of the intersection cannot touch, because neither set has touching ranges.
        IntSet { ranges: common.into() }
    }

    /// The ranges of all other integers: below the first member, between members and above the last one.
    pub fn gaps(&self) -> Vec<(i64, i64)> {
        let mut gaps = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = Some(Self::MINUS_INFINITY);
        for (low, high) in self.ranges.iter() {
            if let Some(from) = next
                && from < *low
            {
                gaps.push((from, low - 1));
            }
            next = high.checked_add(1);
        }
        gaps.extend(next.map(|from| (from, Self::INFINITY)));
        gaps
    }

    pub fn is_subset(&self, other: &IntSet) -> bool {
        self.intersect(other) == *self
    }
}

/// Sets are ordered like the ascending lists of their members.
impl Ord for IntSet {
    fn cmp(&self, other: &Self) -> Ordering {
        for (position, (left, right)) in self.ranges.iter().zip(other.ranges.iter()).enumerate() {
            if left.0 != right.0 {
                return left.0.cmp(&right.0);
            }
            // The sets agree up to the end of the shorter range. There, the set with the longer range has the smaller
            // next member, unless the other set has no further members.
            let ends = |set: &IntSet| set.ranges.len() == position + 1;
            match left.1.cmp(&right.1) {
                Ordering::Less => return if ends(self) { Ordering::Less } else { Ordering::Greater },
                Ordering::Greater => return if ends(other) { Ordering::Greater } else { Ordering::Less },
                Ordering::Equal => {}
            }
        }
        self.ranges.len().cmp(&other.ranges.len())
    }
}

impl PartialOrd for IntSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_ordered_as_lists_of_their_members() {
        let sets = (0..64u32).map(|bits| IntSet::from_values((0..6).filter(|value| bits >> value & 1 == 1)));
        let sets: Vec<IntSet> = sets.collect();
        for left in &sets {
            for right in &sets {
                assert_eq!(left.cmp(right), left.iter().cmp(right.iter()), "{left:?} and {right:?}");
            }
        }
    }

    #[test]
    fn touching_ranges_merge() {
        assert_eq!(IntSet::from_ranges([(4, 5), (1, 3), (9, 9), (8, 7)]).ranges(), [(1, 5), (9, 9)]);
    }

    #[test]
    fn intersection_and_position_respect_gaps() {
        let left = IntSet::from_ranges([(1, 4), (8, 10)]);
        let right = IntSet::from_ranges([(3, 8), (10, 12)]);
        assert_eq!(left.intersect(&right).ranges(), [(3, 4), (8, 8), (10, 10)]);
        assert_eq!(left.position(8), Some(4));
        assert_eq!(left.position(5), None);
        assert_eq!(left.size(), Some(7));
        assert_eq!(IntSet::range(1, IntSet::INFINITY).size(), None);
        assert_eq!(left.gaps(), [(IntSet::MINUS_INFINITY, 0), (5, 7), (11, IntSet::INFINITY)]);
        assert_eq!(IntSet::all().gaps(), []);
    }
}
