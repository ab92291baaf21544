//! What the program asks of Unix about processes. `windows.rs` has the same functions for Windows: a new one needs to
//! be in both.
//!
//! The guard is a process of the command line (`cli/runtime/processes.rs`) that ends the children of a program that was
//! killed.

use std::{
    io::{self, ErrorKind, Write},
    os::{
        fd::{AsFd, AsRawFd},
        unix::process::CommandExt,
    },
    process::{Child, ChildStdin, Command},
    time::Duration,
};

/// Ends the process at once. Destructors of libraries do not run: another thread may still be inside them.
pub fn quit(code: i32) -> ! {
    // SAFETY: `_exit` may be called at any time.
    unsafe { libc::_exit(code) }
}

/// Whether another process has to end the children of this one if it is killed.
pub const NEEDS_GUARD: bool = true;

/// The system does not let children end with this process: the guard does.
pub fn end_children_with_this() {}

/// A child and what it has started, as far as that has not left the group.
pub struct ProcessGroup(u32);

impl ProcessGroup {
    /// The group of a child that leads one.
    pub fn of(child: &Child) -> Option<Self> {
        Some(ProcessGroup(child.id()))
    }

    /// Ends the processes of the group.
    pub fn end(&self) {
        end_group(self.0);
    }
}

/// Lets a child lead a process group of its own.
pub fn leading_a_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Ends the process group with this number.
pub fn end_group(group: u32) {
    // 0 and 1 do not stand for the group of a child.
    if let Some(group) = i32::try_from(group).ok().filter(|group| *group > 1) {
        // SAFETY: the call only sends a signal. A group without processes is not there to be ended.
        unsafe { libc::killpg(group, libc::SIGKILL) };
    }
}

/// Lets a child write these words, its number and a line feed to the guard before its program begins. Until then, the
/// child itself keeps the other end open for the reader, who so learns of the child even if this process is killed
/// meanwhile.
pub fn announce(command: &mut Command, to: &ChildStdin, words: String) -> io::Result<()> {
    let to = to.as_fd().try_clone_to_owned()?;
    let write_line = move || {
        let mut line = [0; 64];
        let mut free = &mut line[..];
        writeln!(free, "{words}{}", std::process::id())?;
        let left = free.len();
        let line = &line[..line.len() - left];
        // SAFETY: the three functions may be called between `fork` and `exec`, and the line is as long as it says.
        unsafe {
            // Nobody may be reading, which must not end the child.
            let before = libc::signal(libc::SIGPIPE, libc::SIG_IGN);
            while libc::write(to.as_raw_fd(), line.as_ptr().cast(), line.len()) < 0
                && io::Error::last_os_error().kind() == ErrorKind::Interrupted
            {}
            libc::signal(libc::SIGPIPE, before);
        }
        Ok(())
    };
    // SAFETY: the function allocates nothing and takes no lock.
    unsafe { command.pre_exec(write_line) };
    Ok(())
}

/// Whatever happens from here on, this process leaves no files behind.
pub fn write_no_files() {
    let nothing = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the calls read `nothing`. Where the system refuses, the process still opens no files.
    unsafe {
        libc::setrlimit(libc::RLIMIT_FSIZE, &nothing);
        libc::setrlimit(libc::RLIMIT_CORE, &nothing);
    }
}

/// The time that the processors have spent on this process.
pub fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes `time`, and this clock is always there.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The memory of this process in bytes, now and at its peak, where a function tells it: Linux has files that do.
pub fn process_memory() -> Option<(u64, u64)> {
    None
}

/// The memory of the machine in bytes, where a function tells it.
pub fn machine_memory() -> Option<u64> {
    None
}

/// Lets terminals show colours, as all do.
pub fn show_colours() {}
