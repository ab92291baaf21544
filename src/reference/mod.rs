//! The reference formula of an instance: the meaning of the model as sums of Booleans that must reach numbers.
//!
//! It is built from the meaning of the language alone: from the typed model, from domains, and from `eval`, the
//! definition of the operators on values. It shares nothing with `lowering`, `symbolic` and the solvers, so that a
//! mistake there cannot get into a certificate. `formula.rs` has the sums, `number.rs` their numbers; `term.rs` has the
//! terms for values that depend on decisions; `variables.rs` has the Booleans of each decision variable; `operators.rs`
//! and `requirements.rs` follow the model. The decision variables determine each auxiliary Boolean, so that the formula
//! has exactly the solutions of the instance.
//!
//! Certificates rely on this independence, so do not share code with `lowering`, `symbolic` or a solver here
//! (`tests/architecture.rs` holds it).

mod formula;
mod number;
mod operators;
mod requirements;
mod term;
mod variables;

use crate::{
    analysis::model::DeclarationId,
    diagnostic::Diagnostic,
    instance::{GroundInstance, SolutionValues},
    language::{Sense, Value},
    source::Sources,
};
pub(crate) use formula::{PbConstraint, PbFormula, PbLiteral};
pub(crate) use number::PbNumber;
use requirements::{ReferenceBuilder, place, refusal};
use term::{NotCovered, PbTerm, terms_of};
use variables::{FindDeclarer, literals_of, places_of};

/// The formula of an instance.
pub(crate) struct Reference {
    pub formula: PbFormula,
    finds: Vec<(DeclarationId, PbTerm)>,
    /// The objective, or its parts.
    pub goals: Vec<ReferenceGoal>,
    /// True if the objective has more goals than these.
    has_other_goals: bool,
}

/// A linear function that is minimal for the best value of a goal. The value of the goal is the function plus the
/// constant, or the negation of that if the goal is maximised.
pub(crate) struct ReferenceGoal {
    pub terms: Vec<(PbNumber, PbLiteral)>,
    sense: Sense,
    constant: PbNumber,
}

impl ReferenceGoal {
    fn new(sense: Sense, (mut terms, mut constant): (Vec<(PbNumber, PbLiteral)>, PbNumber)) -> Self {
        if sense == Sense::Maximise {
            terms.iter_mut().for_each(|(factor, _)| *factor = -*factor);
            constant = -constant;
        }
        let PbConstraint { terms, least } = PbConstraint::new(terms, PbNumber::ZERO).without_constants();
        ReferenceGoal { terms, sense, constant: constant - least }
    }

    /// The value of the function if the goal has this value.
    pub(crate) fn minimised(&self, value: i64) -> PbNumber {
        let value = PbNumber::from(value);
        match self.sense {
            Sense::Minimise => value - self.constant,
            Sense::Maximise => -value - self.constant,
        }
    }

    /// The value of the goal if the function has this value.
    pub(crate) fn goal(&self, minimised: PbNumber) -> Option<i64> {
        let value = minimised + self.constant;
        match self.sense {
            Sense::Minimise => value,
            Sense::Maximise => -value,
        }
        .small()
    }

    /// The constraint that the goal is better than this value.
    pub(crate) fn better(&self, value: i64) -> PbConstraint {
        let terms = self.terms.iter().map(|(factor, literal)| (-*factor, *literal)).collect();
        PbConstraint::new(terms, PbNumber::ONE - self.minimised(value))
    }
}

