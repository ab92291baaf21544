//! The search for a difference between two models on one instance.
//!
//! The models are compared by the variables of the reference that the model also has or that a mapping defines. A
//! solution of one model is refused by the other if it cannot be extended to a solution of that model; its objective is
//! the best one among all extensions. If the difference can be written as a model ([`text_of_refused`]), the solver
//! searches for a solution, which the explanations judge again. Otherwise, solutions are judged one by one.

use super::{
    CompareOptions, Comparison, Difference, DifferenceKind, Judgement,
    refused::{Membership, WantedSolutions, text_of_refused},
};
use crate::{
    api::{
        Count, ExplainOptions, Instance, Model, Report, Solution, SolveOptions, SolveStatus, Text, Values, Workbench,
    },
    explain::questions,
    picture::Picture,
    services,
    solver::SearchEnd,
};
use std::{
    collections::{BTreeSet, HashSet},
    ops::ControlFlow,
};

/// The maximum size of a domain whose values are listed as a membership test. Chosen.
const MOST_MEMBERS: u128 = 5_000;

/// Two models on one instance.
pub(super) struct ModelPair<'a> {
    pub model: &'a Model,
    pub reference: &'a Model,
    pub data: &'a [Text],
    pub mapping: &'a [(String, String)],
    pub options: &'a CompareOptions,
}

/// The first difference, if there is one; `complete` is true if the answer is certain.
type ComparisonResult = Result<Comparison, Report>;

impl Comparison {
    fn nothing(complete: bool) -> Self {
        Comparison { difference: None, complete }
    }

    fn found(difference: Difference) -> Self {
        Comparison { difference: Some(difference), complete: true }
    }
}

