//! Child processes, which end together with this process.
//!
//! A child leads a process group, so that its own children end with it: when the child ends, when it is dropped, and
//! when this process ends, normally or at a limit. If this process is killed, its guard ends the groups. The guard is
//! another process of this program, which is started with the first child and gets the numbers of the groups through a
//! pipe; each child announces itself there before its program starts. The pipe closes when this process ends for any
//! reason. Windows has jobs instead of groups, and ends them with this process.

use super::Exit;
use conjure_like_system::{NEEDS_GUARD, ProcessGroup, announce, end_children_with_this, end_group, leading_a_group};
use std::{
    collections::HashMap,
    env,
    io::{self, BufRead, Read, Write},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{Mutex, MutexGuard, PoisonError, TryLockError, mpsc},
    thread,
    time::{Duration, Instant},
};

/// The interval at which a running child is polled. Chosen.
const INTERVAL: Duration = Duration::from_millis(5);
/// The time that another thread may take to start or end a child. Chosen.
const PATIENCE: Duration = Duration::from_millis(100);

struct RunningChild {
    id: ChildId,
    process: Child,
    /// `None` if the system has refused a group; then only the child itself can be ended.
    group: Option<ProcessGroup>,
}

impl RunningChild {
    /// Ends a child and its group, or the rest of the group if the child has ended.
    fn end(&mut self) {
        if let Some(group) = &self.group {
            group.end();
        }
        let _ = self.process.kill();
    }
}

/// The children of this process.
struct ChildProcesses {
    children: Vec<RunningChild>,
    /// The number of the most recent child.
    last: ChildId,
    /// The guard's end of the pipe; `None` before it is started, or if it cannot be.
    guard: Option<ChildStdin>,
    /// True once all children have been ended and no other may start.
    is_closed: bool,
}

static FAMILY: Mutex<ChildProcesses> =
    Mutex::new(ChildProcesses { children: Vec::new(), last: ChildId(0), guard: None, is_closed: false });

fn family() -> MutexGuard<'static, ChildProcesses> {
    FAMILY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ChildProcesses {
    fn get(&mut self, id: ChildId) -> Option<&mut RunningChild> {
        self.children.iter_mut().find(|child| child.id == id)
    }

    /// Removes a child that has ended, and ends the rest of its group.
    fn forget(&mut self, id: ChildId) {
        self.children.retain_mut(|child| {
            if child.id == id {
                child.end();
            }
            child.id != id
        });
        self.report_end(id);
    }

    fn report_end(&mut self, ChildId(number): ChildId) {
        if let Some(guard) = &mut self.guard {
            // Without the guard, a child process outlives this process only if this process is killed.
            let _ = guard.write_all(format!("-{number}\n").as_bytes());
        }
    }
}

/// Starts a child.
pub(crate) fn start_child(command: &mut Command) -> io::Result<ChildProcess> {
    let mut family = family();
    if family.is_closed {
        return Err(io::Error::other("the run is ending"));
    }
    if family.guard.is_none() {
        family.guard = start_guard().ok().flatten();
    }
    family.last.0 += 1;
    let id = family.last;
    if let Some(guard) = &family.guard {
        announce(command, guard, format!("+{} ", id.0))?;
    }
    // The guard has been informed about the child, but the child does not exist.
    let mut process = leading_a_group(command).spawn().inspect_err(|_| family.report_end(id))?;
    let (stdin, stdout, stderr) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    let group = ProcessGroup::of(&process);
    family.children.push(RunningChild { id, process, group });
    Ok(ChildProcess { id, stdin, stdout, stderr })
}

