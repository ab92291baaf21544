//! What the files on a command line are: a model, parameters, a solution. Where they stand in other places than the
//! command wants them, the answer is the command to type instead of a list of what is wrong with each.

use super::{command_line::typed, files, session::Session};
use clap::ArgMatches;
use conjure_like::{
    diagnostic::{Code, Diagnostic},
    source::{SourceId, Sources},
    syntax::{self, ast, json},
};
use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// The files that a command names, in the order in which they are typed.
pub struct Files {
    words: Vec<OsString>,
    command: String,
    paths: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Model,
    Parameters,
    Solution,
}

impl Files {
    /// The files of a command that takes a model and data.
    pub fn of(words: &[OsString], matches: &ArgMatches) -> Option<Self> {
        let (command, matches) = matches.subcommand()?;
        let named = |id: &str| -> Vec<PathBuf> {
            matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten().cloned().collect()
        };
        let paths = [named("model"), named("parameters"), named("files")].concat();
        let wants_model = matches.try_contains_id("model").is_ok_and(|given| given);
        wants_model.then(|| Files { words: words.to_vec(), command: command.to_owned(), paths })
    }

    /// That a file is named more than once.
    pub fn twice(&self) -> Option<Diagnostic> {
        let (at, again) = self.paths.iter().enumerate().find_map(|(at, path)| {
            self.paths[..at].iter().any(|before| files::same(before, path)).then_some((at, path))
        })?;
        let mut once = self.paths.clone();
        once.remove(at);
        let error = Diagnostic::error(Code::COMMAND_LINE, format!("the file `{}` is given twice", again.display()));
        Some(error.help(format!("name it once: {}", self.command_with(&once))))
    }

    /// That the files stand in other places than the command wants them, after something was found wrong with them.
    pub fn question(&self, session: &mut Session) -> Option<Diagnostic> {
        if self.paths.len() < 2 || self.paths.iter().any(|path| path == Path::new("-")) {
            return None;
        }
        let wrong = session.diagnostics.len();
        let ids: Vec<Option<SourceId>> = self.paths.iter().map(|path| session.read(path)).collect();
        session.diagnostics.truncate(wrong);
        let ids = ids.into_iter().collect::<Option<Vec<SourceId>>>()?;
        let sources = &session.sources;
        let trees: Vec<Option<ast::File>> = ids.iter().map(|id| tree(sources, *id)).collect();
        let models: Vec<&ast::File> = trees.iter().flatten().filter(|tree| is_model(tree)).collect();
        let [model] = models.as_slice() else { return None };
        let finds = finds(model);
        let roles: Vec<Role> = trees
            .iter()
            .zip(&ids)
            .map(|(tree, id)| match tree {
                Some(tree) if is_model(tree) => Role::Model,
                Some(tree) => of_values(&lettings(tree), &finds),
                None => of_values(&keys(sources, *id), &finds),
            })
            .collect();
        let mut sorted: Vec<(Role, &PathBuf)> = roles.iter().copied().zip(&self.paths).collect();
        sorted.sort_by_key(|(role, _)| *role);
        let paths: Vec<PathBuf> = sorted.iter().map(|(_, path)| (*path).clone()).collect();
        let solutions = roles.iter().filter(|role| **role == Role::Solution).count();
        let error = |message: String| Diagnostic::error(Code::COMMAND_LINE, message);
        if self.command != "validate-solution" && solutions > 0 {
            let at = roles.iter().position(|role| *role == Role::Solution)?;
            let message = format!("`{}` is a solution, not a parameter file", self.paths[at].display());
            let words = ["conjure-like", "validate-solution"].into_iter().map(OsString::from);
            let check = typed(words.chain(paths.iter().map(OsString::from)));
            return Some(error(message).help(format!("to check the solution: {check}")));
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
            return Some(error(what.to_owned()).help(format!("write {}", self.command_with(&paths))));
        }
        None
    }

    /// The command line with other files.
    fn command_with(&self, paths: &[PathBuf]) -> String {
        let mut old = self.paths.iter().peekable();
        let mut new = paths.iter();
        let mut words: Vec<OsString> = vec!["conjure-like".into()];
        for word in self.words.iter().skip(1) {
            match old.next_if(|path| path.as_os_str() == word) {
                Some(_) => words.extend(new.next().map(OsString::from)),
                None => words.push(word.clone()),
            }
        }
        typed(words)
    }
}

/// The tree of a file in Essence, whatever is wrong with it; `None` for JSON.
fn tree(sources: &Sources, id: SourceId) -> Option<ast::File> {
    let text = &sources.get(id).text;
    (!json::is_json(text)).then(|| syntax::parse(id, text, &mut Vec::new()))
}

fn is_model(file: &ast::File) -> bool {
    let is_letting = |statement: &ast::Statement| matches!(statement.kind, ast::StatementKind::Letting { .. });
    let declares = |statement: &ast::Statement| {
        matches!(statement.kind, ast::StatementKind::Find { .. } | ast::StatementKind::Given { .. })
    };
    file.statements.iter().any(declares) && !file.statements.iter().all(is_letting)
}

fn finds(model: &ast::File) -> BTreeSet<String> {
    let names = model.statements.iter().flat_map(|statement| match &statement.kind {
        ast::StatementKind::Find { names, .. } => names.as_slice(),
        _ => &[],
    });
    names.map(|name| name.text.to_string()).collect()
}

fn lettings(file: &ast::File) -> BTreeSet<String> {
    let names = file.statements.iter().flat_map(|statement| match &statement.kind {
        ast::StatementKind::Letting { names, .. } => names.as_slice(),
        _ => &[],
    });
    names.map(|name| name.text.to_string()).collect()
}

/// The names that a file in JSON gives values to.
fn keys(sources: &Sources, id: SourceId) -> BTreeSet<String> {
    match json::parse(id, &sources.get(id).text, &mut Vec::new()).map(|document| document.kind) {
        Some(json::Kind::Object(members)) => members.into_iter().map(|(key, _)| key.text.to_string()).collect(),
        _ => BTreeSet::new(),
    }
}

/// A file of values is a solution if it gives values to variables and to nothing that could be a parameter.
fn of_values(names: &BTreeSet<String>, finds: &BTreeSet<String>) -> Role {
    if !names.is_disjoint(finds) && finds.is_subset(names) { Role::Solution } else { Role::Parameters }
}
