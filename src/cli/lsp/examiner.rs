//! What a solver proves about the open models, as `type-check` does: on a thread of its own, a moment after the last
//! change.

use super::workspace::{ModelWithData, Workspace};
use crate::cli::interrupt;
use conjure_like::{Diagnostic, ExamineOptions, Instance, Model, Text};
use std::{
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::SeqCst},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

/// An examination begins when no text has changed for this long.
const PAUSE: Duration = Duration::from_millis(500);

/// An examination of a model.
struct ExaminationTask {
    subject: ModelWithData,
    /// Ends the examination early; its findings are dropped then.
    interrupted: Arc<AtomicBool>,
}

/// What an examination has found, in the model.
pub(super) struct ExaminationResult {
    pub uri: String,
    pub warnings: Vec<Diagnostic>,
    interrupted: Arc<AtomicBool>,
}

impl ExaminationResult {
    /// Whether the texts are still those that were examined.
    pub(super) fn is_current(&self) -> bool {
        !self.interrupted.load(SeqCst)
    }
}

/// Hands on what was found; false if nobody wants it any longer.
type Teller = Arc<dyn Fn(ExaminationResult) -> bool + Send + Sync>;

/// Gives models to the thread that examines them.
pub(super) struct Examiner {
    tell: Teller,
    /// `None` before the first examination, and where the system refuses the thread.
    tasks: Option<Sender<ExaminationTask>>,
    /// For each open model what was last examined, or is being examined.
    latest: HashMap<String, ExaminationTask>,
    /// Whether the client wants it.
    pub is_wanted: bool,
}

impl Examiner {
    pub(super) fn new(tell: Teller) -> Self {
        Examiner { tell, tasks: None, latest: HashMap::new(), is_wanted: true }
    }

    /// Examines the open models that have changed, themselves or in their data.
    pub(super) fn examine(&mut self, workspace: &mut Workspace) {
        self.turn_to(if self.is_wanted { workspace.models_with_data() } else { Vec::new() });
    }

    /// Ends all examinations.
    pub(super) fn cancel_all(&mut self) {
        self.turn_to(Vec::new());
    }

    /// Examines these models, if they are not being examined or have been already. All other examinations end.
    fn turn_to(&mut self, open: Vec<ModelWithData>) {
        self.latest.retain(|_, task| {
            let is_same = open.contains(&task.subject);
            if !is_same {
                task.interrupted.store(true, SeqCst);
            }
            is_same
        });
        for subject in open {
            if self.latest.contains_key(&subject.uri) {
                continue;
            }
            let uri = subject.uri.clone();
            let interrupted = Arc::new(AtomicBool::new(false));
            let task = || ExaminationTask { subject: subject.clone(), interrupted: interrupted.clone() };
            if self.tasks.as_ref().is_none_or(|tasks| tasks.send(task()).is_err()) {
                self.tasks = started(self.tell.clone());
                let _ = self.tasks.as_ref().map(|tasks| tasks.send(task()));
            }
            self.latest.insert(uri, task());
        }
    }
}

/// Starts the thread.
fn started(tell: Teller) -> Option<Sender<ExaminationTask>> {
    let (sender, tasks) = channel();
    let thread = thread::Builder::new().name("examiner".to_owned());
    thread.spawn(move || work(&tasks, &tell)).ok().map(|_| sender)
}

/// Does tasks until the server has ended.
fn work(tasks: &Receiver<ExaminationTask>, tell: &Teller) {
    while let Ok(first) = tasks.recv() {
        let mut waiting = vec![first];
        while let Ok(next) = tasks.recv_timeout(PAUSE) {
            waiting.push(next);
            // Tasks that a later change has ended need no memory.
            waiting.retain(|task| !task.interrupted.load(SeqCst));
        }
        for ExaminationTask { subject, interrupted } in waiting {
            if interrupted.load(SeqCst) {
                continue;
            }
            let found = catch_unwind(AssertUnwindSafe(|| findings(&subject, &interrupted)));
            // After a panic, which the hook has reported, nothing is known.
            let examined = ExaminationResult { uri: subject.uri, warnings: found.unwrap_or_default(), interrupted };
            if !tell(examined) {
                return;
            }
        }
    }
}

/// The warnings about a model that its instances show.
fn findings(subject: &ModelWithData, interrupted: &Arc<AtomicBool>) -> Vec<Diagnostic> {
    let Ok(model) = Model::read(&subject.model) else { return Vec::new() };
    let data = subject.data.iter().flat_map(Text::instances);
    let instances: Vec<Instance> = match model.givens().next() {
        Some(_) => data.filter_map(|data| model.instance(&[data]).ok()).collect(),
        None => model.instance(&[]).into_iter().collect(),
    };
    let search = interrupt::engine_options(None).limits(interrupt::limits().interrupted(interrupted.clone()));
    model.examine(&instances, &ExamineOptions::default().deep(false).search(search)).diagnostics
}
