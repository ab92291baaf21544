//! Test cases for models: the expected answers of an instance, written as comments beside the model or the data.
//!
//! ```text
//! $ model: futoshiki.essence
//! $ case: the rows
//! $ data: futoshiki-4.param
//! $ solutions: 1
//! $ refuses: letting board be [[1, 1, _, _], _, _, _]
//! $ because: Each number is once in each row
//! ```
//!
//! The caller passes the texts that [`TestFile::model`] and [`TestCase::data`] name, because the library reads no
//! files.
//!
//! - [`read`] reads the cases of a text.
//! - [`checks`] compares a line of a case with the instance.
//! - [`laws`] compares an instance with a changed one.
//! - [`requirement`] finds the constraint that a case names.
//! - [`cross_check`] solves an instance in other ways.
//! - [`mutants`] plants mistakes in a model, and [`mutation`] counts the mutants that its cases notice.
//! - [`questions`] finds out which of several models is meant.
//!
//! You may add kinds of lines. Existing kinds keep their meaning, because users have cases in their files.

mod candidates;
mod checks;
mod consensus;
mod cross_check;
mod laws;
mod mutants;
mod mutation;
mod questions;
mod read;
mod requirement;
mod result;
mod tested;
mod votes;

pub use mutants::{FoundDifference, Mutant};
pub use mutation::{MutantStatus, MutationScore, MutationTest, PassedCase};
pub use questions::{Inquiry, InquiryOptions, Question, QuestionAnswer};
pub use read::{FileName, TestCase, TestFile};
pub use result::{TestDetail, TestFinding, TestResult, TestVerdict};

use crate::{
    api::{Count, Instance, Model, Report, Solution, SolveOptions, SolveStatus, Text},
    solver::EngineOptions,
};
use read::Expectation;
use std::{
    cell::OnceCell,
    ops::ControlFlow,
    time::{Duration, Instant},
};
use tested::TestedInstance;

with_setters! {
    /// Options for running test cases.
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct TestOptions {
        /// The time limit of one case.
        pub case_time: Duration,
        /// Also solve each instance with the other solvers and representations, and by trying all values if there are
        /// only a few.
        pub cross_check: bool,
        /// The limits of the search.
        pub search: EngineOptions,
    }
}

impl Default for TestOptions {
    fn default() -> Self {
        TestOptions { case_time: Duration::from_secs(60), cross_check: false, search: EngineOptions::default() }
    }
}

/// At most this many solutions are enumerated, unless a case expects more.
const MOST_SOLUTIONS: usize = 10_000;

impl TestFile {
    /// Runs a case of this file. The model is the text that [`TestFile::model`] names, or this text itself; the data
    /// are the texts that [`TestCase::data`] names.
    ///
    /// ```
    /// use conjure_like::{TestFile, TestOptions, TestVerdict, Text};
    ///
    /// let text = Text::new("m.essence", "find x, y : int(1..3)\nsuch that x < y\n$ solutions: 4\n$ always: x < 3");
    /// let file = TestFile::read(&text);
    /// let result = file.run(&file.cases[0], &text, &[], &TestOptions::default());
    /// assert_eq!(result.verdict, TestVerdict::Failed);
    /// assert_eq!(result.findings.len(), 1);
    /// assert_eq!(result.findings[0].says, "expected 4 solutions, found 3");
    /// ```
    pub fn run(&self, case: &TestCase, model: &Text, data: &[Text], options: &TestOptions) -> TestResult {
        let started = Instant::now();
        let mut options = options.clone();
        let end = started.checked_add(options.case_time);
        let limits = &mut options.search.limits;
        limits.deadline = limits.deadline.into_iter().chain(end).min();
        let findings = self.findings(case, model, data, &options);
        let verdict = findings.iter().map(|finding| finding.verdict).max().unwrap_or(TestVerdict::Passed);
        TestResult { verdict, findings, time: started.elapsed() }
    }

    fn findings(&self, case: &TestCase, model: &Text, data: &[Text], options: &TestOptions) -> Vec<TestFinding> {
        if !case.mistakes.is_empty() {
            let report = self.report(case.mistakes.clone());
            return vec![TestFinding::broken(case.line, "this case cannot be read", report)];
        }
        let data = self.data_of(case, data);
        let read = Model::read(model).map_err(|report| ("the model has errors", report)).and_then(|model| {
            let instance = model.instance(&data).map_err(|report| ("the data do not fit the model", report))?;
            Ok((instance, model))
        });
        let errors = case.checks.iter().filter(|check| matches!(check.expects, Expectation::Errors(_)));
        let errors: Vec<_> = errors.collect();
        match read {
            Err((says, report)) if errors.is_empty() => vec![TestFinding::broken(case.line, says, report)],
            Err((_, report)) => errors.into_iter().filter_map(|check| check.of_errors(Some(&report))).collect(),
            Ok((instance, model)) => {
                let tested = TestedInstance {
                    file: self,
                    case,
                    model: &model,
                    data: &data,
                    instance: &instance,
                    options,
                    solved: OnceCell::new(),
                };
                tested.findings()
            }
        }
    }

    /// The data of an instance: the statements of this file (unless it is the model), the named files, and the
    /// statements of the case.
    pub fn data_of(&self, case: &TestCase, files: &[Text]) -> Vec<Text> {
        let own = (self.model.is_some() && self.has_statements()).then(|| self.text.clone());
        let with = case.with.iter().map(|place| self.alone(place));
        own.into_iter().chain(files.iter().cloned()).chain(with).collect()
    }
}

/// The solutions of an instance that were found.
struct Solved {
    solutions: Vec<Solution>,
    status: SolveStatus,
    time: Duration,
}

impl Solved {
    /// Finds at most `most` solutions; with an objective, at most `most` best ones.
    fn find(instance: &Instance, ways: &SolveOptions, most: usize, end: Option<Instant>) -> Result<Solved, Report> {
        let mut options = ways.clone().solutions(Count::First(most));
        options.search.limits.deadline = options.search.limits.deadline.into_iter().chain(end).min();
        let (started, mut solutions) = (Instant::now(), Vec::new());
        let summary = instance.solve(&options, &mut |solution| {
            solutions.push(solution.clone());
            ControlFlow::Continue(())
        })?;
        Ok(Solved { solutions, status: summary.status, time: started.elapsed() })
    }

    /// True if these are all solutions, or all best ones.
    fn is_complete(&self) -> bool {
        self.status.is_definite() && !self.status.found_enough()
    }

    /// The objective of the best solution, for display.
    fn optimum(&self) -> Option<String> {
        self.solutions.last()?.objective_shown()
    }
}
