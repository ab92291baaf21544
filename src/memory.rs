//! How much memory the program may take, and how the phases share it: the one home of the caps on memory.
//!
//! What does not fit is refused before it is taken. The caps are fractions of the limit of the run, as each phase needs
//! room beside it: terms are needed twice while a problem is simplified, and a solver goes on growing while it searches.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// As much is reckoned with at least: a smaller limit ends the run where it is reached, and refuses nothing before.
const LEAST: u64 = 8_000_000_000;

static ALLOWED: AtomicU64 = AtomicU64::new(LEAST);

/// The run may take so many bytes.
pub fn allow(bytes: u64) {
    ALLOWED.store(bytes.max(LEAST), Relaxed);
}

fn allowed() -> u64 {
    ALLOWED.load(Relaxed)
}

/// The most bytes for the terms of a problem.
pub fn for_terms() -> u64 {
    allowed() / 4
}

/// The most terms of a problem: each takes a hundred bytes or so, and they are numbered with 31 bits.
pub fn most_terms() -> usize {
    (for_terms() / 100).min(i32::MAX as u64) as usize
}

/// The most bytes that a solver takes for the clauses or the terms that it is given.
pub fn for_clauses() -> u64 {
    allowed() / 2
}

/// The most bytes that a solver takes in all while it searches, where it can be told.
pub fn for_search() -> u64 {
    allowed() / 4 * 3
}

/// A number of bytes in a message.
pub fn gigabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000_000;
    if tenths.is_multiple_of(10) {
        format!("{} GB", tenths / 10)
    } else {
        format!("{}.{} GB", tenths / 10, tenths % 10)
    }
}
