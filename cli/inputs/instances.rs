//! The instances of a command: a model, and data for it.

use super::{
    conjure,
    invocation::{self, Invocation},
    named_table::TableArgument,
    roles::typed,
};
use crate::runtime::Exit;
use clap::Args;
use conjure_like::{COMMAND_LINE, Code, Diagnostic, Model, Outline, Report, Text, check};
use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
};

/// The statements of `-D` as texts.
pub(crate) fn defined(statements: &[String]) -> Vec<Text> {
    statements.iter().map(|text| Text::new(COMMAND_LINE, text.as_str())).collect()
}

/// The words that name parameter files rather than tables.
pub(crate) fn files_among(parameters: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    parameters.iter().filter(|path| !is_table(path))
}

/// The words that are tables.
fn tables(parameters: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    parameters.iter().filter(|path| is_table(path))
}

fn is_table(path: &Path) -> bool {
    TableArgument::read(path, Path::new("")).is_some()
}

/// The data common to all instances: the tables among the words of a command, and the statements of `-D`.
pub(crate) fn common(parameters: &[PathBuf], define: &[String], invocation: &mut Invocation) -> Option<Vec<Text>> {
    with_defined(tables(parameters).map(|path| invocation::read(path)).collect(), define, invocation)
}

/// Adds the statements of `-D`; reports all tables that cannot be read.
fn with_defined(
    tables: Vec<Result<Text, Diagnostic>>,
    define: &[String],
    invocation: &mut Invocation,
) -> Option<Vec<Text>> {
    let count = tables.len();
    let mut texts = Vec::new();
    for table in tables {
        match table {
            Ok(text) => texts.push(text),
            Err(unreadable) => {
                invocation.fail::<()>(unreadable);
            }
        }
    }
    // Each table that cannot be read has already been reported.
    (texts.len() == count).then(|| texts.into_iter().chain(defined(define)).collect())
}

#[derive(Args)]
pub(crate) struct Instances {
    /// The model, or `-` for standard input
    pub model: PathBuf,
    /// Parameter files, each a separate instance, or several instances in JSON; NAME=TABLE[:COLUMN,…] gives one
    /// parameter of all instances its value, from CSV, a spreadsheet or JSON
    #[arg(value_name = "PARAM")]
    parameters: Vec<PathBuf>,
    /// Add these statements to the parameters: -D 'letting n be 4'
    #[arg(short = 'D', value_name = "STATEMENTS")]
    pub define: Vec<String>,
    /// The texts of the parameter files, read when first needed.
    #[arg(skip)]
    texts: OnceCell<Vec<Result<Text, Diagnostic>>>,
    /// The tables, which are part of every instance.
    #[arg(skip)]
    tables: OnceCell<Vec<Result<Text, Diagnostic>>>,
}

impl Instances {
    /// Calls `answer` for each instance, with its data and its parameter file if there is one. If a file contains
    /// several instances, each has its own name.
    pub(crate) fn each(
        &self,
        invocation: &mut Invocation,
        mut answer: impl FnMut(&mut Invocation, &[Text], Option<&Path>) -> Option<Exit>,
    ) -> Option<Exit> {
        let defined = self.common(invocation)?;
        if self.has_no_files() {
            return answer(invocation, &defined, None);
        }
        let mut exit = Exit::Answer;
        for (path, text) in self.files().zip(self.texts()) {
            let texts = match text {
                Ok(text) => text.instances(),
                Err(unreadable) => {
                    invocation.fail::<()>(unreadable.clone());
                    invocation.report();
                    // An error in one instance does not prevent answers for the others.
                    exit = exit.worse(invocation.failure());
                    continue;
                }
            };
            let are_several = texts.len() > 1;
            invocation.instances = are_several.then(Default::default);
            for text in texts {
                if let Some(messages) = &mut invocation.instances {
                    messages.start(&text.name);
                }
                // If a file has several instances, each has a name such as `data.json#2`.
                let own = PathBuf::from(&text.name);
                let path = if are_several { &own } else { path };
                let data: Vec<Text> = [text].into_iter().chain(defined.iter().cloned()).collect();
                let one = answer(invocation, &data, Some(path)).unwrap_or_else(|| invocation.failure());
                self.mention_other_files(invocation, &data);
                invocation.report();
                exit = exit.worse(one);
            }
            invocation.end_of_instances();
        }
        Some(exit)
    }

