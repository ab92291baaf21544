//! Warnings about models and instances: legal texts that are probably not intended.

use super::{Compiled, Instance, Model, Report, stack::deep};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    pipeline::ReadModel,
    services::names::Names,
    solver::EngineOptions,
    source::{Sources, Span},
    syntax::tokens::tokens,
    warnings::{self, InstanceWarning, ModelText},
};

with_setters! {
    /// Options for examining instances.
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct ExamineOptions {
        /// Run the slower checks, too: for constraints that follow from the others, and for bounds that no solution
        /// reaches.
        pub deep: bool,
        /// The largest number of terms in the conditions and domains of an instance together; a larger instance is not
        /// examined. The default is one million, which takes a few tenths of a second.
        pub most_terms: Option<usize>,
        /// The limits of the examination. A warning that is found within them does not depend on the time.
        pub search: EngineOptions,
    }
}

impl Model {
    /// Returns the warnings about the model, except the ones that its comments allow (`$ allow: W0203`).
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let text = "given n, m : int\nfind x : int(1..9)\nsuch that x > n";
    /// let model = Model::read(&Text::new("m.essence", text))?;
    /// assert_eq!(model.warnings().to_lines(), "m.essence:1:10: warning[W0201]: nothing uses the parameter `m`\n");
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn warnings(&self) -> Report {
        deep(|| {
            let mut found = self.warnings.clone();
            let subject = model_text(&self.sources, &self.read);
            let names = Names::of_model(&self.read.file, subject.text, &tokens(subject.text, &self.read.file.comments));
            warnings::of_model(&subject, &names, &mut found);
            Report::of(&self.sources, found)
        })
    }

    /// Warnings about words that the course introduces after the step with this number, or nowhere, except the ones
    /// that the comments of the model allow. [`COURSE_STEPS`](crate::COURSE_STEPS) has the steps.
    ///
    /// ```
    /// use conjure_like::{Model, Text};
    ///
    /// let model = Model::read(&Text::new("m.essence", "find s : set (size 2) of int(1..9)"))?;
    /// let warning = "m.essence:1:10: warning[W0307]: `set` is beyond step 4 of the course\n";
    /// assert_eq!(model.beyond_level(4).to_lines(), warning);
    /// assert!(model.beyond_level(5).diagnostics.is_empty());
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn beyond_level(&self, step: usize) -> Report {
        deep(|| {
            let subject = model_text(&self.sources, &self.read);
            let names = Names::of_model(&self.read.file, subject.text, &tokens(subject.text, &self.read.file.comments));
            let mut found = warnings::beyond_level(&subject, &names, step);
            warnings::silence(&subject, &mut found);
            Report::of(&self.sources, found)
        })
    }

    /// Returns the warnings that a solver decides for instances of the model with a small budget: constraints and
    /// conditions that are always true or never true. A warning applies to all of the instances. If its cause may be
    /// the data of one instance, it is reported only for two or more instances.
    pub fn examine(&self, instances: &[Instance], options: &ExamineOptions) -> Report {
        deep(|| {
            let subject = model_text(&self.sources, &self.read);
            let examined = instances.iter().map(|instance| {
                let prover = warnings::Prover::new(&instance.bound, &options.search, options.most_terms);
                let mut findings = warnings::trivial(&subject, &prover);
                if options.deep {
                    // The findings of the quick checks come first.
                    findings.extend(warnings::in_depth(&subject, &prover));
                }
                findings
            });
            let mut found = warnings_of_all(examined, instances.len());
            warnings::silence(&subject, &mut found);
            Report::of(&self.sources, found)
        })
    }
}

impl Instance {
    /// Returns the warnings about the data, and about the instance if they need no solver, but not the ones about the
    /// model.
    pub fn warnings(&self) -> Report {
        deep(|| {
            let subject = model_text(&self.sources, &self.read);
            let mut found = self.warnings.clone();
            found.extend(warnings::warn_of_instance(&self.bound));
            warnings::silence(&subject, &mut found);
            Report::of(&self.sources, found)
        })
    }

