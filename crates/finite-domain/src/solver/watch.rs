//! Stops a search from a second thread when the time is over or the user interrupts.

use super::EngineOptions;
use std::{sync::mpsc, thread, time::Duration};

/// The interval at which the limits are checked.
const INTERVAL: Duration = Duration::from_millis(20);

/// The stack of the second thread, which calls little.
const STACK: usize = 128 << 10;

/// Runs a search that ends soon after it is told to `stop`, which it is when a limit is reached.
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
        // If the system has no memory for another thread, nobody stops the search: better than no search.
        let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, watch);
        let result = search();
        drop(end);
        result
    })
}
