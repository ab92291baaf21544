//! `conjure-like validate-solution`

use super::{
    Exit,
    answer::findings,
    session::Session,
    why::{number_of, violated},
};
use clap::Args;
use conjure_like::{
    diagnostic::{Code, Diagnostic},
    pipeline,
    solver::Limits,
    source::SourceId,
};
use std::path::PathBuf;

/// Checks that a solution satisfies a model
///
/// Says which constraint is violated, or which value is outside its domain.
#[derive(Args)]
#[command(after_help = "\
Example: conjure-like solve futoshiki.essence 4.param > 4.solution
         conjure-like validate-solution futoshiki.essence 4.param 4.solution")]
pub struct ValidateSolution {
    /// The model
    model: PathBuf,
    /// The parameter files, if the model has parameters, and at the end the solution
    #[arg(required = true, value_name = "[PARAM] SOLUTION")]
    files: Vec<PathBuf>,
}

impl ValidateSolution {
    pub fn run(self, session: &mut Session) -> Option<Exit> {
        let model = session.read(&self.model)?;
        let mut files = Vec::new();
        for path in &self.files {
            files.push(session.read(path)?);
        }
        let before = session.diagnostics.len();
        let Session { sources, diagnostics, .. } = session;
        let valid = pipeline::parse(sources, model, diagnostics)
            .and_then(|file| pipeline::validate(sources, &file, &files, diagnostics));
        if valid.is_none() {
            self.explain(session, model, &files, before);
            return None;
        }
        session.reporting.status("The solution satisfies the model.");
        Some(Exit::Answer)
    }

    /// Says what a solution breaks, in the place of the error that it breaks something.
    fn explain(&self, session: &mut Session, model: SourceId, files: &[SourceId], before: usize) {
        if session.diagnostics[before..].iter().all(|error| error.code != Code::SOLUTION_INVALID) {
            return;
        }
        let Some(file) = pipeline::parse(&session.sources, model, &mut Vec::new()) else { return };
        let known = session.diagnostics.len();
        let found = violated(session, file, files, &Limits::default());
        session.diagnostics.truncate(known);
        let Some((_, Some(reasons))) = found else { return };
        let Some(first) = reasons.first() else { return };
        let message = match number_of(&reasons) {
            1 => "this is not a solution: it breaks a requirement".to_owned(),
            count => format!("this is not a solution: it breaks {count} requirements"),
        };
        let mut error = Diagnostic::error(Code::SOLUTION_INVALID, message);
        for (number, place) in first.places.iter().enumerate() {
            error = error.at(place.span, if number == 0 { "this is false" } else { place.text.as_str() });
        }
        let said = match first.instances.first() {
            Some(said) => (&said.says, &said.with, &said.comes_to),
            None => (&first.says, &first.with, &first.comes_to),
        };
        let with = if said.1.is_empty() { String::new() } else { format!("   ({})", said.1) };
        let lines = findings(said.2, "");
        error = error.note(format!("{}{with}\n{lines}", said.0).trim_end().to_owned());
        let quoted = |path: &PathBuf| path.display().to_string();
        if let Some((solution, data)) = self.files.split_last() {
            let words: Vec<String> = std::iter::once(&self.model).chain(data).map(quoted).collect();
            let command = format!("conjure-like why {} --expect {}", words.join(" "), quoted(solution));
            error = error.help(format!("run `{command}` to see all that it breaks"));
        }
        session.diagnostics.truncate(before);
        session.diagnostics.push(error);
    }
}
