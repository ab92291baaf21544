//! `conjure-like validate-solution`

use crate::{
    inputs::{conjure::LayoutOptions, invocation::Invocation, roles::typed},
    outputs::solutions::PictureOption,
    runtime::Exit,
};
use clap::Args;
use conjure_like::{Code, Model, Report, Sheet, Text};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solve futoshiki.essence 4.param > 4.solution
         conjure-like validate-solution futoshiki.essence 4.param 4.solution")]
pub(crate) struct ValidateSolutionCommand {
    /// The model
    #[arg(required_unless_present = "essence")]
    model: Option<PathBuf>,
    /// The parameter files, if the model has parameters, then the solution
    #[arg(required_unless_present = "essence", value_name = "[PARAM] SOLUTION")]
    files: Vec<PathBuf>,
    /// The model, in Conjure's notation
    #[arg(long, value_name = "MODEL", hide = true, requires = "solution", conflicts_with_all = ["model", "files"])]
    essence: Option<PathBuf>,
    /// The parameter file
    #[arg(long, value_name = "PARAM", hide = true, requires = "essence")]
    param: Option<PathBuf>,
    /// The solution
    #[arg(long, value_name = "SOLUTION", hide = true, requires = "essence")]
    solution: Option<PathBuf>,
    /// Draw the solution if it satisfies the model: as text, as SVG, or as an HTML page
    #[arg(long, value_name = "FORMAT")]
    picture: Option<PictureOption>,
    #[command(flatten)]
    _layout: LayoutOptions,
}

impl ValidateSolutionCommand {
    pub(crate) fn run(self, invocation: &mut Invocation) -> Option<Exit> {
        let model_path = self.model.as_ref().or(self.essence.as_ref())?;
        let text = invocation.read(model_path)?;
        let mut files = Vec::new();
        for path in self.files.iter().chain(&self.param).chain(&self.solution) {
            files.push(invocation.read(path)?);
        }
        let model = invocation.accept(Model::read(&text))?;
        let (solution, data) = files.split_last()?;
        let broken = |report| with_question(report, model_path, data, solution);
        // A solution may break wishes.
        let requirements = invocation.accept(model.without_wishes())?.unwrap_or_else(|| model.clone());
        let Some(format) = self.picture else {
            invocation.accept(requirements.validate(data, solution).map_err(broken))?;
            invocation.reporting.status("The solution satisfies the model.");
            if !model.wishes().is_empty() {
                let solution = invocation.accept(requirements.solution(data, solution))?;
                let broken = invocation.accept(model.broken_wishes(data, &solution))?;
                let names: Vec<&str> = broken.iter().map(|wish| &*wish.name).collect();
                match names.len() {
                    0 => {}
                    1 => invocation.reporting.status(&format!("It breaks a wish: {}.", names[0])),
                    count => invocation.reporting.status(&format!("It breaks {count} wishes: {}.", names.join("; "))),
                }
            }
            return Some(Exit::Answer);
        };
        let pictures = invocation.accept(model.pictures())?;
        let solution = invocation.accept(requirements.solution(data, solution).map_err(broken))?;
        let sheet =
            Sheet { heading: "Solution".to_owned(), pictures: solution.pictures(&pictures), ..Sheet::default() };
        let title = model_path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        invocation.print(&format.render(&title, &[sheet], invocation.reporting.styled_output()))
    }
}

/// Adds to a report about a solution the command that shows every requirement that the solution breaks.
fn with_question(mut report: Report, model: &Path, data: &[Text], solution: &Text) -> Report {
    for error in &mut report.diagnostics {
        if error.code == Code::SOLUTION_INVALID && !error.notes.is_empty() {
            let command = why_command(model, data, solution);
            error.help.push(format!("run `{command}` to see every requirement that it breaks"));
        }
    }
    report
}

/// The command that shows every requirement that a solution breaks.
fn why_command(model: &Path, data: &[Text], solution: &Text) -> String {
    let files = data.iter().map(|text| OsString::from(&text.name));
    let words = ["conjure-like".into(), "why".into(), model.into()].into_iter().chain(files);
    typed(words.chain(["--expect".into(), OsString::from(&solution.name)]))
}
