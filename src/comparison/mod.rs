//! Compares two models: do they have the same solutions?
//!
//! You may change the search for differences. `grading`, `testing` and `protocol` rely on the result: one model allows
//! the solution of a difference, and the other one refuses it.

mod differences;
mod judgement;
pub(crate) mod refused;
mod review;
mod reviewed;

use crate::{
    analysis::model::DeclarationKind,
    api::{Instance, Model, Report, Text, deep},
    diagnostic::{Code, Diagnostic, Diagnostics, counted},
    explain::Answer,
    picture::Picture,
    solver::EngineOptions,
    source::Sources,
    syntax,
};
use differences::ModelPair;
pub(crate) use differences::{ONE_LINE, lettings, lettings_of};
pub(crate) use judgement::Judgement;
pub use review::{InterfaceChange, Review};
pub use reviewed::{ComparedVersions, InstanceReview, ModelReview, SolvedVersion};

with_setters! {
    /// Options for comparing models.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct CompareOptions {
        /// Decision variables of the reference as expressions over the variables of the model, if the names differ:
        /// `queens` is `toSet([(i, q[i]) | i : int(1..n)])`. A comment `$ map: queens = toSet(…)` in the model has the
        /// same meaning; the expressions here have priority.
        pub mapping: Vec<(String, String)>,
        /// The maximum number of solutions to judge if the solver cannot search for a difference.
        pub most: usize,
        /// The limits of the search.
        pub search: EngineOptions,
    }
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions { mapping: Vec::new(), most: 1_000, search: EngineOptions::default() }
    }
}

/// The result of a comparison on one instance.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// The first difference that was found.
    pub difference: Option<Difference>,
    /// True if the answer is certain. It is uncertain if no difference was found but there were too many solutions to
    /// judge, or a limit ended the search.
    pub complete: bool,
}

/// A difference between a model and its reference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Difference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// A solution that shows the difference, in Essence.
    pub solution: String,
    /// The reason why the other model refuses the solution.
    pub because: Option<Refusal>,
    /// The pictures of the solution; none for variables that are best shown as text.
    pub pictures: Vec<Picture>,
}

/// The reason why a model refuses a solution.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The requirements that the solution breaks.
    Requirements(Box<Answer>),
    /// A value is not in its domain.
    Domain(Report),
}

/// The kind of a difference between two models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// The model has a solution that the reference refuses.
    Allowed,
    /// The reference has a solution that the model refuses.
    Refused,
    /// The solutions are the same, but the objectives differ in direction or in their values for this solution. If
    /// several solutions differ only in unshared variables, these are the best values.
    Objective(Option<String>, Option<String>),
}

impl Comparison {
    /// The difference as text, with the instance; empty if there is none. Generated data are shown in full.
    pub fn to_text(&self, data: Option<&Text>, is_made_up: bool, bold: bool) -> String {
        let Some(difference) = &self.difference else { return String::new() };
        let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let mut text = match data {
            Some(data) if is_made_up => {
                format!("On this instance:\n\n{}\n", indented(&data_statements(&data.text)))
            }
            Some(data) => format!("Instance: {}\n\n", data.name),
            None => String::new(),
        };
        let because = match &difference.because {
            Some(Refusal::Requirements(answer)) => answer.to_text(bold),
            Some(Refusal::Domain(report)) => report.to_terminal(bold),
            None => String::new(),
        };
        let solution = indented(&difference.solution);
        text += &match &difference.kind {
            DifferenceKind::Allowed => {
                format!("Your model allows this, the reference does not:\n\n{solution}\nThe reference says: {because}")
            }
            DifferenceKind::Refused => {
                format!("The reference allows this, your model does not:\n\n{solution}\nYour model says: {because}")
            }
            DifferenceKind::Objective(own, other) => {
                let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "no objective".to_owned());
                let values = match own {
                    Some(value) if own == other => {
                        format!("Both have the value {value}, but one model minimises it, and the other maximises it.")
                    }
                    _ => format!("Yours: {}. The reference's: {}.", value(own), value(other)),
                };
                format!("The solutions are the same, but the objective differs:\n\n{solution}\n{values}\n")
            }
        };
        text
    }

    /// The sentence for no difference on this number of instances. It mentions if this is uncertain.
    pub fn same(instances: usize, is_complete: bool) -> String {
        let number = counted(instances, "instance");
        match is_complete {
            true => format!("The two models mean the same on {number}.\n"),
            false => {
                format!(
                    "No difference was found on {number}, but this is not certain: there are too many solutions to \
                    look at \
                     all of them, or a limit ended the search.\n"
                )
            }
        }
    }
}

impl Model {
    /// Compares this model with a reference on one instance. Decision variables with the same name and type are
    /// identified.
    ///
    /// ```
    /// use conjure_like::{CompareOptions, DifferenceKind, Model, Refusal, Text};
    ///
    /// let own = Model::read(&Text::new("own.essence", "find x, y : int(1..3) such that x <= y"))?;
    /// let reference = Model::read(&Text::new("reference.essence", "find x, y : int(1..3) such that x < y"))?;
    /// let compared = own.compare(&reference, &[], &CompareOptions::default())?;
    /// let difference = compared.difference.expect("x = y");
    /// assert_eq!(difference.kind, DifferenceKind::Allowed);
    /// let Some(Refusal::Requirements(broken)) = difference.because else { panic!("a constraint is broken") };
    /// assert_eq!(broken.reasons[0].says, "x < y");
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the data do not fit one of the models, or if the decision variables do not correspond.
    pub fn compare(&self, reference: &Model, data: &[Text], options: &CompareOptions) -> Result<Comparison, Report> {
        self.comparing(reference, data, options, |pair| {
            let mut complete = true;
            for search in [ModelPair::allowed, ModelPair::refused, ModelPair::objective] {
                let found = search(pair)?;
                if found.difference.is_some() {
                    return Ok(Comparison { complete: true, ..found });
                }
                complete &= found.complete;
            }
            Ok(Comparison { difference: None, complete })
        })
    }

