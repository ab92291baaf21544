//! All unsafe code of conjure-like: the functions that safe Rust cannot provide.

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

/// The system's allocator, which calls back before a large allocation and when the system refuses an allocation.
pub struct Guarded {
    /// The minimum size of a large allocation.
    pub large: usize,
    /// Called before a large allocation with the number of additional bytes; it may end the program.
    pub ask: fn(usize),
    /// Called if the system refuses this number of bytes, because Rust would end the program with a signal.
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

// SAFETY: each method passes its arguments to the system's allocator unchanged.
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

/// The function for solvers that get no memory.
#[cfg(unix)]
static LACK: std::sync::OnceLock<extern "C" fn()> = std::sync::OnceLock::new();

/// Sets a function that is called when a solver, which is written in C++, or its library gets no memory. It must not
/// return. By default, an exception is thrown, which ends the program with a signal.
#[cfg(unix)]
pub fn when_solvers_lack_memory(end: extern "C" fn()) {
    LACK.get_or_init(|| end);
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

/// On other systems, the solvers end in their own way.
#[cfg(not(unix))]
pub fn when_solvers_lack_memory(_: extern "C" fn()) {}

/// Calls the function for solvers that get no memory, if it is set.
#[cfg(all(target_os = "linux", any(feature = "z3", feature = "cpsat")))]
fn library_lacks_memory() {
    if let Some(end) = LACK.get() {
        end();
    }
}

/// Registers a function that is called when the program exits normally, before libraries that are loaded now are torn
/// down.
#[cfg(any(unix, windows))]
pub fn at_exit(end: extern "C" fn()) {
    // SAFETY: any function may be registered. If there is no room for it, it is not called.
    unsafe {
        libc::atexit(end);
    }
}

/// On other systems, no libraries are loaded.
#[cfg(not(any(unix, windows)))]
pub fn at_exit(_: extern "C" fn()) {}

/// Lowers the priority of this thread, and of the threads that it starts, below the other threads of the program: each
/// step reduces its share of a processor by about a fifth. Only Linux has priorities of threads.
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

/// Returns true if the other end of the pipe at standard output is closed, so that all further output is lost.
#[cfg(unix)]
pub fn output_is_abandoned() -> bool {
    let mut output = libc::pollfd { fd: libc::STDOUT_FILENO, events: 0, revents: 0 };
    // SAFETY: the one structure lives until the call returns.
    let found = unsafe { libc::poll(&mut output, 1, 0) };
    found > 0 && output.revents & (libc::POLLERR | libc::POLLHUP) != 0
}

/// On other systems, the next write fails.
#[cfg(not(unix))]
pub fn output_is_abandoned() -> bool {
    false
}

/// Exports a function `again`, which the host of a WebAssembly module may call after `main` has ended, any number of
/// times. The state of the program is kept.
#[cfg(target_family = "wasm")]
pub fn export_again(run: fn()) {
    // Only the first function counts.
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

/// On other systems, a program ends with `main`.
#[cfg(not(target_family = "wasm"))]
pub fn export_again(_: fn()) {}

/// Returns true if the last call of Z3 on this thread failed because it got no memory. Its bindings panic then, as for
/// any other failure.
#[cfg(feature = "z3")]
pub fn z3_lacks_memory() -> bool {
    // If its library is missing, Z3 cannot have failed, and its functions must not be called.
    if z3_library().is_some_and(|library| library.is_err()) {
        return false;
    }
    // SAFETY: the configuration is deleted after its only use, and the context is not used.
    let is_refused = unsafe {
        let config = z3_sys::Z3_mk_config();
        let context = config.and_then(|config| z3_sys::Z3_mk_context_rc(config));
        if let Some(config) = config {
            z3_sys::Z3_del_config(config);
        }
        if let Some(context) = context {
            z3_sys::Z3_del_context(context);
        }
        context.is_none()
    };
    // If the bindings cannot make a context, they panic, and a panic in a panic hook would abort the program.
    if is_refused {
        return true;
    }
    let context = ::z3::Context::thread_local();
    // SAFETY: the context lives until the end of this function, and is used by this thread alone.
    unsafe { z3_sys::Z3_get_error_code(context.get_z3_context()) == z3_sys::ErrorCode::MemoutFail }
}

/// Z3 is part of the program.
#[cfg(feature = "vendored")]
pub fn z3_library() -> Option<Result<&'static std::path::Path, &'static str>> {
    None
}
