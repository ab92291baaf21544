//! The files of Conjure's tests.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

/// The folder of one of the test suites.
pub(crate) fn suite(name: &str) -> PathBuf {
    let root = env::var_os("CONJURE_TESTS").expect("CONJURE_TESTS names the folder `tests` of a checkout of Conjure");
    Path::new(&root).join(name)
}

/// The entries of a folder, in the order of names.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder of tests").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    entries
}

/// All files below a folder with one of these extensions.
pub(crate) fn with_extension(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(with_extension(&path, extensions));
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted)) {
            found.push(path);
        }
    }
    found
}
