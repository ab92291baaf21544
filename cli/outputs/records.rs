//! The files with statistics that clients of Conjure read: `.eprime-info` with one number per line, and `.stats.json`.

use crate::runtime::interrupt::{self, Cause};
use conjure_like::{SolveStatus, Summary, to_json};
use serde_json::{Map, Value, json};
use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

/// A finished run on one instance.
pub(crate) struct Run<'a> {
    pub model: &'a Path,
    pub parameters: Option<&'a Path>,
    /// The name of the solver.
    pub solver: &'a str,
    pub summary: &'a Summary,
    /// The total time for the instance, and the time of the search.
    pub time: Duration,
    pub search: Duration,
    /// A note for users of a client that does not show standard output: Conjure's extension for notebooks shows only
    /// this table of numbers beside the solutions.
    pub note: Option<&'static str>,
}

impl Run<'_> {
    /// The numbers under Savile Row's names, one per line with a single colon. The time before the search counts as
    /// Savile Row's time.
    pub(crate) fn info(&self) -> String {
        let numbers = self.numbers();
        let numbers = numbers.iter().map(|(name, value)| format!("{name}:{}\n", savile_row_number(value)));
        // Each line has a colon between name and value, so values must not contain one.
        numbers.chain(self.note.map(|note| format!("Note:{}\n", note.replace(':', ",")))).collect()
    }

    fn numbers(&self) -> Map<String, Value> {
        let statistics = self.summary.statistics.as_ref();
        let counter = |wanted: &str| {
            let counters = statistics.map_or(&[][..], |statistics| &statistics.counters);
            counters.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, count)| *count)
        };
        // Conjure expects the names that Savile Row uses in these files.
        let found = self.summary.solutions;
        let numbers = json!({
            "SolverTotalTime": significant_seconds(self.search),
            "SolverTimeOut": u8::from(self.status() == "TimeOut"),
            "SolverMemOut": u8::from(self.status() == "MemOut"),
            "SolverSatisfiable": u8::from(found > 0),
            "SolverSolutionsFound": found,
            "SolverNodes": counter("decisions"),
            "SolverFailures": counter("conflicts"),
            "SavileRowTotalTime": significant_seconds(self.time.saturating_sub(self.search)),
            "SavileRowTimeOut": 0,
            "SavileRowClauseOut": 0,
        });
        numbers.as_object().cloned().unwrap_or_default()
    }

    /// Conjure's word for the end of the run.
    fn status(&self) -> &'static str {
        match &self.summary.status {
            SolveStatus::TimeLimit => "TimeOut",
            // The memory limit ends a search by an interruption.
            SolveStatus::Interrupted if interrupt::cause_of_interruption() == Cause::Memory => "MemOut",
            SolveStatus::Interrupted | SolveStatus::Unknown(_) => "Error",
            _ => "OK",
        }
    }

    /// The statistics of the run as one JSON object, with Conjure's members.
    pub(crate) fn statistics(&self) -> String {
        let info: Map<String, Value> =
            self.numbers().into_iter().map(|(name, value)| (name, savile_row_number(&value).into())).collect();
        // Conjure expects a list of parameter files, although there is at most one.
        let parameters: Vec<String> = self.parameters.iter().map(|path| path.display().to_string()).collect();
        let version = format!("conjure-like {}", env!("CARGO_PKG_VERSION"));
        let statistics = json!({
            "status": self.status(),
            "totalTime": significant_seconds(self.time),
            "essence": self.model.display().to_string(),
            "essenceParams": parameters,
            // Readers of these files expect these members, so they are present but empty.
            "solver": self.solver,
            "solverOptions": [],
            "savilerowOptions": [],
            "savilerowInfo": info,
            "savilerowLogs": {"exitCode": 0},
            "savilerowVersion": version,
            "conjureVersion": version,
            "runsolverInfo": {},
            "useExistingModels": [],
            "computer": computer(),
            "timestamp": humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        });
        to_json(&statistics) + "\n"
    }
}

/// Seconds, rounded down to milliseconds.
fn significant_seconds(time: Duration) -> f64 {
    time.as_millis() as f64 / 1e3
}

/// A number as Savile Row writes it, without quotation marks.
fn savile_row_number(value: &Value) -> String {
    value.to_string()
}

/// The name of the machine, if the system has it in a file.
fn computer() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").map_or(String::new(), |name| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use conjure_like::{Model, SolveOptions, Text};
    use std::ops::ControlFlow;

    #[test]
    fn each_line_has_one_colon() {
        let any = Text::new("m.essence", "find x : bool");
        let instance = Model::read(&any).and_then(|model| model.instance(&[])).expect("an instance");
        let summary = instance.solve(&SolveOptions::default(), &mut |_| ControlFlow::Continue(()));
        let mut summary = summary.expect("a solution");
        (summary.status, summary.solutions) = (SolveStatus::TimeLimit, 2);
        let run = Run {
            model: Path::new("m.essence"),
            parameters: None,
            solver: "auto",
            summary: &summary,
            time: Duration::from_millis(1500),
            search: Duration::from_millis(1250),
            note: Some("two words: both shown"),
        };
        let info = run.info();
        assert!(info.lines().all(|line| line.split(':').count() == 2), "{info}");
        for line in [
            "SolverTotalTime:1.25",
            "SavileRowTotalTime:0.25",
            "SolverTimeOut:1",
            "SolverSolutionsFound:2",
            "Note:two words, both shown",
        ] {
            assert!(info.lines().any(|other| other == line), "{info}");
        }
        assert!(run.statistics().contains(r#""status":"TimeOut""#));
    }
}
