//! Results: a line of JSON for each run, in a folder beside the plan.
//!
//! `runs.jsonl` grows line by line while one process runs the plan, and `task-N.json` holds the result of a task that ran elsewhere. A line
//! is written at once, so that a process that is killed leaves at most a part of a line, which is cut off when the next one begins.

use super::{
    cubes::CubesFound,
    plan::{Plan, Task},
};
use crate::cli::files::unwritable;
use conjure_like::{Code, Diagnostic, to_json};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// What came of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunResult {
    /// The number of the task, from 1 on.
    pub number: usize,
    /// The task in words; it does not count if the plan has another task of this number now.
    pub task: String,
    pub family: String,
    pub model: String,
    pub parameters: Option<String>,
    /// The number of the cube, if the task is a part of an instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cube: Option<usize>,
    pub setting: String,
    pub seed: Option<u32>,
    pub repeat: usize,
    /// `satisfied`, `optimal`, `unsatisfiable`, `all solutions`, `time limit`, `memory limit`, `unknown` or `error`.
    pub status: String,
    pub solutions: u64,
    pub objective: Option<i64>,
    /// Wall time of the process.
    pub seconds: f64,
    /// Peak memory in bytes.
    pub memory: Option<u64>,
    /// What the program said, if something is wrong.
    pub message: Option<String>,
}

impl RunResult {
    /// Whether the run has come to a definite answer.
    pub(super) fn is_solved(&self) -> bool {
        ["satisfied", "optimal", "unsatisfiable", "all solutions"].contains(&self.status.as_str())
    }
}

/// The folder of the results.
pub(super) struct Results {
    folder: PathBuf,
}

impl Results {
    pub(super) fn of(plan: &Path) -> Self {
        Results { folder: plan.with_extension("results") }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn runs(&self) -> PathBuf {
        self.folder.join("runs.jsonl")
    }

    fn task_file(&self, number: usize) -> PathBuf {
        self.folder.join(format!("task-{}.json", number + 1))
    }

    /// Calls `each` for every result that belongs to a task of the plan, once for each task.
    pub(super) fn each(&self, plan: &Plan, mut each: impl FnMut(RunResult)) -> Result<(), Diagnostic> {
        let mut seen = vec![false; plan.len()];
        let mut take = |line: &str, each: &mut dyn FnMut(RunResult)| {
            // A part of a line is a run that was cut off; it runs again.
            let Ok(result) = serde_json::from_str::<RunResult>(line) else { return };
            let Some(number) = result.number.checked_sub(1).filter(|number| *number < seen.len()) else { return };
            if !seen[number] && plan.task(number).key() == result.task {
                seen[number] = true;
                each(result);
            }
        };
        let unreadable = |path: &Path, error: std::io::Error| {
            Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{}`: {error}", path.display()))
        };
        let runs = self.runs();
        if let Ok(file) = File::open(&runs) {
            for line in BufReader::new(file).split(b'\n') {
                let line = line.map_err(|error| unreadable(&runs, error))?;
                take(&String::from_utf8_lossy(&line), &mut each);
            }
        }
        let Ok(entries) = fs::read_dir(&self.folder) else { return Ok(()) };
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("task-")));
        files.sort();
        for path in files {
            let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            take(text.trim(), &mut each);
        }
        Ok(())
    }

    /// Whether each task has a result, or needs none; and what the cubes of an instance have found together.
    pub(super) fn done(&self, plan: &Plan) -> Result<(Vec<bool>, CubesFound), Diagnostic> {
        let mut done = vec![false; plan.len()];
        let mut found = CubesFound::default();
        self.each(plan, |result| {
            done[result.number - 1] = true;
            found.add(plan, &result);
        })?;
        for (number, done) in done.iter_mut().enumerate() {
            *done |= found.is_settled(plan, number);
        }
        Ok((done, found))
    }

    /// The file to which results are added, for this process alone.
    pub(super) fn open(&self) -> Result<RunsFile, Diagnostic> {
        let path = self.runs();
        let wrong = |error: std::io::Error| unwritable(&path, error);
        fs::create_dir_all(&self.folder).map_err(wrong)?;
        let mut file = OpenOptions::new().create(true).read(true).append(true).open(&path).map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(unwritable(&path, "another process runs this campaign"));
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        cut_off(&mut file).map_err(wrong)?;
        Ok(RunsFile { file, path })
    }

    /// Writes the result of a task that runs alone.
    pub(super) fn write_task(&self, task: &Task, result: &RunResult) -> Result<(), Diagnostic> {
        let path = self.task_file(task.number);
        let wrong = |error: std::io::Error| unwritable(&path, error);
        fs::create_dir_all(&self.folder).map_err(wrong)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(wrong)?;
        file.write_all(line(result).as_bytes()).map_err(wrong)?;
        file.persist(&path).map_err(|error| wrong(error.error))?;
        Ok(())
    }
}

/// The file `runs.jsonl`, to add to.
pub(super) struct RunsFile {
    file: File,
    path: PathBuf,
}

impl RunsFile {
    pub(super) fn add(&mut self, result: &RunResult) -> Result<(), Diagnostic> {
        self.file.write_all(line(result).as_bytes()).map_err(|error| unwritable(&self.path, error))
    }
}

fn line(result: &RunResult) -> String {
    to_json(&serde_json::to_value(result).unwrap_or_default()) + "\n"
}

/// Removes a last line that is not complete.
fn cut_off(file: &mut File) -> std::io::Result<()> {
    const BLOCK: u64 = 64 * 1024;
    let mut end = file.metadata()?.len();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        let mut block = vec![0; (end - start) as usize];
        file.read_exact(&mut block)?;
        match block.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => return file.set_len(start + at as u64 + 1),
            None => end = start,
        }
    }
    file.set_len(0)
}
