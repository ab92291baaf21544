//! Tasks of the language server: requests of the library's protocol, each answered on a separate thread.

use super::transport::Input;
use crate::runtime::interrupt;
use conjure_like::{
    Code, Diagnostic, Limits,
    language_server::Event,
    protocol::{Line, Service},
};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc::Sender,
    },
    thread,
    time::Duration,
};

/// The time without changes before a model is examined. Chosen.
const PAUSE: Duration = Duration::from_millis(500);

/// The running tasks.
pub(super) struct ServerTasks {
    inputs: Sender<Input>,
    /// The flag that cancels each task.
    running: HashMap<u64, Arc<AtomicBool>>,
    /// Held by the running examination; there is one at a time.
    examining: Arc<Mutex<()>>,
}

impl ServerTasks {
    pub(super) fn new(inputs: Sender<Input>) -> Self {
        ServerTasks { inputs, running: HashMap::new(), examining: Arc::default() }
    }

    /// Starts a task.
    pub(super) fn start(&mut self, task: u64, request: Value, after_pause: bool) {
        // If only this list owns a flag, its task has ended.
        self.running.retain(|_, cancelled| Arc::strong_count(cancelled) > 1);
        let cancelled = Arc::new(AtomicBool::new(false));
        self.running.insert(task, cancelled.clone());
        let (inputs, examining) = (self.inputs.clone(), self.examining.clone());
        // If the server has ended, the receiver is gone.
        let report = move |line: Line| {
            let _ = inputs.send(Input::Event(Event::Answer { task, line: json!(line) }));
        };
        let refused = report.clone();
        let work = move || {
            if after_pause {
                // A further change cancels the task during the pause, so only the last of several changes is examined.
                thread::sleep(PAUSE);
            }
            let _turn = after_pause.then(|| examining.lock().unwrap_or_else(PoisonError::into_inner));
            if !cancelled.load(SeqCst) {
                answer_task(request, cancelled, &report);
            }
        };
        if let Err(error) = thread::Builder::new().name("task".to_owned()).spawn(work) {
            refused(failure(&format!("the system cannot start a thread: {error}")));
        }
    }

    /// Ends a task.
    pub(super) fn cancel(&mut self, task: u64) {
        if let Some(cancelled) = self.running.remove(&task) {
            cancelled.store(true, SeqCst);
        }
    }
}

/// Cancels all tasks.
impl Drop for ServerTasks {
    fn drop(&mut self) {
        self.running.values().for_each(|cancelled| cancelled.store(true, SeqCst));
    }
}

/// Answers a request.
fn answer_task(request: Value, cancelled: Arc<AtomicBool>, report: &impl Fn(Line)) {
    let limits = Limits::default().deadline(interrupt::deadline()).interrupted(cancelled);
    let mut service = Service::default();
    service.limits = limits;
    let answered = catch_unwind(AssertUnwindSafe(|| service.answer(request, &mut |line| report(line))));
    // The panic hook has already reported the bug, but the editor still waits for an answer.
    if answered.is_err() {
        report(failure("this is a bug in conjure-like"));
    }
}

fn failure(message: &str) -> Line {
    Line::failure(&Diagnostic::error(Code::COMMAND_LINE, message).into())
}
