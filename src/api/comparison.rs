//! Whether two models mean the same.

use super::{
    Count, ExplainOptions, Instance, Model, Report, Solution, SolveOptions, SolveStatus, Text, Values, Workbench,
    stack::deep,
};
use crate::{
    diagnostic::{Code, Diagnostic, Diagnostics, counted},
    explain::Answer,
    services::{
        self,
        parameter_generator::GeneratorOptions,
        refused::{Membership, Wanted, refused},
    },
    solver::SolverOptions,
    source::Sources,
    syntax,
};
use std::{collections::BTreeSet, num::NonZeroUsize, ops::ControlFlow};

/// The largest numbers and sizes in data that are made up, where the model does not want larger ones.
const MOST_SIZE: i64 = 8;

/// The largest domains whose members are listed, to say that a value lies in them.
const MOST_MEMBERS: u128 = 5_000;

/// Options for comparing models.
#[derive(Clone, Debug)]
pub struct CompareOptions {
    /// Decision variables of the reference as expressions over the variables of the model, where the names differ: `queens` is
    /// `toSet([(i, q[i]) | i : int(1..n)])`. A comment `$ map: queens = toSet(…)` in the model says the same; these come first.
    pub mapping: Vec<(String, String)>,
    /// The number of solutions that are looked at where the solver cannot be asked for a difference.
    pub most: usize,
    /// When to end before there is an answer.
    pub search: SolverOptions,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions { mapping: Vec::new(), most: 1_000, search: SolverOptions::default() }
    }
}

/// The result of a comparison on one instance.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The first difference that was found.
    pub difference: Option<Difference>,
    /// Whether it is certain that there is no other difference: not if too many solutions would have to be looked at, or if a
    /// limit was reached.
    pub complete: bool,
}

/// A difference between a model and its reference.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// The solution that shows it, in Essence.
    pub solution: String,
    /// Why the other model refuses the solution.
    pub because: Option<Refusal>,
}

/// Why a model refuses a solution.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The requirements that it breaks.
    Requirements(Box<Answer>),
    /// A value is not in its domain.
    Domain(Report),
}

/// How two models differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// The model has a solution that the reference refuses.
    Allowed,
    /// The reference has a solution that the model refuses.
    Refused,
    /// The solutions are the same, but the objective of one has another value or direction; the two values, if there are two.
    Objective(Option<String>, Option<String>),
}

impl Compared {
    /// The difference for people, with the instance; empty if there is none. Data that were made up are shown.
    pub fn to_text(&self, data: Option<&Text>, is_made_up: bool, bold: bool) -> String {
        let Some(difference) = &self.difference else { return String::new() };
        let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let mut text = match data {
            Some(data) if is_made_up => {
                let is_data = |line: &&str| line.starts_with("letting") || line.starts_with(' ');
                let lines: Vec<&str> = data.text.lines().filter(is_data).collect();
                format!("On this instance:\n\n{}\n", indented(&lines.join("\n")))
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
                format!(
                    "The solutions are the same, but the objective differs:\n\n{solution}\nYours: {}. The reference's: {}.\n",
                    value(own),
                    value(other)
                )
            }
        };
        text
    }

    /// What is said if there is no difference on this many instances; if the answer is not certain, it says so.
    pub fn same(instances: usize, is_complete: bool) -> String {
        let number = counted(instances, "instance");
        match is_complete {
            true => format!("The two models mean the same on {number}.\n"),
            false => {
                format!(
                    "No difference was found on {number}, but there are too many solutions to look at all of them.\n"
                )
            }
        }
    }
}

impl Model {
    /// Compares what this model allows with what a reference allows, on one instance. Decision variables of the same name and type are
    /// taken for the same.
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
    /// The data do not fit one of the models, or the decision variables do not correspond.
    pub fn compare(&self, reference: &Model, data: &[Text], options: &CompareOptions) -> Result<Compared, Report> {
        self.instance(data)?;
        reference.instance(data)?;
        let mapping = self.mapping(&options.mapping)?;
        self.correspond(reference, &mapping)?;
        let comparison = Comparison { model: self, reference, data, mapping: &mapping, options };
        let (allowed, first_complete) = comparison.allowed()?;
        if allowed.is_some() {
            return Ok(Compared { difference: allowed, complete: true });
        }
        let (refused, second_complete) = comparison.refused()?;
        let difference = match refused {
            Some(refused) => Some(refused),
            None => comparison.objective()?,
        };
        Ok(Compared { complete: difference.is_some() || first_complete && second_complete, difference })
    }

