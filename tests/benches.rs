//! The models that are measured are legal, and so are their data. Nothing is solved here, and nothing timed.

use super::common;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The model that a comment in a parameter file names: in the same folder, or in `models`.
fn model_of(parameters: &Path, text: &str) -> PathBuf {
    let name = text.lines().find_map(|line| line.strip_prefix("$ model: "));
    let name = name.unwrap_or_else(|| panic!("{}: there is no comment `$ model: …`", parameters.display()));
    let beside = parameters.with_file_name(name);
    if beside.exists() { beside } else { Path::new("models").join(name) }
}

#[test]
fn models_and_data_of_the_benchmarks_are_legal() {
    let extension = |path: &PathBuf, wanted: &str| path.extension().is_some_and(|extension| extension == wanted);
    let files = files(Path::new("benches"));
    let mut models: BTreeSet<_> = files.iter().filter(|path| extension(path, "essence")).cloned().collect();
    for path in files.iter().filter(|path| extension(path, "param")) {
        let text = read(path);
        let model = model_of(path, &text);
        if let Err(diagnostics) = common::instantiate(&read(&model), &text) {
            panic!("{} with {}: {}", model.display(), path.display(), common::words(&diagnostics));
        }
        models.remove(&model);
    }
    // The others get their data when they are measured.
    for model in models {
        let mut diagnostics = Default::default();
        let tree = common::read(&read(&model), 0, &mut diagnostics);
        conjure_like::analysis::analyse(&tree, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{}: {}", model.display(), common::words(&diagnostics));
    }
}
