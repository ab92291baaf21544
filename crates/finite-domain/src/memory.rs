//! The caps on memory: the amount that the program may use, and the shares of its phases.
//!
//! Work that does not fit is refused before it takes the memory. The caps are fractions of the limit of the process,
//! because each phase needs additional room: terms exist twice while a problem is simplified, and a solver grows while
//! it searches.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// The smallest limit for the caps. With a smaller limit, the run ends when the limit is reached, and nothing is
/// refused before.
const LEAST: u64 = if cfg!(target_pointer_width = "32") { 4_000_000_000 } else { 8_000_000_000 };

static ALLOWED: AtomicU64 = AtomicU64::new(LEAST);

/// Limits the memory of the process to this number of bytes. All threads share the memory, so the limit is for all of
/// them; without a limit, the caps assume 8 GB.
pub fn limit(bytes: u64) {
    ALLOWED.store(bytes, Relaxed);
}

/// The maximum number of bytes for each phase.
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

/// Runs a solver with a share of the memory. `sharers` solvers run at the same time, each with an equal part of the
/// share that this thread has.
pub fn shared<T>(sharers: usize, run: impl FnOnce() -> T) -> T {
    let before = SHARERS.get();
    SHARERS.set(before.saturating_mul(sharers as u64));
    let result = run();
    SHARERS.set(before);
    result
}

/// The number of solvers that share the memory, for threads that this thread starts.
pub fn sharers() -> usize {
    usize::try_from(SHARERS.get()).unwrap_or(usize::MAX)
}

/// The maximum number of bytes for the terms of a problem.
pub fn for_terms() -> u64 {
    caps().terms
}

/// The maximum number of terms of a problem: each takes about a hundred bytes, and they are numbered with 31 bits.
pub fn most_terms() -> usize {
    (for_terms() / 100).min(i32::MAX as u64) as usize
}

/// The maximum number of bytes that a solver takes for its input, clauses or terms.
pub fn for_clauses() -> u64 {
    caps().clauses
}

/// The maximum total number of bytes of a solver during a search, if the solver has such a limit.
pub fn for_search() -> u64 {
    caps().search
}

/// Formats a number of bytes for a message.
pub fn gigabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000_000;
    if tenths.is_multiple_of(10) {
        format!("{} GB", tenths / 10)
    } else {
        format!("{}.{} GB", tenths / 10, tenths % 10)
    }
}

thread_local! {
    /// The number of solvers that run at the same time.
    static SHARERS: Cell<u64> = const { Cell::new(1) };

    /// True while this thread allocates a stack.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// The size of a deep stack: many times the need of the deepest nesting and the longest chain of operators that the
/// parser accepts. Memory is taken only as it is used.
pub const DEEP_STACK: usize = 512 << 20;

/// Runs a function that recurses over a text on a deep stack, unless the current stack has much left.
pub fn with_deep_stack<T>(run: impl FnOnce() -> T) -> T {
    with_stack(200 << 20, DEEP_STACK, run)
}

/// Runs one step of a recursion over a problem, on a new stack if the current one has little left.
pub fn with_more_stack<T>(run: impl FnOnce() -> T) -> T {
    with_stack(64 << 10, 4 << 20, run)
}

/// Runs a function on a stack with at least `needed` bytes left: on a new one of `size` bytes if the current one has
/// less.
#[cfg(not(target_family = "wasm"))]
fn with_stack<T>(needed: usize, size: usize, run: impl FnOnce() -> T) -> T {
    // If allocating the stack panics, the flag stays set and identifies the panic.
    ASKING.set(true);
    stacker::maybe_grow(needed, size, || {
        ASKING.set(false);
        run()
    })
}

/// Runs a function on the only stack: a WebAssembly module has the stack of its engine, and memory that it allocates is
/// taken at once, used or not.
#[cfg(target_family = "wasm")]
fn with_stack<T>(_needed: usize, _size: usize, run: impl FnOnce() -> T) -> T {
    run()
}

/// Returns true if this thread has panicked because the system refused it a stack.
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
