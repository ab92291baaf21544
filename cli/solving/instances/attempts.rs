//! The attempts of a search, a line of JSON for each, in the folder of the instances.

use crate::runtime::files::{FileKind, Pending, open_to_add, unwritable};
use conjure_like::{Code, Diagnostic, counted, to_json};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::Write,
    path::{Path, PathBuf},
};

/// The result of an attempt.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct InstanceAttempt {
    /// The number of the combination of a scale and a density.
    pub arm: usize,
    pub scale: f64,
    pub density: Option<f64>,
    /// The result in words: `kept`, `no data`, `made before`, `too fast`, …
    pub result: String,
    /// The processor time of each solver, in seconds.
    pub seconds: Vec<f64>,
    /// The statuses of the solvers.
    pub statuses: Vec<String>,
    /// A digest of the data.
    pub data: Option<String>,
    /// The reward of the combination, between 0 and 1.
    pub reward: f64,
}

pub(super) const KEPT: &str = "kept";

/// The attempts so far, and the file that they are added to.
pub(super) struct Attempts {
    path: PathBuf,
    file: File,
    all: Vec<InstanceAttempt>,
    known: BTreeSet<String>,
}

impl Attempts {
    /// The attempts in a folder about this subject.
    pub(super) fn open(folder: &Path, subject: &str) -> Result<Self, Diagnostic> {
        let path = folder.join("attempts.jsonl");
        let head = format!("{}\n", to_json(&json!({ "subject": subject })));
        let text = fs::read_to_string(&path).unwrap_or_default();
        let mut all = Vec::new();
        match text.strip_prefix(FileKind::Json.mark()) {
            None if text.is_empty() => drop(Pending::whole(&path, FileKind::Json, &head)?),
            Some(lines) if lines.starts_with(&head) => {
                // An incomplete line belongs to an attempt that was killed, so it is skipped.
                all.extend(lines.lines().skip(1).filter_map(|line| serde_json::from_str(line).ok()));
            }
            _ => {
                let message = format!("`{}` has attempts of another search", path.display());
                let error = Diagnostic::error(Code::COMMAND_LINE, message);
                return Err(error.help("name another folder, or remove the old one"));
            }
        }
        let file = open_to_add(&path, FileKind::Json)?;
        let known = all.iter().filter_map(|one: &InstanceAttempt| one.data.clone()).collect();
        let mut attempts = Attempts { path, file, all, known };
        // A run that was killed may have left an incomplete line, which must not continue with the next attempt.
        if !text.is_empty() && !text.ends_with('\n') {
            attempts.write("\n")?;
        }
        Ok(attempts)
    }

    fn write(&mut self, text: &str) -> Result<(), Diagnostic> {
        self.file.write_all(text.as_bytes()).map_err(|error| unwritable(&self.path, error))
    }

    pub(super) fn add(&mut self, attempt: InstanceAttempt) -> Result<(), Diagnostic> {
        let value = serde_json::to_value(&attempt).unwrap_or_default();
        self.write(&format!("{}\n", to_json(&value)))?;
        self.known.extend(attempt.data.clone());
        self.all.push(attempt);
        Ok(())
    }

    pub(super) fn all(&self) -> &[InstanceAttempt] {
        &self.all
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn kept(&self) -> usize {
        self.all.iter().filter(|attempt| attempt.result == KEPT).count()
    }

    /// Records data with this digest, and returns true if they are new.
    pub(super) fn is_new(&mut self, digest: &str) -> bool {
        self.known.insert(digest.to_owned())
    }

    /// A line for each scale and density, if one was kept.
    pub(super) fn table(&self) -> Vec<String> {
        let mut rows: BTreeMap<usize, (f64, Option<f64>, usize, usize)> = BTreeMap::new();
        for attempt in &self.all {
            let row = rows.entry(attempt.arm).or_insert((attempt.scale, attempt.density, 0, 0));
            row.2 += 1;
            row.3 += usize::from(attempt.result == KEPT);
        }
        // A scale without any success shows nothing about the instances that were kept.
        let with_some = rows.values().filter(|(_, _, _, kept)| *kept > 0);
        let line = |(scale, density, tries, kept): &(f64, Option<f64>, usize, usize)| {
            let density = density.map_or(String::new(), |density| format!(", density {density:.2}"));
            format!("  sizes × {scale}{density}: {kept} kept of {}", counted(*tries, "attempt"))
        };
        with_some.map(line).collect()
    }

    /// Summarises the attempts in a sentence.
    pub(super) fn tried(&self) -> String {
        let mut results: BTreeMap<&str, usize> = BTreeMap::new();
        for attempt in self.all.iter().filter(|attempt| attempt.result != KEPT) {
            *results.entry(&attempt.result).or_default() += 1;
        }
        let parts: Vec<String> = results.iter().map(|(result, count)| format!("{count} {result}")).collect();
        format!("of {}: {}", counted(self.len(), "attempt"), parts.join(", "))
    }
}
