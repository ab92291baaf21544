//! Why there is no solution, why something must be so, and what follows next.
//!
//! All of it rests on [`crate::lowering::requirements`], which takes a model apart into the smallest pieces that its source
//! has, and on a solver that checks again and again which of them hold together ([`crate::solver::Incremental`]). What is found is
//! handed back as sentences with places in the source.
//!
//! - [`conflict`] shrinks requirements that contradict each other to a set without a superfluous member;
//! - [`why`](mod@why) explains an instance without solutions, and [`repair`] looks for the single changes that would
//!   give it one;
//! - [`hint`] takes the next step towards the solution, with what [`propagate`] has found out about [`mod@cells`], which
//!   [`wording`] puts into sentences;
//! - [`answer`] holds what comes of it, and prints it;
//! - [`describe`] puts a requirement into words, and [`json`] into JSON.

mod answer;
mod board;
mod cells;
mod conflict;
mod data_spans;
mod describe;
mod findings;
mod group;
mod hint;
pub(crate) mod json;
mod literal;
mod propagate;
mod query;
mod repair;
mod statement;
mod trees;
mod why;
mod wording;

#[cfg(test)]
mod tests;

pub use answer::Answer;
pub(crate) use answer::{Purpose, Steps, findings, number_of};
pub(crate) use board::Board;
pub(crate) use cells::{Cell, CellOption, cells};
pub(crate) use describe::Describer;
pub use describe::{Reason, Said};
pub use findings::{ComesTo, Finding, Is};
#[cfg(test)]
pub(crate) use hint::Entailment;
pub(crate) use hint::{Guide, HintStep, Next, guided};
pub(crate) use query::{PartialSolution, split_off, wheres_as_constraints, with_constraints, with_known_members};
pub(crate) use repair::{Change, ChangeKind};
pub(crate) use why::{Case, Explanation, PartlySolved, WhyVerdict, broken, why};

use crate::{diagnostic::Diagnostic, lowering, solver::SolverStatus, symbolic::Refusal};

/// The reason why there is no answer.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The parts of the model that cannot be lowered.
    Diagnostics(Vec<Diagnostic>),
    /// Time is over, or the solver gave up.
    Status(SolverStatus),
}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Self {
        Trouble::Diagnostics(vec![lowering::refused(refusal)])
    }
}

impl From<Vec<Diagnostic>> for Trouble {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Trouble::Diagnostics(diagnostics)
    }
}

impl From<SolverStatus> for Trouble {
    fn from(status: SolverStatus) -> Self {
        Trouble::Status(status)
    }
}
