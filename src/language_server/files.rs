//! Files that are not open in the editor; the server asks its host for them.

use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A question about files, identified by their URIs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileQuestion {
    /// The files in a folder.
    Folder(String),
    /// The text of a file.
    Text(String),
    /// Data as on the command line, in a file relative to the folder of the model.
    Data {
        /// The model.
        model: String,
        /// The word of the command line, such as `cost=costs.csv`.
        word: String,
    },
}

/// The answer to the question with the same name.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileAnswer {
    /// The files in the folder; empty if there is no such folder.
    Folder(Vec<String>),
    /// The text, if the file is readable.
    Text(Option<String>),
    /// The data.
    Data(DataFile),
}

/// The contents of a parameter file or a table.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DataFile {
    /// The URI of the file.
    pub uri: String,
    /// The name in messages.
    pub name: String,
    /// The text; `None` if the file is not readable.
    pub text: Option<String>,
    /// The reason why there is no text.
    pub error: String,
    /// The parameter that the table gives a value to.
    pub parameter: Option<String>,
    /// The columns of the table.
    pub columns: String,
}

/// The files that the server needs for the current event.
#[derive(Default)]
pub(super) struct WorkspaceFiles {
    known: BTreeMap<FileQuestion, FileAnswer>,
    unanswered: Vec<FileQuestion>,
}

impl WorkspaceFiles {
    /// The unanswered questions.
    pub(super) fn unanswered(&self) -> &[FileQuestion] {
        &self.unanswered
    }

    /// Stores the answers to the unanswered questions, in their order.
    pub(super) fn learn(&mut self, answers: Vec<FileAnswer>) {
        self.known.extend(self.unanswered.drain(..).zip(answers));
    }

    /// Drops all answers, because files may change at any time.
    pub(super) fn forget(&mut self) {
        *self = WorkspaceFiles::default();
    }

    fn ask(&mut self, question: FileQuestion) -> Option<&FileAnswer> {
        // Even without the answer, the event runs to its end, so that all questions are collected at once.
        if !self.known.contains_key(&question) && !self.unanswered.contains(&question) {
            self.unanswered.push(question.clone());
        }
        self.known.get(&question)
    }

    pub(super) fn folder(&mut self, folder: &str) -> Vec<String> {
        match self.ask(FileQuestion::Folder(folder.to_owned())) {
            Some(FileAnswer::Folder(files)) => files.clone(),
            _ => Vec::new(),
        }
    }

    pub(super) fn text(&mut self, uri: &str) -> Option<String> {
        match self.ask(FileQuestion::Text(uri.to_owned())) {
            Some(FileAnswer::Text(text)) => text.clone(),
            _ => None,
        }
    }

    pub(super) fn data(&mut self, model: &str, word: &str) -> DataFile {
        match self.ask(FileQuestion::Data { model: model.to_owned(), word: word.to_owned() }) {
            Some(FileAnswer::Data(data)) => data.clone(),
            _ => DataFile::default(),
        }
    }
}

/// The folder of a file; `None` if the URI does not name a file, such as `untitled:1`.
pub(super) fn folder_of_uri(uri: &str) -> Option<&str> {
    let path = uri.find("://")? + "://".len();
    uri[path..].rfind('/').map(|end| &uri[..path + end])
}

pub(super) fn has_extension(uri: &str, extensions: &[&str]) -> bool {
    uri.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
}

/// The file name without its extension.
pub(super) fn stem_of_uri(uri: &str) -> String {
    let name = file_name_of_uri(uri);
    name.rsplit_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
}

/// The file name.
pub(super) fn file_name_of_uri(uri: &str) -> String {
    let decoded = without_percent_codes(uri);
    decoded.rsplit('/').next().unwrap_or(&decoded).to_owned()
}

/// The path of the file with this URI.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = without_percent_codes(uri.strip_prefix("file://")?);
    // On Windows, the path is `/C:/…`.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.map_or(path.clone(), str::to_owned)))
}

/// The URI of a file, in the notation of editors.
pub fn uri_of(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    let path = path.to_string_lossy().replace('\\', "/");
    // On Windows, the path is `C:/…`.
    if !path.starts_with('/') {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            byte if byte.is_ascii_alphanumeric() => uri.push(byte as char),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Decodes percent codes: `%41` is `A`.
pub(super) fn without_percent_codes(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        // A `%` without two hexadecimal digits after it stands for itself.
        let digits = behind.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
