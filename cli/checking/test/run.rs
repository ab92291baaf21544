//! Runs test cases on several threads.

use super::find::{TestJob, TestPlan};
use crate::runtime::interrupt;
use conjure_like::{TestOptions, TestResult};
use std::{
    collections::BTreeMap,
    sync::{
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc,
    },
    thread,
};

pub(super) struct TestRun<'a> {
    pub plan: &'a TestPlan,
    pub options: &'a TestOptions,
    pub at_once: usize,
}

impl<'p> TestRun<'p> {
    /// Runs the cases and passes each result to `hand_on` in the order of the cases, until it returns false. Returns
    /// true if no thread has panicked.
    pub(super) fn each(&self, mut hand_on: impl FnMut(&'p TestJob, &TestResult) -> bool) -> bool {
        let jobs = &self.plan.jobs;
        in_order(jobs.len(), self.at_once, &|at| self.result(&jobs[at]), |at, result| hand_on(&jobs[at], &result))
    }

    fn result(&self, job: &TestJob) -> TestResult {
        let found = job.file(&self.plan.files);
        let case = job.case(&self.plan.files);
        match (self.plan.model(job), &job.data) {
            (Ok(model), Ok(data)) => found.file.run(case, model, data, self.options),
            (Err(report), _) => TestResult::broken(case, "the model cannot be read", report),
            (_, Err(report)) => TestResult::broken(case, "the data cannot be read", report.clone()),
        }
    }
}

/// Runs `work` for each index on several threads, and passes the results to `hand_on` in order, until it returns false.
/// Returns true if no thread has panicked.
pub(super) fn in_order<T: Send>(
    count: usize,
    at_once: usize,
    work: &(dyn Fn(usize) -> T + Sync),
    mut hand_on: impl FnMut(usize, T) -> bool,
) -> bool {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let next = &next;
        let start = |sender: mpsc::Sender<(usize, T)>| {
            move || {
                while !interrupt::stopping() {
                    let at = next.fetch_add(1, Relaxed);
                    if at >= count || sender.send((at, work(at))).is_err() {
                        break;
                    }
                }
            }
        };
        let threads: Vec<_> = (0..at_once.min(count)).map(|_| scope.spawn(start(sender.clone()))).collect();
        // Without this sender, the channel closes when the last thread ends.
        drop(sender);
        let (mut waiting, mut position) = (BTreeMap::new(), 0);
        'results: for (at, result) in results {
            waiting.insert(at, result);
            while let Some(result) = waiting.remove(&position) {
                if !hand_on(position, result) {
                    // The end of the loop drops the receiver, so each thread stops at its next result.
                    waiting.clear();
                    break 'results;
                }
                position += 1;
            }
        }
        // If a panic has left a gap, the results after it are still passed on.
        for (at, result) in waiting {
            hand_on(at, result);
        }
        threads.into_iter().map(thread::ScopedJoinHandle::join).filter(Result::is_err).count() == 0
    })
}
