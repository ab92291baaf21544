//! Processes, memory, files and terminals on Windows. `unix.rs` has the functions for Unix.

use std::{
    fs::File,
    io, mem,
    os::windows::{io::AsRawHandle, process::CommandExt},
    process::{Child, ChildStdin, Command},
    ptr,
    sync::Once,
    time::Duration,
};
use windows_sys::Win32::{
    Foundation::{CloseHandle, FILETIME, HANDLE},
    Security::{
        CreateWellKnownSid, PSID, SECURITY_MAX_SID_SIZE, SID_AND_ATTRIBUTES, SetTokenInformation, TOKEN_ADJUST_DEFAULT,
        TOKEN_MANDATORY_LABEL, TOKEN_QUERY, TokenIntegrityLevel, WinUntrustedLabelSid,
    },
    Storage::FileSystem::{BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle},
    System::{
        Console::{ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, SetConsoleMode},
        JobObjects::{
            AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
            JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
        },
        ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS},
        SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX},
        SystemServices::SE_GROUP_INTEGRITY,
        Threading::{CREATE_NEW_PROCESS_GROUP, GetCurrentProcess, GetProcessTimes, OpenProcessToken, TerminateProcess},
    },
};

/// Ends the process at once. Libraries are not notified: another thread may still be inside one.
pub fn quit(code: i32) -> ! {
    // SAFETY: the handle is the process's own, and the function may be called at any time.
    unsafe { TerminateProcess(GetCurrentProcess(), code.cast_unsigned()) };
    std::process::abort()
}

/// True if another process must end the children of this one when it is killed.
pub const NEEDS_GUARD: bool = false;

/// Ends all children of this process, and theirs, when it ends for any reason: the system then closes its handle of the
/// job.
pub fn end_children_with_this() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| join(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, 0));
}

/// There is no guard to notify.
pub fn announce(_: &mut Command, _: &ChildStdin, _: String) -> io::Result<()> {
    Ok(())
}

/// Groups have no numbers on Windows.
pub fn end_group(_: u32) {}

/// Shields a child from Ctrl-C: this process gets it and ends the child.
pub fn leading_a_group(command: &mut Command) -> &mut Command {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP)
}

/// A child and all processes that it starts: a job.
pub struct ProcessGroup(HANDLE);

// SAFETY: every thread may use the handle of a job.
unsafe impl Send for ProcessGroup {}

impl ProcessGroup {
    /// Makes an empty job with limits.
    fn new(flags: JOB_OBJECT_LIMIT, processes: u32) -> Option<Self> {
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = flags;
        limits.BasicLimitInformation.ActiveProcessLimit = processes;
        let size = size_of_val(&limits) as u32;
        // SAFETY: the job has neither a name nor attributes, and `limits` is as long as `size` says.
        unsafe {
            let job = CreateJobObjectW(ptr::null(), ptr::null());
            if job.is_null() {
                return None;
            }
            let group = ProcessGroup(job);
            let limits = (&raw const limits).cast();
            (SetInformationJobObject(job, JobObjectExtendedLimitInformation, limits, size) != 0).then_some(group)
        }
    }

    /// Adds a process to the job.
    fn take(&self, process: HANDLE) -> bool {
        // SAFETY: both handles are valid while their owners live.
        unsafe { AssignProcessToJobObject(self.0, process) != 0 }
    }

    /// Returns the group of a child that was just started.
    pub fn of(child: &Child) -> Option<Self> {
        ProcessGroup::new(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, 0).filter(|job| job.take(child.as_raw_handle()))
    }

    /// Ends the processes of the group.
    pub fn end(&self) {
        // SAFETY: the handle is valid until `drop`.
        unsafe { TerminateJobObject(self.0, 1) };
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        // SAFETY: the handle is no longer used.
        unsafe { CloseHandle(self.0) };
    }
}

