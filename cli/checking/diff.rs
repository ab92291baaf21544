//! `conjure-like diff`

use crate::{
    inputs::{conjure::LayoutOptions, invocation::Invocation},
    runtime::{Exit, files::shown_path},
    texts::pretty::values_of_file,
};
use clap::Args;
use conjure_like::Values;
use std::path::{Path, PathBuf};

#[derive(Args)]
#[command(after_help = "Example: conjure-like diff one.solution other.solution")]
pub(crate) struct DiffCommand {
    /// A parameter file or a solution
    one: PathBuf,
    /// The other file
    other: PathBuf,
    /// The model, which defines the meaning of JSON
    #[arg(long, value_name = "MODEL")]
    essence: Option<PathBuf>,
    #[command(flatten)]
    _layout: LayoutOptions,
}

impl DiffCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let one = values_of_file(invocation, &self.one, self.essence.as_deref())?;
        let other = values_of_file(invocation, &self.other, self.essence.as_deref())?;
        let mut text = String::new();
        for name in one.differences(&other) {
            text += &format!("{name}\n{}{}", side(&self.one, &one, name), side(&self.other, &other, name));
        }
        invocation.print(&text)?;
        if text.is_empty() {
            invocation.reporting.status("The values are the same.");
        }
        Some(Exit::Answer)
    }
}

/// The line for one of the two files, with its value of a name.
fn side(path: &Path, values: &Values, name: &str) -> String {
    let value = values.shown(name).unwrap_or_else(|| "no value".to_owned());
    format!("    {}: {value}\n", shown_path(path))
}
