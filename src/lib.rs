//! conjure-like compiles Essence, the declarative constraint-modelling language, to finite-domain problems and solves
//! them.
//!
//! # A first program
//!
//! ```
//! use conjure_like::{Count, EngineOptions, Model, SolveOptions, Text};
//! use std::{
//!     error::Error,
//!     ops::ControlFlow,
//!     time::{Duration, Instant},
//! };
//!
//! /// All ways to write a number as the sum of two squares.
//! const MODEL: &str = "
//! given n : int(0..)
//! find x, y : int(0..n)
//! such that x <= y, x * x + y * y = n
//! ";
//!
//! fn main() -> Result<(), Box<dyn Error>> {
//!     // A model is read once. Its mistakes come back as a report, with places and help.
//!     let model = Model::read(&Text::new("squares.essence", MODEL))?;
//!     // Each parameter file, in Essence or JSON, makes an instance of it.
//!     let instance = model.instance(&[Text::new("50.json", r#"{"n": 50}"#)])?;
//!     // The search ends after all solutions, or after ten seconds.
//!     let search = EngineOptions::default().limits(Instant::now() + Duration::from_secs(10));
//!     let options = SolveOptions::default().solutions(Count::All).search(search);
//!     let mut found = Vec::new();
//!     // Each solution has been checked against the model when it arrives.
//!     let summary = instance.solve(&options, &mut |solution| {
//!         found.push((solution.value("x").and_then(|x| x.as_int()), solution.value("y").and_then(|y| y.as_int())));
//!         ControlFlow::Continue(())
//!     })?;
//!     assert!(summary.status.knows_all());
//!     found.sort();
//!     assert_eq!(found, [(Some(1), Some(7)), (Some(5), Some(5))]);
//!     Ok(())
//! }
//! ```
//!
//! The folder `examples` of the crate has an iterator of solutions, a search that another thread watches and ends, an
//! explanation, pictures, and a server.
//!
//! # For programs
//!
//! The library takes texts and returns plain data. It reads no files, prints nothing, catches no signals, and needs no
//! large stack. Its results may be sent to other threads and shared between them.
//!
//! **Errors.** The errors in a text are a [`Report`]: an [`Error`](std::error::Error) that prints like the command
//! line's messages, and a list of [`Diagnostic`]s. A limit is not an error: [`Summary::status`] shows how a search
//! ended, and the solutions found by then have been passed to the caller.
//!
//! **Options** have defaults and a function for each field, as above. They and the results may get further fields.
//! Spans and offsets count bytes, lines and columns count from 1, and times are [`Duration`](std::time::Duration)s.
//!
//! **Features.** `z3`, `cadical` and `cpsat` are the solvers; all are enabled by default. Without any of them, BatSat,
//! a SAT solver written in Rust, is used. `cli` adds the program; programs that use the library do not need it.
//!
//! | task | item |
//! |---|---|
//! | check a model | [`Model::read`]; the errors are a [`Report`] |
//! | warnings about a model | [`Model::warnings`], [`Instance::warnings`], [`Model::examine`] |
//! | check a model together with its data | [`check`](fn@check) |
//! | make the fixes that are certain | [`fix`](fn@fix) |
//! | distinguish models from data, despite errors | [`Outline::read`] |
//! | the declarations of a model, for other programs | [`DeclaredName::all`] |
//! | format a text | [`format`](fn@format) |
//! | a text with other names or fewer statements, and its tree as JSON | [`Rewriting`] |
//! | give the parameters their values | [`Model::instance`] |
//! | solve in one call | [`solve`] |
//! | solutions, one after the other, or the best one | [`Instance::solve`], under [`SolveOptions`] |
//! | end a search from another thread | `SolveOptions::search` |
//! | a solution as Essence, JSON or a picture | [`Solution`] |
//! | check a solution | [`Model::validate`] |
//! | a model of the parameters | [`Model::parameter_generator`] |
//! | parameters and solutions without their model | [`Values`] |
//! | the finite-domain problem, and a proof | [`Instance::compile`] |
//! | a certificate that starts at the model | [`Instance::certify`] |
//! | the reason why there is no solution, or why a candidate is not one | [`Model::why`], [`Model::why_not`] |
//! | the values that are forced, and the next deduction | [`Model::forced`], [`Model::hint`] |
//! | parts of the space of solutions, for many machines | [`Instance::cubes`] |
//! | solve with any SAT solver | [`Compiled::solve_with_program`] |
//! | compare the meanings of two models | [`Model::compare`] |
//! | the errors of a submission to an exercise | [`Submission`] |
//! | run test cases | [`TestFile`] |
//! | find out which of several models is meant | [`Inquiry`] |
//! | representations | [`Instance::representations`] |
//! | the number of solutions and their values | [`Instance::explore`] |
//! | the possible values of cells besides those that a person has set | [`Instance::board`] |
//! | random data similar to examples | [`Model::random_data`] |
//! | data with exactly one solution, as hard as you want | [`Model::puzzles`] |
//! | constraints that make searches short, chosen on training instances | [`Model::train_streamliners`] |
//! | a form for the parameters, with the words of the comments | [`Model::form`] |
//! | textbook searches with their steps | [`Instance::search`] |
//! | puzzles in the usual notations | [`import_puzzle`] |
//! | the cost of the parts of a model | [`Instance::profile`] |
//! | the value of an expression | [`Workbench`] |
//! | the meaning of an operator, an attribute or a keyword | [`manual_entry`], [`explain_word`], [`operator_table`] |
//! | the requests of editors while a text is written | [`Document`] |
//!
//! # For contributors
//!
//! A model and its parameters pass through the phases in the order of the modules below; `pipeline` describes the whole
//! path. `syntax` parses text into a tree. `analysis` finds the declaration of each name and the type of each
//! expression. `instance` binds the parameters. `lowering` turns the instance into finite-domain variables and
//! constraints (a `problem`). `solver` finds assignments. `solution` reads them back as Essence values, checks them
//! against the instance and prints them. In addition, `picture` draws solutions, `import` turns puzzles into parameter
//! files, and `laboratory` is a textbook solver that shows its work.

