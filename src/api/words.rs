//! The names of the parts of a problem, for the comments of a proof.

use crate::{
    diagnostic::visible,
    instance::GroundInstance,
    laboratory::VariableNames,
    lowering::Lowered,
    problem::{Bool, Variable},
    solver::ProblemWords,
    source::Sources,
};

/// The names of a model's variables, and its constraints as text.
pub(crate) struct ModelWords {
    names: VariableNames,
    constraints: Vec<String>,
}

impl ModelWords {
    pub(crate) fn new(instance: &GroundInstance, lowered: &Lowered, sources: &Sources) -> Self {
        let names = VariableNames::new(instance, lowered);
        let problem = &lowered.problem;
        let constraints = problem.constraints().iter().enumerate().map(|(position, constraint)| {
            let says = match *constraint {
                Bool::FALSE => "false, which follows from constants and bounds alone".to_owned(),
                constraint => names.condition(problem, constraint),
            };
            // The constraints of a statement are consecutive, and constraints that break symmetries follow all
            // statements.
            let origin = lowered.origins.partition_point(|origin| origin.end <= position);
            let place = match lowered.origins.get(origin) {
                Some(origin) => {
                    let source = sources.get(origin.span.source);
                    let (line, _) = source.line_and_column(origin.span.start as usize);
                    format!("{}, line {line}", source.name)
                }
                None => "symmetry breaking".to_owned(),
            };
            // A comment in a proof must be a single line, even if names contain line breaks.
            visible::line(&format!("{place}: {says}")).into_owned()
        });
        let constraints = constraints.collect();
        ModelWords { names, constraints }
    }
}

impl ProblemWords for ModelWords {
    fn variable(&self, variable: Variable) -> Option<String> {
        self.names.knows(variable).then(|| visible::line(&self.names.variable(variable)).into_owned())
    }

    fn value(&self, variable: Variable, value: i64) -> String {
        visible::line(&self.names.values(variable).show(value)).into_owned()
    }

    fn constraint(&self, position: usize) -> String {
        self.constraints.get(position).cloned().unwrap_or_default()
    }
}
