//! From texts to solutions: the whole story, one line a phase.
//!
//! The errors of a phase end the story there; `None` says that they are among the diagnostics. Nothing here
//! reads or writes files: texts come in, solutions go out.

use crate::{
    diagnostic::{Diagnostics, Severity},
    source::{SourceId, Sources},
    syntax::{self, ast},
};

/// Text to tree.
pub fn parse(sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Option<ast::File> {
    phase(diagnostics, |diagnostics| syntax::parse(source, &sources.get(source).text, diagnostics))
}

/// What a phase hands to the next one, if it has found no errors.
fn phase<T>(diagnostics: &mut Diagnostics, run: impl FnOnce(&mut Diagnostics) -> T) -> Option<T> {
    let before = diagnostics.len();
    let result = run(diagnostics);
    let failed = diagnostics[before..].iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    (!failed).then_some(result)
}
