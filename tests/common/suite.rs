//! Suites: files with several texts, each below a heading with its name.
//!
//! ```text
//! $ ==== union.essence
//! find s : set of int(1..2)
//! such that s = {1} union {2}
//!
//! $ solutions: 1
//!
//! $ ==== union-given.essence
//! …
//! ```
//!
//! A text ends before the empty line above the next heading, and has its own line numbers. Its path consists of the
//! suite's path without the extension, and the text's name: the first text of `tests/fixtures/sets.essence` is
//! `tests/fixtures/sets/union.essence`. The functions below accept the path of a text or of a file, so that tests need
//! not distinguish them. Above the first heading are comments about the suite, or the commands of a session.
//! `tests/unpack` writes the texts as files, for scripts that are not written in Rust.

#![allow(dead_code)] // Each program of tests uses a part.

use std::{
    collections::BTreeMap,
    fmt, fs,
    path::{Component, Path, PathBuf},
    sync::{PoisonError, RwLock},
};

/// The prefix of a heading; the name follows.
const HEADING: &str = "$ ==== ";

/// A line with this prefix that is not a heading is an error.
const ALMOST: &str = "$ ===";

/// The extensions of suites.
const EXTENSIONS: [&str; 3] = ["essence", "txt", "session"];

/// Tests that rewrite a suite take turns, and no test reads one meanwhile.
static ACCESS: RwLock<()> = RwLock::new(());

/// A file with several texts.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Suite {
    /// The text above the first heading.
    pub(crate) head: String,
    pub(crate) sections: Vec<Section>,
}

/// A text with its name.
#[derive(Debug, PartialEq)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The line of the heading, counted from 1.
    pub(crate) line: usize,
}

impl Suite {
    /// Returns the texts of a suite, or the line and the sentence of its first mistake.
    pub(crate) fn parse(text: &str) -> Result<Suite, String> {
        let mut suite = Suite::default();
        let mut known = BTreeMap::new();
        let mut before = "\n";
        for (number, line) in text.split_inclusive('\n').enumerate().map(|(number, line)| (number + 1, line)) {
            if let Some(name) = heading(line).map_err(|fault| format!("line {number}: {fault}"))? {
                suite.end_text(number, before)?;
                if let Some(first) = known.insert(name.to_owned(), number) {
                    return Err(format!("line {number}: the name `{name}` is taken by line {first}"));
                }
                suite.sections.push(Section { name: name.to_owned(), text: String::new(), line: number });
            } else {
                suite.last_text().push_str(line);
            }
            before = line;
        }
        match suite.sections.last() {
            Some(section) if section.text.is_empty() => Err(section.is_empty()),
            _ if !before.ends_with('\n') => Err("the last line has no line break".to_owned()),
            _ => Ok(suite),
        }
    }

    /// Removes the empty line above a heading from the text before it.
    fn end_text(&mut self, number: usize, before: &str) -> Result<(), String> {
        if number == 1 {
            return Ok(());
        }
        if before != "\n" {
            return Err(format!("line {number}: there is no empty line above the heading"));
        }
        self.last_text().pop();
        match self.sections.last() {
            Some(section) if section.text.is_empty() => Err(section.is_empty()),
            _ => Ok(()),
        }
    }

    fn last_text(&mut self) -> &mut String {
        self.sections.last_mut().map_or(&mut self.head, |section| &mut section.text)
    }

    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    pub(crate) fn read(path: &Path) -> Suite {
        let _shared = ACCESS.read().unwrap_or_else(PoisonError::into_inner);
        Suite::load(path)
    }

    fn load(path: &Path) -> Suite {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Suite::parse(&text).unwrap_or_else(|fault| panic!("{}, {fault}", path.display()))
    }
}

impl Section {
    fn is_empty(&self) -> String {
        format!("line {}: there is no text below the heading `{}`", self.line, self.name)
    }
}

impl fmt::Display for Suite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.head)?;
        for (number, Section { name, text, .. }) in self.sections.iter().enumerate() {
            let gap = if number > 0 || !self.head.is_empty() { "\n" } else { "" };
            write!(formatter, "{gap}{HEADING}{name}\n{text}")?;
        }
        Ok(())
    }
}

