//! Reports about texts.

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Severity, json_lines, short, terminal},
    halt::Halt,
    source::Sources,
};
use serde_json::Value;
use std::fmt;

/// Errors and warnings, with the texts that they are about.
///
/// As an error, a report has at least one diagnostic of [`Severity::Error`], and possibly warnings of the same phase.
/// [`fmt::Display`] and [`fmt::Debug`] render it for people, as the command line does without colours, so `main` may
/// return it as an error.
///
/// ```
/// use conjure_like::{Model, Text};
///
/// let report = Model::read(&Text::new("sum.essence", "find x : int(1..3)\nsuch that x = y")).unwrap_err();
/// assert_eq!(report.diagnostics.len(), 1);
/// assert!(report.to_string().contains("such that x = y"));
/// assert!(report.to_lines().starts_with("sum.essence:2:15: error[E0201]: "));
/// ```
#[derive(Clone, Default)]
pub struct Report {
    /// The texts that the spans of the diagnostics refer to.
    pub sources: Sources,
    /// The diagnostics, in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    pub(crate) fn of(sources: &Sources, diagnostics: Diagnostics) -> Self {
        Report { sources: sources.clone(), diagnostics }.with_added_apart()
    }

    /// Returns the report with each requirement from the command line as a separate text.
    pub(crate) fn with_added_apart(mut self) -> Self {
        let (sources, moved) = self.sources.with_added_apart();
        self.sources = sources;
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.move_spans(&moved));
        self
    }

    /// Returns the errors of a phase after the warnings of earlier phases.
    pub(crate) fn halted(sources: &Sources, mut warnings: Diagnostics, halt: Halt) -> Self {
        warnings.extend(halt.into_diagnostics());
        Report::of(sources, warnings)
    }

    /// Returns true if a diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Renders the report for people: each diagnostic with its source lines, with or without colours.
    pub fn to_terminal(&self, color: bool) -> String {
        let rendered =
            self.diagnostics.iter().map(|diagnostic| terminal::render_terminal(diagnostic, &self.sources, color));
        rendered.collect::<Vec<_>>().join("\n")
    }

    /// Renders one line for each diagnostic: `model.essence:2:17: error[E0201]: …`.
    pub fn to_lines(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| short::render_short(diagnostic, &self.sources) + "\n").collect()
    }

    /// Returns the report for programs: a JSON object for each diagnostic.
    pub fn to_values(&self) -> Vec<Value> {
        self.diagnostics.iter().map(|diagnostic| json_lines::diagnostic_object(diagnostic, &self.sources)).collect()
    }

    /// Renders the report for programs: a line with a JSON object for each diagnostic.
    pub fn to_json_lines(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| json_lines::render_json(diagnostic, &self.sources) + "\n").collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_terminal(false).trim_end_matches('\n'))
    }
}

/// The output of a `main` that returns the error.
impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A report without texts.
impl From<Diagnostic> for Report {
    fn from(diagnostic: Diagnostic) -> Self {
        Report { sources: Sources::default(), diagnostics: vec![diagnostic] }
    }
}

impl std::error::Error for Report {}
