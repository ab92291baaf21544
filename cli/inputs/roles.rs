//! The roles of the files on a command line: a model, parameters, a solution. If the order is wrong, or a table does
//! not name its parameter, the message shows the right command instead of a list of mistakes in each file.

use super::named_table::TableArgument;
use crate::runtime::files;
use clap::ArgMatches;
use conjure_like::{Code, DeclaredKind, DeclaredName, Diagnostic, Outline, Text, visible};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The files of a command, in the order in which they are typed.
pub(crate) struct Files {
    words: Vec<OsString>,
    command: String,
    paths: Vec<PathBuf>,
    /// The parameters whose values come from tables.
    from_tables: BTreeSet<String>,
}

/// The extensions of tables.
const TABLES: [&str; 10] = ["csv", "tsv", "xlsx", "xlsm", "xlsb", "xls", "ods", "db", "sqlite", "sqlite3"];

/// The extensions of texts that may be tables.
const LISTS: [&str; 2] = ["json", "jsonl"];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileRole {
    Model,
    Parameters,
    Solution,
}

impl Files {
    /// The files of a command that takes a model and data.
    pub(crate) fn of(words: &[OsString], matches: &ArgMatches) -> Option<Self> {
        let (command, matches) = matches.subcommand()?;
        let named = |id: &str| -> Vec<PathBuf> {
            matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten().cloned().collect()
        };
        let mut paths = [named("model"), named("parameters"), named("files")].concat();
        let mut from_tables = BTreeSet::new();
        // A table argument is always data, and one file may have the values of several parameters.
        paths.retain(|path| {
            let table = TableArgument::read(path, Path::new(""));
            let is_file = table.is_none();
            from_tables.extend(table.map(|table| table.parameter));
            is_file
        });
        let wants_model = matches.try_contains_id("model").is_ok_and(|given| given);
        wants_model.then(|| Files { words: words.to_vec(), command: command.to_owned(), paths, from_tables })
    }

    /// The error about a file that is named twice.
    pub(crate) fn twice(&self) -> Option<Diagnostic> {
        let (at, again) = self.paths.iter().enumerate().find_map(|(at, path)| {
            self.paths[..at].iter().any(|before| files::are_same_file(before, path)).then_some((at, path))
        })?;
        let mut once = self.paths.clone();
        once.remove(at);
        let once: Vec<Vec<OsString>> = once.into_iter().map(|path| vec![path.into()]).collect();
        let error = Diagnostic::error(Code::COMMAND_LINE, format!("the file `{}` is given twice", again.display()));
        Some(error.help(format!("name it once: {}", self.command_with(&once))))
    }

    /// The error about a table without the name of its parameter.
    pub(crate) fn lone_table(&self, read: impl Fn(&Path) -> Option<Text>) -> Option<Diagnostic> {
        let (model, data) = self.paths.split_first()?;
        let ends = |path: &PathBuf, endings: &[&str]| {
            endings.iter().any(|ending| path.extension().is_some_and(|own| own == *ending))
        };
        // Standard input cannot be read again later.
        let cells_of = |path: &PathBuf| match model != Path::new("-") && ends(path, &LISTS) {
            true => read(path).and_then(|text| keys_of_first_entry(&text)),
            false => None,
        };
        if !data.iter().any(|path| ends(path, &TABLES) || cells_of(path).is_some()) {
            return None;
        }
        let declared = DeclaredName::all(&read(model)?);
        let is_small = |one: &DeclaredName| {
            let domain = one.domain.as_ref();
            one.kind != DeclaredKind::EnumeratedType
                && domain.is_some_and(|domain| ["int", "bool"].contains(&domain.kind))
        };
        // The entries of a table have only cells, but an instance with small parameters looks the same.
        let is_list = |path: &PathBuf| {
            let is_value =
                |names: BTreeSet<String>| declared.iter().any(|one| is_small(one) && names.contains(&one.name));
            cells_of(path).is_some_and(|names| !is_value(names))
        };
        // The sheets of a workbook may be named after parameters.
        let is_named = |path: &PathBuf| {
            let about = |sheet: &Text| {
                sheet.table_use().is_some_and(|table| declared.iter().any(|one| one.name == table.parameter))
            };
            let first = read(path).and_then(|text| text.instances().next());
            first.is_some_and(|text| !text.sheets().is_empty() && text.sheets().iter().all(about))
        };
        let is_table = |path: &&PathBuf| ends(path, &TABLES) && !is_named(path) || is_list(path);
        // One pass, because `is_table` may read the file.
        let (tables, others): (Vec<&PathBuf>, Vec<&PathBuf>) = data.iter().partition(is_table);
        let table = *tables.first()?;
        let others = others.into_iter().filter_map(|path| read(path));
        let known: BTreeSet<String> = others.flat_map(|text| Outline::read(&text).values).collect();
        let is_open = |name: &String| !known.contains(name) && !self.from_tables.contains(name);
        let takes_tables = |one: &&DeclaredName| match one.kind {
            // A column may contain the members of an enumerated type.
            DeclaredKind::EnumeratedType => one.text.is_none() && is_open(&one.name),
            DeclaredKind::Given => !is_small(one) && is_open(&one.name),
            _ => false,
        };
        let givens: Vec<&str> = declared.iter().filter(takes_tables).map(|one| one.name.as_str()).collect();
        let named = table.display();
        let error = |message| Some(Diagnostic::error(Code::COMMAND_LINE, message));
        // A list in JSON may also consist of instances.
        if givens.is_empty() && is_list(table) {
            return None;
        }
        if givens.is_empty() {
            return error(format!("`{named}` is a table, and no parameter without a value takes one"));
        }
        let words = self.paths.iter().map(|path| match path == table {
            true => givens.iter().map(|name| format!("{name}={named}").into()).collect(),
            false => vec![path.into()],
        });
        let words: Vec<Vec<OsString>> = words.collect();
        let error = error(format!("`{named}` is a table, which does not name the parameter that it is for"))?;
        let error = error.help(format!("write {}", self.command_with(&words)));
        Some(error.note(format!("`{}={named}:COLUMN,COLUMN` would choose the columns", givens[givens.len() - 1])))
    }

