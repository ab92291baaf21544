//! The files of submissions. Neither their contents nor their names are trusted.
//!
//! Learning systems deliver submissions as a folder for each student, as one archive, or as archives in folders. `find`
//! searches folders, `archive` searches archives, and `authors` assigns the models to students.

mod archive;
mod authors;
mod find;
mod found;
mod notebook;
mod text;

pub(super) use text::Unfit;

use crate::inputs::invocation::unreadable;
use authors::Labelled;
use conjure_like::{Code, Diagnostic};
use find::FolderSteps;
use found::FoundFile;
use std::path::{Path, PathBuf};

/// A submission.
pub(super) struct SubmittedFile {
    /// The name in tables, which is unique.
    pub name: String,
    /// The student's number in the learning system.
    pub number: Option<String>,
    pub path: PathBuf,
    /// The text, or the reason why there is none.
    pub text: Result<String, Unfit>,
}

/// The submissions in some files and folders.
pub(super) struct Submissions {
    pub files: Vec<SubmittedFile>,
    /// The files of unknown kinds that belong to no student.
    pub ignored: Vec<PathBuf>,
}

/// The options of a search for submissions.
pub(super) struct SubmissionSearch<'a> {
    /// The name of the model's cell, for notebooks that contain several models.
    pub cell: Option<&'a str>,
    /// True if all files come from one student. Then a missing model is the student's mistake, not the lecturer's.
    pub of_one_student: bool,
}

/// The submissions: the files, and the models in the folders and archives.
pub(super) fn collect_submissions(paths: &[PathBuf], search: &SubmissionSearch) -> Result<Submissions, Diagnostic> {
    let mut found: Vec<FoundFile> = Vec::new();
    for path in paths {
        let before = found.len();
        let above = folders_above(path, paths);
        let is_beside_others = matches!(above, FolderSteps::Itself) && path.is_dir();
        find::submission(path, above, search.cell, &mut found)
            .map_err(|error| unreadable(path, &path.display().to_string(), &error))?;
        // For one student, the feedback reports an empty submission; for a class, the path is probably wrong.
        if !search.of_one_student && !found[before..].iter().any(authors::is_submission) {
            let message = format!("`{}` has no file that ends in `.essence`", path.display());
            return Err(Diagnostic::error(Code::FILE_UNREADABLE, message));
        }
        let is_model = |one: &&FoundFile| matches!(one.content, found::FileContent::Model(_));
        if is_beside_others && found[before..].iter().filter(is_model).count() > 1 {
            // The folder has the submissions of several students, so its name is not part of theirs.
            found[before..].iter_mut().for_each(|one| drop(one.steps.remove(0)));
        }
    }
    let Labelled { labels, ignored } = authors::labelled(found);
    let files = labels.into_iter().map(|(name, number, path, text)| SubmittedFile { name, number, path, text });
    let mut files: Vec<SubmittedFile> = files.collect();
    if search.of_one_student && files.is_empty() {
        let file_name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let names: Vec<String> = ignored.iter().filter_map(file_name).collect();
        let path = paths.first().cloned().unwrap_or_default();
        files.push(SubmittedFile {
            name: "submission".to_owned(),
            number: None,
            path,
            text: Err(Unfit::no_model(&names)),
        });
    }
    Ok(Submissions { files, ignored })
}

/// The steps above a path that identify its author: its parent as well, if several paths have the same name.
fn folders_above(path: &Path, paths: &[PathBuf]) -> FolderSteps {
    let same = paths.iter().filter(|other| other.file_name() == path.file_name()).count();
    match (same, paths.len()) {
        (1, 1) => FolderSteps::Nothing,
        (1, _) => FolderSteps::Itself,
        _ => {
            FolderSteps::Parent(path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()))
        }
    }
}
