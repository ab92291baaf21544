//! Processes and terminals on Unix. `windows.rs` has the same functions for Windows: a new one must be added to both.
//!
//! The guard is a process of the command line (`cli/runtime/processes.rs`) that ends the children of a killed program.

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

/// True if another process must end the children of this one when it is killed.
pub const NEEDS_GUARD: bool = true;

/// The system cannot end children together with this process; the guard does.
pub fn end_children_with_this() {}

/// A child and the processes that it has started, unless they have left the group.
pub struct ProcessGroup(u32);

impl ProcessGroup {
    /// Returns the group of a child that leads one.
    pub fn of(child: &Child) -> Option<Self> {
        Some(ProcessGroup(child.id()))
    }

    /// Ends the processes of the group.
    pub fn end(&self) {
        end_group(self.0);
    }
}

/// Makes a child the leader of a new process group.
pub fn leading_a_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Ends the process group with this number.
pub fn end_group(group: u32) {
    // The numbers 0 and 1 never belong to the group of a child.
    if let Some(group) = i32::try_from(group).ok().filter(|group| *group > 1) {
        // SAFETY: the call only sends a signal, and fails for a group without processes.
        unsafe { libc::killpg(group, libc::SIGKILL) };
    }
}

/// Makes a child write these words, its process number and a line feed to the guard before its program starts. Until
/// then, the child keeps the other end of the pipe open for the reader, so the guard learns of the child even if this
/// process is killed in the meantime.
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
            // The reader may be gone, but that must not end the child.
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

/// Ensures that this process writes no files from here on.
pub fn write_no_files() {
    let nothing = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the calls read `nothing`. If the system refuses, the process still opens no files.
    unsafe {
        libc::setrlimit(libc::RLIMIT_FSIZE, &nothing);
        libc::setrlimit(libc::RLIMIT_CORE, &nothing);
    }
}

/// Returns the processor time of this process.
pub fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes to `time`, and this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Returns the current and the peak memory of this process in bytes, if a function reports them. Linux has files for
/// that.
pub fn process_memory() -> Option<(u64, u64)> {
    None
}

/// Returns the memory of the machine in bytes, if a function reports it.
pub fn machine_memory() -> Option<u64> {
    None
}

/// Enables colours in terminals, which all terminals on Unix have.
pub fn show_colours() {}
