//! Waits until a file of the test cases changes.

use super::find::{CaseFile, TestJob, TestPlan};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

/// The interval between reading the times of the files.
const INTERVAL: Duration = Duration::from_millis(300);

/// The files with the times of their last changes; `None` if a file is missing.
pub(super) struct FileTimes(BTreeMap<PathBuf, Option<SystemTime>>);

/// The files that have changed since the times were read.
pub(super) struct ChangedFiles {
    before: FileTimes,
    changed: BTreeSet<PathBuf>,
}

impl ChangedFiles {
    /// True if a case depends on a file that has changed or is new.
    pub(super) fn concern(&self, files: &[CaseFile], job: &TestJob) -> bool {
        paths(files, job).iter().any(|path| self.changed.contains(path) || !self.before.0.contains_key(path))
    }
}

fn paths(files: &[CaseFile], job: &TestJob) -> Vec<PathBuf> {
    let found = job.file(files);
    [found.path.clone(), found.model.clone()].into_iter().chain(job.data_paths.iter().cloned()).collect()
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|data| data.modified()).ok()
}

impl FileTimes {
    /// The times of the files of a plan, and of their folders, whose times change when files are added.
    pub(super) fn of(plan: &TestPlan) -> Self {
        let folder = |path: &PathBuf| match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let files: Vec<PathBuf> = plan.jobs.iter().flat_map(|job| paths(&plan.files, job)).collect();
        let folders: Vec<PathBuf> = files.iter().map(folder).collect();
        FileTimes(files.into_iter().chain(folders).map(|path| (path.clone(), modified(&path))).collect())
    }

    /// Waits for a change. Ctrl-C ends the program here.
    pub(super) fn change(self) -> ChangedFiles {
        loop {
            let changed: BTreeSet<PathBuf> =
                self.0.iter().filter(|(path, time)| modified(path) != **time).map(|(path, _)| path.clone()).collect();
            if !changed.is_empty() {
                return ChangedFiles { before: self, changed };
            }
            thread::sleep(INTERVAL);
        }
    }
}
