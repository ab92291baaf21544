//! The process that solves one instance, on one thread. It gets the texts on standard input, and prints a line of JSON.

use crate::runtime::{Exit, interrupt, processes, stdout};
use clap::Args;
use conjure_like::{Model, SolveOptions, SolveStatus, SolverName, Text};
use conjure_like_system::processor_time;
use serde::{Deserialize, Serialize};
use std::{
    env,
    io::{self, Read},
    num::NonZeroUsize,
    ops::ControlFlow,
    process::{Command, Stdio},
    time::Duration,
};

#[derive(Args)]
pub(crate) struct InstancesWorker {}

/// An instance to solve.
#[derive(Serialize, Deserialize)]
pub(super) struct InstanceJob {
    pub model: String,
    pub data: String,
    pub solver: String,
    pub seconds: f64,
    pub memory: u64,
}

/// The answer to an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct InstanceAnswer {
    /// The status of the search in words.
    pub status: String,
    /// True if there is a solution; `None` if that is not known.
    pub has_solution: Option<bool>,
    /// True if the answer is definite: with an objective, that nothing is better.
    pub is_definite: bool,
    pub objective: Option<String>,
    /// Processor time.
    pub seconds: f64,
}

/// The time that a process may take beyond its search. Chosen.
const GRACE: Duration = Duration::from_secs(5);
/// The maximum size of an answer in bytes. Chosen.
const MOST_OUTPUT: u64 = 1_000_000;

impl InstancesWorker {
    pub(crate) fn run(self) -> Option<Exit> {
        let mut text = String::new();
        io::stdin().lock().read_to_string(&mut text).ok()?;
        let job: InstanceJob = serde_json::from_str(&text).ok()?;
        // The data may come from other users, so the worker must not write files.
        conjure_like_system::write_no_files();
        interrupt::allow(Duration::try_from_secs_f64(job.seconds).ok()?);
        // Several workers share the machine, so processor time is measured.
        let start = processor_time();
        let search = interrupt::engine_options(Some(1)).threads(NonZeroUsize::new(1));
        let solver = SolverName::all().find(|solver| solver.name() == job.solver)?;
        let options = SolveOptions::default().solver(solver).search(search);
        let model = Model::read(&Text::new("the model", job.model)).ok()?;
        let instance = model.instance(&[Text::new("the data", job.data)]).ok()?;
        let (mut found, mut objective) = (false, None);
        let summary = interrupt::during(options.search.limits.deadline, || {
            instance.solve(&options, &mut |solution| {
                (found, objective) = (true, solution.objective_shown());
                ControlFlow::Continue(())
            })
        });
        let seconds = processor_time().saturating_sub(start).as_secs_f64();
        let answer = match summary {
            Ok(summary) => InstanceAnswer {
                // If no solution was found, only a complete search proves that there is none.
                has_solution: if found { Some(true) } else { summary.status.is_unsatisfiable().then_some(false) },
                is_definite: is_definite(&summary.status, model.has_objective()),
                status: summary.status.as_clause().to_owned(),
                objective,
                seconds,
            },
            Err(_) => InstanceAnswer {
                status: "too large".to_owned(),
                has_solution: None,
                is_definite: false,
                objective: None,
                seconds,
            },
        };
        let line = serde_json::to_string(&answer).ok()?;
        stdout::write(&(line + "\n")).ok().map(|()| Exit::Answer)
    }
}

fn is_definite(status: &SolveStatus, has_objective: bool) -> bool {
    status.is_unsatisfiable() || if has_objective { status.is_optimal() } else { status.found_enough() }
}

/// Solves an instance in a separate process.
pub(super) fn solved(job: &InstanceJob) -> InstanceAnswer {
    let limit = Duration::try_from_secs_f64(job.seconds).unwrap_or_default();
    let asked = || -> io::Result<InstanceAnswer> {
        let mut command = Command::new(env::current_exe()?);
        command.arg("instances-worker").arg(format!("--limit-memory={}", job.memory)).stderr(Stdio::null());
        let text = serde_json::to_string(job)?;
        // On a busy machine, the process may take longer than its processor time.
        let time = limit * 2 + GRACE;
        let output = processes::output(&mut command, text.as_bytes(), MOST_OUTPUT, time, |_| ())?;
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    asked().unwrap_or(InstanceAnswer {
        status: "time or memory limit".to_owned(),
        has_solution: None,
        is_definite: false,
        objective: None,
        seconds: job.seconds,
    })
}
