//! Early ends of a run, by Ctrl-C, the time limit or the memory limit, in every phase of every command.
//!
//! A search gets all three through [`EngineOptions`] and ends normally, with its results so far. No other code has to
//! check the clock: if no search is running, or if it does not end in time, a watchdog ends the program. It prints the
//! last words (results that have not been written), ends child processes, and removes incomplete files.

use super::{Exit, files, memory, processes, report, stdout};
use conjure_like::{EngineOptions, Limits, StopReason};
use std::{
    sync::{
        Arc, LazyLock, Mutex, OnceLock,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst},
    },
    thread,
    time::{Duration, Instant},
};

/// Memory for the last words of a program that gets no more memory.
static RESERVE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The size of the reserve. It is never written to, so it takes only address space.
const RESERVED: usize = 8 << 20;

/// Reserves memory for the message that memory has run out.
pub(crate) fn reserve_memory() {
    if let Ok(mut reserve) = RESERVE.try_lock() {
        reserve.reserve(RESERVED);
    }
}

/// The cause that ended the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Interrupt = 1,
    Time = 2,
    Memory = 3,
}

/// The actions before the program is ended from outside; returns true if they have reported the cause.
type LastWords = Box<dyn FnOnce(Cause) -> bool + Send>;

/// The state of the run, which threads, signal handlers and the allocator share.
static RUN: RunLimits = RunLimits {
    started: LazyLock::new(Instant::now),
    time: AtomicU64::new(u64::MAX),
    interrupted: LazyLock::new(Arc::default),
    cause: AtomicU8::new(0),
    searching: AtomicBool::new(false),
    ending: AtomicBool::new(false),
    last_words: Mutex::new(None),
    doing: Mutex::new(""),
    reporting: OnceLock::new(),
};

struct RunLimits {
    started: LazyLock<Instant>,
    /// The time limit in microseconds; the maximum if there is none.
    time: AtomicU64,
    /// The flag that asks a search to end.
    interrupted: LazyLock<Arc<AtomicBool>>,
    /// The first [`Cause`] to end the run, or 0.
    cause: AtomicU8,
    /// True while a search that notices an interruption is running.
    searching: AtomicBool,
    /// True once the program is ending; further causes are ignored.
    ending: AtomicBool,
    last_words: Mutex<Option<LastWords>>,
    /// The current activity, for messages about limits.
    doing: Mutex<&'static str>,
    reporting: OnceLock<report::ReportOptions>,
}

/// The exit code that shells use for a program killed by Ctrl-C: 128 and the number of the signal.
pub(crate) const KILLED: i32 = 130;
/// The interval at which the watchdog checks the limits. Chosen: it is a part of the 0.2 s in which Ctrl-C ends a run.
const INTERVAL: Duration = Duration::from_millis(20);
/// The time for a search to end normally after Ctrl-C or the memory limit, so that Ctrl-C ends a run within 0.2 s.
const GRACE: Duration = Duration::from_millis(150);
/// The time for a search to end normally after the time limit, in addition to a tenth of the limit: a run may exceed
/// its limit by a tenth and half a second.
const GRACE_AT_TIME: Duration = Duration::from_millis(350);
/// The time for a search without last words to end after the memory limit; its results would be lost. Chosen.
const LONG_GRACE: Duration = Duration::from_millis(1000);
/// The fraction of the memory limit by which an ending search may exceed it. Chosen.
const FAR_BEYOND: u64 = 16;

/// Starts to watch the run. Errors are ignored: without a handler, Ctrl-C ends the program at once, and without a
/// watchdog, limits end searches only.
pub(crate) fn watch_run(reporting: &report::ReportOptions) {
    let _ = RUN.reporting.set(reporting.clone());
    LazyLock::force(&RUN.started);
    let _ = ctrlc::set_handler(interrupted);
    let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(watch);
}

/// Sets the time limit, counted from the start of the run.
pub(crate) fn end_after(limit: Duration) {
    RUN.time.store(u64::try_from(limit.as_micros()).unwrap_or(u64::MAX), SeqCst);
}

/// Sets the time limit, counted from now.
pub(crate) fn allow(time: Duration) {
    end_after(RUN.started.elapsed() + time);
}

/// The time at which the limit ends the run.
pub(crate) fn deadline() -> Option<Instant> {
    match RUN.time.load(SeqCst) {
        u64::MAX => None,
        micros => RUN.started.checked_add(Duration::from_micros(micros)),
    }
}

