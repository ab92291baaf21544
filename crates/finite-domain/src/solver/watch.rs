//! A second thread that stops a search at the time limit or when the user interrupts it.

use super::EngineOptions;
use crate::solver::tuning::watch::{INTERVAL, STACK};
use std::{sync::mpsc, thread};

/// Runs a search with a thread beside it that calls `stop` at a limit; the search should end soon after that.
pub(super) fn watched<T>(options: &EngineOptions, stop: impl Fn() + Send, search: impl FnOnce() -> T) -> T {
    thread::scope(|scope| {
        let (end, ended) = mpsc::channel::<()>();
        let watch = move || {
            while ended.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                if options.limits.reached().is_some() {
                    stop();
                }
            }
        };
        // Without memory for another thread, limits cannot stop the search, but that is better than no search.
        let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, watch);
        let result = search();
        drop(end);
        result
    })
}