    /// The error about a wrong order of files; called after mistakes were found in them.
    pub(crate) fn wrong_order(&self, read: impl FnMut(&Path) -> Option<Text>) -> Option<Diagnostic> {
        // Standard input has already been read and cannot be read again.
        if self.paths.len() < 2 || self.paths.iter().any(|path| path == Path::new("-")) {
            return None;
        }
        let texts = self.paths.iter().map(PathBuf::as_path).map(read).collect::<Option<Vec<Text>>>()?;
        let outlines: Vec<Outline> = texts.iter().map(Outline::read).collect();
        let models: Vec<&Outline> = outlines.iter().filter(|outline| outline.is_model).collect();
        // The right order is known only if there is exactly one model.
        let [model] = models.as_slice() else { return None };
        let roles: Vec<FileRole> = outlines.iter().map(|outline| role(outline, &model.finds)).collect();
        let mut sorted: Vec<(FileRole, &PathBuf)> = roles.iter().copied().zip(&self.paths).collect();
        sorted.sort_by_key(|(role, _)| *role);
        let paths: Vec<PathBuf> = sorted.iter().map(|(_, path)| (*path).clone()).collect();
        let solutions = roles.iter().filter(|role| **role == FileRole::Solution).count();
        let error = |message: String| Diagnostic::error(Code::COMMAND_LINE, message);
        if self.command != "validate-solution" && solutions > 0 {
            let at = roles.iter().position(|role| *role == FileRole::Solution)?;
            let message = format!("`{}` is a solution, not a parameter file", self.paths[at].display());
            let words = ["conjure-like", "validate-solution"].into_iter().map(OsString::from);
            let check = typed(words.chain(paths.iter().map(OsString::from)));
            return Some(error(message).help(format!("to check the solution, run {check}")));
        }
        if self.command == "validate-solution" && solutions == 0 {
            return None;
        }
        if !roles.is_sorted() {
            let what = match roles.len() {
                2 if solutions == 0 => "the model and the parameter file are the wrong way round",
                2 => "the model and the solution are the wrong way round",
                _ => "the files are in the wrong order",
            };
            let paths: Vec<Vec<OsString>> = paths.into_iter().map(|path| vec![path.into()]).collect();
            return Some(error(what.to_owned()).help(format!("write {}", self.command_with(&paths))));
        }
        None
    }

    /// The command line with its files replaced.
    fn command_with(&self, new: &[Vec<OsString>]) -> String {
        let mut old = self.paths.iter().peekable();
        let mut new = new.iter();
        let mut words: Vec<OsString> = vec!["conjure-like".into()];
        for word in self.words.iter().skip(1) {
            match old.next_if(|path| path.as_os_str() == word) {
                Some(_) => words.extend(new.next().into_iter().flatten().cloned()),
                None => words.push(word.clone()),
            }
        }
        typed(words)
    }
}

/// The keys of the first entry of a list in JSON, if its values are not lists or objects.
fn keys_of_first_entry(text: &Text) -> Option<BTreeSet<String>> {
    /// Larger files are not parsed just for a better message.
    const LARGEST: usize = 1 << 24;
    if text.text.len() > LARGEST {
        return None;
    }
    let first = serde_json::Deserializer::from_str(&text.text).into_iter::<Value>().next()?.ok()?;
    let entry = first.as_array().map_or(Some(&first), |entries| entries.first())?.as_object()?;
    let has_parts = entry.values().any(|value| value.is_array() || value.is_object());
    (!has_parts && text.instances().len() > 1).then(|| entry.keys().cloned().collect())
}

/// The role of a file: a solution gives values to all decision variables of the model.
fn role(outline: &Outline, finds: &BTreeSet<String>) -> FileRole {
    if outline.is_model {
        FileRole::Model
    } else if !outline.values.is_disjoint(finds) && finds.is_subset(&outline.values) {
        FileRole::Solution
    } else {
        FileRole::Parameters
    }
}

/// Words as typed into a shell, quoted if necessary.
pub(crate) fn typed(words: impl IntoIterator<Item = OsString>) -> String {
    let is_plain = |character: char| "-_./=:+,@".contains(character) || character.is_alphanumeric();
    let quoted = |word: OsString| {
        let word = visible::line(&word.to_string_lossy()).into_owned();
        match word.chars().all(is_plain) && !word.is_empty() {
            true => word,
            false => format!("'{}'", word.replace('\'', "'\\''")),
        }
    };
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}
