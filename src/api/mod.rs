//! The public interface for programs: texts in, plain data out.
//!
//! Each type represents a phase that its text has passed: a [`Model`] is well-typed, an [`Instance`] has values for its
//! parameters, and a [`Compiled`] instance is a finite-domain problem. Errors are returned as a [`Report`]. All work
//! runs on a stack that is large enough ([`stack`]), so callers need not provide one. Nothing here prints, exits or
//! catches signals.
//!
//! You may add types and methods. The existing ones are used by programs outside of this repository; `cargo
//! semver-checks` compares them with the last release.

mod board;
mod certificate;
mod compiled;
mod cubes;
mod data;
mod document;
mod explanations;
mod exploration;
mod fixes;
mod form;
mod instance;
mod laboratory;
mod made_up;
mod manner;
mod manual;
mod members;
mod model;
mod outline;
mod plan;
mod profiling;
mod puzzles;
mod replanning;
mod report;
mod rewriting;
mod session;
mod shape;
mod solution;
mod stack;
mod status;
mod values;
mod warnings;
mod wishes;
mod words;
mod workbench;

pub use crate::{
    pipeline::{Count, SolveOptions, Text},
    solution::Value,
};
pub use board::{BoardAnswer, BoardCell, BoardEvent, BoardOptions, BoardSlot, BoardStage, BoardValue, ShownValue};
pub use certificate::Certificate;
pub use compiled::{Compiled, Proof, solve};
pub use cubes::Cubes;
pub use document::Document;
pub use explanations::ExplainOptions;
pub use exploration::{Exploration, ExploreOptions, ExplorePage, ExploredPart, ExploredValue};
pub use fixes::{Fix, FixedText, fix};
pub use instance::Instance;
pub use laboratory::{SearchOptions, SearchPage, SearchReport, StrategyRun};
pub use manner::DataWish;
pub use manual::{manual_entry, operators};
pub use model::{Model, check, import_puzzle};
pub use outline::{DeclaredKind, DeclaredName, DomainOutline, Outline};
pub use profiling::{PartCost, Profile};
pub use puzzles::{Puzzle, PuzzleBand, PuzzleOptions, PuzzleSeries};
pub use replanning::Goal;
pub use report::Report;
pub use rewriting::{Rewriting, format};
pub use session::SolveSession;
pub use shape::ResultShape;
pub use solution::{Pictures, Solution};
pub(crate) use stack::deep;
pub use stack::lacks_memory;
pub use status::{SolveStatus, Summary};
pub use values::Values;
pub use warnings::ExamineOptions;
pub use wishes::Wish;
pub use workbench::{EntryOutcome, EvaluatedExpression, Workbench, is_unfinished};
