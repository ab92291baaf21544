//! Ctrl-C and the time limit: both end a search in order, and what will not end in order is ended anyway.
//!
//! An explanation is better than none long before it is complete, and while a problem is built nobody looks at the limits. So
//! commands that explain leave here what they know so far, and it is printed for them if they do not end by themselves
//! soon after a limit.

use conjure_like::{explain::Trouble, solver::Outcome};
use std::{
    io::{self, Write},
    process,
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
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
/// How long after a limit an explanation may take to end in order.
const SOON: Duration = Duration::from_millis(100);

/// What ended an explanation.
const INTERRUPTION: &str = "Interrupted";
const TIME_LIMIT: &str = "The time limit ended the search";

/// What a command that explains knows so far.
static KNOWN: Mutex<Option<Known>> = Mutex::new(None);

struct Known {
    /// To be printed to standard output.
    text: String,
    /// What the text is, for the status.
    what: &'static str,
}

fn known() -> MutexGuard<'static, Option<Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves what is known so far, to be printed if the command is ended.
pub fn leave(text: String, what: &'static str) {
    if let Some(known) = &mut *known() {
        *known = Known { text, what };
    }
}

/// Ends an explanation that is at work, with what it has left.
fn end_explanation(why: &str) {
    // The lock is kept, so that nothing is printed twice.
    let known = known();
    let Some(Known { text, what }) = &*known else { return };
    // There is nobody to tell of an output that is closed.
    let _ = io::stdout().lock().write_all(text.as_bytes()).and_then(|()| io::stdout().flush());
    let _ = writeln!(io::stderr(), "{why}; {what}.");
    process::exit(super::Exit::Limit as i32);
}

/// Runs a search for an explanation. Ctrl-C and the deadline end it, and with it the program, soon and with what it has left.
/// If that is nothing, the status says so in the given words.
pub fn explaining<T>(
    deadline: Option<Instant>,
    nothing: &'static str,
    search: impl FnOnce() -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    *known() = Some(Known { text: String::new(), what: nothing });
    let result = during(deadline, search);
    match result {
        Err(Trouble::Outcome(Outcome::Interrupted)) => end_explanation(INTERRUPTION),
        Err(Trouble::Outcome(Outcome::TimeLimit)) => end_explanation(TIME_LIMIT),
        _ => {}
    }
    *known() = None;
    result
}

/// From now on Ctrl-C ends a search; a second one, or one outside a search, ends the program.
pub fn catch() -> Arc<AtomicBool> {
    let handler = || {
        if INTERRUPTED.swap(true, SeqCst) || !SEARCHING.load(SeqCst) {
            process::exit(KILLED);
        }
        thread::spawn(|| {
            thread::sleep(SOON);
            end_explanation(INTERRUPTION);
        });
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
            thread::sleep(SOON);
            end_explanation(TIME_LIMIT);
            thread::sleep(GRACE);
        }
        eprintln!("The time limit ended the run.");
        process::exit(super::Exit::Limit as i32);
    });
}
