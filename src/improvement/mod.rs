//! Improvements of a model: edits of its text that preserve its solutions, with the reasons.
//!
//! Rules look at the text ([`attribute_rules`], [`tighter`], [`globals`], [`loops`], [`forms`]); [`implied`]
//! conjectures requirements from solutions, and [`symmetries`] looks for maps between solutions. Each proposal is
//! compared with the model on all instances before it is shown, and dropped if they differ.
//!
//! You may add rules. `improve` relies on the [`Basis`] of each improvement: only [`Basis::Rule`] holds for all data.

mod attribute_rules;
mod check;
mod edits;
mod forms;
mod globals;
mod implied;
mod loops;
mod symmetries;
mod tighter;
mod view;

use crate::{
    api::{Model, Report, Text, deep},
    diagnostic::{Code, Diagnostic},
    solver::EngineOptions,
};
use check::{Confirmation, ConjectureChecker};
use edits::ModelEdit;
use forms::Converted;
use std::{
    collections::BTreeSet,
    fmt::{self, Display, Formatter},
    time::Duration,
};
pub(crate) use view::ModelView;

with_setters! {
    /// Options for the search for improvements.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct ImproveOptions {
        /// Conjecture requirements from solutions and look for symmetries, which takes many searches.
        pub with_conjectures: bool,
        /// The time for each search.
        pub search_time: Duration,
        /// The engine and the limits of each search.
        pub search: EngineOptions,
    }
}

impl Default for ImproveOptions {
    fn default() -> Self {
        ImproveOptions { with_conjectures: true, search_time: Duration::from_secs(2), search: EngineOptions::default() }
    }
}

/// The kind of an improvement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImprovementKind {
    /// An attribute of a domain.
    Attribute,
    /// A tighter domain.
    Domain,
    /// A global constraint.
    Global,
    /// A quantifier that does less.
    Quantifier,
    /// A requirement that all solutions satisfy.
    Implied,
    /// A requirement that leaves one solution of each symmetry class.
    Symmetry,
    /// Another type for a decision variable.
    Form,
}

impl ImprovementKind {
    /// The word for the kind.
    pub fn word(self) -> &'static str {
        match self {
            ImprovementKind::Attribute => "attribute",
            ImprovementKind::Domain => "domain",
            ImprovementKind::Global => "global",
            ImprovementKind::Quantifier => "quantifier",
            ImprovementKind::Implied => "implied",
            ImprovementKind::Symmetry => "symmetry",
            ImprovementKind::Form => "form",
        }
    }
}

/// The data for which an improvement is known to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// All data: it follows from the text.
    Rule,
    /// All data, but a decision variable has another type.
    OtherForm,
    /// The instances on which it was checked.
    Checked,
    /// The instances on which the symmetry was checked; one solution of each class is left.
    OneOfEachClass,
}

impl Display for Basis {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Basis::Rule => "for all data",
            Basis::Checked => "on the instances that were checked",
            Basis::OneOfEachClass => "one solution of each class is left",
            Basis::OtherForm => "for all data, with solutions in another form",
        })
    }
}

/// An improvement that has not been checked.
#[derive(Clone, Debug)]
struct EditProposal {
    kind: ImprovementKind,
    says: String,
    because: String,
    basis: Basis,
    edits: Vec<ModelEdit>,
}

/// An improvement of a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Improvement {
    /// The line of the first change, counted from 1.
    pub line: usize,
    /// The kind of the change.
    pub kind: ImprovementKind,
    /// The change in a sentence.
    pub says: String,
    /// Why the solutions stay.
    pub because: String,
    /// The data for which the improvement is known to hold.
    pub basis: Basis,
    /// The number of instances on which the changed model was compared completely with the original.
    pub compared: usize,
    /// The model with this change.
    pub text: Text,
    edits: Vec<ModelEdit>,
}