/// Ends all children at once and starts no more.
pub(crate) fn end_all() {
    let since = Instant::now();
    // The thread that holds the lock may be stuck, but the program has to end, so there is a timeout.
    let mut family = loop {
        match FAMILY.try_lock() {
            Ok(family) => break family,
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if since.elapsed() >= PATIENCE => return,
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    };
    family.is_closed = true;
    family.children.iter_mut().for_each(RunningChild::end);
}

/// A child, which is ended on drop.
pub(crate) struct ChildProcess {
    id: ChildId,
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
}

impl ChildProcess {
    pub(crate) fn id(&self) -> ChildId {
        self.id
    }

    /// Polls the exit status of the child.
    pub(crate) fn try_wait(&self) -> io::Result<Option<ExitStatus>> {
        let mut family = family();
        let child = family.get(self.id).ok_or_else(|| io::Error::other("the process has ended before"))?;
        let status = child.process.try_wait()?;
        if status.is_some() {
            family.forget(self.id);
        }
        Ok(status)
    }

    /// Waits for the end of the child.
    pub(crate) fn wait(&self) -> io::Result<ExitStatus> {
        // Waiting would hold the lock, which `end_all` needs to end the child, so this polls.
        loop {
            if let Some(status) = self.try_wait()? {
                return Ok(status);
            }
            thread::sleep(INTERVAL);
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let mut family = family();
        if let Some(child) = family.get(self.id) {
            child.end();
            // The system keeps a process that has ended until its parent waits for it.
            let _ = child.process.wait();
            family.forget(self.id);
        }
    }
}

/// The number of a child, starting from 1, for callers that may want to end it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChildId(u64);

impl ChildId {
    pub(crate) fn is_running(self) -> bool {
        family().get(self).is_some()
    }

    /// Ends the child, unless it has ended.
    pub(crate) fn end(self) {
        if let Some(child) = family().get(self) {
            child.end();
        }
    }
}

/// The output and the exit status of a child.
pub(crate) struct ChildOutput {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub status: ExitStatus,
}

/// Runs a child with a text on its standard input, and reads up to `most` bytes of its output. A child that prints more
/// or takes longer is ended. `started` gets the child, so that it can be ended earlier.
pub(crate) fn output(
    command: &mut Command,
    input: &[u8],
    most: u64,
    time: Duration,
    started: impl FnOnce(ChildId),
) -> io::Result<ChildOutput> {
    let mut child = start_child(command.stdin(Stdio::piped()).stdout(Stdio::piped()))?;
    started(child.id());
    let stdin = child.stdin.take();
    let [stdout, stderr] = [child.stdout.take().map(boxed_stream), child.stderr.take().map(boxed_stream)];
    // A process blocks while one of its pipes is full or empty, so each stream has its own thread.
    let (done, wait) = mpsc::channel();
    let said = stderr.map(|stderr| thread::spawn(move || read_stream(stderr, most)));
    let reading = thread::spawn(move || {
        let printed = stdout.map(|stdout| read_stream(stdout, most)).unwrap_or_default();
        let _ = done.send(());
        printed
    });
    let status = thread::scope(|scope| {
        // The process may end without reading its input.
        scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(input)));
        if wait.recv_timeout(time).is_err() {
            child.id().end();
        }
        // When the child ends, writing to it fails, so the other thread ends, too.
        soon(&child)
    })?;
    let stdout = reading.join().unwrap_or_default();
    let stderr = said.and_then(|said| said.join().ok()).unwrap_or_default();
    Ok(ChildOutput { stdout, stderr, status })
}

fn boxed_stream(stream: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(stream)
}

fn read_stream(stream: impl Read, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    // The output before an error is kept.
    let _ = stream.take(most).read_to_end(&mut bytes);
    bytes
}

/// Waits for a child that has closed its output, and ends it if it still runs.
fn soon(child: &ChildProcess) -> io::Result<ExitStatus> {
    if let Some(status) = child.try_wait()? {
        return Ok(status);
    }
    thread::sleep(Duration::from_millis(20));
    child.id().end();
    child.wait()
}

/// The hidden command that runs the guard.
pub(crate) const GUARD: &str = "guard";

/// Makes children end with this process: starts the guard if the system does not do that itself.
fn start_guard() -> io::Result<Option<ChildStdin>> {
    end_children_with_this();
    if !NEEDS_GUARD {
        return Ok(None);
    }
    let mut guard = Command::new(env::current_exe()?);
    guard.arg(GUARD).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(leading_a_group(&mut guard).spawn()?.stdin.take())
}

/// Runs the guard: reads the starts and ends of groups, and ends the remaining ones at the end of its input.
pub(crate) fn guard() -> Exit {
    let mut groups: HashMap<String, u32> = HashMap::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        if let Some(ended) = line.strip_prefix('-') {
            groups.remove(ended);
        } else if let Some((number, group)) = line.strip_prefix('+').and_then(|line| line.split_once(' ')) {
            groups.extend(group.parse().ok().map(|group| (number.to_owned(), group)));
        }
    }
    groups.into_values().for_each(end_group);
    Exit::Answer
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// `cat` writes before it has read everything, and `sleep` never reads. The input is larger than a pipe.
    #[test]
    fn a_large_input_does_not_block() {
        let input = vec![b'x'; 1 << 20];
        let run = |command: &mut Command, most, time| {
            let output = output(command, &input, most, time, |_| {});
            output.unwrap_or_else(|error| panic!("{error}")).stdout.len()
        };
        let long = Duration::from_secs(60);
        assert_eq!(run(&mut Command::new("cat"), 1 << 21, long), 1 << 20);
        assert_eq!(run(&mut Command::new("cat"), 1 << 17, long), 1 << 17, "more output than wanted");
        let start = Instant::now();
        assert_eq!(run(Command::new("sleep").arg("60"), 1 << 21, Duration::from_millis(200)), 0);
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    }
}
