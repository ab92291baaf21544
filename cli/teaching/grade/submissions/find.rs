//! Searches folders and archives for files that may be models.

use super::{
    archive,
    found::{FileContent, FoundFile, SubmissionFinder, SubmissionKind, is_made_up, without_ending},
    text::{self, Unfit},
};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

/// The maximum depth of nested folders. Chosen.
const DEPTH: usize = 8;

/// The steps above the entries of a folder that the user has named.
pub(super) enum FolderSteps {
    Nothing,
    /// Its own name, because several paths were named.
    Itself,
    /// The name of its parent and its own name, because another path has the same name.
    Parent(Option<String>),
}

/// Finds the submissions in a file, a folder or an archive.
pub(super) fn submission(
    path: &Path,
    above: FolderSteps,
    cell: Option<&str>,
    found: &mut Vec<FoundFile>,
) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut finder = SubmissionFinder { cell, found };
    let is_alone = matches!(above, FolderSteps::Nothing);
    let parent = if let FolderSteps::Parent(parent) = above { parent } else { None };
    let steps = |name: String| -> Vec<String> { parent.clone().into_iter().chain([name]).collect() };
    if metadata.is_dir() {
        let steps = if is_alone { Vec::new() } else { steps(name) };
        finder.folder(path, &steps, DEPTH);
    } else if let (SubmissionKind::Archive, true) = (SubmissionKind::of(&name), metadata.is_file()) {
        archive::class(&mut finder, File::open(path)?, path, &steps(without_ending(&name)));
    } else {
        // The user has named this file, so its name may have any form.
        let content = match (finder.file(path, &metadata, &name), SubmissionKind::of(&name)) {
            (content @ FileContent::Model(_), _) => content,
            (FileContent::Text(text), _) => FileContent::Model(text),
            _ => FileContent::Model(opened(path, &metadata).and_then(text::model_of_text)),
        };
        finder.add(path, &steps(name), content);
    }
    Ok(())
}

impl SubmissionFinder<'_> {
    fn folder(&mut self, folder: &Path, steps: &[String], depth: usize) {
        if !steps.is_empty() {
            self.add(folder, steps, FileContent::Folder);
        }
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        // The order of the file system varies, but the order of the submissions must not.
        entries.sort();
        for entry in entries {
            let name = entry.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let Ok(metadata) = fs::symlink_metadata(&entry) else { continue };
            if is_made_up(&name) {
                continue;
            }
            let before = steps;
            let steps: Vec<String> = before.iter().cloned().chain([name.clone()]).collect();
            match SubmissionKind::of(&name) {
                // A link to a folder may lead anywhere, so it is not searched: `symlink_metadata` does not follow it.
                _ if metadata.is_dir() && depth > 1 => self.folder(&entry, &steps, depth - 1),
                _ if metadata.is_dir() => {}
                SubmissionKind::Archive if metadata.is_file() => match File::open(&entry) {
                    Ok(file) => {
                        let steps: Vec<String> = before.iter().cloned().chain([without_ending(&name)]).collect();
                        archive::read_student_archive(self, file, &entry, &steps);
                    }
                    Err(error) => self.add(&entry, &steps, FileContent::Model(Err(Unfit::unreadable(&error)))),
                },
                _ => {
                    let content = self.file(&entry, &metadata, &name);
                    self.add(&entry, &steps, content);
                }
            }
        }
    }

    /// The content of a file that is not an archive. Links are not followed: with one, a student could read files of
    /// the lecturer in the feedback.
    fn file(&self, path: &Path, metadata: &fs::Metadata, name: &str) -> FileContent {
        let kind = SubmissionKind::of(name);
        match opened(path, metadata) {
            Ok(file) => kind.read(file, self.cell),
            Err(unfit) => kind.unfit(unfit),
        }
    }
}

fn opened(path: &Path, metadata: &fs::Metadata) -> Result<File, Unfit> {
    if metadata.is_symlink() {
        return Err(Unfit::link());
    }
    if !metadata.is_file() {
        return Err(Unfit::device(special(metadata)));
    }
    File::open(path).map_err(|error| Unfit::unreadable(&error))
}

/// The kind of a special file.
#[cfg(unix)]
fn special(metadata: &fs::Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    match () {
        () if kind.is_fifo() => "a named pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn special(_: &fs::Metadata) -> &'static str {
    "a device"
}
