//! The search laboratory: a textbook solver for constraint satisfaction problems that shows its work.
//!
//! It is deliberately slow, so that each step means something to a person: variables are assigned one by one, and
//! constraints are checked or made consistent as in the textbooks (Russell and Norvig, *Artificial Intelligence: A
//! Modern Approach*, chapter on constraint satisfaction; Dechter, *Constraint Processing*). [`network`] makes variables
//! with domains and constraints with scopes out of a finite-domain problem; [`naming`] names them after the model.
//! [`consistency`] decides whether a constraint can still hold. [`engine`] searches under a [`Strategy`], which
//! [`inference`] and [`order`] implement. [`trace`] records the steps, and [`mod@page`] turns them into a web page.
//!
//! You may add strategies. Lessons rely on the counters of nodes, checks and prunings, so do not skip a step of a
//! textbook algorithm to make it faster.

mod consistency;
mod engine;
mod inference;
mod naming;
mod network;
mod order;
mod page;
mod strategy;
mod trace;

pub use engine::{Counters, Verdict};
pub(crate) use engine::{SearchRun, run_strategy};
pub(crate) use naming::VariableNames;
pub(crate) use network::{Arity, Network};

pub(crate) use page::{PageFrame, search_page};
pub use strategy::Strategy;
#[cfg(test)]
pub(crate) use strategy::{Inference, ValueOrder, VariableOrder};
#[cfg(test)]
pub(crate) use trace::TraceEvent;
pub(crate) use trace::{Recorder, transcript};
