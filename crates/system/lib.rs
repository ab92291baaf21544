//! The unsafe code of conjure-like, all of it: what safe Rust cannot do.

#[cfg(feature = "cpsat")]
mod cpsat;
#[cfg(any(feature = "cpsat", feature = "z3"))]
mod libraries;
#[cfg(all(feature = "z3", not(feature = "vendored"), target_os = "linux", target_env = "gnu"))]
mod pages;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
#[cfg(all(feature = "z3", not(feature = "vendored")))]
mod z3;

#[cfg(feature = "cpsat")]
pub use cpsat::{CpSatFault, CpSatSearch, cpsat_library};
#[cfg(any(feature = "cpsat", feature = "z3"))]
pub use libraries::{is_in_python, user_folder};
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
#[cfg(all(feature = "z3", not(feature = "vendored")))]
pub use z3::z3_library;

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which asks before it makes a large allocation, and says when the system refuses one.
pub struct Guarded {
    /// An allocation of at least this size is large.
    pub large: usize,
    /// Called before a large allocation is made, with the number of further bytes; it may end the program.
    pub ask: fn(usize),
    /// Called where the system refuses this number of bytes, because Rust would end the program with a signal.
    pub refused: fn(usize) -> !,
}

impl Guarded {
    #[inline]
    fn before(&self, size: usize) {
        if size >= self.large {
            (self.ask)(size);
        }
    }

    #[inline]
    fn after(&self, block: *mut u8, size: usize) -> *mut u8 {
        if block.is_null() {
            (self.refused)(size);
        }
        block
    }
}

// SAFETY: each method hands its arguments on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Guarded {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.before(layout.size());
        self.after(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.before(layout.size());
        self.after(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.before(size.saturating_sub(layout.size()));
        self.after(unsafe { System.realloc(block, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

/// Lets a function be called wherever the solvers, which are written in C++, get no memory. It must not return. Without
/// it, they throw an exception, which ends the program with a signal.
#[cfg(unix)]
pub fn when_solvers_lack_memory(end: extern "C" fn()) {
    // SAFETY: this is the name of `std::set_new_handler`, if the C++ library is loaded, and its type.
    unsafe {
        let address = libc::dlsym(libc::RTLD_DEFAULT, c"_ZSt15set_new_handlerPFvvE".as_ptr());
        if !address.is_null() {
            let set_new_handler: unsafe extern "C" fn(extern "C" fn()) -> Option<extern "C" fn()> =
                std::mem::transmute(address);
            set_new_handler(end);
        }
    }
}

/// Elsewhere, the solvers' own way to end stays as it is.
#[cfg(not(unix))]
pub fn when_solvers_lack_memory(_: extern "C" fn()) {}

/// Lets a function be called when the program ends by itself, before what was loaded until now is taken down.
#[cfg(any(unix, windows))]
pub fn at_exit(end: extern "C" fn()) {
    // SAFETY: any function may be registered. Where there is no room for it, it is not called.
    unsafe {
        libc::atexit(end);
    }
}

/// Elsewhere, nothing is loaded.
#[cfg(not(any(unix, windows)))]
pub fn at_exit(_: extern "C" fn()) {}

/// Lets other threads of this program go first: this thread, and those that it starts, get less of a processor that is
/// shared, the less the more steps (each about a fifth). Only Linux knows priorities of threads.
#[cfg(target_os = "linux")]
pub fn go_after_others(steps: i32) {
    // SAFETY: the call changes a number of the calling thread, and nothing else.
    unsafe {
        let now = libc::getpriority(libc::PRIO_PROCESS, 0);
        libc::setpriority(libc::PRIO_PROCESS, 0, now + steps);
    }
}

#[cfg(not(target_os = "linux"))]
pub fn go_after_others(_: i32) {}

/// Ends the process at once.
#[cfg(not(any(unix, windows)))]
pub fn quit(code: i32) -> ! {
    std::process::exit(code)
}

/// Whether nobody can read any more what is written to standard output, because the other end of the pipe is closed.
#[cfg(unix)]
pub fn output_is_abandoned() -> bool {
    let mut output = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
    // SAFETY: the one structure lives until the call returns.
    let found = unsafe { libc::poll(&mut output, 1, 0) };
    found > 0 && output.revents & (libc::POLLERR | libc::POLLHUP) != 0
}

/// Elsewhere, the next write tells.
#[cfg(not(unix))]
pub fn output_is_abandoned() -> bool {
    false
}

/// Lets whoever runs a module for WebAssembly call a function when `main` has ended, as often as it likes: the export
/// `again`. What the program keeps is still there.
#[cfg(target_family = "wasm")]
pub fn export_again(run: fn()) {
    // A second function is not taken.
    let _ = AGAIN.set(run);
}

#[cfg(target_family = "wasm")]
static AGAIN: std::sync::OnceLock<fn()> = std::sync::OnceLock::new();

// SAFETY: no other symbol of the module has this name.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
extern "C" fn again() {
    if let Some(run) = AGAIN.get() {
        run();
    }
}

/// Elsewhere, a program ends with `main`.
#[cfg(not(target_family = "wasm"))]
pub fn export_again(_: fn()) {}

/// Whether the last call of Z3 on this thread failed for want of memory. Its bindings panic then, as for any other
/// failure.
#[cfg(feature = "z3")]
pub fn z3_lacks_memory() -> bool {
    if z3_library().is_some_and(|library| library.is_err()) {
        return false;
    }
    let context = ::z3::Context::thread_local();
    // SAFETY: the context lives until the end of this function, and is used by this thread alone.
    unsafe { z3_sys::Z3_get_error_code(context.get_z3_context()) == z3_sys::ErrorCode::MemoutFail }
}

/// Z3 is a part of the program.
#[cfg(feature = "vendored")]
pub fn z3_library() -> Option<Result<&'static std::path::Path, &'static str>> {
    None
}
