//! A solution file checked against a model.
//!
//! What is found for a decision variable is data once it is known: in the model with each `find` turned into a
//! `given`, a solution file is a parameter file, and everything that is checked of parameters is checked of it.

use crate::syntax::ast::{File, Identifier, LettingValue, Statement, StatementKind};

/// The model with those decision variables as parameters that a solution has values for, and its unnamed types as
/// types whose members are named by the solution, as they are in the solution files that are printed.
pub fn with_finds_given(model: File, has_value: impl Fn(&str) -> bool) -> File {
    let mut statements = Vec::new();
    for statement in model.statements {
        let span = statement.span;
        let mut push = |kind: StatementKind| statements.push(Statement { kind, span });
        match statement.kind {
            StatementKind::Find { names, domain } => {
                let (given, found): (Vec<Identifier>, _) = names.into_iter().partition(|name| has_value(&name.text));
                if !found.is_empty() {
                    push(StatementKind::Find { names: found, domain: domain.clone() });
                }
                if !given.is_empty() {
                    push(StatementKind::Given { names: given, domain });
                }
            }
            StatementKind::Letting { names, value: LettingValue::Unnamed(_) } if has_value(&names[0].text) => {
                push(StatementKind::GivenEnum { names });
            }
            other => push(other),
        }
    }
    File { statements, ..model }
}
