//! What the program asks of the operating system about memory, and how it leaves without tidying up.
//!
//! This is the one place outside the bindings of solvers that needs `unsafe`: Rust has no safe way to refuse an
//! allocation, or to end the process while another thread is inside a C++ library.

use super::interrupt;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    fs,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

#[global_allocator]
static ALLOCATOR: Guarded = Guarded;

/// How many bytes the program may have; 0 while there is no limit.
static LIMIT: AtomicU64 = AtomicU64::new(0);

/// An allocation of at least this size is weighed before it is made. Smaller ones are seen by the watchdog, which looks at
/// the memory of the whole process, so that they cost nothing here.
const LARGE: usize = 16 << 20;

pub fn set_memory_limit(bytes: u64) {
    LIMIT.store(bytes, Relaxed);
}

/// The limit in bytes, if there is one.
pub fn memory_limit() -> Option<u64> {
    Some(LIMIT.load(Relaxed)).filter(|limit| *limit > 0)
}

/// The system's allocator. What would exceed the limit, and what the system refuses, ends the program with a message
/// and an exit code instead of a signal.
struct Guarded;

// SAFETY: each method hands its arguments on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Guarded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        weigh(layout.size());
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        weigh(layout.size());
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        weigh(size.saturating_sub(layout.size()));
        given(unsafe { System.realloc(block, layout, size) }, size)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

fn weigh(size: usize) {
    if size >= LARGE
        && !interrupt::ending()
        && let Some(limit) = memory_limit()
        && resident_memory().unwrap_or(0).saturating_add(size as u64) > limit
    {
        interrupt::out_of_memory(size);
    }
}

fn given(block: *mut u8, size: usize) -> *mut u8 {
    if block.is_null() {
        interrupt::out_of_memory(size);
    }
    block
}

/// Ends the process at once. Destructors of libraries do not run: another thread may still be inside them.
pub fn quit(code: i32) -> ! {
    // SAFETY: `_exit` may be called at any time.
    unsafe { libc::_exit(code) }
}

/// How much memory the process has now, in bytes, where the system tells it.
pub fn resident_memory() -> Option<u64> {
    status("VmRSS:")
}

/// How much memory the process had at most, in bytes, where the system tells it.
pub fn peak_memory() -> Option<u64> {
    status("VmHWM:")
}

fn status(key: &str) -> Option<u64> {
    kilobytes("/proc/self/status", key)
}

fn kilobytes(file: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Three quarters of the memory that the machine has, or the control group (a container) in which the program runs.
pub fn default_memory_limit() -> Option<u64> {
    let machine = kilobytes("/proc/meminfo", "MemTotal:");
    let group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| group_limit(&text));
    [machine, group].into_iter().flatten().min().map(|bytes| bytes / 4 * 3)
}

/// The smallest limit of a control group and those around it; `membership` is what the system says about the process.
fn group_limit(membership: &str) -> Option<u64> {
    let limits = membership.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        // In a container the path may be one of the machine's, and the group's files lie at the root.
        let groups = std::path::Path::new(path).ancestors().map(|group| group.to_string_lossy().into_owned());
        groups.filter_map(|group| limit_in(&format!("{root}/{}/{file}", group.trim_matches('/')))).collect()
    });
    limits.min()
}

fn limit_in(file: &str) -> Option<u64> {
    // `max` stands for none.
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_how_much_memory_there_is() {
        if cfg!(target_os = "linux") {
            let (now, peak) = (resident_memory().expect("a number"), peak_memory().expect("a number"));
            assert!(now > 0 && peak > 0);
            assert!(default_memory_limit().expect("a number") > now);
        }
    }

    #[test]
    fn groups_without_a_limit_say_nothing() {
        assert_eq!(group_limit("3:cpu,cpuacct:/a\n1:name=systemd:/b\n"), None);
        assert_eq!(group_limit(""), None);
    }
}
