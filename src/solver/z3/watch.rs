//! Stops Z3 from a second thread when the time is over or the user interrupts.

use crate::solver::Limits;
use ::z3::Context;
use std::{
    sync::{atomic::Ordering, mpsc},
    thread,
    time::{Duration, Instant},
};

/// The interval at which the limits are checked.
const INTERVAL: Duration = Duration::from_millis(20);

/// Runs a search that Z3 gives up with "unknown" soon after a limit is reached.
pub(crate) fn watched<T>(limits: &Limits, search: impl FnOnce() -> T) -> T {
    let context = Context::thread_local();
    let handle = context.handle();
    let (deadline, interrupted) = (limits.deadline, &limits.interrupted);
    thread::scope(|scope| {
        let (end, ended) = mpsc::channel::<()>();
        scope.spawn(move || {
            while ended.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
                let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
                if over || interrupted.load(Ordering::Relaxed) {
                    handle.interrupt();
                }
            }
        });
        let result = search();
        drop(end);
        result
    })
}
