//! The verdicts of test cases, and their evidence.

use super::TestCase;
use crate::{
    api::Report,
    explain::Answer,
    picture::{Picture, PictureFormat, Sheet},
    source::SourceId,
};
use std::{ops::Range, time::Duration};

/// The verdict on a test case, in increasing severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TestVerdict {
    /// The instance answers as the case expects.
    Passed,
    /// A limit ended a search before it had an answer.
    Undecided,
    /// The instance answers something else.
    Failed,
    /// The case cannot be read, or does not fit the model.
    Broken,
}

impl TestVerdict {
    /// The verdict in one word, for people and programs.
    pub fn word(self) -> &'static str {
        match self {
            TestVerdict::Passed => "passed",
            TestVerdict::Undecided => "not decided",
            TestVerdict::Failed => "failed",
            TestVerdict::Broken => "broken",
        }
    }
}

/// The result of a test case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestResult {
    /// The worst verdict among the findings.
    pub verdict: TestVerdict,
    /// The findings, one for each line of the case that does not hold.
    pub findings: Vec<TestFinding>,
    /// The time that the case took.
    pub time: Duration,
}

/// A line of a test case that does not hold.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestFinding {
    /// The kind of the finding; never [`TestVerdict::Passed`].
    pub verdict: TestVerdict,
    /// The line of the case's text, counted from 1.
    pub line: usize,
    /// The expected and the found answer, on one line.
    pub says: String,
    /// The evidence: a solution, an explanation, a report.
    pub details: Vec<TestDetail>,
    /// The value that would make the line true, and the position of the text to replace.
    pub correction: Option<(Range<usize>, String)>,
}

/// Evidence for a finding.
#[derive(Clone, Debug)]
pub enum TestDetail {
    /// A sentence before another detail.
    Says(String),
    /// A solution in Essence, and pictures of variables that are best shown as pictures.
    Solution(String, Vec<Picture>),
    /// An explanation why there is no solution, or why a candidate is not one.
    Answer(Box<Answer>),
    /// Errors in the texts.
    Report(Report),
}

impl TestResult {
    /// The time in seconds, to the millisecond.
    pub fn seconds(&self) -> f64 {
        (self.time.as_secs_f64() * 1000.0).round() / 1000.0
    }

    /// The result of a case that needs a file that cannot be read.
    pub fn broken(case: &TestCase, says: &str, report: Report) -> Self {
        let findings = vec![TestFinding::broken(case.line, says, report)];
        TestResult { verdict: TestVerdict::Broken, findings, time: Duration::ZERO }
    }
}

impl TestFinding {
    pub(super) fn new(verdict: TestVerdict, line: usize, says: impl Into<String>) -> Self {
        TestFinding { verdict, line, says: says.into(), details: Vec::new(), correction: None }
    }

    pub(super) fn failed(line: usize, says: impl Into<String>) -> Self {
        TestFinding::new(TestVerdict::Failed, line, says)
    }

    pub(super) fn broken(line: usize, says: impl Into<String>, report: Report) -> Self {
        TestFinding::new(TestVerdict::Broken, line, says).with(TestDetail::Report(report))
    }

    /// This finding with one more detail.
    pub(super) fn with(mut self, detail: TestDetail) -> Self {
        self.details.push(detail);
        self
    }

    /// The first place to blame, in the model if possible: the name of the text, and the line.
    pub fn blamed(&self) -> Option<(String, usize)> {
        let places = self.details.iter().filter_map(|detail| match detail {
            TestDetail::Answer(answer) => {
                let spans = answer.reasons.iter().filter_map(|reason| reason.labels.first()).map(|label| label.span);
                Some((&answer.sources, spans.collect::<Vec<_>>()))
            }
            TestDetail::Report(report) => {
                let labels = report.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels);
                Some((&report.sources, labels.map(|label| label.span).collect()))
            }
            TestDetail::Says(_) | TestDetail::Solution(..) => None,
        });
        let mut first = None;
        for (sources, spans) in places {
            let in_model = spans.iter().find(|span| span.source == SourceId(0));
            // A later place in the model is better than an earlier one in the data.
            let Some(span) = in_model.or(spans.first()).filter(|_| first.is_none() || in_model.is_some()) else {
                continue;
            };
            let source = sources.get(span.source);
            first = Some((source.name.to_string(), source.line_and_column(span.start as usize).0));
            if in_model.is_some() {
                break;
            }
        }
        first
    }

    /// A solution among the details, in Essence.
    pub fn solution(&self) -> Option<&str> {
        self.details.iter().find_map(|detail| match detail {
            TestDetail::Solution(solution, _) => Some(solution.as_str()),
            TestDetail::Answer(answer) => answer.solution.as_ref().map(|(essence, _)| essence.as_str()),
            _ => None,
        })
    }

    /// The details as text, with or without colours.
    pub fn to_text(&self, color: bool) -> String {
        let parts: Vec<String> = self.details.iter().map(|detail| detail.to_text(color)).collect();
        parts.iter().filter(|part| !part.trim().is_empty()).map(|part| part.trim_end()).collect::<Vec<_>>().join("\n\n")
    }
}

impl TestDetail {
    fn to_text(&self, color: bool) -> String {
        match self {
            TestDetail::Says(text) => text.clone(),
            TestDetail::Answer(answer) => answer.to_text(color),
            TestDetail::Report(report) => report.to_terminal(color),
            TestDetail::Solution(solution, pictures) => {
                let sheet = Sheet { pictures: pictures.clone(), ..Sheet::default() };
                let drawn = PictureFormat::Text.render("", &[sheet], color);
                let gap = if drawn.is_empty() { "" } else { "\n" };
                format!("{}{gap}{drawn}", solution.trim_end_matches('\n').to_owned() + "\n")
            }
        }
    }
}
