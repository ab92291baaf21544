//! The files of submissions. What is in them is not trusted, and neither are their names.
//!
//! Learning systems hand submissions out as a folder for each student, as one archive of all, and as archives in
//! folders. `find` walks through all of it, `archive` through what is packed, and `authors` says whose the models are.

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
    /// The name in tables, which is different for each.
    pub name: String,
    /// The number that the learning system gave to the student.
    pub number: Option<String>,
    pub path: PathBuf,
    /// The text, or why there is none.
    pub text: Result<String, Unfit>,
}

/// The submissions in some files and folders.
pub(super) struct Submissions {
    pub files: Vec<SubmittedFile>,
    /// The files of unknown kinds that belong to no student.
    pub ignored: Vec<PathBuf>,
}

/// How submissions are looked for.
pub(super) struct SubmissionSearch<'a> {
    /// The cell that the model in a notebook with several models has.
    pub cell: Option<&'a str>,
    /// Whether all of it comes from one student, who has handed in something wrong if there is no model.
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
        if !search.of_one_student && !found[before..].iter().any(authors::is_submission) {
            let message = format!("`{}` has no file that ends in `.essence`", path.display());
            return Err(Diagnostic::error(Code::FILE_UNREADABLE, message));
        }
        let is_model = |one: &&FoundFile| matches!(one.content, found::FileContent::Model(_));
        if is_beside_others && found[before..].iter().filter(is_model).count() > 1 {
            // The folder is not a student's: it has the submissions of several ones.
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

/// The folders that say whose a path is: the one that it is in, if several paths have the same name.
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