    /// Adds to the message about a missing value that another parameter file has it, because each file is a separate
    /// instance.
    fn mention_other_files(&self, invocation: &mut Invocation, data: &[Text]) {
        let Report { diagnostics, sources, .. } = &mut invocation.report;
        for missing in diagnostics.iter_mut().filter(|diagnostic| diagnostic.code == Code::MISSING_PARAMETER) {
            let Some(name) = missing.span().map(|span| sources.text(span)) else { continue };
            let others = self.files().zip(self.texts()).filter_map(|(path, text)| Some((path, text.as_ref().ok()?)));
            let mut others = others.filter(|(_, text)| data.first().is_none_or(|own| own.text != text.text));
            let Some((other, text)) = others.find(|(_, text)| Outline::read(text).values.contains(name)) else {
                continue;
            };
            // The values in a workbook cannot be passed as statements with `-D`.
            missing.help = match text.sheets().is_empty() {
                true => vec![format!(
                    "to add the values of `{}` to each instance, write -D \"$(cat {})\" instead of its name",
                    other.display(),
                    typed([other.into()])
                )],
                false => vec![format!("write the value of `{name}` in each file")],
            };
            missing.notes.push(format!(
                "`{}` has a value for `{name}`, but each parameter file is a separate instance",
                other.display()
            ));
        }
    }

    /// Reads the model. If it has mistakes, the data are checked as far as possible, too.
    pub(crate) fn read_model(&self, invocation: &mut Invocation) -> Option<Model> {
        let text = invocation.read(&self.model)?;
        let model = Model::read(&text);
        if let Ok(model) = model {
            // For clients of Conjure, comments must not have a meaning.
            return invocation.accept(if conjure::is_called_conjure() { model.in_steps() } else { Ok(model) });
        }
        let defined = self.common(invocation)?;
        let mut instances = Vec::new();
        for text in self.texts() {
            match text {
                Ok(text) => instances.extend(
                    text.instances().map(|text| [text].into_iter().chain(defined.iter().cloned()).collect::<Vec<_>>()),
                ),
                Err(unreadable) => {
                    invocation.fail::<()>(unreadable.clone());
                }
            }
        }
        // The statements of -D are an instance even without files.
        if self.has_no_files() && !defined.is_empty() {
            instances.push(defined);
        }
        invocation.keep(check(&text, &instances));
        None
    }

    /// The words that name parameter files rather than tables.
    pub(crate) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        files_among(&self.parameters)
    }

    /// The words that are tables.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &PathBuf> {
        tables(&self.parameters)
    }

    fn has_no_files(&self) -> bool {
        self.files().next().is_none()
    }

    /// Returns true if there are any data.
    pub(crate) fn has_data(&self) -> bool {
        !self.parameters.is_empty() || !self.define.is_empty()
    }

    /// The data common to all instances: tables and statements of the command line.
    fn common(&self, invocation: &mut Invocation) -> Option<Vec<Text>> {
        let tables = self.tables.get_or_init(|| tables(&self.parameters).map(|path| invocation::read(path)).collect());
        with_defined(tables.clone(), &self.define, invocation)
    }

    /// The number of instances in the parameter files.
    pub(crate) fn count(&self) -> usize {
        self.texts().iter().map(|text| text.as_ref().map_or(1, |text| text.instances().len())).sum()
    }

    /// True if messages have to name the instance.
    pub(crate) fn are_several(&self) -> bool {
        self.files().nth(1).is_some() || self.count() > 1
    }

    /// The texts of all parameter files. The files of later instances are registered at once, so that no output
    /// overwrites an input of the run.
    fn texts(&self) -> &[Result<Text, Diagnostic>] {
        self.texts.get_or_init(|| self.files().map(|path| invocation::read(path)).collect())
    }
}