    /// Runs a comparison with a reference on one instance, after checking that the models can be compared.
    fn comparing<T>(
        &self,
        reference: &Model,
        data: &[Text],
        options: &CompareOptions,
        compare: impl FnOnce(&ModelPair) -> Result<T, Report>,
    ) -> Result<T, Report> {
        [self, reference].into_iter().try_for_each(|model| {
            model.must_be_without_dominance("models with a dominance relation cannot be compared")?;
            model.must_be_without_trade_offs("models with goals that compete cannot be compared")
        })?;
        let (own, other) = (self.instance(data)?, reference.instance(data)?);
        let mapping = self.mapping(&options.mapping)?;
        self.correspond(reference, &mapping)?;
        own.has_types_of(&other)?;
        compare(&ModelPair { model: self, reference, data, mapping: &mapping, options })
    }

    pub(crate) fn type_of(&self, name: &str) -> Option<String> {
        let declarations = &self.typed().declarations;
        declarations.iter().find(|declaration| *declaration.name == *name).map(|declaration| declaration.ty.to_string())
    }

    /// The decision variables of a reference as expressions: the given ones, then the ones from comments `$ map: name =
    /// expression`.
    pub(crate) fn mapping(&self, given: &[(String, String)]) -> Result<Vec<(String, String)>, Report> {
        let said = self.typed().mapping.iter().filter(|(name, _)| !given.iter().any(|(given, _)| given == name));
        // Each expression becomes a part of other texts, so it must be complete.
        given.iter().chain(said).map(|(name, text)| Ok((name.clone(), expression_text(text)?))).collect()
    }

    /// Checks that the decision variables of two models correspond.
    pub(crate) fn correspond(&self, reference: &Model, mapping: &[(String, String)]) -> Result<(), Report> {
        let error =
            |message: String, help: &str| Err(Report::from(Diagnostic::error(Code::COMMAND_LINE, message).help(help)));
        for (name, _) in mapping {
            if !reference.finds().any(|other| other == name) {
                return error(
                    format!("the reference has no decision variable `{name}`"),
                    "a mapping gives a variable of the reference as an expression: `$ map: x = y + 1`",
                );
            }
        }
        let shared: Vec<&str> = reference.finds().filter(|name| self.finds().any(|own| own == *name)).collect();
        for name in &shared {
            let is_mapped = mapping.iter().any(|(mapped, _)| mapped == name);
            let (own, other) = (self.type_of(name), reference.type_of(name));
            if !is_mapped && own != other {
                let [own, other] = [own, other].map(Option::unwrap_or_default);
                return error(
                    format!("`{name}` is a {own} in the model and a {other} in the reference"),
                    &format!("say in a comment of the model how it follows: `$ map: {name} = …`"),
                );
            }
        }
        // If no variable is common, nothing can be compared.
        if shared.is_empty() && mapping.is_empty() {
            let list = |model: &Model| model.finds().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let message = format!(
                "the two models have no decision variable in common: the model finds {}, the reference {}",
                list(self),
                list(reference)
            );
            return error(
                message,
                "rename a variable, or write a comment in the model: `$ map: reference_variable = expression`",
            );
        }
        Ok(())
    }
}

/// The lines of a parameter file without the language declaration, comments and empty lines.
pub fn data_statements(text: &str) -> String {
    let is_data = |line: &&str| !line.trim().is_empty() && !line.starts_with('$') && !line.starts_with("language");
    text.lines().filter(is_data).map(|line| format!("{line}\n")).collect()
}

/// The text of an expression, without the text around it.
fn expression_text(text: &str) -> Result<String, Report> {
    deep(|| {
        let mut sources = Sources::default();
        let source = sources.add("the mapping", text);
        let expression = syntax::parse_expression(source, text);
        let expression = expression.map_err(|halt| Report::halted(&sources, Diagnostics::new(), halt))?;
        Ok(sources.text(expression.span).to_owned())
    })
}

impl Instance {
    /// Checks that unnamed types with the same name have the same number of members.
    fn has_types_of(&self, reference: &Instance) -> Result<(), Report> {
        let sizes = |instance: &Instance| {
            let declarations = instance.bound.model.declarations.iter().enumerate();
            let unnamed = declarations.filter(|(_, declared)| matches!(declared.kind, DeclarationKind::Unnamed(_)));
            let size = |position| instance.bound.environment.size_of_type(position as u32);
            unnamed.map(|(position, declared)| (declared.name.clone(), size(position))).collect::<Vec<_>>()
        };
        for (name, size) in sizes(self) {
            let other = sizes(reference).into_iter().find(|(other, _)| *other == name);
            if let (Some(size), Some((_, Some(other)))) = (size, other)
                && size != other
            {
                let message = format!("`{name}` has {size} members in the model and {other} in the reference");
                let error = Diagnostic::error(Code::COMMAND_LINE, message);
                return Err(error.help("give the type the same size, or another name").into());
            }
        }
        Ok(())
    }
}
