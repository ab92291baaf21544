//! Certificates that begin at the model.

use super::{Instance, Report, Solution, SolveStatus, deep};
use crate::{
    certify::{self, Certificate, CertifiedClaim},
    diagnostic::{Code, Diagnostic},
    instance::SolutionValues,
    solution,
    solver::EngineOptions,
};
use std::io::Write;

impl Instance {
    /// Makes a certificate of the answer of a search, and writes its proof in VeriPB's format: that there is no
    /// solution, that the last of these solutions is a best one, or that there are no others. What the certificate
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
            let value;
            let claim = match (status, values.last()) {
                (SolveStatus::Unsatisfiable, _) => CertifiedClaim::NoSolution,
                (SolveStatus::Optimal, Some(best)) => {
                    let found = solution::objective_value(bound, best)?;
                    let Some(found) = found.filter(|value| matches!(value, crate::language::Value::Int(_))) else {
                        let error = "certificates do not cover objectives that are not one integer";
                        return Err(Diagnostic::error(Code::NOT_CERTIFIED, error).into());
                    };
                    value = found;
                    CertifiedClaim::Best(best, &value)
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
