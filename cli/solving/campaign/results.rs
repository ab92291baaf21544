//! Results: a line of JSON for each run, in a folder beside the plan.
//!
//! `runs.jsonl` grows line by line while one process runs the plan, and `task-N.json` has the result of a task that ran
//! elsewhere. Each line is written at once, so a process that is killed leaves at most an incomplete line, which is cut
//! off before the next line is written.

use super::{
    inputs::{InputChange, Inputs},
    out_of_date::OutOfDate,
    plan::CampaignPlan,
};
use crate::runtime::files::{self, FileKind, Pending, unwritable};
use conjure_like::{Code, Decimal, Diagnostic, to_json};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, TryLockError},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The result of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RunResult {
    /// The number of the task, starting from 1.
    pub number: usize,
    /// The description of the task.
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
    /// The inputs of the result. It does not count if these or the task have changed.
    pub inputs: Option<Inputs>,
    /// `satisfied`, `optimal`, `unsatisfiable`, `all solutions`, `time limit`, `memory limit`, `unknown` or `error`.
    pub status: String,
    pub solutions: u64,
    #[serde(with = "decimal")]
    pub objective: Option<Decimal>,
    /// The wall time of the process.
    pub seconds: f64,
    /// The peak memory in bytes.
    pub memory: Option<u64>,
    /// The message of the program, if something is wrong.
    pub message: Option<String>,
}

/// A decimal number in the program's JSON form.
mod decimal {
    use conjure_like::Decimal;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(decimal: &Option<Decimal>, to: S) -> Result<S::Ok, S::Error> {
        decimal.map(Decimal::json).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Decimal>, D::Error> {
        let read = |json: Value| Decimal::of_json(&json).ok_or_else(|| D::Error::custom("not a decimal number"));
        Option::<Value>::deserialize(from)?.map(read).transpose()
    }
}

impl RunResult {
    /// The reason why the result does not count for the task that now has its number. An answer within the new limits
    /// counts, whatever the old limits were.
    fn change_since(&self, plan: &CampaignPlan) -> Option<InputChange> {
        let number = self.number - 1;
        if plan.task(number).key() != self.task {
            return Some(InputChange::Task);
        }
        let Some(inputs) = &self.inputs else { return Some(InputChange::Unknown) };
        let now = plan.inputs(number);
        let within = |limit: u64| self.memory.is_none_or(|bytes| bytes / 1_000_000 <= limit);
        match inputs.change(&now) {
            Some(InputChange::Limits) if self.is_solved() && self.seconds <= now.time && within(now.memory) => None,
            change => change,
        }
    }

