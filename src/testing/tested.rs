//! The instance of a test case, and the details of its findings.

use super::{
    Solved, TestCase, TestFile, TestOptions,
    read::Check,
    result::{TestDetail, TestFinding, TestVerdict},
};
use crate::{
    api::{ExplainOptions, Instance, Model, Report, Solution, SolveStatus, Text},
    diagnostic::{Code, Severity},
};
use std::cell::OnceCell;

/// The instance of a case.
pub(super) struct TestedInstance<'a> {
    pub file: &'a TestFile,
    pub case: &'a TestCase,
    pub model: &'a Model,
    pub data: &'a [Text],
    pub instance: &'a Instance,
    pub options: &'a TestOptions,
    /// The solutions, which are searched for only once although several lines may need them.
    pub solved: OnceCell<Result<Solved, Report>>,
}

/// The line width of solutions.
pub(super) const WIDTH: usize = 120;

impl Check {
    pub(super) fn failed(&self, says: impl Into<String>) -> TestFinding {
        TestFinding::failed(self.line, says)
    }

    pub(super) fn corrected(&self, finding: TestFinding, value: &str) -> TestFinding {
        TestFinding { correction: Some((self.place.clone(), value.to_owned())), ..finding }
    }

    pub(super) fn broken(&self, says: &str, report: Report) -> TestFinding {
        TestFinding::broken(self.line, says, report)
    }

    pub(super) fn undecided(&self, status: Option<&SolveStatus>) -> TestFinding {
        let by = status.and_then(|status| status.stopped_by()).unwrap_or_else(|| "a limit".to_owned());
        TestFinding::new(TestVerdict::Undecided, self.line, format!("{by} ended the search before there was an answer"))
    }
}

impl TestedInstance<'_> {
    pub(super) fn explain_options(&self) -> ExplainOptions<'static> {
        ExplainOptions::default().search(self.options.search.clone())
    }

    /// A solution with its pictures.
    pub(super) fn shown(&self, solution: &Solution) -> TestDetail {
        TestDetail::Solution(without_header(&solution.to_essence(WIDTH)), self.model.drawn(solution))
    }

    /// A solution from a text, with its pictures.
    pub(super) fn shown_text(&self, essence: &str) -> TestDetail {
        match self.model.solution(self.data, &Text::new("the solution", essence)) {
            Ok(solution) => self.shown(&solution),
            Err(_) => TestDetail::Solution(essence.to_owned(), Vec::new()),
        }
    }
}

/// A solution without its language declaration.
fn without_header(essence: &str) -> String {
    let rest = essence.strip_prefix("language").and_then(|rest| rest.split_once('\n'));
    rest.map_or(essence, |(_, rest)| rest.trim_start_matches('\n')).to_owned()
}

impl TestFinding {
    pub(super) fn with_all(self, details: impl IntoIterator<Item = TestDetail>) -> Self {
        details.into_iter().fold(self, TestFinding::with)
    }
}

/// True if the text can be read but violates the model: a mistake in the solution, not in the text.
pub(super) fn is_violation(report: &Report) -> bool {
    let mut errors = report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).peekable();
    errors.peek().is_some() && errors.all(|error| [Code::OUTSIDE_DOMAIN, Code::SOLUTION_INVALID].contains(&error.code))
}
