//! `--statistics`: the amount of work, and the time it took.
//!
//! As text, one line for each phase when it ends; with JSON as the output format, one object per instance on a line.
//! Both go to standard error, so that standard output has solutions only.

use super::solutions::SolutionFormat;
use crate::runtime::{memory::peak_memory, report::say};
use conjure_like::{Claim, Summary, to_json};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Numbers with their names.
type Counts = Vec<(String, u64)>;

#[derive(Clone)]
struct Phase {
    name: &'static str,
    time: Duration,
    counts: Counts,
}

/// The measurements of a run; silent unless requested.
#[derive(Clone)]
pub(crate) struct RunStatistics {
    asked: bool,
    json: bool,
    started: Instant,
    phases: Vec<Phase>,
    /// The streamliners under which a solution was found before the search of the whole space.
    pub streamliner: Option<String>,
}

impl RunStatistics {
    pub(crate) fn start(asked: bool, format: SolutionFormat) -> Self {
        RunStatistics {
            asked,
            json: matches!(format, SolutionFormat::Json | SolutionFormat::Jsonstream),
            started: Instant::now(),
            phases: Vec::new(),
            streamliner: None,
        }
    }

    /// Starts the clock of the next phase.
    pub(crate) fn restart(&mut self) {
        self.started = Instant::now();
    }

    /// Ends a phase and records its counts.
    pub(crate) fn lap(&mut self, name: &'static str, counts: &[(&str, u64)]) {
        let time = self.started.elapsed();
        self.add(name, time, counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect());
        self.restart();
    }

    fn add(&mut self, name: &'static str, time: Duration, counts: Counts) {
        if !self.asked {
            return;
        }
        if !self.json {
            let counts: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            say(&format!("{name}: {:.3} s; {}", time.as_secs_f64(), counts.join(", ")));
        }
        self.phases.push(Phase { name, time, counts });
    }

    /// Ends the search, the last phase. `solver` is the name of the solver.
    pub(crate) fn end(mut self, instance: &str, solver: &str, summary: &Summary) {
        if !self.asked {
            return;
        }
        let search = self.started.elapsed();
        let counted = summary.statistics.as_ref();
        let mut found = vec![("solutions".to_owned(), summary.solutions as u64)];
        let mut method = "";
        if let Some(counted) = counted {
            let named = |counts: &[(&'static str, u64)]| -> Counts {
                counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
            };
            let by_kind = counted.clauses.iter().map(|(kind, count)| (format!("clauses of {kind}"), *count));
            self.add("encoding", counted.encoding, named(&counted.sizes).into_iter().chain(by_kind).collect());
            found.extend(named(&counted.counters));
            method = &counted.method;
        }
        // The time measured for the search includes the encoding, which has its own line.
        let encoding = counted.map_or(Duration::ZERO, |counted| counted.encoding);
        self.add("search", search.saturating_sub(encoding), found);
        let bytes = peak_memory();
        if !self.json {
            say(&format!("solver: {solver}{}{method}", if method.is_empty() { "" } else { "; " }));
            if let Some(name) = &self.streamliner {
                say(&format!("streamliner: {name}"));
            }
            if let Some(claim) = counted.and_then(|counted| counted.claim.as_ref()) {
                say(&format!("claim: {claim}"));
            }
            if let Some(bytes) = bytes {
                say(&format!("memory: {:.1} MB at most", bytes as f64 / 1e6));
            }
            return;
        }
        let mut statistics = json!({
            "instance": instance,
            "status": summary.status.to_string(),
            "solver": solver,
            "method": method,
            "bound": counted.and_then(|counted| counted.bound),
            "claim": counted.and_then(|counted| counted.claim.as_ref()).map(claim),
            "memory": bytes,
            "phases": self.phases.iter().map(phase_as_json).collect::<Value>(),
        });
        if let Some(name) = &self.streamliner {
            statistics["streamliner"] = json!(name);
        }
        say(&to_json(&json!({"statistics": statistics})));
    }
}

fn phase_as_json(phase: &Phase) -> Value {
    let counts: Value = phase.counts.iter().cloned().collect();
    json!({"phase": phase.name, "seconds": whole_microseconds(phase.time), "counts": counts})
}

fn claim(claim: &Claim) -> Value {
    let Claim { by, confirmed_by, open, time, .. } = claim;
    let open = Some(open).filter(|open| !open.is_empty());
    json!({"by": by, "confirmed_by": confirmed_by, "open": open, "seconds": whole_microseconds(*time)})
}

/// Rounds down to microseconds; further digits are meaningless.
fn whole_microseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e6
}
