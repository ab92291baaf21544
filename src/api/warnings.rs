//! Warnings about models and instances: what is legal and yet hardly meant.

use super::{Compiled, Instance, Model, Report, stack::deep};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics},
    pipeline::ReadModel,
    services::names::Names,
    solver::EngineOptions,
    source::Sources,
    syntax::tokens::tokens,
    warnings::{self, InstanceWarning, ModelText},
};

/// Options for examining instances.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ExamineOptions {
    /// Whether to look for what takes longer, too: constraints that follow from the others, and bounds that no
    /// solution reaches.
    pub deep: bool,
    /// When to end before all is examined. What is found otherwise does not depend on the time.
    pub search: EngineOptions,
}

setters!(ExamineOptions { deep: bool, search: EngineOptions });

impl Model {
    /// Warnings about the model, without those that its comments allow (`$ allow: W0203`).
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

    /// Warnings that a solver decides about instances of the model with a small budget: constraints and conditions
    /// that are always true or never true. A warning is about all of the instances. What may be due to the data of one
    /// instance is told only if it is true of two or more.
    pub fn examine(&self, instances: &[Instance], options: &ExamineOptions) -> Report {
        deep(|| {
            let subject = model_text(&self.sources, &self.read);
            let examined = instances.iter().map(|instance| {
                let mut findings = warnings::trivial(&subject, &instance.bound, &options.search);
                if options.deep {
                    findings.extend(warnings::in_depth(&subject, &instance.bound, &options.search));
                }
                findings
            });
            let mut found = common(examined, instances.len());
            warnings::silence(&subject, &mut found);
            Report::of(&self.sources, found)
        })
    }
}

impl Instance {
    /// Warnings about the data, and about the instance as far as they need no solver; without those about the model.
    pub fn warnings(&self) -> Report {
        deep(|| {
            let subject = model_text(&self.sources, &self.read);
            let mut found = self.warnings.clone();
            found.extend(warnings::of_instance(&self.bound));
            warnings::silence(&subject, &mut found);
            Report::of(&self.sources, found)
        })
    }
}

impl Compiled {
    /// Warnings about the size of the problem.
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
    /// Whether what a diagnostic with this code points at could be left out of the text.
    pub fn is_about_what_is_unneeded(&self) -> bool {
        warnings::is_unneeded(*self)
    }
}

fn model_text<'a>(sources: &'a Sources, read: &'a ReadModel) -> ModelText<'a> {
    let source = Model::SOURCE;
    ModelText { source, text: &sources.get(source).text, file: &read.file, model: &read.model }
}

/// The warnings that were found in every instance.
fn common(examined: impl Iterator<Item = Vec<InstanceWarning>>, instances: usize) -> Diagnostics {
    let is_same = |one: &Diagnostic, other: &Diagnostic| one.code == other.code && one.span() == other.span();
    let mut common: Option<Vec<InstanceWarning>> = None;
    for findings in examined {
        match &mut common {
            None => common = Some(findings),
            Some(common) => {
                common.retain(|known| findings.iter().any(|finding| is_same(&known.warning, &finding.warning)))
            }
        }
    }
    let findings = common.unwrap_or_default().into_iter();
    findings.filter(|finding| instances > 1 || !finding.depends_on_data).map(|finding| finding.warning).collect()
}