impl Reference {
    /// Builds the formula of an instance, or refuses a part that the formula cannot express. `watch` is called
    /// regularly; an error ends the work.
    pub(crate) fn of(
        instance: &GroundInstance,
        sources: &Sources,
        watch: &mut dyn FnMut() -> Result<(), Box<Diagnostic>>,
    ) -> Result<Reference, Box<Diagnostic>> {
        let model = &instance.model;
        let objective = model.objective.iter().map(|objective| &objective.value);
        if let Some(dominance) = &model.dominance {
            let what = NotCovered("dominance relations".to_owned());
            return Err(refusal(&what).at(dominance.relation.span, "this is one").into());
        }
        for expr in model.constraints.iter().chain(objective) {
            if model.has_local_finds_in(expr) {
                let what = NotCovered("local decision variables".to_owned());
                return Err(refusal(&what).at(expr.span, "there are some in this").into());
            }
        }
        let mut builder = ReferenceBuilder::new(instance.environment.clone(), &instance.names, sources, watch);
        let mut finds = Vec::new();
        for find in &instance.finds {
            let declaration = model.declaration(find.id);
            builder.formula.comment(&format!("{}: find {}", place(sources, declaration.span), declaration.name));
            let mut declarer = FindDeclarer { formula: &mut builder.formula, names: &instance.names };
            let term = declarer.declare(&find.domain, &declaration.ty, &declaration.name, PbLiteral::TRUE);
            let term = term.map_err(|missing| {
                let what = NotCovered(format!("{} in the domain of a decision variable", missing.0));
                refusal(&what).at(declaration.span, "declared here")
            })?;
            builder.finds.insert(find.id, term.clone());
            finds.push((find.id, term));
        }
        // If the domain is undefined, the variable has no value, so the formula must have no solution.
        if let Some(undefined) = instance.undefined_domain {
            let span = model.declaration(undefined).span;
            builder.formula.comment(&format!("{}: the domain is undefined", place(sources, span)));
            builder.formula.require(&[], PbConstraint::clause([]));
            return Ok(Reference { formula: builder.formula, finds, goals: Vec::new(), has_other_goals: false });
        }
        for constraint in &model.constraints {
            builder.formula.note(None);
            // In the format, a comment takes one line.
            let text: String = sources.text(constraint.span).split_whitespace().collect::<Vec<_>>().join(" ");
            builder.formula.comment(&format!("{}: {text}", place(sources, constraint.span)));
            builder.require(constraint, &[])?;
        }
        builder.formula.note(None);
        let mut goals = Vec::new();
        if let Some(objective) = &model.objective {
            let value = builder.term(&objective.value)?;
            builder.formula.comment(&format!("{}: the objective is defined", place(sources, objective.value.span)));
            builder.formula.require(&[], PbConstraint::clause([value.defined]));
            let items = match &value.term {
                PbTerm::Tuple(items) => items.to_vec(),
                term => vec![term.clone()],
            };
            for item in items {
                let sum = match item.constant() {
                    // The objective is undefined for all values of the decision variables.
                    None if value.defined == PbLiteral::FALSE => Some((Vec::new(), PbNumber::ZERO)),
                    _ => item.sum(),
                };
                let Some((summands, number)) = sum else {
                    let what = NotCovered("objectives that are not integers".to_owned());
                    return Err(refusal(&what).at(objective.value.span, "this is not covered").into());
                };
                goals.push(ReferenceGoal::new(objective.sense, terms_of(&summands, number)));
            }
            // The format has a single objective.
            if let [goal] = &goals[..] {
                builder.formula.objective = Some(goal.terms.clone());
            }
        }
        Ok(Reference { formula: builder.formula, finds, goals, has_other_goals: false })
    }

    /// Requires that a solution is better in at least one goal than these values.
    pub(crate) fn require_better(&mut self, comment: String, values: &[i64]) {
        self.formula.note(Some(format!("what is needed for: {comment}")));
        let goals = self.goals.iter().zip(values);
        let literals: Vec<PbLiteral> = goals.map(|(goal, value)| self.formula.reaches(goal.better(*value))).collect();
        self.formula.note(Some(comment));
        self.formula.require(&[], PbConstraint::clause(literals));
    }

    /// The literals for the values of a solution; `None` if the decision variables cannot have these values.
    pub(crate) fn literals(&self, solution: &SolutionValues) -> Option<Vec<PbLiteral>> {
        let mut literals = Vec::new();
        for (id, term) in &self.finds {
            let (_, value): &(DeclarationId, Value) = solution.iter().find(|(other, _)| other == id)?;
            literals_of(term, value, &mut literals)?;
        }
        Some(literals)
    }

    /// The literals of the decision variables, each with the path to what it is about: the number of the decision
    /// variable, indices, components, arguments, and the member or the value.
    pub(crate) fn places(&self) -> Vec<(Vec<Value>, PbLiteral)> {
        let mut places = Vec::new();
        for (number, (_, term)) in (0..).zip(&self.finds) {
            places_of(term, &mut vec![Value::Int(number)], &mut places);
        }
        places
    }

    /// Makes the first goal the objective of the formula, and drops the others.
    pub(crate) fn keep_first_goal(&mut self) {
        self.has_other_goals |= self.goals.len() > 1;
        self.goals.truncate(1);
        self.formula.objective = self.goals.first().map(|goal| goal.terms.clone());
    }

    /// Describes the function that the formula minimises.
    pub(crate) fn function(&self) -> Option<String> {
        let [goal] = &self.goals[..] else { return None };
        let what = if self.has_other_goals { "first goal" } else { "objective" };
        Some(match goal.sense {
            Sense::Minimise => {
                format!("The {what} of the model is the function that is minimised plus {}.", goal.constant)
            }
            Sense::Maximise => {
                format!("The {what} of the model is {} minus the function that is minimised.", -goal.constant)
            }
        })
    }
}
