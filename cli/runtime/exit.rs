//! The exit codes of the program.

/// The exit codes of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// A definite answer, including "there is no solution".
    Answer = 0,
    /// A bug in conjure-like.
    Fault = 1,
    /// A user error: command line, files, syntax, types, data.
    UserError = 2,
    /// A limit ended the search before there was an answer.
    Limit = 3,
    /// The answers with `--exit-status`, with the codes of SAT solvers.
    Satisfiable = 10,
    Unsatisfiable = 20,
    Optimal = 30,
}

impl Exit {
    /// The exit code for two runs: the more severe one.
    pub(crate) fn worse(self, other: Exit) -> Exit {
        let order = |exit: &Exit| match exit {
            // After a fault, no answer can be trusted, so it is the most severe result.
            Exit::Fault => 3,
            Exit::UserError => 2,
            Exit::Limit => 1,
            _ => 0,
        };
        std::cmp::max_by_key(self, other, order)
    }
}
