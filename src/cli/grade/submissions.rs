//! The files of submissions. What is in them is not trusted, and neither are their names.

use crate::cli::session::unreadable;
use conjure_like::{Code, Diagnostic, visible};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
};

/// The largest submission that is read, in bytes.
const LARGEST: u64 = 1_000_000;

/// How deep the folder of submissions is searched: a folder for each student, with folders in it.
const DEPTH: usize = 3;

/// A submission.
pub(super) struct SubmittedFile {
    /// The name in tables, which is different for each.
    pub name: String,
    pub path: PathBuf,
    /// The text, or why there is none.
    pub text: Result<String, String>,
}

/// The submissions: the files, and the models in the folders.
pub(super) fn collect(paths: &[PathBuf]) -> Result<Vec<SubmittedFile>, Diagnostic> {
    let mut files = Vec::new();
    for path in paths {
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                let before = files.len();
                models_in(path, DEPTH, &mut files);
                if files.len() == before {
                    let message = format!("the folder `{}` has no file that ends in `.essence`", path.display());
                    return Err(Diagnostic::error(Code::FILE_UNREADABLE, message));
                }
            }
            Ok(_) => files.push(path.clone()),
            Err(error) => return Err(unreadable(path, &path.display().to_string(), &error)),
        }
    }
    let names = names(&files);
    Ok(files.into_iter().zip(names).map(|(path, name)| SubmittedFile { text: read(&path), name, path }).collect())
}

fn models_in(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for entry in entries {
        // A link to a folder may lead anywhere.
        let is_folder = fs::symlink_metadata(&entry).is_ok_and(|metadata| metadata.is_dir());
        if is_folder && depth > 1 {
            models_in(&entry, depth - 1, files);
        } else if !is_folder && entry.extension() == Some(OsStr::new("essence")) {
            files.push(entry);
        }
    }
}

/// The text of a submission. A link is not followed: it would show its author what the reader may read.
fn read(path: &Path) -> Result<String, String> {
    let metadata = fs::symlink_metadata(path).map_err(|error| error.to_string())?;
    if metadata.is_symlink() {
        return Err("it is a link; a submission must be the file itself".to_owned());
    }
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    if metadata.len() > LARGEST {
        return Err(format!("it has {} MB; a model has at most 1 MB", metadata.len() / 1_000_000));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is not a text in UTF-8".to_owned())
}

/// Names for the files: the file's own, with its folder's where several files have the same one, with a number where that does not
/// help.
fn names(files: &[PathBuf]) -> Vec<String> {
    let own: Vec<String> = files.iter().map(|path| plain(path.file_stem())).collect();
    let with_folder = |path: &Path, own: &str| match plain(path.parent().and_then(Path::file_name)) {
        folder if folder.is_empty() => own.to_owned(),
        folder => format!("{folder}-{own}"),
    };
    let is_unique = |names: &[String], name: &str| names.iter().filter(|other| *other == name).count() == 1;
    let longer: Vec<String> = files
        .iter()
        .zip(&own)
        .map(|(path, name)| if is_unique(&own, name) { name.clone() } else { with_folder(path, name) })
        .collect();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let numbered = longer.iter().map(|name| {
        let count = seen.entry(name.to_lowercase()).or_default();
        *count += 1;
        if *count == 1 { name.clone() } else { format!("{name}-{count}") }
    });
    numbered.collect()
}

/// A name that can be the name of a file anywhere, and stands for itself in any table.
fn plain(name: Option<&OsStr>) -> String {
    let name = name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_plain = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | '.' | ' ');
    let shown: String = visible::line(&name).chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    // Not hidden, not an option, not a formula.
    shown.trim().trim_start_matches(['-', '.']).chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(paths: &[&str]) -> Vec<String> {
        names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn names_are_different_and_harmless() {
        assert_eq!(named(&["a/anna.essence", "a/ben.essence"]), ["anna", "ben"]);
        assert_eq!(named(&["anna/q.essence", "ben/q.essence", "c.essence"]), ["anna-q", "ben-q", "c"]);
        assert_eq!(named(&["a/q.essence", "b/a/q.essence"]), ["a-q", "a-q-2"]);
        assert_eq!(named(&["=cmd|'A0.essence", "-x.essence", "<b>.essence"]), ["_cmd__A0", "x", "_b_"]);
    }
}