/// The limits that end a search.
pub(crate) fn limits() -> Limits {
    Limits::default().deadline(deadline()).interrupted(RUN.interrupted.clone())
}

/// The options of a search under these limits.
pub(crate) fn engine_options(seed: Option<u32>) -> EngineOptions {
    EngineOptions::default().limits(limits()).seed(seed).threads(None)
}

/// Runs a search, which ends normally when the run is interrupted or at its deadline.
pub(crate) fn during<T>(deadline: Option<Instant>, search: impl FnOnce() -> T) -> T {
    RUN.searching.store(true, SeqCst);
    let result = search();
    // If the search was ended, its results must still be written, so the watchdog waits longer.
    let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
    RUN.searching.store(late || stopping(), SeqCst);
    result
}

/// Records the current activity, for the message of a limit: "while `what`".
pub(crate) fn doing(what: &'static str) {
    if let Ok(mut doing) = RUN.doing.lock() {
        *doing = what;
    }
}

/// Sets the actions for a program that is ended from outside.
pub(crate) fn set_last_words(words: impl FnOnce(Cause) -> bool + Send + 'static) {
    if let Ok(mut place) = RUN.last_words.lock() {
        *place = Some(Box::new(words));
    }
}

/// Removes the last words.
pub(crate) fn forget_last_words() {
    if let Ok(mut place) = RUN.last_words.lock() {
        *place = None;
    }
}

/// Sets the text so far, which is printed if the command is ended; `what` describes it in the status.
pub(crate) fn leave(text: impl FnOnce(Cause) -> String + Send + 'static, what: &'static str) {
    set_last_words(move |cause| {
        // If the output is closed, the error cannot be reported anywhere.
        let _ = stdout::write(&text(cause));
        if let Some(reporting) = RUN.reporting.get() {
            reporting.status(&format!("{}; {what}.", cause.ended_the_search()));
        }
        true
    });
}

/// The cause behind a status that is not an answer.
pub(crate) fn cause(stopped: &StopReason) -> Option<Cause> {
    match stopped {
        StopReason::TimeLimit => Some(Cause::Time),
        StopReason::Interrupted => Some(cause_of_interruption()),
        _ => None,
    }
}

/// The cause of an interruption; the memory limit raises the same flag as Ctrl-C.
pub(crate) fn cause_of_interruption() -> Cause {
    first_cause().unwrap_or(Cause::Interrupt)
}

impl Cause {
    /// The first part of a status line: "The time limit ended the search".
    pub(crate) fn ended_the_search(self) -> String {
        match self {
            Cause::Interrupt => "Interrupted".to_owned(),
            Cause::Time => "The time limit ended the search".to_owned(),
            Cause::Memory => format!("The memory limit{} ended the search", of_megabytes()),
        }
    }

    /// The name of the cause in the output: "stopped by the time limit".
    pub(crate) fn name(self) -> &'static str {
        match self {
            Cause::Interrupt => "Ctrl-C",
            Cause::Time => "the time limit",
            Cause::Memory => "the memory limit",
        }
    }
}

fn of_megabytes() -> String {
    memory::memory_limit().map_or(String::new(), |bytes| format!(" of {} MB", bytes / 1_000_000))
}

fn first_cause() -> Option<Cause> {
    [Cause::Interrupt, Cause::Time, Cause::Memory].into_iter().find(|cause| *cause as u8 == RUN.cause.load(SeqCst))
}

fn late() -> bool {
    deadline().is_some_and(|deadline| Instant::now() >= deadline)
}

/// True if the run has to end.
pub(crate) fn stopping() -> bool {
    first_cause().is_some() || late()
}

/// Handles Ctrl-C: a search ends normally, everything else at once. The second Ctrl-C does not wait for the search.
fn interrupted() {
    let first = RUN.cause.compare_exchange(0, Cause::Interrupt as u8, SeqCst, SeqCst).is_ok();
    RUN.interrupted.store(true, SeqCst);
    // This is the second Ctrl-C, or no search is running that could end normally.
    if !first || !RUN.searching.load(SeqCst) {
        quit(KILLED);
    }
}

