//! Ctrl-C and the time limit: both end a search in order, and what will not end in order is ended anyway.

use std::{
    process,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

/// Asks the search to end.
static INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Whether there is a search that would hear it.
static SEARCHING: AtomicBool = AtomicBool::new(false);

/// What a shell expects of a program that Ctrl-C has killed.
const KILLED: i32 = 130;
/// How long after the time limit a search may take to end in order.
const GRACE: Duration = Duration::from_millis(1500);

/// From now on Ctrl-C ends a search; a second one, or one outside a search, ends the program.
pub fn catch() -> Arc<AtomicBool> {
    let handler = || {
        if INTERRUPTED.swap(true, SeqCst) || !SEARCHING.load(SeqCst) {
            process::exit(KILLED);
        }
    };
    // Without a handler Ctrl-C kills at once, which is no reason to refuse work.
    let _ = ctrlc::set_handler(handler);
    INTERRUPTED.clone()
}

/// Runs a search, which Ctrl-C and the deadline end in order.
pub fn during<T>(deadline: Option<Instant>, search: impl FnOnce() -> T) -> T {
    SEARCHING.store(true, SeqCst);
    let result = search();
    // One that the deadline has ended is still to be reported.
    let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    SEARCHING.store(late, SeqCst);
    result
}

/// Ends the program after a time limit if it is then still at work: while a problem is built, nobody else
/// looks at the clock.
pub fn end_after(limit: Duration) {
    thread::spawn(move || {
        thread::sleep(limit);
        if SEARCHING.load(SeqCst) {
            thread::sleep(GRACE);
        }
        eprintln!("The time limit ended the run.");
        process::exit(super::Exit::Limit as i32);
    });
}
