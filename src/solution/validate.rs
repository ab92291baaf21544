//! Checks a solution file against a model.
//!
//! The value of a decision variable is data once it is known: in the model with each `find` turned into a `given`, a
//! solution file is a parameter file, and gets the same checks.

use crate::syntax::ast::{File, Statement, StatementKind};

/// The model in which the decision variables with a value in a solution are parameters.
pub(crate) fn with_finds_given(model: File, has_value: impl Fn(&str) -> bool) -> File {
    let (mut statements, mut decided) = (Vec::new(), model.decided.clone());
    for statement in model.statements {
        let span = statement.span;
        let mut push = |kind: StatementKind| statements.push(Statement { kind, span });
        match statement.kind {
            StatementKind::Find { names, domain } => {
                for name in names {
                    let (has_value, names, domain) = (has_value(&name.text), vec![name], domain.clone());
                    push(if has_value {
                        decided.push(names[0].text.clone());
                        StatementKind::Given { names, domain }
                    } else {
                        StatementKind::Find { names, domain }
                    });
                }
            }
            // A branching may mention names that are no longer decision variables, and does not affect solutions. A
            // dominance relation compares solutions, but validation concerns the constraints only.
            StatementKind::BranchingOn(_) | StatementKind::Dominance { .. } | StatementKind::Incomparability { .. } => {
            }
            other => push(other),
        }
    }
    File { statements, decided, ..model }
}
