//! The values of an integer term, numbered in ascending order.

/// Ascending ranges, each with the number of values before it.
#[derive(Debug)]
pub(crate) struct EncodedDomain {
    ranges: Vec<(i64, i64, usize)>,
    size: u128,
}

impl EncodedDomain {
    /// Makes a domain of ascending ranges that do not overlap; not empty.
    pub(crate) fn new(ranges: &[(i64, i64)]) -> Self {
        let mut size = 0u128;
        let ranges = ranges
            .iter()
            .map(|&(low, high)| {
                let before = size as usize;
                size += (i128::from(high) - i128::from(low) + 1) as u128;
                (low, high, before)
            })
            .collect();
        EncodedDomain { ranges, size }
    }

    /// Makes a domain of ascending values.
    pub(crate) fn of_values(values: &[i64]) -> Self {
        let mut ranges: Vec<(i64, i64)> = Vec::new();
        for &value in values {
            match ranges.last_mut() {
                Some(last) if last.1 + 1 == value => last.1 = value,
                _ => ranges.push((value, value)),
            }
        }
        EncodedDomain::new(&ranges)
    }

    /// The number of values, however large. The methods that use `usize` need domains whose size fits.
    pub(crate) fn size(&self) -> u128 {
        self.size
    }

    pub(crate) fn len(&self) -> usize {
        self.size as usize
    }

    pub(crate) fn min(&self) -> i64 {
        self.ranges.first().map_or(0, |range| range.0)
    }

    pub(crate) fn max(&self) -> i64 {
        self.ranges.last().map_or(0, |range| range.1)
    }

    pub(crate) fn ranges(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.ranges.iter().map(|&(low, high, _)| (low, high))
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.ranges.iter().flat_map(|&(low, high, _)| low..=high)
    }

    pub(crate) fn value(&self, position: usize) -> i64 {
        let range = self.ranges.partition_point(|range| range.2 <= position) - 1;
        let (low, _, before) = self.ranges[range];
        low + (position - before) as i64
    }

    pub(crate) fn position(&self, value: i64) -> Option<usize> {
        let rank = self.rank(value);
        (rank > 0 && self.value(rank - 1) == value).then(|| rank - 1)
    }

    /// Returns the number of values that are at most this one.
    pub(crate) fn rank(&self, value: i64) -> usize {
        let after = self.ranges.partition_point(|range| range.0 <= value);
        if after == 0 {
            return 0;
        }
        let (low, high, before) = self.ranges[after - 1];
        before + (value.min(high) - low) as usize + 1
    }
}

#[cfg(test)]
mod tests {
    use super::EncodedDomain;

    #[test]
    fn positions_and_ranks_respect_gaps() {
        let domain = EncodedDomain::new(&[(1, 3), (7, 8)]);
        assert_eq!(domain.values().collect::<Vec<_>>(), [1, 2, 3, 7, 8]);
        assert_eq!((0..5).map(|position| domain.value(position)).collect::<Vec<_>>(), [1, 2, 3, 7, 8]);
        assert_eq!([0, 1, 3, 5, 7, 9].map(|value| domain.rank(value)), [0, 1, 3, 3, 4, 5]);
        assert_eq!([0, 1, 5, 8, 9].map(|value| domain.position(value)), [None, Some(0), None, Some(4), None]);
        assert_eq!(EncodedDomain::of_values(&[1, 2, 4]).values().collect::<Vec<_>>(), [1, 2, 4]);
    }
}
