//! Requests on standard input, one on each line. A separate thread reads them, so that a request can end the searches
//! for earlier ones.

use serde_json::{Map, Value};
use std::{
    io::{self, BufRead},
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

/// The interval between checks for a reader of the answers, after the input has ended. Chosen.
const READER_INTERVAL: Duration = Duration::from_millis(200);

/// A line of standard input, and the flag that cancels its search.
pub(crate) struct RequestLine {
    pub line: String,
    pub cancelled: Arc<AtomicBool>,
}

/// The requests. A request with the member `stop` gets no answer; it cancels all requests before.
pub(crate) fn request_lines() -> mpsc::Receiver<RequestLine> {
    let (give, requests) = mpsc::channel();
    let read = move || {
        let mut open: Vec<Weak<AtomicBool>> = Vec::new();
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            // If a flag has no other owner, its request has been answered.
            open.retain(|flag| flag.strong_count() > 0);
            if serde_json::from_str::<Map<String, Value>>(&line).is_ok_and(|request| request.contains_key("stop")) {
                open.iter().filter_map(Weak::upgrade).for_each(|flag| flag.store(true, Ordering::Relaxed));
                continue;
            }
            let cancelled = Arc::new(AtomicBool::new(false));
            open.push(Arc::downgrade(&cancelled));
            if !line.trim().is_empty() && give.send(RequestLine { line, cancelled }).is_err() {
                break;
            }
        }
        // After the end of the input, pending requests are still answered, unless the reader closes the output.
        drop(give);
        while open.iter().any(|flag| flag.strong_count() > 0) {
            if conjure_like_system::output_is_abandoned() {
                open.iter().filter_map(Weak::upgrade).for_each(|flag| flag.store(true, Ordering::Relaxed));
            }
            thread::sleep(READER_INTERVAL);
        }
    };
    // If the thread cannot be started, the channel closes, as at the end of the input.
    let _ = thread::Builder::new().name("requests".to_owned()).spawn(read);
    requests
}
