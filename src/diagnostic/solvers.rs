//! Diagnostics for problems that a solver does not support.

use super::{Code, Diagnostic, visible};
use finite_domain::{SolverError, memory, solver::SolverName};

const SMALLER_DOMAINS: &str = "make the domains smaller, or bound the sizes of collections (`maxSize`)";

impl From<SolverError> for Box<Diagnostic> {
    fn from(error: SolverError) -> Self {
        let message = error.to_string();
        let numbers = |message| Diagnostic::error(Code::TOO_MANY_BITS, message);
        let size = |message| Diagnostic::error(Code::TOO_LARGE, message);
        Box::new(match error {
            SolverError::TooManyValues { .. } => numbers(message)
                .note("the solver needs about one Boolean for each value of a number")
                .help("make the domains smaller, or use --solver=z3 or --solver=auto, because Z3 has integers"),
            SolverError::NumbersTooLarge { .. } => {
                numbers(message).help("make the domains smaller, or use --solver=z3 or --solver=auto")
            }
            SolverError::NoClauses => numbers(message),
            SolverError::EnumerationTooLarge => size(message),
            SolverError::TooManyClauses { most, .. } => size(message)
                .note(format!("it would become more than {} million clauses", most / 1_000_000))
                .help("make the domains smaller, or use --solver=z3 or --solver=auto, which use other methods"),
            SolverError::ClausesTooLarge { terms, allowed, .. } => {
                let allowed = memory::gigabytes(allowed);
                size(message)
                    .note(format!("the clauses for its {terms} terms would take more than {allowed} of memory"))
                    .help(SMALLER_DOMAINS)
            }
            SolverError::TranslationTooLarge { terms, .. } => {
                size(message).note(format!("its {terms} terms would take too much memory")).help(SMALLER_DOMAINS)
            }
            SolverError::TheoryTooLarge { reason, terms, needed, allowed } => {
                let [needed, allowed] = [needed, allowed].map(|bytes| bytes as f64 / 1e9);
                size(message)
                    .note(format!("it needs the integer theory, {reason}"))
                    .note(format!(
                        "its {terms} terms would take about {needed:.1} GB of memory in this theory, but only \
                        {allowed:.1} GB are allowed"
                    ))
                    .help(SMALLER_DOMAINS)
                    .help("--solver=cadical takes less memory for clauses")
            }
            SolverError::TooLargeForAll { terms } => size(message)
                .note(format!("its {terms} terms would take too much memory, or their numbers are too large"))
                .help(SMALLER_DOMAINS),
            SolverError::LibraryMissing { solver, reason, in_python } => {
                let package = solver.parse().ok().and_then(SolverName::python_package);
                let get = match package.filter(|_| in_python) {
                    Some(package) => format!("to get it, run `pip install {package}`"),
                    None => "`conjure-like solvers` says how to get it".to_owned(),
                };
                Diagnostic::error(Code::SOLVER_MISSING, message)
                    .note(visible::line(&reason))
                    .help("use `--solver=auto`, which works without it")
                    .help(get)
            }
            SolverError::FalseClaim { .. } => Diagnostic::error(Code::FALSE_CLAIM, message)
                .note("the solution that refutes the claim is verified, but it may not be the last or the best one")
                .help("try another solver (`conjure-like solvers` lists them), and report the model and the data"),
            SolverError::WrongAnswer => Diagnostic::error(Code::ANSWER, message)
                .help("use the model, parameters and options that the exported problem was written with"),
        })
    }
}