impl Model {
    /// The improvements of this model that hold on these instances: those that hold for all data first, each group in
    /// the order of the text.
    ///
    /// ```
    /// use conjure_like::{Basis, ImproveOptions, Model, Text};
    ///
    /// let text = "find f : function int(1..4) --> int(1..4)\n\
    ///             such that forAll i : int(1..4) . i in defined(f)";
    /// let model = Model::read(&Text::new("m.essence", text))?;
    /// let found = model.improvements(&[Vec::new()], &ImproveOptions::default())?;
    /// assert_eq!(found[0].basis, Basis::Rule);
    /// assert!(found[0].text.text.starts_with("find f : function (total) int(1..4) --> int(1..4)"));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the data do not fit the model, or if the model has a dominance relation or competing goals.
    pub fn improvements(&self, instances: &[Vec<Text>], options: &ImproveOptions) -> Result<Vec<Improvement>, Report> {
        deep(|| {
            self.must_be_without_dominance("a model with a dominance relation cannot be improved")?;
            self.must_be_without_trade_offs("a model with goals that compete cannot be improved")?;
            for data in instances {
                self.instance(data)?;
            }
            let view = &ModelView::of(self);
            let checker = &ConjectureChecker { model: self, instances, options };
            let requirements = view.requirements();
            let mut proposals = Vec::new();
            attribute_rules::propose(view, &requirements, &mut proposals);
            tighter::propose(view, &requirements, &mut proposals);
            globals::propose(view, &requirements, &mut proposals);
            loops::propose(view, &requirements, &mut proposals);
            loops::constant_sums(view, &requirements, &mut proposals);
            let mut known = BTreeSet::from([self.text().text]);
            let mut found = Vec::new();
            for proposal in proposals {
                found.extend(self.confirmed(view, checker, proposal, &[], &mut known));
            }
            let mut converted = Vec::new();
            forms::propose(view, &requirements, &mut converted);
            for Converted { proposal, mapping } in converted {
                found.extend(self.confirmed(view, checker, proposal, &[mapping], &mut known));
            }
            if options.with_conjectures && !instances.is_empty() {
                for proposal in implied::propose(view, checker) {
                    found.extend(self.improvement(view, proposal, instances.len(), &mut known));
                }
                for proposal in symmetries::propose(view, checker) {
                    found.extend(self.improvement(view, proposal, instances.len(), &mut known));
                }
            }
            found.sort_by_key(|improvement| (improvement.basis, improvement.line));
            Ok(found)
        })
    }

    /// The improvement, unless the changed text is not a model or differs from this one on an instance.
    fn confirmed(
        &self,
        view: &ModelView,
        checker: &ConjectureChecker,
        proposal: EditProposal,
        mapping: &[(String, String)],
        known: &mut BTreeSet<String>,
    ) -> Option<Improvement> {
        let basis = proposal.basis;
        let improvement = self.improvement(view, proposal, 0, known)?;
        let changed = Model::read(&improvement.text).ok()?;
        match checker.compared(&changed, mapping) {
            Confirmation::Different => None,
            // If no instance was compared completely, only a rule is known to hold.
            Confirmation::Same(0) if basis == Basis::Checked => None,
            Confirmation::Same(compared) => Some(Improvement { compared, ..improvement }),
        }
    }

    /// The improvement, unless the changed text is not a model.
    fn improvement(
        &self,
        view: &ModelView,
        proposal: EditProposal,
        compared: usize,
        known: &mut BTreeSet<String>,
    ) -> Option<Improvement> {
        let EditProposal { kind, says, because, basis, edits } = proposal;
        let own = self.text();
        let text = edits::apply(view, &[(&edits, None)]).ok()?;
        let text = Text::new(own.name, text);
        // If two rules lead to the same text, the first one gives the reason.
        if !known.insert(text.text.clone()) || Model::read(&text).is_err() {
            return None;
        }
        let same = own.text.lines().zip(text.text.lines()).take_while(|(old, new)| old == new).count();
        Some(Improvement { line: same + 1, kind, says, because, basis, compared, text, edits })
    }

    /// The text with several of its improvements, each with a comment.
    ///
    /// # Errors
    ///
    /// Returns an error if an improvement conflicts with earlier ones.
    pub fn with_improvements(&self, chosen: &[&Improvement]) -> Result<Text, Report> {
        let comment = |improvement: &Improvement| {
            let says = improvement.says.replace('\n', " ");
            format!("improved ({}): {says}", improvement.basis)
        };
        let all: Vec<_> =
            chosen.iter().map(|improvement| (&improvement.edits[..], Some(comment(improvement)))).collect();
        let clash = |position: usize| {
            let says = chosen.get(position).map_or("", |improvement| &improvement.says);
            let error = Diagnostic::error(Code::COMMAND_LINE, "two of these improvements change the same part");
            Report::from(
                error.note(format!("the later one: {says}")).help("apply one of them, and look for improvements again"),
            )
        };
        let view = &ModelView::of(self);
        let text = edits::apply(view, &all).map_err(clash)?;
        let own = self.text();
        let text = Text::new(own.name, text);
        Model::read(&text)?;
        Ok(text)
    }

    /// The improvements that can be applied together. They are tried in the given order.
    pub fn compatible_improvements<'i>(&self, wanted: &[&'i Improvement]) -> Vec<&'i Improvement> {
        let mut chosen: Vec<&Improvement> = Vec::new();
        for improvement in wanted {
            chosen.push(improvement);
            if self.with_improvements(&chosen).is_err() {
                chosen.pop();
            }
        }
        chosen
    }
}
