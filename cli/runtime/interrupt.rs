//! Early ends of a run: Ctrl-C, the time limit and the memory limit, in every phase of every command.
//!
//! A search hears of all three through [`EngineOptions`] and ends in order, with what it has found. No other code has
//! to look at the clock: a watchdog ends the program where no search hears it, or where one does not end soon enough.
//! It then says the program's last words, which are what was found and has not been written, ends child processes, and
//! removes files that are not complete.

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

/// Memory for the last words of a program that gets no more.
static RESERVE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The bytes of the reserve. Nothing is written to them, so they take addresses alone.
const RESERVED: usize = 8 << 20;

/// Keeps memory for the message that there is not enough.
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

/// The last actions when the program is ended from outside; returns whether they have reported the cause.
type LastWords = Box<dyn FnOnce(Cause) -> bool + Send>;

/// What is known of the run: threads, handlers of signals and the allocator share it.
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
    /// The time limit in microseconds; the largest number while there is none.
    time: AtomicU64,
    /// Asks the search to end.
    interrupted: LazyLock<Arc<AtomicBool>>,
    /// The first [`Cause`] to end the run, or 0.
    cause: AtomicU8,
    /// Whether a search is running that would notice an interruption.
    searching: AtomicBool,
    /// Whether the program is ending: a second cause is then ignored.
    ending: AtomicBool,
    last_words: Mutex<Option<LastWords>>,
    /// The current activity, for the message of a limit.
    doing: Mutex<&'static str>,
    reporting: OnceLock<report::ReportOptions>,
}

/// The exit code that a shell expects of a program that Ctrl-C has killed.
pub(crate) const KILLED: i32 = 130;
/// The interval at which the watchdog checks the limits.
const INTERVAL: Duration = Duration::from_millis(20);
/// The time that a search has to end in order after Ctrl-C or the memory limit.
const GRACE: Duration = Duration::from_millis(150);
/// The time that a search has to end in order after the time limit, besides a tenth of the limit.
const GRACE_AT_TIME: Duration = Duration::from_millis(350);
/// The time that a search without last words has at the memory limit: its results would be lost.
const LONG_GRACE: Duration = Duration::from_millis(1000);
/// A search that is about to end in order may exceed the memory limit by the limit divided by this.
const FAR_BEYOND: u64 = 16;

/// Begins to watch the run. Without a handler Ctrl-C kills at once, and without a watchdog a limit ends searches alone:
/// no reason to refuse work.
pub(crate) fn watch_run(reporting: &report::ReportOptions) {
    let _ = RUN.reporting.set(reporting.clone());
    LazyLock::force(&RUN.started);
    let _ = ctrlc::set_handler(interrupted);
    let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(watch);
}

/// The run ends so long after its start.
pub(crate) fn end_after(limit: Duration) {
    RUN.time.store(u64::try_from(limit.as_micros()).unwrap_or(u64::MAX), SeqCst);
}

/// The run ends so long after now.
pub(crate) fn allow(time: Duration) {
    end_after(RUN.started.elapsed() + time);
}

/// When the time limit ends the run.
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

/// The options of a search that the limits end.
pub(crate) fn engine_options(seed: Option<u32>) -> EngineOptions {
    EngineOptions::default().limits(limits()).seed(seed).threads(None)
}

/// Runs a search, which ends in order when the run shall end, or at a deadline of its own.
pub(crate) fn during<T>(deadline: Option<Instant>, search: impl FnOnce() -> T) -> T {
    RUN.searching.store(true, SeqCst);
    let result = search();
    // The results must still be written if something has ended the search.
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

/// Sets the last actions if the program is ended from outside.
pub(crate) fn set_last_words(words: impl FnOnce(Cause) -> bool + Send + 'static) {
    if let Ok(mut place) = RUN.last_words.lock() {
        *place = Some(Box::new(words));
    }
}

/// Forgets the last actions.
pub(crate) fn forget_last_words() {
    if let Ok(mut place) = RUN.last_words.lock() {
        *place = None;
    }
}

/// Leaves the text so far, to be printed if the command is ended; `what` describes the text, for the status.
pub(crate) fn leave(text: String, what: &'static str) {
    set_last_words(move |cause| {
        // A closed output cannot be reported to anyone.
        let _ = stdout::write(&text);
        if let Some(reporting) = RUN.reporting.get() {
            reporting.status(&format!("{}; {what}.", cause.ended_the_search()));
        }
        true
    });
}

/// The cause of a status that is not an answer.
pub(crate) fn cause(stopped: &StopReason) -> Option<Cause> {
    match stopped {
        StopReason::TimeLimit => Some(Cause::Time),
        StopReason::Interrupted => Some(cause_of_interruption()),
        _ => None,
    }
}

/// Why the flag was raised: for want of memory, too.
pub(crate) fn cause_of_interruption() -> Cause {
    first_cause().unwrap_or(Cause::Interrupt)
}

impl Cause {
    /// The beginning of a status line: "The time limit ended the search".
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

/// Whether the run shall end.
pub(crate) fn stopping() -> bool {
    first_cause().is_some() || late()
}

/// Ctrl-C ends a search in order, and everything else at once; a second one does not wait for the search.
fn interrupted() {
    let first = RUN.cause.compare_exchange(0, Cause::Interrupt as u8, SeqCst, SeqCst).is_ok();
    RUN.interrupted.store(true, SeqCst);
    if !first || !RUN.searching.load(SeqCst) {
        quit(KILLED);
    }
}

/// Looks at the limits until the program ends.
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
            processes::end_all();
            Instant::now()
        });
        let far_beyond = memory.is_some_and(|(limit, taken)| taken > limit + limit / FAR_BEYOND);
        if !RUN.searching.load(SeqCst) || since.elapsed() >= grace(cause) || far_beyond {
            end(cause);
        }
    }
}

/// The run shall end. A search looks at the time by itself.
fn stop(cause: Cause) {
    if RUN.cause.compare_exchange(0, cause as u8, SeqCst, SeqCst).is_ok() && cause != Cause::Time {
        RUN.interrupted.store(true, SeqCst);
    }
}

/// The time that a search has to end in order.
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
        // Somebody else is at it.
        thread::sleep(LONG_GRACE);
        conjure_like_system::quit(Exit::Limit as i32);
    }
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

/// Ends the program with its children, and leaves no incomplete files.
pub(crate) fn quit(code: i32) -> ! {
    processes::end_all();
    files::remove_temporaries();
    conjure_like_system::quit(code)
}

/// Whether the program is ending.
pub(crate) fn ending() -> bool {
    RUN.ending.load(SeqCst)
}

/// Ends the program because this many bytes could not be allocated; 0 if their number is not known.
#[cold]
pub(crate) fn out_of_memory(size: usize) -> ! {
    if RUN.ending.swap(true, SeqCst) {
        // Somebody else is at it, or this thread, and then there is nothing more to say.
        thread::sleep(LONG_GRACE);
        conjure_like_system::quit(Exit::Limit as i32);
    }
    // Else there might be nothing left to say it with.
    if let Ok(mut reserve) = RESERVE.try_lock() {
        *reserve = Vec::new();
    }
    stop(Cause::Memory);
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
