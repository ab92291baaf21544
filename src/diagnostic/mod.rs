//! What is said to the user about a mistake, as data: how it looks is the renderers' business.

pub mod codes;
pub mod json;
pub mod short;
pub mod terminal;
pub mod visible;

use crate::source::Span;
pub use codes::Code;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

/// A place in a source file with a few words about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// One mistake: what is wrong in one line, where, what else has to do with it, and the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub code: Code,
    pub message: String,
    /// The first label is where the mistake is; the others are places that have to do with it.
    pub labels: Vec<Label>,
    /// What to do: "write …".
    pub help: Vec<String>,
    /// The rule behind it.
    pub notes: Vec<String>,
}

pub type Diagnostics = Vec<Diagnostic>;

impl Diagnostic {
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            labels: Vec::new(),
            help: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Adds a place; the first one added is where the mistake is.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// The known word nearest to a misspelt one, if one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A word of one letter is near to every other one.
    let length = word.chars().count();
    let most = (length / 3).max(1).min(length.saturating_sub(1));
    known
        .into_iter()
        .map(|candidate| {
            let distance = if candidate.eq_ignore_ascii_case(word) { 0 } else { strsim::osa_distance(word, candidate) };
            (distance, candidate)
        })
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, candidate)| candidate)
}