#![warn(missing_docs)]
// Proofs and some limits need one particular solver, so builds without this solver leave code unused.
#![cfg_attr(not(all(feature = "z3", feature = "cadical")), allow(dead_code))]

/// Declares options with a function for each field that sets it. Programs start from `default`, because options get
/// further fields.
macro_rules! with_setters {
    (
        $(#[$about:meta])*
        pub struct $options:ident $(<$life:lifetime>)? { $($(#[$says:meta])* pub $field:ident: $kind:ty,)* }
    ) => {
        $(#[$about])*
        pub struct $options $(<$life>)? {
            $($(#[$says])* pub $field: $kind,)*
        }

        impl $(<$life>)? $options $(<$life>)? {
            $(
                #[doc = concat!(
                    "These options with this [`", stringify!($field), "`](#structfield.", stringify!($field), ")."
                )]
                #[must_use]
                pub fn $field(self, $field: $kind) -> Self {
                    Self { $field, ..self }
                }
            )*
        }
    };
}

mod api;
mod comparison;
mod grading;
mod improvement;
#[cfg(feature = "protocol")]
pub mod language_server;
#[cfg(feature = "protocol")]
pub mod protocol;
mod streamlining;
mod testing;

pub use api::{
    BoardAnswer, BoardCell, BoardEvent, BoardOptions, BoardSlot, BoardStage, BoardValue, Certificate, Compiled, Count,
    Cubes, DataWish, DeclaredKind, DeclaredName, Document, DomainOutline, EntryOutcome, EvaluatedExpression,
    ExamineOptions, ExplainOptions, Exploration, ExploreOptions, ExplorePage, ExploredPart, ExploredValue, Fix,
    FixedText, Goal, Instance, Model, Outline, PartCost, Pictures, Profile, Proof, Puzzle, PuzzleBand, PuzzleOptions,
    PuzzleSeries, Report, ResultShape, Rewriting, SearchOptions, SearchPage, SearchReport, ShownValue, Solution,
    SolveOptions, SolveSession, SolveStatus, StrategyRun, Summary, Text, Value, Values, Wish, Workbench, check, fix,
    format, import_puzzle, is_unfinished, lacks_memory, manual_entry, operators as operator_table, solve,
};
pub use comparison::{
    CompareOptions, ComparedVersions, Comparison, Difference, DifferenceKind, InstanceReview, InterfaceChange,
    ModelReview, Refusal, Review, SolvedVersion, data_statements,
};
pub use cubes::CoverFault;
pub use diagnostic::{Code, Diagnostic, Edit, Label, Severity, counted, nearest, visible};
pub use explain::{Answer, ConstraintInstance, Finding, FindingKind, Findings, InWords, Reason, RuleInWords};
pub use explore::{Estimate, Extent, Possibility};
pub use generation::{Difficulty, ParameterManner};
pub use grading::{GradedInstance, RejectedSubmission, Shortcoming, Submission};
pub use halt::{Limits, StopReason};
pub use import::ImportFormat;
pub use improvement::{Basis, ImproveOptions, Improvement, ImprovementKind};
pub use instance::symmetry::{SymmetryBreaking, SymmetryDetection, SymmetryScope};
pub use json::{compact as to_json, spaced as to_spaced_json};
pub use laboratory::{Counters as SearchCounters, Strategy, Verdict};
pub use language::unit::{Decimal, NotDecimal, percentage};
pub use manual::{
    Binding, COURSE_STEPS, CourseStep, OperatorMeaning, WordExample, WordExplanation, WordKind, WordMeaning,
    explain as explain_word, nearest_word,
};
pub use memory::{DEEP_STACK, limit as limit_memory};
pub use operators::Associativity;
pub use page::{scripted as scripted_page, still as still_page};
pub use picture::{GoalValue, Picture, PictureFormat, Sheet, SlotMark};
pub use pipeline::{Cube, CubeStep};
pub use proof::{
    CheckedFormulaProof, CheckedProof, ProofConclusion, ProofFault, ProofFile, check as check_proof,
    check_formula_proof, length_comment,
};
pub use rewriting::parameter_generator::GeneratorOptions;
pub use services::{
    completion::{Completion, CompletionKind},
    folding::FoldingRange,
    hints::InlayHint,
    hover::Hover,
    lenses::{CodeLens, ModelCommand},
    names::SymbolKind,
    semantic_tokens::{SemanticKind, SemanticToken},
    signature_help::{CallSignature, SignatureHelp},
    symbols::OutlineItem,
    tree::{TreeNode, TreeNodeKind},
};
pub use solution::JsonShape;
pub use solver::{
    Claim, ConfirmationEffort, EngineOptions, ExportFormat, ProofDraft, SatAnswer, SatProgram, SearchEnd, SolverName,
    Statistics, versions as solver_versions,
};
pub use source::{CALL_DATA, COMMAND_LINE, Source, SourceId, Sources, Span, TableUse};
pub use streamlining::{
    PortfolioEntry, StreamlineOptions, StreamlinedSearch, Streamliner, StreamlinerPortfolio, Training,
    TrainingInstance, TrainingUse, TriedCombination,
};
#[cfg(feature = "workbooks")]
pub use tables::Workbook;
pub use tables::{TableCell, TableLayout, TableText};
pub use testing::{
    FileName, FoundDifference, Inquiry, InquiryOptions, Mutant, MutantStatus, MutationScore, MutationTest, PassedCase,
    Question, QuestionAnswer, TestCase, TestDetail, TestFile, TestFinding, TestOptions, TestResult, TestVerdict,
};

/// The layer below: finite-domain problems and their solvers.
use finite_domain::{memory, problem, solver};

mod diagnostic;
mod halt;
mod import;
mod json;
mod language;
mod page;
mod source;

mod manual;
mod operators;
mod symbolic;

mod analysis;
mod certify;
mod cubes;
mod explain;
mod explore;
mod generation;
mod instance;
mod laboratory;
mod lowering;
mod picture;
mod pipeline;
mod reference;
mod rewriting;
mod services;
mod solution;
mod syntax;
mod tables;
mod warnings;

/// The properties that the fuzz targets check use private items: they are compiled into the library, and the tests
/// replay former failures.
#[cfg(any(test, fuzzing))]
#[path = "../fuzz/src/properties.rs"]
pub mod properties;

/// The programs in the manual are tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod manual_of_the_library {}

#[cfg(any(test, fuzzing))]
extern crate self as conjure_like;

#[cfg(test)]
#[path = "../tests/inside.rs"]
mod inside;
