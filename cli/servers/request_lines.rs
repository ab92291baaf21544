//! Requests on standard input, one on each line, read by a thread of its own, so that a request can end the searches of
//! those before it.

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

/// How often a program whose input has ended looks whether anybody still reads its answers.
const READER_INTERVAL: Duration = Duration::from_millis(200);

/// A line of standard input, and the flag that ends its search.
pub(crate) struct RequestLine {
    pub line: String,
    pub cancelled: Arc<AtomicBool>,
}

/// The requests. A request with the member `stop` has no answer, and ends the searches of all before it.
pub(crate) fn request_lines() -> mpsc::Receiver<RequestLine> {
    let (give, requests) = mpsc::channel();
    let read = move || {
        let mut open: Vec<Weak<AtomicBool>> = Vec::new();
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
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
        // What was asked for is answered, as long as somebody reads the answers.
        drop(give);
        while open.iter().any(|flag| flag.strong_count() > 0) {
            if conjure_like_system::output_is_abandoned() {
                open.iter().filter_map(Weak::upgrade).for_each(|flag| flag.store(true, Ordering::Relaxed));
            }
            thread::sleep(READER_INTERVAL);
        }
    };
    // Without the thread, the input has ended.
    let _ = thread::Builder::new().name("requests".to_owned()).spawn(read);
    requests
}
