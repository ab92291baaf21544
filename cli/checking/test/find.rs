//! Finds files with test cases, and reads the texts that each case needs.

use crate::inputs::invocation;
use conjure_like::{Code, Diagnostic, Report, TestCase, TestFile, Text};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The extensions of models and parameter files.
const ENDINGS: [&str; 5] = ["essence", "param", "essence-param", "model", "eprime-param"];

/// The cases of a run.
pub(super) struct TestPlan {
    pub files: Vec<CaseFile>,
    pub jobs: Vec<TestJob>,
    /// The texts of models, by their paths.
    models: BTreeMap<PathBuf, Result<Text, Diagnostic>>,
}

/// A file with test cases.
pub(super) struct CaseFile {
    pub path: PathBuf,
    pub file: TestFile,
    /// The model: this file, or the file that it names.
    pub model: PathBuf,
}

/// A case with the data of one instance.
pub(super) struct TestJob {
    /// The index of the file, and of the case in the file.
    file: usize,
    case: usize,
    /// The name of the case, and of the instance if a file contains several; may be empty.
    pub name: String,
    /// The parameter files, or the report about one that cannot be read.
    pub data: Result<Vec<Text>, Report>,
    pub data_paths: Vec<PathBuf>,
}

impl TestJob {
    pub(super) fn file<'p>(&self, files: &'p [CaseFile]) -> &'p CaseFile {
        &files[self.file]
    }

    pub(super) fn file_name(&self, files: &[CaseFile]) -> String {
        self.file(files).path.display().to_string()
    }

    pub(super) fn case<'p>(&self, files: &'p [CaseFile]) -> &'p TestCase {
        &self.file(files).file.cases[self.case]
    }

    /// The file and the name of the case, for people.
    pub(super) fn title(&self, files: &[CaseFile]) -> String {
        let file = self.file_name(files);
        if self.name.is_empty() { file } else { format!("{file}: {}", self.name) }
    }
}

impl TestPlan {
    /// Finds the cases in files and folders.
    pub(super) fn find(paths: &[PathBuf], errors: &mut Vec<Diagnostic>) -> TestPlan {
        let mut plan = TestPlan { files: Vec::new(), jobs: Vec::new(), models: BTreeMap::new() };
        let mut known = BTreeSet::new();
        let mut named = Vec::new();
        for path in paths {
            if path.is_dir() {
                let mut files = Vec::new();
                walk(path, &mut files);
                plan.add(files, &mut known);
                continue;
            }
            match invocation::read(path) {
                Ok(text) => {
                    named.push(path);
                    plan.add_named(path, &text, &mut known);
                }
                Err(error) => errors.push(error),
            }
        }
        for path in named {
            // `./m.essence` and `m.essence` are the same file, so canonical paths are compared.
            let own = real(path);
            // A file may have the cases of another model, which it names.
            if !plan.files.iter().any(|found| real(&found.path) == own || real(&found.model) == own) {
                let message = format!("`{}` has no test cases", path.display());
                let error = Diagnostic::error(Code::TEST_CASE, message);
                errors.push(error.help("write a line such as `$ solutions: 4` in it, or in a file that names it"));
            }
        }
        plan.prepare();
        plan
    }

