//! Runs tasks, each as a process of this program.

use super::{
    plan::{Plan, Task},
    results::{Results, RunResult},
};
use crate::cli::{Exit, interrupt};
use conjure_like::Diagnostic;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use std::{
    env, io,
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

/// Runs all tasks that have no result yet, this many at a time; the number of tasks that are done then.
pub(super) fn all(plan: &Plan, results: &Results, workers: usize, quiet: bool) -> Result<usize, Diagnostic> {
    let mut file = results.open()?;
    let done = results.done(plan)?;
    let open: Vec<usize> = (0..plan.len()).filter(|number| !done[*number]).collect();
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(plan.len() as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} runs, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar.set_position((plan.len() - open.len()) as u64);
    bar.reset_eta();
    let next = AtomicUsize::new(0);
    let failure = Mutex::new(None);
    let file = Mutex::new(&mut file);
    let finished = AtomicUsize::new(plan.len() - open.len());
    thread::scope(|scope| {
        for _ in 0..workers.min(open.len()) {
            scope.spawn(|| {
                while let Some(number) = open.get(next.fetch_add(1, Relaxed)) {
                    let result = one(&plan.task(*number), 1);
                    // A run that the user has ended is not a result.
                    if interrupt::catch().load(Relaxed) {
                        return;
                    }
                    let added = file.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(&result);
                    if let Err(error) = added {
                        *failure.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
                        next.store(open.len(), Relaxed);
                        return;
                    }
                    finished.fetch_add(1, Relaxed);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    match failure.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()) {
        Some(error) => Err(error),
        None => Ok(finished.into_inner()),
    }
}

/// Runs one task, with this many threads unless its options say otherwise.
pub(super) fn one(task: &Task, threads: usize) -> RunResult {
    let started = Instant::now();
    let output = process(task, threads);
    let seconds = started.elapsed().as_secs_f64();
    let mut result = RunResult {
        number: task.number + 1,
        task: task.key(),
        family: task.family.clone(),
        model: task.names.0.clone(),
        parameters: task.names.1.clone(),
        setting: task.setting.clone(),
        seed: task.seed,
        repeat: task.repeat,
        status: "error".to_owned(),
        solutions: 0,
        objective: None,
        seconds,
        memory: None,
        message: None,
    };
    match output {
        Ok(output) => understood(&mut result, &output),
        Err(error) => result.message = Some(error.to_string()),
    }
    result
}

fn process(task: &Task, threads: usize) -> io::Result<std::process::Output> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("solve").arg(&task.model).args(&task.parameters);
    command.args(["--output-format=jsonstream", "--statistics", "--color=never"]);
    command.arg(format!("--limit-time={}", task.time)).arg(format!("--limit-memory={}", task.memory));
    if let Some(seed) = task.seed {
        command.arg(format!("--seed={seed}"));
    }
    // The last one counts.
    command.arg(format!("--threads={threads}")).args(&task.options);
    command.stdin(Stdio::null()).output()
}

/// What the process has said.
fn understood(result: &mut RunResult, output: &std::process::Output) {
    let errors = String::from_utf8_lossy(&output.stderr);
    let statistics = errors.lines().find_map(|line| {
        let value: Value = serde_json::from_str(line).ok()?;
        value.get("statistics").cloned()
    });
    for line in output.stdout.split(|byte| *byte == b'\n') {
        if let Ok(Value::Object(solution)) = serde_json::from_slice::<Value>(line) {
            result.solutions += 1;
            result.objective = solution.get("$objective").and_then(Value::as_i64).or(result.objective);
        }
    }
    let said = || errors.lines().find(|line| !line.trim().is_empty() && !line.starts_with('{')).map(str::to_owned);
    result.memory = statistics.as_ref().and_then(|statistics| statistics["memory"].as_u64());
    let code = output.status.code();
    let status = statistics.as_ref().and_then(|statistics| statistics["status"].as_str());
    result.status = match (status, code) {
        _ if errors.contains("memory limit") || errors.contains("not enough memory") => "memory limit",
        (Some("interrupted"), _) => "time limit",
        (Some(status), Some(0..=3 | 10 | 20 | 30)) => status,
        (None, Some(code)) if code == Exit::Limit as i32 => "time limit",
        _ => "error",
    }
    .to_owned();
    if ["error", "unknown", "memory limit"].contains(&result.status.as_str()) {
        result.message = said().or_else(|| Some(format!("the process ended with {}", output.status)));
    }
}
