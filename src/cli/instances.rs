//! The instances that a command is about: a model, and data for it.

use super::{Exit, files, session::Session};
use clap::Args;
use conjure_like::{Model, Text, check};
use std::path::{Path, PathBuf};

/// The statements of `-D`, each a text.
pub(super) fn defined(statements: &[String]) -> Vec<Text> {
    statements.iter().map(|text| Text::new("-D", text.as_str())).collect()
}

#[derive(Args)]
pub(super) struct Instances {
    /// The model, or `-` for standard input
    pub model: PathBuf,
    /// Parameter files, each an instance of its own
    #[arg(value_name = "PARAM")]
    pub parameters: Vec<PathBuf>,
    /// Add these statements to the parameters: -D 'letting n be 4'
    #[arg(short = 'D', value_name = "STATEMENTS")]
    pub define: Vec<String>,
}

impl Instances {
    /// Calls `answer` for each instance, with its data and with the parameter file among them, if there is one.
    pub(super) fn each(
        &self,
        session: &mut Session,
        mut answer: impl FnMut(&mut Session, &[Text], Option<&Path>) -> Option<Exit>,
    ) -> Option<Exit> {
        // Also the files of later instances are registered: an output must not overwrite an input of the run.
        self.parameters.iter().for_each(|path| files::reads(path));
        let defined = defined(&self.define);
        if self.parameters.is_empty() {
            return answer(session, &defined, None);
        }
        let mut exit = Exit::Answer;
        for path in &self.parameters {
            let one = session.read(path).and_then(|file| {
                let data: Vec<Text> = [file].into_iter().chain(defined.iter().cloned()).collect();
                answer(session, &data, Some(path))
            });
            let one = one.unwrap_or_else(|| session.failure());
            session.report();
            exit = exit.worse(one);
        }
        Some(exit)
    }

    /// Reads the model. The data are checked, too, as far as that is possible beside a model with mistakes.
    pub(super) fn read_model(&self, session: &mut Session) -> Option<Model> {
        let text = session.read(&self.model)?;
        let model = Model::read(&text);
        if model.is_ok() {
            return session.accept(model);
        }
        let defined = defined(&self.define);
        let mut instances = Vec::new();
        for path in &self.parameters {
            if let Some(file) = session.read(path) {
                instances.push([file].into_iter().chain(defined.iter().cloned()).collect());
            }
        }
        if self.parameters.is_empty() && !defined.is_empty() {
            instances.push(defined);
        }
        session.keep(check(&text, &instances));
        None
    }

    /// Whether messages must name the instance that they are about.
    pub(super) fn are_several(&self) -> bool {
        self.parameters.len() > 1
    }
}
