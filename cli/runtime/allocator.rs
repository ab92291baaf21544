//! Ends the program with a message when memory runs out.

use super::{
    interrupt,
    memory::{memory_limit, resident_memory},
};
use conjure_like_system::Guarded;

/// An allocation that would exceed the limit, or that the system refuses, ends the program with a message and an exit
/// code instead of a signal. Small allocations are not checked here, because the watchdog observes the memory of the
/// whole process.
#[global_allocator]
static ALLOCATOR: Guarded = Guarded { large: 16 << 20, ask: weigh, refused: interrupt::out_of_memory };

/// Makes a solver that gets no memory end the program with a message, too.
pub(crate) fn watch_solvers_memory() {
    interrupt::reserve_memory();
    extern "C" fn end() {
        // The solver does not report the amount of memory that it needs.
        interrupt::out_of_memory(0)
    }
    conjure_like_system::when_solvers_lack_memory(end);
}

/// Ends the program if this many more bytes would exceed the limit.
fn weigh(size: usize) {
    // Even the message about the limit needs memory.
    if !interrupt::ending()
        && let Some(limit) = memory_limit()
        // Reserved memory that is never touched costs nothing, so only resident memory counts.
        && resident_memory().unwrap_or(0).saturating_add(size as u64) > limit
    {
        interrupt::out_of_memory(size);
    }
}
