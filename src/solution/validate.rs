//! A solution file checked against a model.
//!
//! What is found for a decision variable is data once it is known: in the model with each `find` turned into a
//! `given`, a solution file is a parameter file, and everything that is checked of parameters is checked of it.

use crate::syntax::ast::{File, LettingValue, StatementKind};

/// The model with its decision variables as parameters, and its unnamed types as types whose members are named by
/// the solution, as they are in the solution files that are printed.
pub fn with_finds_given(mut model: File) -> File {
    for statement in &mut model.statements {
        let kind = std::mem::replace(&mut statement.kind, StatementKind::SuchThat(Vec::new()));
        statement.kind = match kind {
            StatementKind::Find { names, domain } => StatementKind::Given { names, domain },
            StatementKind::Letting { names, value: LettingValue::Unnamed(_) } => StatementKind::GivenEnum { names },
            other => other,
        };
    }
    model
}
