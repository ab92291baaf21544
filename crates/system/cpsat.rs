//! CP-SAT through the C interface of OR-tools, whose library is loaded at its first use.
//!
//! Messages in both directions are serialised protocol buffers; their contents are up to the caller.

use crate::libraries::{Found, SolverLibrary};
use libloading::Library;
use std::{
    ffi::{c_int, c_void},
    path::{Path, PathBuf},
    ptr,
    sync::{Mutex, OnceLock},
};

/// The library, whose dependencies are beside it.
const LIBRARY: SolverLibrary = SolverLibrary {
    files: match () {
        () if cfg!(windows) => &["ortools.dll"],
        () if cfg!(target_os = "macos") => &["libortools.9.dylib"],
        () => &["libortools.so.9"],
    },
    folder: "ortools/lib",
    in_python: "ortools/.libs",
};

type Solve = unsafe extern "C-unwind" fn(*mut c_void, *const u8, c_int, *const u8, c_int, *mut *mut u8, *mut c_int);

unsafe extern "C" {
    /// Defined in `cpsat.cc`: calls a function that may throw; returns true if it has not thrown.
    fn conjure_like_cpsat_solve(
        solve: Solve,
        environment: *mut c_void,
        model: *const u8,
        model_length: c_int,
        parameters: *const u8,
        parameters_length: c_int,
        response: *mut *mut u8,
        response_length: *mut c_int,
    ) -> bool;
}

/// The reason why CP-SAT has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpSatFault {
    /// A message is larger than 2 GB.
    TooLarge,
    /// CP-SAT has thrown a C++ exception.
    Thrown,
}

/// The functions of the C interface (`ortools/sat/c_api/cp_solver_c.h`).
struct Functions {
    new_environment: unsafe extern "C" fn() -> *mut c_void,
    destroy_environment: unsafe extern "C" fn(*mut c_void),
    stop_search: unsafe extern "C" fn(*mut c_void),
    solve: Solve,
    /// Frees memory that `solve` has allocated.
    free: unsafe extern "C" fn(*mut c_void),
    /// The file of the library.
    file: PathBuf,
    /// Declared last, because the functions live only as long as the library.
    _library: Library,
}

impl Functions {
    fn load() -> Result<Self, String> {
        let Found { library, file } = LIBRARY.open()?;
        // SAFETY: the types agree with the C interface, and the library is never unloaded.
        let functions = unsafe { Functions::of(library, file) };
        functions.map_err(|error| error.to_string())
    }

    unsafe fn of(library: Library, file: PathBuf) -> Result<Self, libloading::Error> {
        unsafe {
            Ok(Functions {
                new_environment: *library.get(b"SolveCpNewEnv\0")?,
                destroy_environment: *library.get(b"SolveCpDestroyEnv\0")?,
                stop_search: *library.get(b"SolveCpStopSearch\0")?,
                solve: *library.get(b"SolveCpInterruptible\0")?,
                free: free()?,
                file,
                _library: library,
            })
        }
    }
}

#[cfg(not(windows))]
unsafe fn free() -> Result<unsafe extern "C" fn(*mut c_void), libloading::Error> {
    Ok(libc::free)
}

/// Microsoft's compiler has built the library, so its allocator differs from this program's.
#[cfg(windows)]
unsafe fn free() -> Result<unsafe extern "C" fn(*mut c_void), libloading::Error> {
    use libloading::os::windows::{LOAD_LIBRARY_SEARCH_SYSTEM32, Library};
    unsafe {
        let library = Library::load_with_flags("ucrtbase.dll", LOAD_LIBRARY_SEARCH_SYSTEM32)?;
        let free = *library.get(b"free\0")?;
        // The system's library stays loaded.
        std::mem::forget(library);
        Ok(free)
    }
}

/// Returns the functions, or the system's message if there are none.
fn functions() -> Result<&'static Functions, &'static str> {
    static LOADED: OnceLock<Result<Functions, String>> = OnceLock::new();
    LOADED.get_or_init(Functions::load).as_ref().map_err(String::as_str)
}

/// Returns the file of the loaded library, or the system's message if there is none.
pub fn cpsat_library() -> Result<&'static Path, &'static str> {
    functions().map(|functions| functions.file.as_path())
}

/// A search of CP-SAT, which can be stopped from any thread.
pub struct CpSatSearch {
    functions: &'static Functions,
    environment: *mut c_void,
    /// Held while the environment solves, which it can do only once at a time.
    solving: Mutex<()>,
}

// SAFETY: one thread at a time solves in the environment; the others only set its atomic flag to stop.
unsafe impl Send for CpSatSearch {}
unsafe impl Sync for CpSatSearch {}

impl CpSatSearch {
    /// Makes a search. The error is the system's message if the library cannot be loaded.
    pub fn new() -> Result<Self, &'static str> {
        let functions = functions()?;
        // SAFETY: the function has no arguments; its result is destroyed once, in `drop`.
        let environment = unsafe { (functions.new_environment)() };
        Ok(CpSatSearch { functions, environment, solving: Mutex::new(()) })
    }

    /// Solves a serialised `CpModelProto` with serialised `SatParameters`; returns the serialised `CpSolverResponse`. A
    /// search that was stopped stays stopped.
    pub fn solve(&self, model: &[u8], parameters: &[u8]) -> Result<Vec<u8>, CpSatFault> {
        let length = |message: &[u8]| c_int::try_from(message.len()).map_err(|_| CpSatFault::TooLarge);
        let (model_length, parameters_length) = (length(model)?, length(parameters)?);
        let _solving = self.solving.lock();
        let (mut response, mut length) = (ptr::null_mut(), 0);
        // SAFETY: the slices outlive the call. The response is a block of this length that was allocated with `malloc`.
        unsafe {
            let has_returned = conjure_like_cpsat_solve(
                self.functions.solve,
                self.environment,
                model.as_ptr(),
                model_length,
                parameters.as_ptr(),
                parameters_length,
                &mut response,
                &mut length,
            );
            if !has_returned {
                return Err(CpSatFault::Thrown);
            }
            if response.is_null() {
                return Ok(Vec::new());
            }
            let bytes = std::slice::from_raw_parts(response, usize::try_from(length).unwrap_or(0)).to_vec();
            (self.functions.free)(response.cast());
            Ok(bytes)
        }
    }

    /// Stops the search soon; it returns the best solution so far.
    pub fn stop(&self) {
        // SAFETY: the environment lives as long as `self`, and the flag is atomic.
        unsafe { (self.functions.stop_search)(self.environment) }
    }
}

impl Drop for CpSatSearch {
    fn drop(&mut self) {
        // SAFETY: the environment is no longer used.
        unsafe { (self.functions.destroy_environment)(self.environment) }
    }
}
