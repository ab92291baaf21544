//! The memory of the program and its limit.

use conjure_like_system::{machine_memory, process_memory};
use std::{
    fs::{self, File},
    io::Read,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// The memory limit in bytes; 0 if there is none.
static LIMIT: AtomicU64 = AtomicU64::new(0);

pub(crate) fn set_memory_limit(bytes: u64) {
    LIMIT.store(bytes, Relaxed);
}

/// The limit in bytes, if there is one.
pub(crate) fn memory_limit() -> Option<u64> {
    Some(LIMIT.load(Relaxed)).filter(|limit| *limit > 0)
}

/// The current memory of the process in bytes, if the system reports it.
pub(crate) fn resident_memory() -> Option<u64> {
    process_memory().map(|(now, _)| now).or_else(|| status("VmRSS:"))
}

/// The peak memory of the process in bytes, if the system reports it.
pub(crate) fn peak_memory() -> Option<u64> {
    process_memory().map(|(_, peak)| peak).or_else(|| status("VmHWM:"))
}

fn status(key: &str) -> Option<u64> {
    kilobytes("/proc/self/status", key)
}

fn kilobytes(file: &str, key: &str) -> Option<u64> {
    // The watchdog reads these files often. Each fits into one read.
    let mut text = [0; 4096];
    let length = File::open(file).ok()?.read(&mut text).ok()?;
    let (_, line) = str::from_utf8(&text[..length]).ok()?.split_once(key)?;
    let kilobytes: u64 = line.split_once("kB")?.0.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Three quarters of the memory of the machine, or of the control group (a container) of the process.
pub(crate) fn default_memory_limit() -> Option<u64> {
    let machine = machine_memory().or_else(|| kilobytes("/proc/meminfo", "MemTotal:"));
    let group = fs::read_to_string("/proc/self/cgroup").ok().and_then(|text| group_limit(&text));
    [machine, group].into_iter().flatten().min().map(|bytes| bytes / 4 * 3)
}

/// The least limit of a control group and its ancestors; `membership` is the text of `/proc/self/cgroup`.
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
        // In a container, the path may be valid only outside it, while the files of the group are at the root.
        let groups = std::path::Path::new(path).ancestors().map(|group| group.to_string_lossy().into_owned());
        groups.filter_map(|group| limit_in(&format!("{root}/{}/{file}", group.trim_matches('/')))).collect()
    });
    limits.min()
}

fn limit_in(file: &str) -> Option<u64> {
    // If there is no limit, the file contains `max`.
    fs::read_to_string(file).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_how_much_memory_there_is() {
        if cfg!(any(target_os = "linux", windows)) {
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
