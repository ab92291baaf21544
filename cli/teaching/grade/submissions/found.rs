//! Files that are found among submissions, and their kinds.

use super::{
    notebook,
    text::{self, Unfit},
};
use std::{
    ffi::OsStr,
    io::Read,
    path::{Path, PathBuf},
};

/// A file or a folder.
pub(super) struct FoundFile {
    pub path: PathBuf,
    /// The folders and archives below the named folder, and the file. Names that other programs make up
    /// ([`is_made_up`]) are left out.
    pub steps: Vec<String>,
    pub content: FileContent,
}

/// The content of a file.
pub(super) enum FileContent {
    Model(Result<String, Unfit>),
    /// A text, which may be a model if the author has handed in nothing else.
    Text(Result<String, Unfit>),
    Other,
    /// A folder, which may contain files.
    Folder,
}

/// The kind of a file, by its name.
#[derive(Clone, Copy)]
pub(super) enum SubmissionKind {
    Model,
    Notebook,
    Text,
    Archive,
    Other,
}

impl SubmissionKind {
    pub(super) fn of(name: &str) -> Self {
        let name = name.to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        // `.essence.txt` also ends with `.txt`, so this test comes first.
        if ends(&[".essence", ".essence.txt"]) {
            SubmissionKind::Model
        } else if ends(&[".ipynb"]) {
            SubmissionKind::Notebook
        } else if ends(&[".zip"]) {
            SubmissionKind::Archive
        } else if ends(&[".txt", ".model", ".eprime"]) {
            SubmissionKind::Text
        } else {
            SubmissionKind::Other
        }
    }

    /// Reads a file of this kind.
    pub(super) fn read(self, input: impl Read, cell: Option<&str>) -> FileContent {
        match self {
            SubmissionKind::Model => FileContent::Model(text::model_of_text(input)),
            SubmissionKind::Notebook => FileContent::Model(
                text::notebook(input).and_then(|notebook| notebook::model_of_notebook(&notebook, cell)),
            ),
            SubmissionKind::Text => FileContent::Text(text::model_of_text(input)),
            SubmissionKind::Archive | SubmissionKind::Other => FileContent::Other,
        }
    }

    /// The content of a file of this kind that cannot be read.
    pub(super) fn unfit(self, unfit: Unfit) -> FileContent {
        match self {
            SubmissionKind::Model | SubmissionKind::Notebook | SubmissionKind::Archive => {
                FileContent::Model(Err(unfit))
            }
            SubmissionKind::Text => FileContent::Text(Err(unfit)),
            SubmissionKind::Other => FileContent::Other,
        }
    }
}

/// True if systems or editors make up such names for their own files.
pub(super) fn is_made_up(name: &str) -> bool {
    // Examples are `._model.essence`, `.DS_Store`, `.git`, `.#model.essence`, `~$model.docx` and `#model.essence#`.
    let is_marked = name.starts_with(['.', '~']) || name.starts_with('#') && name.ends_with('#');
    let known = ["__macosx", "thumbs.db", "desktop.ini", "__pycache__"];
    is_marked || known.contains(&name.to_lowercase().as_str())
}

/// The name of an archive without `.zip`.
pub(super) fn without_ending(name: &str) -> String {
    let stem = Path::new(name).file_stem().unwrap_or(OsStr::new(name));
    stem.to_string_lossy().into_owned()
}

/// Collects files.
pub(super) struct SubmissionFinder<'a> {
    /// The name of the wanted cell in notebooks.
    pub cell: Option<&'a str>,
    pub found: &'a mut Vec<FoundFile>,
}

impl SubmissionFinder<'_> {
    pub(super) fn add(&mut self, path: &Path, steps: &[String], content: FileContent) {
        self.found.push(FoundFile { path: path.to_owned(), steps: steps.to_vec(), content });
    }
}
