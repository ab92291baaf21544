//! `conjure-like man`

use super::{Arguments, Exit, files, session::Session};
use clap::{Args, CommandFactory};
use std::{fs, path::PathBuf};

#[derive(Args)]
pub(super) struct Man {
    /// The folder, which need not exist
    folder: PathBuf,
}

impl Man {
    pub(super) fn run(self, session: &mut Session) -> Option<Exit> {
        let made = fs::create_dir_all(&self.folder);
        match made.and_then(|()| clap_mangen::generate_to(Arguments::command(), &self.folder)) {
            Ok(()) => Some(Exit::Answer),
            Err(error) => session.fail(files::unwritable(&self.folder, error)),
        }
    }
}
