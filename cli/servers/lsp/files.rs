//! Answers the language server's questions about files.

use crate::inputs::{invocation, named_table::TableArgument};
use conjure_like::{
    Text,
    language_server::{DataFile, FileAnswer, FileQuestion, path_of, uri_of},
};
use std::{fs, path::Path};

/// Answers a question.
pub(super) fn answer_file_question(question: &FileQuestion) -> FileAnswer {
    match question {
        FileQuestion::Folder(folder) => {
            // Without the slash, the last part of the path would be taken for a file.
            let entries = path_of(&format!("{folder}/")).and_then(|folder| fs::read_dir(folder).ok());
            FileAnswer::Folder(entries.into_iter().flatten().flatten().map(|entry| uri_of(&entry.path())).collect())
        }
        FileQuestion::Text(uri) => FileAnswer::Text(path_of(uri).and_then(|path| invocation::text_if_readable(&path))),
        FileQuestion::Data { model, word } => FileAnswer::Data(data(model, word)),
    }
}

/// The data that a word on the command line names. A table is named relative to the folder of the model.
fn data(model: &str, word: &str) -> DataFile {
    let folder = path_of(model).and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default();
    // A word that is not a table names a parameter file.
    let Some(table) = TableArgument::read(Path::new(word), &folder) else {
        let path = folder.join(word);
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        let error = format!("cannot read `{word}`");
        return DataFile {
            uri: uri_of(&path),
            name,
            text: invocation::text_if_readable(&path),
            error,
            ..DataFile::default()
        };
    };
    let uri = uri_of(&table.file);
    let name = table.file.strip_prefix(&folder).unwrap_or(&table.file).display().to_string();
    let (parameter, columns) = (Some(table.parameter.clone()), table.columns.clone());
    match invocation::read_table(&table, &name) {
        Ok(Text { name, text, .. }) => {
            DataFile { uri, name, text: Some(text), parameter, columns, ..DataFile::default() }
        }
        Err(wrong) => DataFile { uri, name, error: wrong.message, parameter, columns, ..DataFile::default() },
    }
}