/// Returns the name in a line that is a heading.
fn heading(line: &str) -> Result<Option<&str>, String> {
    match line.strip_prefix(HEADING).map(|name| name.strip_suffix('\n').unwrap_or(name)) {
        Some(name) if name.trim().is_empty() => Err("the heading has no name".to_owned()),
        Some(name) if name.trim() != name => Err(format!("there are blanks around the name `{}`", name.trim())),
        Some(name) if !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) => {
            Err(format!("the name `{name}` leads out of the suite"))
        }
        None if line.starts_with(ALMOST) => Err(format!("a heading begins with `{HEADING}`, with a blank at the end")),
        name => Ok(name),
    }
}

/// Returns true if a file is a suite, that is, if a line is a heading.
pub(crate) fn is_suite(path: &Path) -> bool {
    path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|wanted| extension == *wanted))
        && fs::read_to_string(path).is_ok_and(|text| text.lines().any(|line| line.starts_with(HEADING)))
}

/// The suite whose texts have paths below a folder.
fn suite_of(folder: &Path) -> Option<PathBuf> {
    // `with_extension` would replace the part after a dot in the folder's name.
    let named = |extension: &str| PathBuf::from(format!("{}.{extension}", folder.display()));
    EXTENSIONS.into_iter().map(named).find(|path| path.is_file())
}

/// The suite and the name of the text at a path, or `None` if a file has that path.
fn located(path: &Path) -> Option<(PathBuf, String)> {
    if path.exists() {
        return None;
    }
    let folders = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
    let (folder, suite) = folders.filter_map(|folder| Some((folder, suite_of(folder)?))).next()?;
    let name = path.strip_prefix(folder).expect("an ancestor").display().to_string();
    // Names in suites have slashes, also on Windows.
    Some((suite, name.replace('\\', "/")))
}

/// Returns the text of a file or of a section.
pub(crate) fn read(path: &Path) -> Option<String> {
    match located(path) {
        None => fs::read_to_string(path).ok(),
        Some((suite, name)) => Suite::read(&suite).section(&name).map(|section| section.text.clone()),
    }
}

pub(crate) fn exists(path: &Path) -> bool {
    path.exists() || located(path).is_some_and(|(suite, name)| Suite::read(&suite).section(&name).is_some())
}

/// Replaces the text of a file or of a section.
pub(crate) fn write(path: &Path, text: &str) {
    let _alone = ACCESS.write().unwrap_or_else(PoisonError::into_inner);
    let (path, text) = match located(path) {
        None => (path.to_owned(), text.to_owned()),
        Some((path, name)) => {
            let mut suite = Suite::load(&path);
            let section = suite.sections.iter_mut().find(|section| section.name == name);
            section.unwrap_or_else(|| panic!("{} has no `{name}`", path.display())).text = text.to_owned();
            (path, suite.to_string())
        }
    };
    fs::write(&path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Returns the location of a text for a reader: the file, or the line of the heading in the suite.
pub(crate) fn place(path: &Path) -> String {
    let Some((suite, name)) = located(path) else { return path.display().to_string() };
    let line = Suite::read(&suite).section(&name).map_or(1, |section| section.line);
    format!("{}:{line}", suite.display())
}

/// Returns the sorted paths of all texts below a folder with one of these extensions.
pub(crate) fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let suite = suite_of(folder);
    assert!(suite.is_some() || folder.is_dir(), "there is no {}", folder.display());
    if let Some(suite) = suite {
        found.extend(Suite::read(&suite).sections.iter().map(|section| folder.join(&section.name)));
    }
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files(&path, extensions));
        } else if !is_suite(&path) {
            found.push(path);
        } else if !path.with_extension("").is_dir() {
            // If the suite had a folder of its name, its texts would be found there.
            found.extend(files(&path.with_extension(""), extensions));
        }
    }
    found.retain(|path| path.extension().is_some_and(|extension| extensions.iter().any(|wanted| extension == *wanted)));
    found.sort();
    found
}
