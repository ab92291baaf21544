//! Explains why there is no solution, why a fact must hold, and which step follows next.
//!
//! All explanations use [`crate::lowering::requirements`], which splits a model into the smallest requirements that its
//! source shows, and an incremental solver ([`crate::solver::Incremental`]) that checks which of them hold together.
//! The results are sentences with spans in the source.
//!
//! - [`conflict`] shrinks contradictory requirements to a minimal unsatisfiable subset;
//! - [`why`](mod@why) explains an instance without solutions, [`needs`] names the partial terms that must be defined in
//!   it, and [`repair`] looks for single changes that make the instance solvable;
//! - [`hint`] takes the next step towards the solution: [`propagate`] derives facts about [`mod@cells`], and
//!   [`wording`] puts them into sentences;
//! - [`refutation`] finds a chain of small steps from the requirements to the contradiction, and [`mod@proof`] puts the
//!   steps into words; [`columns`] splits long equations for it; [`counting`] and [`sums`] find contradictions that
//!   take one step, however many cells they are about; [`steps_page`] puts steps on a web page;
//! - [`answer`] holds the result and prints it;
//! - [`describe`] puts a requirement into a statement, [`in_words`] into the words of its rule, which
//!   [`rules`] collects, and [`answer_json`] into JSON.
//!
//! You may add kinds of steps and sentences. Teachers rely on each line: a conflict, a step or a repair is shown only
//! after a solver has checked it.

mod alike;
mod amounts;
mod answer;
pub(crate) mod answer_json;
mod case;
mod cells;
mod columns;
mod conflict;
mod counting;
mod counting_words;
mod data_spans;
mod describe;
mod finding;
mod findings;
mod group;
mod hint;
mod in_words;
mod literal;
mod merging;
mod needs;
mod proof;
mod propagate;
mod query;
pub(crate) mod questions;
mod refutation;
mod repair;
mod requirement_board;
mod residues;
mod rules;
mod statement;
mod steps_page;
mod sums;
mod trees;
mod why;
mod wording;
mod words;
mod written;
mod written_json;

#[cfg(test)]
mod tests;

pub(crate) use amounts::read_type;
pub use answer::Answer;
pub(crate) use answer::{Purpose, Steps, findings, number_of};
pub(crate) use case::{Change, ChangeKind, ExplainedCase, Explanation, PartlySolved};
pub(crate) use cells::{Cell, CellOption, MOST_CANDIDATES, all_cells, cells_of_variables};
pub(crate) use describe::Describer;
pub use describe::{ConstraintInstance, Reason};
pub use finding::{Finding, FindingKind, Findings};
pub(crate) use hint::{Guide, HintStep, NextStep, guided};
pub(crate) use proof::{ProofStep, ProofVerdict, StepwiseProof, proof};
pub(crate) use query::{PartialSolution, VariableDomains, split_off, wheres_as_constraints, with_constraints};
pub(crate) use requirement_board::RequirementBoard;
pub use rules::RuleInWords;
pub(crate) use why::{WhyVerdict, broken_requirements, why_unsatisfiable};
pub use words::InWords;