    /// Small data for this model, as parameter files: at most this many, none twice, of different sizes, the smallest first. A model without parameters has
    /// one instance, without data.
    ///
    /// # Errors
    ///
    /// The domains of the parameters depend on each other, so that no data can be made up.
    pub fn small_instances(&self, number: usize, seed: u32) -> Result<Vec<Vec<Text>>, Report> {
        if self.givens().next().is_none() {
            return Ok(vec![Vec::new()]);
        }
        let mut known: BTreeSet<String> = BTreeSet::new();
        // What each size adds.
        let mut by_size: Vec<Vec<String>> = Vec::new();
        let mut reason = None;
        for most in 1..=MOST_SIZE {
            let mut found = match self.data_of_size(most, number + known.len(), seed) {
                Ok(found) => found,
                Err(report) => {
                    reason = Some(report);
                    continue;
                }
            };
            found.retain(|text| known.insert(text.clone()));
            by_size.push(found);
        }
        let mut chosen = Vec::new();
        for round in 0..number {
            chosen.extend(by_size.iter().enumerate().filter_map(|(size, found)| Some((size, found.get(round)?))));
        }
        chosen.truncate(number);
        chosen.sort_by_key(|(size, text)| (*size, text.len()));
        match reason {
            Some(report) if chosen.is_empty() => Err(report),
            _ => {
                let texts = chosen.into_iter().enumerate();
                Ok(texts
                    .map(|(at, (_, text))| vec![Text::new(format!("instance {}", at + 1), text.as_str())])
                    .collect())
            }
        }
    }