    /// Maps the warnings about an instance of a rewritten model to this model. Warnings about text that only the
    /// rewritten model has are left out.
    pub fn warnings_of_rewritten(&self, report: &Report) -> Report {
        let text = |sources: &Sources| sources.get(Model::SOURCE).text.clone();
        let moved =
            |diagnostic: &Diagnostic| moved_diagnostic(diagnostic, &text(&report.sources), &text(&self.sources));
        self.report(report.diagnostics.iter().filter_map(moved).collect())
    }
}

impl Compiled {
    /// Returns the warnings about the size of the problem.
    pub fn warnings(&self) -> Report {
        let instance = &self.instance;
        let mut found = Diagnostics::new();
        if let Some(lowered) = self.lowered() {
            found.extend(deep(|| warnings::of_lowered(&instance.bound, lowered)));
            warnings::silence(&model_text(&instance.sources, &instance.read), &mut found);
        }
        instance.report(found)
    }
}

impl Code {
    /// Returns true if a diagnostic with this code points at text that could be removed.
    pub fn is_about_what_is_unneeded(&self) -> bool {
        warnings::is_unneeded(*self)
    }
}

/// Maps a diagnostic to another version of the model; `None` if that does not have the text of the first label.
fn moved_diagnostic(diagnostic: &Diagnostic, from: &str, to: &str) -> Option<Diagnostic> {
    let mut moved = diagnostic.clone();
    if from == to {
        return Some(moved);
    }
    // Edits for this text make no sense in the other one.
    moved.edits.clear();
    let (first, others) = moved.labels.split_first_mut()?;
    let whole = first.span;
    first.span = same_place(whole, from, to)?;
    let first = first.span;
    let mut kept = vec![true];
    for label in others {
        // A label inside the first one keeps its offset from it, because its own text may occur elsewhere, too.
        let place = match whole.contains(label.span) {
            true => Some(Span {
                start: first.start + (label.span.start - whole.start),
                end: first.start + (label.span.end - whole.start),
                ..label.span
            }),
            false => same_place(label.span, from, to),
        };
        kept.push(place.is_some());
        label.span = place.unwrap_or(label.span);
    }
    let mut kept = kept.into_iter();
    moved.labels.retain(|_| kept.next().unwrap_or(false));
    Some(moved)
}

/// Finds the span of a text in another version of a model, which must have the same number of occurrences.
fn same_place(span: Span, from: &str, to: &str) -> Option<Span> {
    let text = from.get(span.start as usize..span.end as usize).filter(|text| !text.is_empty())?;
    // If the numbers of occurrences differ, it is unknown which one corresponds.
    if span.source != Model::SOURCE || from.matches(text).count() != to.matches(text).count() {
        return None;
    }
    let earlier = from[..span.start as usize].matches(text).count();
    let (at, _) = to.match_indices(text).nth(earlier)?;
    Some(Span::new(span.source, at, at + text.len()))
}

fn model_text<'a>(sources: &'a Sources, read: &'a ReadModel) -> ModelText<'a> {
    let source = Model::SOURCE;
    ModelText { source, text: &sources.get(source).text, file: &read.file, model: &read.model }
}

/// Returns the warnings that were found in every instance.
fn warnings_of_all(examined: impl Iterator<Item = Vec<InstanceWarning>>, instances: usize) -> Diagnostics {
    let is_same = |one: &Diagnostic, other: &Diagnostic| one.code == other.code && one.span() == other.span();
    let mut common: Option<Vec<InstanceWarning>> = None;
    for findings in examined {
        match &mut common {
            None => common = Some(findings),
            Some(common) => {
                // An instance without the warning is a counterexample, so only warnings of all instances remain.
                common.retain(|known| findings.iter().any(|finding| is_same(&known.warning, &finding.warning)))
            }
        }
    }
    let findings = common.unwrap_or_default().into_iter();
    findings.filter(|finding| instances > 1 || !finding.depends_on_data).map(|finding| finding.warning).collect()
}
