//! An index from the contents of nodes to their positions.
//!
//! It is an open-addressing hash table of positions, so the nodes are not copied.

use std::hash::{Hash, Hasher};

/// The mark of a free slot.
const FREE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct TermIndex {
    /// The number of slots is a power of two, and at most three quarters are taken.
    slots: Vec<u32>,
    taken: usize,
}

impl TermIndex {
    pub(crate) fn new() -> Self {
        TermIndex { slots: vec![FREE; 64], taken: 0 }
    }

    /// Returns the position of an equal node; `get` returns the node at a position.
    pub(crate) fn find<'n, N: Hash + Eq + 'n>(&self, node: &N, get: impl Fn(u32) -> &'n N) -> Option<u32> {
        // Linear probing is fast, because the slots after the first one are in the same cache line. At most three
        // quarters of the slots are taken, so a free slot ends the loop.
        let mask = self.slots.len() - 1;
        let mut slot = hash_node(node) & mask;
        while self.slots[slot] != FREE {
            if get(self.slots[slot]) == node {
                return Some(self.slots[slot]);
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    /// Adds the position of a node that is not in the index yet.
    pub(crate) fn insert<'n, N: Hash + Eq + 'n>(&mut self, position: u32, get: impl Fn(u32) -> &'n N) {
        if (self.taken + 1) * 4 > self.slots.len() * 3 {
            // The slot of a position depends on the size, so all positions are inserted again.
            let larger = vec![FREE; self.slots.len() * 2];
            for old in std::mem::replace(&mut self.slots, larger) {
                if old != FREE {
                    self.put(hash_node(get(old)), old);
                }
            }
        }
        self.put(hash_node(get(position)), position);
        self.taken += 1;
    }

    fn put(&mut self, hash: usize, position: u32) {
        let mask = self.slots.len() - 1;
        let mut slot = hash & mask;
        while self.slots[slot] != FREE {
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = position;
    }
}

#[cfg(target_pointer_width = "64")]
type NodeHasher = rustc_hash::FxHasher;
#[cfg(not(target_pointer_width = "64"))]
type NodeHasher = wide::Hasher64;

fn hash_node(node: &impl Hash) -> usize {
    let mut hasher = NodeHasher::default();
    node.hash(&mut hasher);
    hasher.finish() as usize
}

/// The state of `FxHasher` has as many bits as a word. With 32 bits, too many nodes collide.
#[cfg(not(target_pointer_width = "64"))]
mod wide {
    use std::hash::Hasher;

    /// A polynomial of the hashed words modulo 2^64.
    #[derive(Default)]
    pub(super) struct Hasher64(u64);

    impl Hasher for Hasher64 {
        fn write(&mut self, bytes: &[u8]) {
            bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
        }

        fn write_u8(&mut self, word: u8) {
            self.write_u64(word.into());
        }

        fn write_u32(&mut self, word: u32) {
            self.write_u64(word.into());
        }

        fn write_u64(&mut self, word: u64) {
            self.0 = (self.0.wrapping_add(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }

        fn write_usize(&mut self, word: usize) {
            self.write_u64(word as u64);
        }

        /// The high bits are mixed best, because each multiplication carries upwards.
        fn finish(&self) -> u64 {
            self.0 >> 32
        }
    }
}
