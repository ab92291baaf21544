//! Certificates that begin at the model.

use super::{Instance, Report, Solution, SolveStatus, deep};
use crate::{
    certify::{self, Certificate, CertifiedClaim},
    diagnostic::{Code, Diagnostic},
    halt::Halt,
    instance::SolutionValues,
    language::Value,
    solution,
    solver::EngineOptions,
};
use std::io::Write;

impl Instance {
    /// Makes a certificate of the answer of a search, and writes its proof in VeriPB's format: that there is no
    /// solution, that the last of these solutions is a best one, or that there are no others; where goals compete, that
    /// each other solution is, in all goals, no better than one of these. What the certificate
    /// says is found out anew from the instance; a contradiction to the answer is an error. `None` if the answer is
    /// something else, or a limit was reached.
    ///
    /// # Errors
    ///
    /// Something in the instance is not covered, the instance is too large, or the certificate contradicts the answer.
    pub fn certify(
        &self,
        status: &SolveStatus,
        solutions: &[Solution],
        proof: Box<dyn Write>,
        options: &EngineOptions,
    ) -> Result<Option<Certificate>, Report> {
        let values: Vec<SolutionValues> = solutions.iter().map(|solution| solution.decided().clone()).collect();
        let bound = &self.bound;
        let certified = deep(|| {
            let goals = |solution: &SolutionValues| {
                let value = solution::objective_value(bound, solution)?;
                let goals = value.as_ref().and_then(integers);
                goals.ok_or_else(|| {
                    let error = "certificates do not cover objectives that are not integers";
                    Halt::from(Diagnostic::error(Code::NOT_CERTIFIED, error))
                })
            };
            let fronts: Vec<Vec<i64>>;
            let claim = match (status, values.last()) {
                (SolveStatus::Unsatisfiable, _) => CertifiedClaim::NoSolution,
                (SolveStatus::Optimal, Some(best)) => match goals(best)?[..] {
                    [value] => CertifiedClaim::Best(best, value),
                    _ => {
                        let error = "certificates do not cover goals in order of importance";
                        return Err(Diagnostic::error(Code::NOT_CERTIFIED, error).into());
                    }
                },
                (SolveStatus::AllSolutions, _) if bound.model.objective.is_some() => {
                    fronts = values.iter().map(goals).collect::<Result<_, _>>()?;
                    CertifiedClaim::Front(&values, &fronts)
                }
                (SolveStatus::AllSolutions, _) => CertifiedClaim::All(&values),
                _ => return Ok(None),
            };
            certify::certify(bound, &self.sources, &claim, proof, options).map(Some)
        });
        match certified {
            Ok(certificate) => Ok(certificate),
            Err(halt) => self.limit(halt).map(|_| None),
        }
    }
}

/// The value of an objective, or of its parts.
fn integers(value: &Value) -> Option<Vec<i64>> {
    let items = match value {
        Value::Tuple(items) => &items[..],
        value => std::slice::from_ref(value),
    };
    items.iter().map(|item| if let Value::Int(number) = item { Some(*number) } else { None }).collect()
}