/// Adds this process to a job with limits until it ends.
fn join(flags: JOB_OBJECT_LIMIT, processes: u32) {
    if let Some(job) = ProcessGroup::new(flags, processes) {
        // SAFETY: the handle of this process is always valid.
        job.take(unsafe { GetCurrentProcess() });
        // Closing the handle of the job would end its processes, so the handle stays open.
        mem::forget(job);
    }
}

/// Returns the processor time of this process.
pub fn processor_time() -> Duration {
    let nothing = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };
    let (mut created, mut exited, mut kernel, mut user) = (nothing, nothing, nothing, nothing);
    // SAFETY: the handle of this process is always valid, and the call writes the four times.
    unsafe { GetProcessTimes(GetCurrentProcess(), &mut created, &mut exited, &mut kernel, &mut user) };
    let ticks = |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    // A tick takes 100 nanoseconds.
    Duration::from_nanos((ticks(kernel) + ticks(user)).saturating_mul(100))
}

/// Ensures that this process writes no files from here on: it cannot start another process, and all files are above
/// its integrity level.
pub fn write_no_files() {
    join(JOB_OBJECT_LIMIT_ACTIVE_PROCESS, 1);
    // The identifier must be aligned, so the buffer consists of words.
    let mut level = [0_u32; SECURITY_MAX_SID_SIZE as usize / 4];
    let mut size = SECURITY_MAX_SID_SIZE;
    let level: PSID = level.as_mut_ptr().cast();
    let mut token = ptr::null_mut();
    // SAFETY: `level` has room for `size` bytes, and lives as long as the label.
    unsafe {
        if CreateWellKnownSid(WinUntrustedLabelSid, ptr::null_mut(), level, &mut size) == 0
            || OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_DEFAULT | TOKEN_QUERY, &mut token) == 0
        {
            return;
        }
        let label = SID_AND_ATTRIBUTES { Sid: level, Attributes: SE_GROUP_INTEGRITY.cast_unsigned() };
        let label = TOKEN_MANDATORY_LABEL { Label: label };
        let length = size_of_val(&label) as u32 + size;
        SetTokenInformation(token, TokenIntegrityLevel, (&raw const label).cast(), length);
        CloseHandle(token);
    }
}

/// Returns the current and the peak memory of this process in bytes.
pub fn process_memory() -> Option<(u64, u64)> {
    let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    let mut memory = PROCESS_MEMORY_COUNTERS { cb: size, ..Default::default() };
    // SAFETY: the structure is as long as `size` says.
    let is_known = unsafe { K32GetProcessMemoryInfo(GetCurrentProcess(), &mut memory, size) } != 0;
    is_known.then_some((memory.WorkingSetSize as u64, memory.PeakWorkingSetSize as u64))
}

/// Returns the memory of the machine in bytes.
pub fn machine_memory() -> Option<u64> {
    let mut memory = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure is as long as it says.
    let is_known = unsafe { GlobalMemoryStatusEx(&mut memory) } != 0;
    is_known.then_some(memory.ullTotalPhys)
}

/// Returns the identity of a file apart from its names.
pub fn file_identity(file: &File) -> Option<(u64, u64)> {
    let mut facts = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the file is open as long as it lives.
    let is_known = unsafe { GetFileInformationByHandle(file.as_raw_handle(), &mut facts) } != 0;
    let index = u64::from(facts.nFileIndexHigh) << 32 | u64::from(facts.nFileIndexLow);
    is_known.then_some((u64::from(facts.dwVolumeSerialNumber), index))
}

/// Enables colours in terminals, which older terminals of Windows require.
pub fn show_colours() {
    for stream in [io::stdout().as_raw_handle(), io::stderr().as_raw_handle()] {
        let mut mode = 0;
        // SAFETY: the standard streams keep their handles; only terminals have a mode.
        unsafe {
            if GetConsoleMode(stream, &mut mode) != 0 {
                SetConsoleMode(stream, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            }
        }
    }
}
