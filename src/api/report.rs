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
/// As an error it holds at least one diagnostic of [`Severity::Error`]; warnings of the same phase are among the
/// others. [`fmt::Display`] and [`fmt::Debug`] write it for people, as the command line does without colours, so that
/// `main` may return it as an error.
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
    /// The texts; the places in the diagnostics are in them.
    pub sources: Sources,
    /// The diagnostics, in the order in which they were found.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    pub(crate) fn of(sources: &Sources, diagnostics: Diagnostics) -> Self {
        Report { sources: sources.clone(), diagnostics }.with_added_apart()
    }

    /// The same report, in which each requirement of the command line is a text of its own.
    pub(crate) fn with_added_apart(mut self) -> Self {
        let (sources, moved) = self.sources.with_added_apart();
        self.sources = sources;
        self.diagnostics.iter_mut().for_each(|diagnostic| diagnostic.move_spans(&moved));
        self
    }

    /// What is wrong, after the warnings of earlier phases.
    pub(crate) fn halted(sources: &Sources, mut warnings: Diagnostics, halt: Halt) -> Self {
        warnings.extend(halt.into_diagnostics());
        Report::of(sources, warnings)
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The report for people: each diagnostic with the lines of the source that it is about, in colour or without.
    pub fn to_terminal(&self, color: bool) -> String {
        let rendered =
            self.diagnostics.iter().map(|diagnostic| terminal::render_terminal(diagnostic, &self.sources, color));
        rendered.collect::<Vec<_>>().join("\n")
    }

    /// A line for each diagnostic: `model.essence:2:17: error[E0201]: …`.
    pub fn to_lines(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| short::render_short(diagnostic, &self.sources) + "\n").collect()
    }

    /// The report for programs: a JSON object for each diagnostic.
    pub fn to_values(&self) -> Vec<Value> {
        self.diagnostics.iter().map(|diagnostic| json_lines::diagnostic_object(diagnostic, &self.sources)).collect()
    }

    /// The report for programs: a line with a JSON object for each diagnostic.
    pub fn to_json_lines(&self) -> String {
        self.diagnostics.iter().map(|diagnostic| json_lines::render_json(diagnostic, &self.sources) + "\n").collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_terminal(false).trim_end_matches('\n'))
    }
}

/// What `main` prints of the error that it returns.
impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A report about no text in particular.
impl From<Diagnostic> for Report {
    fn from(diagnostic: Diagnostic) -> Self {
        Report { sources: Sources::default(), diagnostics: vec![diagnostic] }
    }
}

impl std::error::Error for Report {}