/// Checks the limits until the program ends.
fn watch() {
    let mut since = None;
    loop {
        thread::sleep(INTERVAL);
        let memory = memory::memory_limit().zip(memory::resident_memory());
        if late() {
            stop(Cause::Time);
        } else if memory.is_some_and(|(limit, taken)| taken > limit) {
            stop(Cause::Memory);
        }
        let Some(cause) = first_cause() else { continue };
        let since = *since.get_or_insert_with(|| {
            // A search may be waiting for a child process, which ends now.
            processes::end_all();
            Instant::now()
        });
        let far_beyond = memory.is_some_and(|(limit, taken)| taken > limit + limit / FAR_BEYOND);
        // If no search is running, there is nothing to wait for.
        if !RUN.searching.load(SeqCst) || since.elapsed() >= grace(cause) || far_beyond {
            end(cause);
        }
    }
}

/// Records the cause and asks the search to end. A search checks the time itself.
fn stop(cause: Cause) {
    if RUN.cause.compare_exchange(0, cause as u8, SeqCst, SeqCst).is_ok() && cause != Cause::Time {
        RUN.interrupted.store(true, SeqCst);
    }
}

/// The time for a search to end normally.
fn grace(cause: Cause) -> Duration {
    match cause {
        Cause::Time => (Duration::from_micros(RUN.time.load(SeqCst)) / 10).min(Duration::from_secs(60)) + GRACE_AT_TIME,
        Cause::Interrupt => GRACE,
        Cause::Memory if RUN.last_words.lock().is_ok_and(|words| words.is_some()) => GRACE,
        Cause::Memory => LONG_GRACE,
    }
}

/// Ends the program from outside, with its last words.
fn end(cause: Cause) -> ! {
    if RUN.ending.swap(true, SeqCst) {
        // Another thread is already ending the program.
        thread::sleep(LONG_GRACE);
        conjure_like_system::quit(Exit::Limit as i32);
    }
    // The holder of the lock may be stuck, so this does not wait for it.
    let words = RUN.last_words.try_lock().ok().and_then(|mut words| words.take());
    let said = words.is_some_and(|words| words(cause));
    if !said && let Some(reporting) = RUN.reporting.get() {
        let doing = RUN.doing.try_lock().map_or("", |doing| *doing);
        let doing = if doing.is_empty() { String::new() } else { format!(" while {doing}") };
        reporting.status(&match cause {
            Cause::Interrupt => "Interrupted.".to_owned(),
            Cause::Time => format!("The time limit ended the run{doing}."),
            Cause::Memory => {
                let help = "make the domains or the data smaller, or allow more with --limit-memory";
                format!("The memory limit{} ended the run{doing}; {help}.", of_megabytes())
            }
        });
    }
    quit(Exit::Limit as i32)
}

/// Ends the program and its children, and removes incomplete files.
pub(crate) fn quit(code: i32) -> ! {
    processes::end_all();
    files::remove_temporaries();
    conjure_like_system::quit(code)
}

/// True once the program is ending.
pub(crate) fn ending() -> bool {
    RUN.ending.load(SeqCst)
}

/// Ends the program because this many bytes could not be allocated; 0 if the number is unknown.
#[cold]
pub(crate) fn out_of_memory(size: usize) -> ! {
    if RUN.ending.swap(true, SeqCst) {
        // Another thread is already ending the program, or this thread ran out of memory again while writing its
        // message.
        thread::sleep(LONG_GRACE);
        conjure_like_system::quit(Exit::Limit as i32);
    }
    // The message needs memory, which the reserve provides.
    if let Ok(mut reserve) = RESERVE.try_lock() {
        *reserve = Vec::new();
    }
    stop(Cause::Memory);
    // Every allocation can end here, so this thread may hold the lock and must not wait for it.
    let words = RUN.last_words.try_lock().ok().and_then(|mut words| words.take());
    if let Some(words) = words {
        words(Cause::Memory);
    }
    let needed = match size / 1_000_000 {
        0 => String::new(),
        megabytes => format!(": {megabytes} MB more were needed at once"),
    };
    report::report_error(
        &format!("there is not enough memory{needed}"),
        &[match memory::memory_limit() {
            Some(limit) => format!(
                "the limit is {} MB; make the domains smaller, or allow more with --limit-memory",
                limit / 1_000_000
            ),
            None => "make the domains smaller".to_owned(),
        }],
        &[],
    );
    quit(Exit::Limit as i32)
}
