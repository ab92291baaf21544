//! The reference formula of an instance: what the model says, as sums of Booleans that reach numbers.
//!
//! It is made from the language's meaning alone: from the typed model, from domains, and from `eval`, the definition
//! of the operators on values. It shares nothing with `lowering`, `symbolic` and the solvers, so that a mistake there
//! cannot be in a certificate. `formula.rs` holds the sums; `term.rs` says how a value that depends on decisions is
//! written down; `variables.rs` has the Booleans of each decision variable; `operators.rs` and `expressions.rs` follow
//! the model. The decision variables determine each auxiliary Boolean, so that the formula has exactly
//! the solutions of the instance.

mod expressions;
mod formula;
mod operators;
mod term;
mod variables;

use crate::{
    analysis::model::DeclarationId,
    diagnostic::Diagnostic,
    instance::{GroundInstance, SolutionValues},
    language::{Sense, Value},
    source::{Sources, Span},
};
use expressions::{ReferenceBuilder, refusal};
pub(crate) use formula::{PbConstraint, PbFormula, PbLiteral};
use term::{NotCovered, PbTerm, terms_of};
use variables::{FindDeclarer, literals_of};

/// The formula of an instance.
pub(crate) struct Reference {
    pub formula: PbFormula,
    finds: Vec<(DeclarationId, PbTerm)>,
    /// The sense of the objective, and the number that is added to the function that the formula minimises.
    objective: Option<(Sense, i64)>,
}

impl Reference {
    /// The formula of an instance, or what of it the formula cannot express. `watch` is called at times; an error ends
    /// the work.
    pub(crate) fn of(
        instance: &GroundInstance,
        sources: &Sources,
        watch: &mut dyn FnMut() -> Result<(), Box<Diagnostic>>,
    ) -> Result<Reference, Box<Diagnostic>> {
        let model = &instance.model;
        let objective = model.objective.iter().map(|objective| &objective.value);
        for expr in model.constraints.iter().chain(objective) {
            if model.has_local_finds_in(expr) {
                let what = NotCovered("local decision variables".to_owned());
                return Err(refusal(&what).at(expr.span, "there are some in this").into());
            }
        }
        let mut builder = ReferenceBuilder::new(instance.environment.clone(), &instance.names, watch);
        let mut finds = Vec::new();
        for find in &instance.finds {
            let declaration = &model.declarations[find.id.0 as usize];
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
        if let Some(undefined) = instance.undefined_domain {
            let span = model.declarations[undefined.0 as usize].span;
            builder.formula.comment(&format!("{}: the domain is undefined", place(sources, span)));
            builder.formula.require(&[], PbConstraint::clause([]));
            return Ok(Reference { formula: builder.formula, finds, objective: None });
        }
        for constraint in &model.constraints {
            builder.formula.note(None);
            let text: String = sources.text(constraint.span).split_whitespace().collect::<Vec<_>>().join(" ");
            builder.formula.comment(&format!("{}: {text}", place(sources, constraint.span)));
            builder.require(constraint, &[])?;
        }
        builder.formula.note(None);
        let mut function = None;
        if let Some(objective) = &model.objective {
            let value = builder.term(&objective.value)?;
            builder.formula.comment(&format!("{}: the objective is defined", place(sources, objective.value.span)));
            builder.formula.require(&[], PbConstraint::clause([value.defined]));
            let sum = match value.term.constant() {
                // Undefined for all values of the decision variables.
                None if value.defined == PbLiteral::FALSE => Some((Vec::new(), 0)),
                _ => value.term.sum(),
            };
            let Some((summands, number)) = sum else {
                let what = NotCovered("objectives that are not one integer".to_owned());
                return Err(refusal(&what).at(objective.value.span, "this is not covered").into());
            };
            let (mut terms, mut constant) = terms_of(&summands, number);
            if objective.sense == Sense::Maximise {
                terms.iter_mut().for_each(|(factor, _)| *factor = -*factor);
                constant = -constant;
            }
            let PbConstraint { terms, least } = PbConstraint::new(terms, 0).without_constants();
            builder.formula.objective = Some(terms);
            function = Some((objective.sense, constant - least));
        }
        Ok(Reference { formula: builder.formula, finds, objective: function })
    }

    /// The literals that say that the decision variables have these values; `None` if they cannot have them.
    pub(crate) fn literals(&self, solution: &SolutionValues) -> Option<Vec<PbLiteral>> {
        let mut literals = Vec::new();
        for (id, term) in &self.finds {
            let (_, value): &(DeclarationId, Value) = solution.iter().find(|(other, _)| other == id)?;
            literals_of(term, value, &mut literals)?;
        }
        Some(literals)
    }

    /// The value of the function that the formula minimises where the objective has this value.
    pub(crate) fn minimised(&self, objective: i64) -> Option<i64> {
        self.objective.map(|(sense, constant)| match sense {
            Sense::Minimise => objective - constant,
            Sense::Maximise => -objective - constant,
        })
    }

    /// What the function that the formula minimises is, in words.
    pub(crate) fn function(&self) -> Option<String> {
        self.objective.map(|(sense, constant)| match sense {
            Sense::Minimise => format!("The objective of the model is the function below plus {constant}."),
            Sense::Maximise => format!("The objective of the model is {} minus the function below.", -constant),
        })
    }
}

/// The file and the line of a part of the model.
fn place(sources: &Sources, span: Span) -> String {
    let source = sources.get(span.source);
    let (line, _) = source.line_and_column(span.start as usize);
    format!("{}, line {line}", source.name)
}
