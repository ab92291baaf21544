//! Random choices that depend only on a seed.

/// The generator `splitmix64`.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// The choices for one model of a run.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        let seed = Random(seed).next();
        Random(Random(seed ^ number).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of the items, of which there must be at least one.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// An item, with a probability proportional to its weight.
    pub(crate) fn weighted<T: Copy>(&mut self, items: &[(usize, T)]) -> T {
        let total = items.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total);
        for (weight, item) in items {
            if left < *weight {
                return *item;
            }
            left -= weight;
        }
        unreachable!("the weights add up")
    }
}
