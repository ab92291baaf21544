//! The options that limit a run.

use super::{allocator, interrupt, memory, numbers::whole_number, report, stdin};
use clap::Args;
use conjure_like::limit_memory;
use std::time::Duration;

#[derive(Args, Clone, Debug)]
pub(crate) struct LimitOptions {
    /// End the run after this many seconds
    #[arg(long, global = true, display_order = 90, value_name = "SECONDS", value_parser = parse_seconds)]
    limit_time: Option<Duration>,
    /// End the run if the program needs more memory than this. The default is three quarters of the memory of the
    /// machine or container
    #[arg(long, global = true, display_order = 90, value_name = "MB")]
    #[arg(value_parser = whole_number::<u64>(1..))]
    limit_memory: Option<u64>,
    /// End the run when standard input ends; a text on it follows a line with its number of bytes
    ///
    /// For programs that start this one: their pipe is closed when they end, for any reason.
    #[arg(long, global = true, hide = true)]
    end_with_input: bool,
}

pub(crate) fn parse_seconds(text: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds")?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a number of seconds, not negative")
}

/// Starts the limits.
pub(crate) fn start_limits(options: &LimitOptions, reporting: &report::ReportOptions) {
    interrupt::watch_run(reporting);
    if let Some(limit) = options.limit_time {
        interrupt::end_after(limit);
    }
    let limit = options.limit_memory.map(|megabytes| megabytes.saturating_mul(1_000_000));
    if let Some(limit) = limit.or_else(memory::default_memory_limit) {
        memory::set_memory_limit(limit);
        limit_memory(limit);
    }
    allocator::watch_solvers_memory();
    if options.end_with_input {
        stdin::end_with_it();
    }
}
