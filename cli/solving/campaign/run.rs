//! Runs tasks, each as a process of this program.

use super::{
    plan::{CampaignPlan, CampaignTask},
    results::{CampaignResults, RunResult},
};
use crate::runtime::{
    Exit, interrupt,
    processes::{self, ChildId},
    report::ReportOptions,
};
use conjure_like::{Code, Decimal, Diagnostic};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;
use std::{
    env,
    io::{self, IsTerminal, Read},
    process::{Command, Output, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::Instant,
};

/// Runs all tasks without a result, `workers` at a time; returns the number of finished tasks.
pub(super) fn run_all_tasks(
    plan: &CampaignPlan,
    results: &CampaignResults,
    workers: usize,
    reporting: &ReportOptions,
) -> Result<usize, Diagnostic> {
    let mut file = results.open()?;
    let done = results.done(plan)?;
    if let Some(says) = done.out_of_date.says(plan) {
        reporting.status(&format!("{says} These tasks run again."));
    }
    let found = Mutex::new(done.found);
    let running = Running::default();
    let open: Vec<usize> = (0..plan.len()).filter(|number| !done.tasks[*number]).collect();
    let target = if !io::stderr().is_terminal() { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
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
                    // The lock must not be held while the task runs.
                    let (settled, best) = {
                        let found = lock(&found);
                        (found.is_settled(plan, *number), found.best(plan, *number))
                    };
                    let first = plan.first_of_cubes(*number);
                    let failed = |error| {
                        *lock(&failure) = Some(error);
                        // An index past the last task stops all workers.
                        next.store(open.len(), Relaxed);
                    };
                    let result = match settled {
                        true => Ok(None),
                        false => run_one_task(plan, *number, best, |child| running.add(first, child)),
                    };
                    // An interrupted run has no result; its task runs again.
                    if interrupt::stopping() {
                        return;
                    }
                    // If another cube has a solution, this cube is finished, although its run was ended.
                    if lock(&found).is_settled(plan, *number) {
                        finished.fetch_add(1, Relaxed);
                        bar.inc(1);
                        continue;
                    }
                    let result = match result {
                        Ok(Some(result)) => result,
                        Ok(None) => continue,
                        Err(error) => return failed(error),
                    };
                    lock(&found).add(plan, &result);
                    // After a solution in one cube, the other cubes of the instance are unnecessary.
                    if lock(&found).is_settled(plan, *number) {
                        running.end(first);
                    }
                    let added = lock(&file).add(&result);
                    if let Err(error) = added {
                        return failed(error);
                    }
                    finished.fetch_add(1, Relaxed);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(finished.into_inner()),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The running processes of cubes, each with the first task of its cubes.
#[derive(Default)]
struct Running(Mutex<Vec<(usize, ChildId)>>);

impl Running {
    fn add(&self, first: usize, child: ChildId) {
        let mut running = lock(&self.0);
        // Children that have ended are dropped, because the list would grow with every cube.
        running.retain(|(_, child)| child.is_running());
        running.push((first, child));
    }

    /// Ends the processes for all cubes of an instance.
    fn end(&self, first: usize) {
        lock(&self.0).extract_if(.., |(other, _)| *other == first).for_each(|(_, child)| child.end());
    }
}

/// Runs one task, on one thread unless its options say otherwise. With an objective, only solutions better than `best`
/// count. `started_process` gets the process, so that it can be ended. There is no result if a user or a scheduler has
/// ended the run.
pub(super) fn run_one_task(
    plan: &CampaignPlan,
    number: usize,
    best: Option<Decimal>,
    started_process: impl FnOnce(ChildId),
) -> Result<Option<RunResult>, Diagnostic> {
    let (task, inputs) = (&plan.task(number), plan.inputs(number));
    let started = Instant::now();
    let output = process(task, best, started_process);
    let seconds = started.elapsed().as_secs_f64();
    let mut result = RunResult {
        number: task.number + 1,
        task: task.key(),
        family: task.family.clone(),
        model: task.names.0.clone(),
        parameters: task.names.1.clone(),
        cube: task.cube.as_ref().map(|cube| cube.number),
        setting: task.setting.clone(),
        seed: task.seed,
        repeat: task.repeat,
        inputs: None,
        status: "error".to_owned(),
        solutions: 0,
        objective: None,
        seconds,
        memory: None,
        message: None,
    };
    match output {
        Ok(output) => parse_output(&mut result, &output),
        Err(error) => result.message = Some(error.to_string()),
    }
    // If a limit is reached before the search, the program reports an interruption; only the time shows which of the
    // two it was.
    let is_ended = interrupt::stopping() || result.status == INTERRUPTED && seconds < task.time;
    if result.status == INTERRUPTED {
        result.status = "time limit".to_owned();
    }
    if is_ended {
        return Ok(None);
    }
    // A file has changed during the task, and it is unknown which contents the run has read.
    if let Some(change) = inputs.change(&task.inputs()) {
        let message = format!("{} while task {} ran, which has no result", change.says(task), result.number);
        return Err(Diagnostic::error(Code::PLAN, message).help("run the same command again"));
    }
    result.inputs = Some(inputs);
    Ok(Some(result))
}

/// The status of a search that was ended from outside, or by its limit before it started.
const INTERRUPTED: &str = "interrupted";

fn process(task: &CampaignTask, best: Option<Decimal>, started: impl FnOnce(ChildId)) -> io::Result<Output> {
    let mut command = Command::new(env::current_exe()?);
    command.arg("solve").arg(&task.model).args(&task.parameters).args(&task.tables);
    command.args(["--output-format=jsonstream", "--statistics", "--color=never"]);
    command.arg(format!("--limit-time={}", task.time)).arg(format!("--limit-memory={}", task.memory));
    if let Some(seed) = task.seed {
        command.arg(format!("--seed={seed}"));
    }
    // A repeated option overrides the earlier one, so the setting may ask for more threads.
    command.arg("--threads=1").args(&task.options);
    if let Some(cube) = &task.cube {
        command.arg("--cubes").arg(&cube.file).arg(format!("--cube={}", cube.number));
        command.args(best.map(|best| format!("--better-than={best}")));
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = processes::start_child(&mut command)?;
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    started(child.id());
    // A process blocks while one of its pipes is full, so both streams are read at the same time.
    let errors = thread::spawn(|| all_of(errors));
    let stdout = all_of(output)?;
    let stderr = errors.join().map_err(|_| io::Error::other("the messages of the process were lost"))??;
    let status = child.wait()?;
    Ok(Output { status, stdout, stderr })
}

fn all_of(stream: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.map_or(Ok(0), |mut stream| stream.read_to_end(&mut bytes))?;
    Ok(bytes)
}

/// Fills in the result from the output of the process.
fn parse_output(result: &mut RunResult, output: &Output) {
    let errors = String::from_utf8_lossy(&output.stderr);
    let statistics = errors.lines().find_map(|line| {
        let value: Value = serde_json::from_str(line).ok()?;
        value.get("statistics").cloned()
    });
    for line in output.stdout.split(|byte| *byte == b'\n') {
        if let Ok(Value::Object(solution)) = serde_json::from_slice::<Value>(line) {
            result.solutions += 1;
            // With an objective, each solution is better than the previous one.
            result.objective = solution.get("$objective").and_then(Decimal::of_json).or(result.objective);
        }
    }
    let said = || errors.lines().find(|line| !line.trim().is_empty() && !line.starts_with('{')).map(str::to_owned);
    result.memory = statistics.as_ref().and_then(|statistics| statistics["memory"].as_u64());
    let code = output.status.code();
    let status = statistics.as_ref().and_then(|statistics| statistics["status"].as_str());
    result.status = match (status, code) {
        _ if errors.contains("memory limit") || errors.contains("not enough memory") => "memory limit",
        (Some(INTERRUPTED), _) => INTERRUPTED,
        (Some(status), Some(0..=3 | 10 | 20 | 30)) => status,
        (None, Some(code)) if code == Exit::Limit as i32 => "time limit",
        _ => "error",
    }
    .to_owned();
    if ["error", "unknown", "memory limit"].contains(&result.status.as_str()) {
        result.message = said().or_else(|| Some(format!("the process ended with {}", output.status)));
    }
}
