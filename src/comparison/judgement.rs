//! A model's judgement of a candidate: a solution, or a part of one.

use super::Refusal;
use crate::{
    api::{ExplainOptions, Model, Report, Text},
    diagnostic::{Code, Label, Severity},
    explain::{Answer, questions},
    solver::EngineOptions,
    source::Span,
};

/// A model's judgement of a candidate.
pub(crate) enum Judgement {
    Accepted(Box<Answer>),
    Refused(Refusal),
    /// A limit ended the search.
    Unknown,
}

impl Model {
    /// Judges a solution or a part of one, ignoring the objective.
    pub(crate) fn judgement(
        &self,
        data: &[Text],
        candidate: &Text,
        search: &EngineOptions,
    ) -> Result<Judgement, Report> {
        let options = ExplainOptions::default().search(search.clone());
        let asked = self.ask(data, [candidate], &options, |subject, [candidate], warnings| {
            questions::refused_solution(subject, candidate, warnings)
        });
        // A value outside its domain means that the solution is refused. All other errors mean that the candidate
        // cannot be read.
        let is_domain = |report: &Report| {
            let errors = report.diagnostics.iter().filter(|error| error.severity == Severity::Error);
            report.has_errors() && errors.into_iter().all(|error| error.code == Code::OUTSIDE_DOMAIN)
        };
        match asked {
            Ok(answer) => Ok(match answer.verdict {
                "wrong" | "not extensible" => Judgement::Refused(Refusal::Requirements(Box::new(answer))),
                "right" | "extensible" => Judgement::Accepted(Box::new(answer)),
                _ => Judgement::Unknown,
            }),
            Err(report) if is_domain(&report) => Ok(Judgement::Refused(Refusal::Domain(report))),
            Err(report) => Err(report),
        }
    }
}

impl Refusal {
    /// The spans of the constraints or declarations of the model that refuse a candidate.
    pub(crate) fn places(&self) -> impl Iterator<Item = Span> {
        let labels: Vec<&Label> = match self {
            Refusal::Requirements(answer) => answer.reasons.iter().filter_map(|reason| reason.labels.first()).collect(),
            Refusal::Domain(report) => report.diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels).collect(),
        };
        labels.into_iter().map(|label| label.span).filter(|span| span.source == Model::SOURCE)
    }
}