    /// Data whose numbers and sizes are at most this large, where the model does not want more.
    fn data_of_size(&self, most: i64, number: usize, seed: u32) -> Result<Vec<String>, Report> {
        let options = GeneratorOptions { least: 0, most, members: most.clamp(1, 4) as u32 };
        // Where a domain depends on integers, these are decided first.
        let sizes: Vec<String> = self.integer_givens().map(|name| format!("letting {name} be {most}")).collect();
        let decided = Text::new("", sizes.join("\n"));
        let generator = self
            .parameter_generator(&[], options, 1_000)
            .or_else(|_| self.parameter_generator(std::slice::from_ref(&decided), options, 1_000))?;
        let search = SolverOptions { seed: Some(seed), threads: NonZeroUsize::new(1), ..SolverOptions::default() };
        let options = SolveOptions { solutions: Count::First(number), search, ..SolveOptions::default() };
        let mut found = Vec::new();
        Model::read(&Text::new("", generator))?.instance(&[])?.solve(&options, &mut |solution| {
            found.push(solution.to_essence(120));
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    fn integer_givens(&self) -> impl Iterator<Item = &str> {
        self.givens().filter(|name| self.type_of(name).as_deref() == Some("int"))
    }

    pub(super) fn type_of(&self, name: &str) -> Option<String> {
        let declarations = &self.typed().declarations;
        declarations.iter().find(|declaration| *declaration.name == *name).map(|declaration| declaration.ty.to_string())
    }

    /// The decision variables of a reference as expressions: as they are given, and where they are not, as the comments `$ map: name =
    /// expression` say.
    pub(super) fn mapping(&self, given: &[(String, String)]) -> Result<Vec<(String, String)>, Report> {
        let mut mapping = given.to_vec();
        for comment in &self.read.file.comments {
            let said = comment.text.trim_start_matches('$').trim().strip_prefix("map:");
            if let Some((name, expression)) = said.and_then(|said| said.split_once('='))
                && !given.iter().any(|(given, _)| given == name.trim())
            {
                mapping.push((name.trim().to_owned(), expression.trim().to_owned()));
            }
        }
        // Each becomes a part of a text.
        mapping.into_iter().map(|(name, text)| Ok((name, expression(&text)?))).collect()
    }

    /// Checks that the decision variables of two models correspond.
    pub(super) fn correspond(&self, reference: &Model, mapping: &[(String, String)]) -> Result<(), Report> {
        let error =
            |message: String, help: &str| Err(Report::from(Diagnostic::error(Code::COMMAND_LINE, message).help(help)));
        for (name, _) in mapping {
            if !reference.finds().any(|other| other == name) {
                return error(
                    format!("the reference has no decision variable `{name}`"),
                    "a mapping gives a variable of the reference as an expression: `--map 'x = y + 1'`",
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
                    &format!("say how the variable of the reference follows from the model: `--map '{name} = …'`"),
                );
            }
        }
        if shared.is_empty() && mapping.is_empty() {
            let list = |model: &Model| model.finds().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let message = format!(
                "the two models have no decision variable in common: the model finds {}, the reference {}",
                list(self),
                list(reference)
            );
            return error(
                message,
                "rename a variable, or say how they correspond: `--map 'reference_variable = expression'`",
            );
        }
        Ok(())
    }

    fn document(&self) -> services::Document {
        let source = self.sources.get(Self::SOURCE);
        services::Document::model(&source.name, &source.text)
    }
}

/// Two models on one instance.
struct Comparison<'a> {
    model: &'a Model,
    reference: &'a Model,
    data: &'a [Text],
    mapping: &'a [(String, String)],
    options: &'a CompareOptions,
}

type Found = Result<(Option<Difference>, bool), Report>;

impl Comparison<'_> {
    /// A solution of the model that the reference refuses, and whether the search for one was complete.
    fn allowed(&self) -> Found {
        self.difference((self.model, self.reference), self.mapping, DifferenceKind::Allowed, &|solution| {
            self.as_reference(solution)
        })
    }

    /// A solution of the reference that the model refuses.
    fn refused(&self) -> Found {
        // With a mapping, a variable of the model may have several values for one of the reference.
        self.difference((self.reference, self.model), &[], DifferenceKind::Refused, &|solution| self.as_model(solution))
    }

    /// A solution of the first model that the second one refuses; `translate` writes it for the second one.
    fn difference(
        &self,
        (first, second): (&Model, &Model),
        mapping: &[(String, String)],
        kind: DifferenceKind,
        translate: &dyn Fn(&Solution) -> Result<Text, Report>,
    ) -> Found {
        let explain = |solution: &Solution| {
            let options = ExplainOptions { search: self.options.search.clone(), so_far: None };
            refusal(second.why_not(self.data, &translate(solution)?, &options))
        };
        let shown = |solution: &Solution, because: Refusal| Difference {
            kind: kind.clone(),
            solution: self.shown(solution, first),
            because: Some(because),
        };
        if kind == DifferenceKind::Allowed || self.mapping.is_empty() {
            let text = self.refused_text((first, second), mapping, Wanted::Refused)?;
            if let Some((solution, status)) = text.and_then(|text| self.one(&text)) {
                let Some(solution) = solution else { return Ok((None, status == SolveStatus::Unsatisfiable)) };
                // The explanation is the judge.
                if let Some(because) = explain(&solution)? {
                    return Ok((Some(shown(&solution, because)), true));
                }
            }
        }
        let mut failure = None;
        let mut difference = None;
        let options = SolveOptions {
            solutions: Count::First(self.options.most),
            search: self.options.search.clone(),
            ..SolveOptions::default()
        };
        let all = first.without_objective().instance(self.data)?;
        let summary = all.solve(&options, &mut |solution| match explain(solution) {
            Ok(Some(because)) => {
                difference = Some(shown(solution, because));
                ControlFlow::Break(())
            }
            Ok(None) => ControlFlow::Continue(()),
            Err(report) => {
                failure = Some(report);
                ControlFlow::Break(())
            }
        })?;
        match failure {
            Some(report) => Err(report),
            None => Ok((difference, matches!(summary.status, SolveStatus::AllSolutions | SolveStatus::Unsatisfiable))),
        }
    }

    /// The model of the solutions of the first model that the second one refuses, if it can be written.
    fn refused_text(
        &self,
        (first, second): (&Model, &Model),
        mapping: &[(String, String)],
        wanted: Wanted,
    ) -> Result<Option<String>, Report> {
        let (own, other) = (first.instance(self.data)?, second.instance(self.data)?);
        let domain = |instance: &Instance, name: &str| {
            let declarations = &instance.bound.model.declarations;
            let mut finds = instance.bound.finds.iter();
            finds.find(|find| *declarations[find.id.0 as usize].name == *name).map(|find| find.domain.clone())
        };
        let membership = |name: &str| {
            let own = domain(&own, name).filter(|_| !mapping.iter().any(|(mapped, _)| mapped == name));
            let is_known = own.is_some() || mapping.iter().any(|(mapped, _)| mapped == name);
            match (own, domain(&other, name)) {
                (Some(own), Some(other)) if own == other => Membership::Certain,
                (_, Some(other)) if is_known && other.size().is_some_and(|size| size <= MOST_MEMBERS) => {
                    Membership::Listed
                }
                _ => Membership::Unknown,
            }
        };
        Ok(refused(&first.document(), &second.document(), mapping, &membership, wanted))
    }

    /// A solution of a model that was made, and how the search ended; nothing if the model cannot be solved.
    fn one(&self, text: &str) -> Option<(Option<Solution>, SolveStatus)> {
        let instance: Instance = Model::read(&Text::new("", text)).and_then(|model| model.instance(self.data)).ok()?;
        let options = SolveOptions { search: self.options.search.clone(), ..SolveOptions::default() };
        let mut found = None;
        let summary = instance
            .solve(&options, &mut |solution| {
                found = Some(solution.clone());
                ControlFlow::Break(())
            })
            .ok()?;
        Some((found, summary.status))
    }

    /// A difference between the objectives, where the solutions are the same.
    fn objective(&self) -> Result<Option<Difference>, Report> {
        let sense = |model: &Model| model.typed().objective.as_ref().map(|objective| objective.sense);
        let (own, other) = (sense(self.model), sense(self.reference));
        let values = |solution: &str| -> [Option<String>; 2] {
            let value = |model: &Model| {
                let objective = model.typed().objective.as_ref()?;
                let text = model.sources.text(objective.value.span);
                let solution = Text::new("", solution);
                let model = Some(model.text());
                let bench = Workbench::new(model, self.data.to_vec(), Some(solution));
                Some(bench.evaluate(&Text::new("", text)).ok()?.essence)
            };
            [value(self.model), value(self.reference)]
        };
        let difference = |solution: String| {
            let [own, other] = values(&solution);
            Difference { kind: DifferenceKind::Objective(own, other), solution, because: None }
        };
        if own != other {
            let (found, _) =
                self.one(&self.model.without_objective().text().text).unwrap_or((None, SolveStatus::Satisfied));
            return Ok(found.map(|found| difference(self.shown(&found, self.model))));
        }
        let models = (self.model, self.reference);
        let text = self.refused_text(models, self.mapping, Wanted::OtherObjective)?;
        let found = text.and_then(|text| self.one(&text)).and_then(|(found, _)| found);
        Ok(found.map(|found| difference(self.shown(&found, self.model))))
    }

    /// A solution, with the variables of a model alone.
    fn shown(&self, solution: &Solution, model: &Model) -> String {
        lettings(solution, |name| model.finds().any(|own| own == name))
    }

    /// What the reference is to think of a solution of the model.
    fn as_reference(&self, solution: &Solution) -> Result<Text, Report> {
        let is_mapped = |name: &str| self.mapping.iter().any(|(mapped, _)| mapped == name);
        let mut text = lettings(solution, |name| !is_mapped(name) && self.reference.finds().any(|other| other == name));
        let own = Text::new("", self.shown(solution, self.model));
        let bench = Workbench::new(Some(self.model.text()), self.data.to_vec(), Some(own));
        for (name, expression) in self.mapping {
            let value = bench.evaluate(&Text::new("the mapping", expression.as_str()))?;
            text += &format!("letting {name} be {}\n", value.essence);
        }
        Ok(Text::new("the solution", text))
    }

    /// What the model is to think of a solution of the reference.
    fn as_model(&self, solution: &Solution) -> Result<Text, Report> {
        let is_mapped = |name: &str| self.mapping.iter().any(|(mapped, _)| mapped == name);
        let mut text = lettings(solution, |name| !is_mapped(name) && self.model.finds().any(|own| own == name));
        let values = Values::read(Some(self.reference), &Text::new("", solution.to_essence(120)))?;
        for (name, expression) in self.mapping {
            let value = values.essence(name).unwrap_or_default();
            text += &format!("such that ({expression}) = {value}\n");
        }
        Ok(Text::new("the solution", text))
    }
}

/// The text of an expression, without what stands around it.
fn expression(text: &str) -> Result<String, Report> {
    deep(|| {
        let mut sources = Sources::default();
        let source = sources.add("the mapping", text);
        let mut diagnostics = Diagnostics::new();
        match syntax::parse_expression(source, text, &mut diagnostics) {
            Some(expression) => Ok(sources.text(expression.span).to_owned()),
            None => Err(Report::of(&sources, diagnostics)),
        }
    })
}

/// Why something is not a solution, if it is none.
fn refusal(answer: Result<Answer, Report>) -> Result<Option<Refusal>, Report> {
    match answer {
        Ok(answer) if matches!(answer.verdict, "wrong" | "not extensible") => {
            Ok(Some(Refusal::Requirements(Box::new(answer))))
        }
        Ok(_) => Ok(None),
        Err(report) if report.diagnostics.iter().all(|error| error.code == Code::OUTSIDE_DOMAIN) => {
            Ok(Some(Refusal::Domain(report)))
        }
        Err(report) => Err(report),
    }
}

/// The values of some variables of a solution, and the members of unnamed types.
fn lettings(solution: &Solution, wanted: impl Fn(&str) -> bool) -> String {
    let (mut text, mut keep) = (String::new(), true);
    let variables: BTreeSet<String> = solution.values().map(|(name, _)| name.to_owned()).collect();
    for line in solution.to_essence(1_000_000).lines().skip(1) {
        if let Some(rest) = line.strip_prefix("letting ") {
            let name = rest.split(' ').next().unwrap_or_default();
            keep = !variables.contains(name) || wanted(name);
        }
        if keep && !line.is_empty() && !line.starts_with('$') {
            text += line;
            text.push('\n');
        }
    }
    text
}