    /// Adds a file from the command line; if it is a model, also the files that name it.
    fn add_named(&mut self, path: &Path, text: &Text, known: &mut BTreeSet<PathBuf>) {
        let file = TestFile::read(text);
        let is_model = file.model.is_none();
        self.add_file(path, file, known);
        if !is_model {
            return;
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let model = real(path);
        for path in [folder.to_owned(), beside(folder, "params")].iter().flat_map(|folder| entries(folder)) {
            let Some(text) = invocation::text_if_readable(&path).filter(|_| is_text(&path)) else { continue };
            let file = TestFile::read(&Text::new(path.display().to_string(), text));
            if file.model.as_ref().is_some_and(|named| real(&beside_or_in_models(&path, &named.name)) == model) {
                self.add_file(&path, file, known);
            }
        }
    }

    fn add(&mut self, paths: Vec<PathBuf>, known: &mut BTreeSet<PathBuf>) {
        for path in paths {
            // Test cases are comments, which start with `$`.
            let Some(text) = invocation::text_if_readable(&path).filter(|text| text.contains('$')) else { continue };
            let name = path.strip_prefix(".").unwrap_or(&path).display().to_string();
            let file = TestFile::read(&Text::new(name, text));
            self.add_file(&path, file, known);
        }
    }

    fn add_file(&mut self, path: &Path, file: TestFile, known: &mut BTreeSet<PathBuf>) {
        if !file.cases.is_empty() && known.insert(real(path)) {
            let path = path.strip_prefix(".").unwrap_or(path).to_owned();
            let model = file.model.as_ref().map(|named| beside_or_in_models(&path, &named.name));
            self.files.push(CaseFile { model: model.unwrap_or_else(|| path.clone()), path, file });
        }
    }

    /// Reads the models and data that the cases need.
    fn prepare(&mut self) {
        for (position, found) in self.files.iter().enumerate() {
            let model = || match found.file.model {
                None => Ok(found.file.text.clone()),
                Some(_) => invocation::read(&found.model),
            };
            self.models.entry(found.model.clone()).or_insert_with(model);
            for (at, case) in found.file.cases.iter().enumerate() {
                self.jobs.extend(jobs(found, case, (position, at)));
            }
        }
    }

    /// The model of a case; an error points to the line that names the model.
    pub(super) fn model(&self, job: &TestJob) -> Result<&Text, Report> {
        let found = job.file(&self.files);
        match (&self.models[&found.model], &found.file.model) {
            (Ok(text), _) => Ok(text),
            (Err(error), Some(named)) => Err(found.file.missing(named, error)),
            (Err(error), None) => Err(error.clone().into()),
        }
    }
}

/// The jobs of a case: several if a data file contains several instances.
fn jobs(found: &CaseFile, case: &TestCase, (file, at): (usize, usize)) -> Vec<TestJob> {
    let name = case.name.clone().unwrap_or_default();
    let folder = found.path.parent().unwrap_or(Path::new(""));
    let data_paths: Vec<PathBuf> = case.data.iter().map(|named| folder.join(&named.name)).collect();
    let job = |name: String, data: Result<Vec<Text>, Report>| TestJob {
        file,
        case: at,
        name,
        data,
        data_paths: data_paths.clone(),
    };
    let mut together: Vec<Vec<Text>> = vec![Vec::new()];
    for (named, path) in case.data.iter().zip(&data_paths) {
        let text = match invocation::read(path) {
            Ok(text) => text,
            Err(error) => return vec![job(name, Err(found.file.missing(named, &error)))],
        };
        let instances: Vec<Text> = text.instances().collect();
        // If there are several data files, each combination of their instances is a job.
        let with = |before: &Vec<Text>, text: &Text| [before.as_slice(), std::slice::from_ref(text)].concat();
        together = together.iter().flat_map(|before| instances.iter().map(move |text| with(before, text))).collect();
    }
    if let [_] = together.as_slice() {
        return together.into_iter().map(|data| job(name.clone(), Ok(data))).collect();
    }
    let named = |data: Vec<Text>| {
        let instances: Vec<&str> =
            data.iter().map(|text| text.name.as_str()).filter(|name| name.contains('#')).collect();
        let instances = instances.join(", ");
        let name = if name.is_empty() { instances } else { format!("{name} ({instances})") };
        job(name, Ok(data))
    };
    together.into_iter().map(named).collect()
}

/// The path of a model that a file names: in the same folder, in its folder `models`, or in a folder `models` beside
/// it.
fn beside_or_in_models(path: &Path, name: &str) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    let own = folder.join(name);
    let places = [own.clone(), folder.join("models").join(name), beside(folder, "models").join(name)];
    places.into_iter().find(|path| path.is_file()).unwrap_or(own)
}

/// The folder with this name beside another folder.
fn beside(folder: &Path, name: &str) -> PathBuf {
    folder.parent().map_or_else(|| Path::new("..").join(name), |above| above.join(name))
}

/// The canonical path, so that a file is found only once.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|own| ENDINGS.iter().any(|ending| own == *ending))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(here) else { return Vec::new() };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(folder.join(entry.ok()?.file_name()))).collect();
    entries.sort();
    entries
}

/// The models and parameter files in a folder and its subfolders, except hidden ones.
fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() && !path.is_symlink() && !is_hidden {
            walk(&path, found);
        } else if is_text(&path) {
            found.push(path);
        }
    }
}