impl ModelPair<'_> {
    /// A solution of the model that the reference refuses.
    pub(super) fn allowed(&self) -> ComparisonResult {
        self.refused_solution(self.model, self.reference, self.mapping, DifferenceKind::Allowed, &|solution| {
            self.of_reference(solution)
        })
    }

    /// A solution of the reference that the model refuses.
    pub(super) fn refused(&self) -> ComparisonResult {
        // Under a mapping, different values in the model can give the same value in the reference.
        self.refused_solution(self.reference, self.model, &[], DifferenceKind::Refused, &|solution| {
            self.of_model(&self.shared(solution))
        })
    }

    /// Finds a solution of `first` that `second` refuses; `translate` rewrites it for `second`.
    fn refused_solution(
        &self,
        first: &Model,
        second: &Model,
        mapping: &[(String, String)],
        kind: DifferenceKind,
        translate: &dyn Fn(&Solution) -> Result<Text, Report>,
    ) -> ComparisonResult {
        let judge = |solution: &Solution| {
            Ok(match second.judgement(self.data, &translate(solution)?, &self.options.search)? {
                Judgement::Refused(because) => {
                    let (shown, pictures) = (self.shown(solution, first), first.drawn(solution));
                    Comparison::found(Difference {
                        kind: kind.clone(),
                        solution: shown,
                        because: Some(because),
                        pictures,
                    })
                }
                Judgement::Accepted(_) => Comparison::nothing(true),
                Judgement::Unknown => Comparison::nothing(false),
            })
        };
        // A mapping defines the variables of the reference by variables of the model, so a text can be written only in
        // this direction.
        if kind == DifferenceKind::Allowed || self.mapping.is_empty() {
            let text = self.refused_text(first, second, mapping, WantedSolutions::Refused)?;
            match text.and_then(|text| self.one(&text)) {
                Some((None, status)) => return Ok(Comparison::nothing(status.is_unsatisfiable())),
                Some((Some(solution), _)) => {
                    let shown = judge(&solution)?;
                    // The text may be too weak, so that `second` accepts its solution after all.
                    if shown.difference.is_some() {
                        return Ok(shown);
                    }
                }
                None => {}
            }
        }
        self.one_by_one(first, &judge)
    }

    /// Finds a difference between the objectives of two models with the same solutions.
    pub(super) fn objective(&self) -> ComparisonResult {
        let sense = |model: &Model| model.typed().objective.as_ref().map(|objective| objective.sense);
        let (own, other) = (sense(self.model), sense(self.reference));
        if own.is_none() && other.is_none() {
            return Ok(Comparison::nothing(true));
        }
        let known = std::cell::RefCell::new(HashSet::new());
        // Solutions that differ only in unshared variables have the same shared part, which is judged only once.
        let judge = |solution: &Text, (shown, pictures): (String, Vec<Picture>)| {
            if !known.borrow_mut().insert(solution.text.clone()) {
                return Ok(Comparison::nothing(true));
            }
            let own_value = self.objective_of(self.model, &self.of_model(solution)?)?;
            let values = (own_value, self.objective_of(self.reference, solution)?);
            Ok(match values {
                (Some(one), Some(two)) if own != other || one != two => {
                    let kind = DifferenceKind::Objective(one, two);
                    Comparison::found(Difference { kind, solution: shown, because: None, pictures })
                }
                values => Comparison::nothing(values.0.is_some() && values.1.is_some()),
            })
        };
        let of_model = |solution: &Solution| {
            let shown = (self.shown(solution, self.model), self.model.drawn(solution));
            judge(&self.of_reference(solution)?, shown)
        };
        let of_reference = |solution: &Solution| {
            let shared = self.shared(solution);
            judge(&shared, (shared.text.clone(), self.reference.drawn(solution)))
        };
        // If the directions differ, or there is a single objective, each solution shows the difference.
        if own == other {
            let forth = (self.model, self.reference, self.mapping);
            let back = self.mapping.is_empty().then_some((self.reference, self.model, self.mapping));
            for (first, second, mapping) in [forth].into_iter().chain(back) {
                let text = self.refused_text(first, second, mapping, WantedSolutions::OtherObjective)?;
                let Some((found, status)) = text.and_then(|text| self.one(&text)) else { continue };
                let Some(found) = found else {
                    return Ok(Comparison::nothing(status.is_unsatisfiable()));
                };
                let shown = if std::ptr::eq(first, self.model) { of_model(&found)? } else { of_reference(&found)? };
                if shown.difference.is_some() {
                    return Ok(shown);
                }
            }
        }
        let compared = self.one_by_one(self.model, &of_model)?;
        if compared.difference.is_some() || compared.complete {
            return Ok(compared);
        }
        // The reference has fewer variables, so it may have fewer solutions.
        self.one_by_one(self.reference, &of_reference)
    }

    /// Looks for a difference by judging the first solutions of a model one by one.
    fn one_by_one(&self, model: &Model, judge: &dyn Fn(&Solution) -> ComparisonResult) -> ComparisonResult {
        let options = SolveOptions {
            solutions: Count::First(self.options.most),
            search: self.options.search.clone(),
            ..SolveOptions::default()
        };
        let mut compared = Ok(Comparison::nothing(true));
        // With the objective, only the best solution would be found.
        let all = model.without_objective()?.instance(self.data)?;
        let summary = all.solve(&options, &mut |solution| {
            let shown = judge(solution);
            let is_last = shown.as_ref().map_or(true, |shown| shown.difference.is_some());
            compared = match (shown, &compared) {
                (Ok(shown), Ok(before)) => Ok(Comparison { complete: shown.complete && before.complete, ..shown }),
                (shown, _) => shown,
            };
            if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let compared = compared?;
        let are_all = summary.status.knows_all();
        Ok(Comparison { complete: compared.difference.is_some() || compared.complete && are_all, ..compared })
    }

    /// The best value of a model's objective among its solutions that agree with `solution`; `Some(None)` without an
    /// objective, and `None` if it is unknown.
    fn objective_of(&self, model: &Model, solution: &Text) -> Result<Option<Option<String>>, Report> {
        if !model.has_objective() {
            return Ok(Some(None));
        }
        let options = ExplainOptions::default().search(self.options.search.clone());
        let (value, status) = model.ask(self.data, [solution], &options, |subject, [solution], warnings| {
            questions::best_with(subject, solution, warnings)
        })?;
        Ok((value.is_some() && status == SearchEnd::Complete).then_some(value))
    }

    /// The model whose solutions are the solutions of `first` that `second` refuses, or for which it has another
    /// objective, if it can be written.
    fn refused_text(
        &self,
        first: &Model,
        second: &Model,
        mapping: &[(String, String)],
        wanted: WantedSolutions,
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
                // The members of a small domain are listed in the text, but a large domain cannot be written as a
                // constraint.
                (_, Some(other)) if is_known && other.size().is_some_and(|size| size <= MOST_MEMBERS) => {
                    Membership::Listed
                }
                _ => Membership::Unknown,
            }
        };
        let document = |model: &Model| {
            let text = model.text();
            services::AnalysedText::model(&text.name, &text.text)
        };
        Ok(text_of_refused(&document(first), &document(second), mapping, &membership, wanted))
    }

    /// A solution of the model in `text`, and the status of the search; `None` if the model cannot be solved.
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

    /// A solution, restricted to the variables of a model.
    fn shown(&self, solution: &Solution, model: &Model) -> String {
        lettings(&solution.to_essence(ONE_LINE), model, |_| true)
    }

    fn is_mapped(&self, name: &str) -> bool {
        self.mapping.iter().any(|(mapped, _)| mapped == name)
    }

    /// The values of the reference's variables in a solution of the model.
    fn of_reference(&self, solution: &Solution) -> Result<Text, Report> {
        let is_shared = |name: &str| !self.is_mapped(name) && self.model.finds().any(|own| own == name);
        let mut text = lettings(&solution.to_essence(ONE_LINE), self.reference, is_shared);
        let own = Text::new("", self.shown(solution, self.model));
        let bench = Workbench::new(Some(self.model.text()), self.data.to_vec(), Some(own));
        for (name, expression) in self.mapping {
            let value = bench.evaluate(&Text::new("the mapping", expression.as_str()))?;
            text += &format!("letting {name} be {}\n", value.essence);
        }
        Ok(Text::new("the solution", text))
    }

    /// The values of the shared variables in a solution of the reference.
    fn shared(&self, solution: &Solution) -> Text {
        let is_shared = |name: &str| self.is_mapped(name) || self.model.finds().any(|own| own == name);
        Text::new("the solution", lettings(&solution.to_essence(ONE_LINE), self.reference, is_shared))
    }

    /// The values of the reference's variables as requirements on the model.
    fn of_model(&self, values: &Text) -> Result<Text, Report> {
        let mut text = lettings(&values.text, self.model, |name| !self.is_mapped(name));
        if !self.mapping.is_empty() {
            let values = Values::read(Some(self.reference), values)?;
            for (name, expression) in self.mapping {
                let value = values.essence(name).unwrap_or_default();
                text += &format!("such that ({expression}) = {value}\n");
            }
        }
        Ok(Text::new("the solution", text))
    }
}

/// A line width that no value exceeds.
pub(crate) const ONE_LINE: usize = 1_000_000;

/// The lines of a solution about the unnamed types and the wanted variables of a model.
pub(crate) fn lettings(solution: &str, model: &Model, wanted: impl Fn(&str) -> bool) -> String {
    let (finds, types): (BTreeSet<&str>, BTreeSet<&str>) = (model.finds().collect(), model.unnamed_types().collect());
    lettings_of(solution, |name| types.contains(name) || finds.contains(name) && wanted(name))
}

/// The lines about the wanted names in a solution or in data.
pub(crate) fn lettings_of(solution: &str, wanted: impl Fn(&str) -> bool) -> String {
    let (mut text, mut keep) = (String::new(), false);
    for line in solution.lines().skip_while(|line| !line.starts_with("letting ")) {
        if let Some(rest) = line.strip_prefix("letting ") {
            keep = wanted(rest.split(' ').next().unwrap_or_default());
        }
        // The further lines of a value belong to its `letting`.
        if keep && !line.is_empty() && !line.starts_with('$') {
            text += line;
            text.push('\n');
        }
    }
    text
}