    /// True if the run has a definite answer.
    pub(super) fn is_solved(&self) -> bool {
        ["satisfied", "optimal", "unsatisfiable", "all solutions"].contains(&self.status.as_str())
    }
}

/// The folder of the results.
pub(super) struct CampaignResults {
    folder: PathBuf,
}

impl CampaignResults {
    pub(super) fn of(plan: &Path) -> Self {
        CampaignResults { folder: plan.with_extension("results") }
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

    /// Calls `each` for each task's result; returns the results that are out of date.
    pub(super) fn each(&self, plan: &CampaignPlan, each: impl FnMut(RunResult)) -> Result<OutOfDate, Diagnostic> {
        self.each_of(plan, |_| true, each)
    }

    /// Calls `each` for the results of some tasks.
    pub(super) fn each_of(
        &self,
        plan: &CampaignPlan,
        wanted: impl Fn(usize) -> bool,
        mut each: impl FnMut(RunResult),
    ) -> Result<OutOfDate, Diagnostic> {
        let mut seen = vec![false; plan.len()];
        let mut out_of_date = OutOfDate::default();
        let mut take = |line: &str| {
            // An incomplete line comes from a run that was killed; its task runs again.
            let Ok(mut result) = serde_json::from_str::<RunResult>(line) else { return };
            let Some(number) = result.number.checked_sub(1).filter(|number| *number < seen.len()) else { return };
            // A task may have run twice; its first valid result counts.
            if seen[number] || !wanted(number) {
                return;
            }
            match result.change_since(plan) {
                Some(change) => out_of_date.add(number, change),
                None => {
                    seen[number] = true;
                    out_of_date.remove(number);
                    // The key of a task does not contain the name of its family, which may have changed since.
                    result.family = plan.family_and_setting(number).0.to_owned();
                    each(result);
                }
            }
        };
        let unreadable = |path: &Path, error: std::io::Error| {
            Diagnostic::error(Code::FILE_UNREADABLE, format!("cannot read `{}`: {error}", path.display()))
        };
        let runs = self.runs();
        // Reading a link to a device would never end. An attempt to write there reports it.
        if runs.is_file() {
            let file = File::open(&runs).map_err(|error| unreadable(&runs, error))?;
            for line in BufReader::new(file).split(b'\n') {
                let line = line.map_err(|error| unreadable(&runs, error))?;
                take(&String::from_utf8_lossy(&line));
            }
        }
        // Without the folder, there are no more results.
        let Ok(entries) = fs::read_dir(&self.folder) else { return Ok(out_of_date) };
        let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|path| self.is_task_file(path));
        // The first result of a task counts, so the order of the files must be fixed.
        files.sort();
        for path in files {
            let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            take(text.trim());
        }
        Ok(out_of_date)
    }

    fn is_task_file(&self, path: &Path) -> bool {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let number = name.strip_prefix("task-").and_then(|name| name.strip_suffix(".json"));
        number.is_some_and(|number| number.parse::<usize>().is_ok()) && path.is_file()
    }

    /// The file to which results are appended, locked for this process.
    pub(super) fn open(&self) -> Result<RunsFile, Diagnostic> {
        let path = self.runs();
        let wrong = |error: std::io::Error| unwritable(&path, error);
        fs::create_dir_all(&self.folder).map_err(wrong)?;
        let mut file = files::open_to_add(&path, FileKind::Json)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(unwritable(&path, "another process runs this campaign"));
            }
            // Some network file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        cut_off(&mut file, FileKind::Json.mark().len() as u64).map_err(wrong)?;
        Ok(RunsFile { file, path })
    }

    /// Writes the result of a task that runs alone.
    pub(super) fn write_task(&self, number: usize, result: &RunResult) -> Result<(), Diagnostic> {
        fs::create_dir_all(&self.folder).map_err(|error| unwritable(&self.folder, error))?;
        Pending::whole(&self.task_file(number), FileKind::Json, &result_line(result)).map(drop)
    }
}

/// The file `runs.jsonl`, opened for appending.
pub(super) struct RunsFile {
    file: File,
    path: PathBuf,
}

impl RunsFile {
    pub(super) fn add(&mut self, result: &RunResult) -> Result<(), Diagnostic> {
        self.file.write_all(result_line(result).as_bytes()).map_err(|error| unwritable(&self.path, error))
    }
}

fn result_line(result: &RunResult) -> String {
    to_json(&serde_json::to_value(result).unwrap_or_default()) + "\n"
}

/// Removes an incomplete last line, but keeps the mark of the file.
fn cut_off(file: &mut File, mark: u64) -> std::io::Result<()> {
    const BLOCK: u64 = 64 * 1024;
    let mut end = file.metadata()?.len();
    // There may be a million lines, so the end is searched in blocks.
    while end > mark {
        let start = end.saturating_sub(BLOCK);
        file.seek(SeekFrom::Start(start))?;
        let mut block = vec![0; (end - start) as usize];
        file.read_exact(&mut block)?;
        match block.iter().rposition(|byte| *byte == b'\n') {
            Some(at) => return file.set_len(start + at as u64 + 1),
            None => end = start,
        }
    }
    file.set_len(mark)
}
