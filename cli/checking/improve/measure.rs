//! The processor time that improvements save on all instances, with each solver.

use super::{super::review::solved, Measured};
use crate::runtime::interrupt;
use conjure_like::{Improvement, Model, Report, SolveOptions, SolvedVersion, SolverName, Text, counted};
use serde_json::{Value, json};
use std::{
    fmt::{self, Display, Formatter},
    time::{Duration, Instant},
};

/// Shorter times are measured repeatedly, and the shortest one counts. Chosen.
const SHORT: Duration = Duration::from_millis(300);
const REPETITIONS: usize = 3;
/// A smaller difference, in seconds, is noise. Chosen.
const NOTICEABLE: f64 = 0.05;

/// The times of a model and of an improved one with a solver.
pub(super) struct Saving {
    solver: SolverName,
    before: Times,
    after: Times,
    instances: usize,
}

/// The time for all instances, and the number of instances that a limit ended.
#[derive(Clone, Copy, Default)]
struct Times {
    time: Duration,
    unsolved: usize,
}

/// The savings of all improvements.
pub(super) fn savings(
    model: &Model,
    found: &[Improvement],
    instances: &[Vec<Text>],
    solvers: &[SolverName],
    limit: Duration,
) -> Result<Vec<Measured>, Report> {
    // The default solver is always the first, and must not occur twice.
    let mut all: Vec<SolverName> = vec![SolverName::default()];
    all.extend(solvers.iter().filter(|solver| **solver != SolverName::default()));
    let mut measured: Vec<Measured> = found.iter().map(|_| Vec::new()).collect();
    for solver in all {
        let before = times(model, instances, solver, limit)?;
        for (improvement, measured) in found.iter().zip(&mut measured) {
            // If some improvements were not measured, the table would compare different things.
            if interrupt::limits().reached().is_some() {
                return Ok(Vec::new());
            }
            let after = times(&Model::read(&improvement.text)?, instances, solver, limit)?;
            measured.push(Saving { solver, before, after, instances: instances.len() });
        }
    }
    Ok(measured)
}

fn times(model: &Model, instances: &[Vec<Text>], solver: SolverName, limit: Duration) -> Result<Times, Report> {
    let mut all = Times::default();
    for data in instances {
        let instance = model.instance(data)?;
        let mut shortest: Option<SolvedVersion> = None;
        for _ in 0..REPETITIONS {
            let search = interrupt::engine_options(Some(1));
            let deadline = Instant::now().checked_add(limit);
            let limits = search.limits.clone().deadline(search.limits.deadline.into_iter().chain(deadline).min());
            let version = solved(&instance, &SolveOptions::default().solver(solver).search(search.limits(limits)))?;
            let is_short = version.time < SHORT;
            if shortest.as_ref().is_none_or(|shortest| version.time < shortest.time) {
                shortest = Some(version);
            }
            if !is_short {
                break;
            }
        }
        if let Some(version) = shortest {
            all.time += version.time;
            all.unsolved += usize::from(!version.status.is_definite());
        }
    }
    Ok(all)
}

impl Display for Saving {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let (before, after) = (self.before.time.as_secs_f64(), self.after.time.as_secs_f64());
        let on = counted(self.instances, "instance");
        let share = ((after - before).abs() / before.max(1e-9) * 100.0).min(999.0);
        let verdict = match after - before {
            difference if difference.abs() < NOTICEABLE => "Makes no difference".to_owned(),
            difference if difference < 0.0 => format!("Saves {share:.0} % of the time"),
            _ => format!("Costs {share:.0} % more time"),
        };
        let solver = self.solver.name();
        write!(f, "{verdict} with {solver}: {before:.2} s before, {after:.2} s after, on {on}")?;
        match (self.before.unsolved, self.after.unsolved) {
            (0, 0) => Ok(()),
            (old, new) => write!(f, ", of which {old} before and {new} after were not solved in time"),
        }
    }
}

impl Saving {
    pub(super) fn to_value(&self) -> Value {
        let seconds = |times: &Times| (times.time.as_secs_f64() * 1e3).round() / 1e3;
        json!({
            "solver": self.solver.name(),
            "before": {"seconds": seconds(&self.before), "unsolved": self.before.unsolved},
            "after": {"seconds": seconds(&self.after), "unsolved": self.after.unsolved},
            "instances": self.instances,
        })
    }
}
