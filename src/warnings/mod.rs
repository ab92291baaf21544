//! Warnings about legal Essence that is probably not meant.
//!
//! A wrong warning is worse than none, so a warning is given only if it certainly holds. Warnings are found in three
//! stages:
//!
//! - in a model alone ([`of_model`]): [`unused_names`] finds names that are never used or that hide others, and
//!   [`weak_statements`] finds statements that say less than they seem to. These are cheap; `solve`, `type-check` and
//!   editors show them.
//! - in an instance ([`warn_of_instance`]): empty domains, constant objectives and [`indices`] out of range; and in its
//!   problem, quantifiers with very many instances ([`of_lowered`]). `solve` shows these, too.
//! - by a solver with a small budget of conflicts ([`mod@trivial`], and [`deep`] for more expensive ones): constraints
//!   and conditions that cannot be false or cannot be true. `type-check` looks for these, and `solve` if there is no
//!   solution.
//!
//! A comment in the source silences warnings ([`allow`]).
//!
//! You may add warnings. `why`, `test` and editors rely on them to be certain.

mod allow;
mod deep;
mod indices;
mod instances;
mod levels;
mod misread;
mod outside;
mod pairs;
mod proofs;
mod ranges;
mod reach;
mod sizes;
mod trivial;
mod unused_names;
mod weak_statements;

use crate::{
    analysis::model::{DeclarationKind, TypedModel},
    diagnostic::{Diagnostic, Diagnostics, Severity},
    services::names::Names,
    source::{SourceId, Span},
    syntax::ast::File,
};
pub(crate) use allow::{is_unneeded, silence};
pub(crate) use deep::in_depth;
pub(crate) use instances::{of_lowered, warn_of_instance};
pub(crate) use levels::beyond_level;
pub(crate) use proofs::{InstanceWarning, Prover};
pub(crate) use trivial::trivial;

/// A model with its text and tree.
#[derive(Clone, Copy)]
pub(crate) struct ModelText<'a> {
    pub source: SourceId,
    pub text: &'a str,
    pub file: &'a File,
    pub model: &'a TypedModel,
}

impl<'a> ModelText<'a> {
    /// The text of a span on one line.
    fn on_one_line(&self, span: Span) -> String {
        let text = self.text.get(span.start as usize..span.end as usize).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Adds the warnings about a model to its diagnostics, and removes those that the model allows. There are none for a
/// text with errors or without decision variables.
pub(crate) fn of_model(subject: &ModelText, names: &Names, known: &mut Diagnostics) {
    let is_find = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Find(_));
    // After an error, names may have been resolved wrongly.
    let is_complete = known.iter().all(|diagnostic| diagnostic.severity == Severity::Warning);
    // If a text has no decision variables, it is data or a part of a model.
    if is_complete && subject.model.declarations.iter().any(|declaration| is_find(&declaration.kind)) {
        unused_names::unused(subject, names, known);
        unused_names::shadows(names, known);
        weak_statements::warn_of_statements(subject, known);
        sizes::warn_of_sizes(subject, known);
        pairs::warn_of_pairs(subject, known);
        misread::warn_of_misread(subject, known);
        // This comes after the other warnings, because a comment may allow one of them.
        known.extend(allow::without_effect(subject, known));
        known.sort_by_key(Diagnostic::span);
    }
    silence(subject, known);
}
