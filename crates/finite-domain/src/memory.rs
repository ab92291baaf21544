//! The caps on memory: how much memory the program may take, and how the phases share it.
//!
//! Work that does not fit is refused before it takes the memory. The caps are fractions of the limit of the process, as
//! each phase needs room beside it: terms are needed twice while a problem is simplified, and a solver goes on growing
//! while it searches.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// The smallest limit for the caps: under a smaller limit the run ends where it is reached, and nothing is refused
/// before.
const LEAST: u64 = if cfg!(target_pointer_width = "32") { 4_000_000_000 } else { 8_000_000_000 };

static ALLOWED: AtomicU64 = AtomicU64::new(LEAST);

/// Limits the memory of the process to this many bytes. This holds for all threads, as they share the memory; without
/// it, the caps assume 8 GB.
pub fn limit(bytes: u64) {
    ALLOWED.store(bytes, Relaxed);
}

/// The most bytes that each phase takes.
#[derive(Debug, PartialEq, Eq)]
struct Caps {
    terms: u64,
    clauses: u64,
    search: u64,
}

impl Caps {
    fn under(limit: u64) -> Self {
        let quarter = limit.max(LEAST) / 4;
        Caps { terms: quarter, clauses: 2 * quarter, search: 3 * quarter }
    }
}

fn caps() -> Caps {
    let Caps { terms, clauses, search } = Caps::under(ALLOWED.load(Relaxed));
    let sharers = SHARERS.get();
    Caps { terms, clauses: clauses / sharers, search: search / sharers }
}

/// Runs a solver on a thread that has its part of the memory: as many run beside each other, each with a part of the
/// part that this thread has.
pub fn shared<T>(sharers: usize, run: impl FnOnce() -> T) -> T {
    let before = SHARERS.get();
    SHARERS.set(before.saturating_mul(sharers as u64));
    let result = run();
    SHARERS.set(before);
    result
}

/// The number of solvers that share the memory, for threads that this one starts.
pub fn sharers() -> usize {
    usize::try_from(SHARERS.get()).unwrap_or(usize::MAX)
}

/// The most bytes for the terms of a problem.
pub fn for_terms() -> u64 {
    caps().terms
}

/// The most terms of a problem: each takes a hundred bytes or so, and they are numbered with 31 bits.
pub fn most_terms() -> usize {
    (for_terms() / 100).min(i32::MAX as u64) as usize
}

/// The most bytes that a solver takes for the clauses or the terms that it is given.
pub fn for_clauses() -> u64 {
    caps().clauses
}

/// The most bytes that a solver takes in all while it searches, where it can be told.
pub fn for_search() -> u64 {
    caps().search
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

thread_local! {
    /// The number of solvers that run beside each other.
    static SHARERS: Cell<u64> = const { Cell::new(1) };

    /// Whether this thread is asking for a stack.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// The size of a deep stack: many times what the deepest nesting and the longest chain of operators take that the
/// parser lets through. It takes memory only as it is used.
pub const DEEP_STACK: usize = 512 << 20;

/// Runs something whose recursion follows a text: on a deep stack, unless the present one has much left.
pub fn with_deep_stack<T>(run: impl FnOnce() -> T) -> T {
    with_stack(200 << 20, DEEP_STACK, run)
}

/// Runs a step of a recursion that follows a problem: on a further stack if the present one has little left.
pub fn with_more_stack<T>(run: impl FnOnce() -> T) -> T {
    with_stack(64 << 10, 4 << 20, run)
}

/// Runs something on a stack with as much left as is `needed`: on a new one of `size` bytes if the present one has
/// less.
#[cfg(not(target_family = "wasm"))]
fn with_stack<T>(needed: usize, size: usize, run: impl FnOnce() -> T) -> T {
    ASKING.set(true);
    stacker::maybe_grow(needed, size, || {
        ASKING.set(false);
        run()
    })
}

/// Runs something on the only stack that there is: a WebAssembly module has the one of its engine, and memory that it
/// asks for is taken at once, used or not.
#[cfg(target_family = "wasm")]
fn with_stack<T>(_needed: usize, _size: usize, run: impl FnOnce() -> T) -> T {
    run()
}

/// Whether this thread has panicked because the system refused it a stack.
pub fn stack_is_refused() -> bool {
    ASKING.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caps_follow_the_limit() {
        let least = Caps { terms: 2_000_000_000, clauses: 4_000_000_000, search: 6_000_000_000 };
        assert_eq!(Caps::under(1_000_000), least);
        assert_eq!(
            Caps::under(64_000_000_000),
            Caps { terms: 16_000_000_000, clauses: 32_000_000_000, search: 48_000_000_000 }
        );
        assert_eq!([32_000_000_000, 12_500_000_000].map(gigabytes), ["32 GB", "12.5 GB"]);
    }

    #[test]
    fn a_part_of_the_memory_is_shared_again() {
        let all = for_clauses();
        let parts = shared(2, || (for_clauses(), shared(3, for_clauses), for_clauses()));
        assert_eq!((parts, for_clauses()), ((all / 2, all / 6, all / 2), all));
    }
}
