//! Runs a process for each submission, and ends it when it exceeds a limit.

use super::{
    job::{InstanceResult, Job, WorkerEvent},
    submissions::Unfit,
};
use crate::runtime::{Exit, interrupt, processes};
use conjure_like::Shortcoming;
use serde_json::Value;
use std::{
    env,
    io::{self, BufRead},
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// The maximum number of bytes that are read from the output of a process. Chosen.
const MOST_OUTPUT: u64 = 4_000_000;

/// The extra time for a process that should stop at the limits of its instances by itself. Chosen.
const GRACE: Duration = Duration::from_secs(5);

/// The mistakes in a submission, as text and as JSON.
#[derive(Clone)]
pub(super) struct WorkerReport {
    pub text: String,
    pub diagnostics: Vec<Value>,
}

/// The verdict on a submission.
#[derive(Clone)]
pub(super) enum WorkerVerdict {
    /// There is no text to grade.
    Unfit(Unfit),
    /// The submission cannot be compared, for this reason.
    Rejected(Shortcoming, WorkerReport),
    /// It was compared.
    Compared {
        constraints: usize,
        /// The results in the order of the instances; none after the first that is too slow.
        results: Vec<InstanceResult>,
    },
    /// An error outside the submission.
    Fault(String),
}

/// Grades all jobs, `at_once` at a time. A job has no verdict if it had not finished when the run was interrupted.
pub(super) fn grade(jobs: &[Job], memory: u64, at_once: usize) -> Vec<Option<WorkerVerdict>> {
    let next = AtomicUsize::new(0);
    let verdicts: Mutex<Vec<Option<WorkerVerdict>>> = Mutex::new(vec![None; jobs.len()]);
    thread::scope(|scope| {
        for _ in 0..at_once.min(jobs.len()) {
            scope.spawn(|| {
                while !interrupt::stopping() {
                    let at = next.fetch_add(1, Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let verdict = supervised(job, memory).unwrap_or_else(|error| {
                        WorkerVerdict::Fault(format!("the process that grades cannot be run: {error}"))
                    });
                    // An interruption ends the process, whose output may be incomplete, so there is no verdict.
                    if !interrupt::stopping() {
                        verdicts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())[at] = Some(verdict);
                    }
                }
            });
        }
    });
    verdicts.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn supervised(job: &Job, memory: u64) -> io::Result<WorkerVerdict> {
    let mut worker = Command::new(env::current_exe()?);
    worker.arg("grade-worker").arg("--limit-memory").arg(memory.to_string()).stderr(Stdio::null());
    // Reading the two models gets one more share of the time.
    let all = job.time().saturating_mul(1 + job.instances.len() as u32) + GRACE;
    let job_text = serde_json::to_vec(job).unwrap_or_default();
    let output = processes::output(&mut worker, &job_text, MOST_OUTPUT, all, |_| {})?;
    let has_failed = output.status.code() == Some(Exit::Fault as i32);
    Ok(verdict_of_events(events(&output.stdout), job.instances.len(), has_failed))
}

/// The events in the output, up to the first line that is not an event.
fn events(output: &[u8]) -> Vec<WorkerEvent> {
    // If the process was ended, the last line may be incomplete.
    output.lines().map_while(|line| serde_json::from_str(&line.ok()?).ok()).collect()
}

/// The verdict from the events of a process. If some are missing, a limit has ended the process.
fn verdict_of_events(events: Vec<WorkerEvent>, instances: usize, has_failed: bool) -> WorkerVerdict {
    let mut read = None;
    let mut results: Vec<InstanceResult> = Vec::new();
    for event in events {
        match event {
            WorkerEvent::Rejected { kind, text, diagnostics } => {
                let kind = super::job::shortcoming_named(&kind).unwrap_or(Shortcoming::Syntax);
                return WorkerVerdict::Rejected(kind, WorkerReport { text, diagnostics });
            }
            WorkerEvent::Fault { text } => return WorkerVerdict::Fault(text),
            WorkerEvent::Read { constraints } => read = Some(constraints),
            WorkerEvent::Instance(result) => results.push(*result),
        }
    }
    // After a slow instance, the process tries no others.
    let is_missing = results.len() < instances && !results.last().is_some_and(InstanceResult::is_slow);
    if is_missing && has_failed {
        return WorkerVerdict::Fault("this is a bug in conjure-like: please report it with the submission".to_owned());
    }
    // If this event is missing, the process was ended while it read the submission.
    let Some(constraints) = read else {
        return WorkerVerdict::Rejected(
            Shortcoming::Slow,
            WorkerReport {
                text: "The submission could not be read within the limits.\n".to_owned(),
                diagnostics: Vec::new(),
            },
        );
    };
    if is_missing {
        results.push(InstanceResult::slow());
    }
    WorkerVerdict::Compared { constraints, results }
}
