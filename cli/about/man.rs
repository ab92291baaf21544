//! `conjure-like man`

use crate::{
    Arguments,
    inputs::invocation::Invocation,
    runtime::{
        Exit,
        files::{FileKind, Pending, unwritable},
    },
};
use clap::{Args, Command, CommandFactory};
use conjure_like::Diagnostic;
use std::{
    fs,
    path::{Path, PathBuf},
};

#[derive(Args)]
pub(crate) struct ManCommand {
    /// The folder, which need not exist
    folder: PathBuf,
}

impl ManCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let mut program = Arguments::command().disable_help_subcommand(true);
        program.build();
        let mut pages = Vec::new();
        let made = fs::create_dir_all(&self.folder)
            .map_err(|error| unwritable(&self.folder, error))
            .and_then(|()| prepare(&program, &self.folder, &mut pages))
            // If one page cannot be made, no page is written.
            .and_then(|()| pages.iter_mut().try_for_each(|page| page.complete().map(drop)));
        match made {
            Ok(()) => Some(Exit::Answer),
            Err(error) => invocation.fail(error),
        }
    }
}

/// Renders the manual pages of a command and its subcommands.
fn prepare(command: &Command, folder: &Path, pages: &mut Vec<Pending>) -> Result<(), Diagnostic> {
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        prepare(inner, folder, pages)?;
    }
    let man = clap_mangen::Man::new(command.clone());
    let path = folder.join(man.get_filename());
    let mut page = Pending::new(&path, FileKind::Manual)?;
    man.render(&mut page).map_err(|error| unwritable(&path, error))?;
    pages.push(page);
    Ok(())
}
