//! Finds and opens the shared libraries of Z3 and CP-SAT. The order is: beside the program, in the checkout, in the
//! user's folder, in Python packages, by name (on Windows: in the folders of `PATH`).
//!
//! You may add or reorder places. The first file that opens is used, and only `z3.rs` checks its version. Use absolute
//! folders only. On Windows, never open by name: the system would search the current folder and could run a foreign
//! file.

use libloading::Library;
use std::{
    env,
    error::Error,
    fs, hint,
    path::{Path, PathBuf},
};

/// The library of a solver.
pub(crate) struct SolverLibrary {
    /// The possible names of its file.
    pub(crate) files: &'static [&'static str],
    /// The folder of the library in packages, relative to a folder of libraries; the file may also be in the latter
    /// itself.
    pub(crate) folder: &'static str,
    /// The folder of the library in its Python package, relative to a folder of packages.
    pub(crate) in_python: &'static str,
}

/// A library that was found.
pub(crate) struct Found {
    pub(crate) library: Library,
    /// The file, or only its name if the system has found it.
    pub(crate) file: PathBuf,
}

/// The checkout's folder of libraries, for a program that was built in one, padded with zeros. `.cargo/config.toml`
/// sets it, and cargo rebuilds this file if another checkout uses the same build folder. Packages overwrite it with
/// zeros (tools/forget-checkout) or are built without it, so that all checkouts give the same bytes.
static CHECKOUT: [u8; 4096] = padded(match option_env!("CONJURE_LIKE_LIBRARIES") {
    Some(folder) => folder,
    None => "",
});

const fn padded(text: &str) -> [u8; 4096] {
    let mut bytes = [0; 4096];
    let mut at = 0;
    while at < text.len() {
        bytes[at] = text.as_bytes()[at];
        at += 1;
    }
    bytes
}

impl SolverLibrary {
    /// Opens the first of the library's files that can be opened. The error has the system's message about the nearest
    /// file that cannot be opened, or states that there is none.
    pub(crate) fn open(&self) -> Result<Found, String> {
        let present = self.places().filter(|file| file.exists());
        // On Windows, the system also searches the current folder, whose files cannot be trusted.
        let by_name = self.files.iter().map(PathBuf::from).filter(|_| !cfg!(windows));
        let mut error = None;
        for file in present.chain(by_name) {
            match open(&file) {
                Ok(library) => return Ok(Found { library, file }),
                Err(refused) => {
                    let message = refused.source().map_or(refused.to_string(), ToString::to_string);
                    #[cfg(target_os = "linux")]
                    if is_want_of_memory(&message) {
                        crate::library_lacks_memory();
                    }
                    error.get_or_insert(message);
                }
            }
        }
        Err(error.unwrap_or_else(|| format!("there is no {}", self.files[0])))
    }

    /// The possible files of the library, the nearest to the program first.
    fn places(&self) -> impl Iterator<Item = PathBuf> {
        let below = |folder: PathBuf| [self.folder, "", self.in_python].map(|name| folder.join(name));
        let folders = folders().into_iter().chain(packages()).flat_map(below);
        let path = env::var_os("PATH").filter(|_| cfg!(windows)).unwrap_or_default();
        let path: Vec<PathBuf> = env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
        folders.chain(path).flat_map(|folder| self.files.iter().map(move |file| folder.join(file)))
    }
}

/// Returns true if memory for the library was refused: a limit of the address space is set, and the loader could not
/// map the file. Trying to reserve the memory again proves nothing, because other threads release some in the meantime.
#[cfg(target_os = "linux")]
fn is_want_of_memory(refused: &str) -> bool {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the function only writes to the structure.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    limit.rlim_cur != libc::RLIM_INFINITY && (refused.contains("cannot map") || refused.contains("failed to map"))
}

/// The folders of libraries: beside the program, in its checkout, and in the user's folder.
fn folders() -> Vec<PathBuf> {
    let program = env::current_exe().ok().and_then(|program| program.parent().map(Path::to_path_buf));
    let beside = program.map(|folder| if cfg!(windows) { folder } else { folder.join("../lib/conjure-like") });
    // Packages change this constant in the program, so the optimiser must not read it at compile time.
    let checkout =
        hint::black_box(&CHECKOUT).split(|byte| *byte == 0).next().and_then(|path| str::from_utf8(path).ok());
    let checkout = checkout.map(PathBuf::from).filter(|folder| folder.is_absolute());
    beside.into_iter().chain(checkout).chain(user_folder()).collect()
}

/// The folder where all programs of a user find libraries.
pub fn user_folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let data = match cfg!(windows) {
        true => absolute("LOCALAPPDATA"),
        false => absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share"))),
    };
    data.map(|data| data.join("conjure-like").join("lib"))
}

/// Returns true if the program belongs to the Python package `conjure_like`.
pub fn is_in_python() -> bool {
    packages().any(|packages| packages.join("conjure_like").exists())
}

/// The package folders of the Python environment that the program may be in.
fn packages() -> impl Iterator<Item = PathBuf> {
    let program = env::current_exe().ok();
    let library = program.and_then(|program| Some(program.parent()?.parent()?.join("lib")));
    let versions = library.and_then(|library| fs::read_dir(library).ok());
    versions.into_iter().flatten().flatten().map(|version| version.path().join("site-packages"))
}

#[cfg(not(windows))]
fn open(file: &Path) -> Result<Library, libloading::Error> {
    // SAFETY: the initialisers of a solver's library set up its own tables.
    unsafe { Library::new(file) }
}

/// The dependencies of this library are beside it.
#[cfg(windows)]
fn open(file: &Path) -> Result<Library, libloading::Error> {
    use libloading::os::windows::{LOAD_WITH_ALTERED_SEARCH_PATH, Library};
    // SAFETY: as above.
    unsafe { Library::load_with_flags(file, LOAD_WITH_ALTERED_SEARCH_PATH).map(Into::into) }
}
