//! `conjure-like solvers`

use crate::{inputs::invocation::Invocation, runtime::Exit};
use clap::{Args, ValueEnum};
use conjure_like::{SolverName, to_json, visible};
use serde_json::{Value, json};

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solvers

Exit code: 0 if all solvers can be used, even if none needs to be loaded; 3 if the library of one is missing.")]
pub(crate) struct SolversCommand {
    /// The format: a line for each solver with instructions for missing ones, or an array of JSON objects
    #[arg(long, value_name = "FORMAT", default_value = "plain")]
    output_format: SolversFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum SolversFormat {
    Plain,
    Json,
}

impl SolversCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let solvers: Vec<SolverName> = SolverName::all().filter(|solver| solver.is_engine()).collect();
        let text = match self.output_format {
            SolversFormat::Plain => solver_lines(&solvers),
            SolversFormat::Json => to_json(&Value::Array(solvers.iter().map(solver_object).collect())) + "\n",
        };
        invocation.print(&text)?;
        Some(if solvers.iter().all(|solver| solver.is_installed()) { Exit::Answer } else { Exit::Limit })
    }
}

fn solver_object(solver: &SolverName) -> Value {
    let library = solver.library();
    json!({
        "solver": solver.name(),
        "version": solver.version(),
        "library": library.and_then(Result::ok).map(|file| file.display().to_string()),
        "missing": library.and_then(Result::err),
    })
}

fn solver_lines(solvers: &[SolverName]) -> String {
    let mut text = String::new();
    for solver in solvers {
        let version = solver.version().unwrap_or_default();
        let place = match solver.library() {
            None => "a part of this program".to_owned(),
            Some(Ok(file)) => file.display().to_string(),
            Some(Err(reason)) => format!("missing: {reason}"),
        };
        text += &format!("{:<9}{version:<16}{}\n", solver.name(), visible::line(&place));
    }
    let missing = solvers.iter().filter(|solver| !solver.is_installed());
    let packages: Vec<&str> = missing.filter_map(|solver| solver.python_package()).collect();
    if !packages.is_empty() {
        text += &format!("\n{}\n", how_to_get(&packages));
    }
    text
}

/// Instructions to install the libraries in these Python packages.
fn how_to_get(packages: &[&str]) -> String {
    let packages = packages.join(" ");
    let folder = match SolverName::library_folder() {
        _ if SolverName::are_in_python() => return format!("To install what is missing: pip install {packages}"),
        Some(folder) => folder,
        None => return format!("The libraries are in these Python packages: {packages}"),
    };
    let folder = folder.display().to_string();
    let quoted = if folder.contains([' ', '\'', '"']) { format!("\"{folder}\"") } else { folder };
    format!("To install what is missing: python3 -m pip install --no-deps --target {quoted} {packages}")
}
