//! Certificates that begin at the model.

use super::{Instance, Report, Solution, SolveStatus, deep};
use crate::{
    analysis::model::DeclarationId,
    certify::{self, CertifiedClaim, StatedFormula},
    diagnostic::{Code, Diagnostic},
    halt::Halt,
    instance::SolutionValues,
    language::Value,
    solution,
    solver::EngineOptions,
};
use std::io::Write;

/// A certificate, but for its proof.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Certificate {
    /// The reference formula, in the format OPB.
    pub formula: String,
    /// What the proof shows about the formula, as a sentence.
    pub claim: String,
    /// What a checker of the proof has to say that it has verified, such as `BOUNDS 3 <= obj <= 3`.
    pub verdict: String,
    /// How the objective of the model follows from the function that the formula minimises, as a sentence.
    pub objective: Option<String>,
    /// The value than which no solution is better, if a limit has ended the search for a better solution, or the proof
    /// that there is none.
    pub proved: Option<i64>,
    /// The value of the objective, or of the first of several goals, in the solution of such a certificate; `None` if
    /// none was found.
    pub found: Option<i64>,
    /// The solutions of the answer, in an order that does not depend on the solver. Where the formula excludes
    /// solutions, it does so in this order.
    pub solutions: Vec<Solution>,
    /// The number of variables of the formula.
    pub variables: usize,
    /// The number of constraints of the formula.
    pub constraints: usize,
}

impl Instance {
    /// Makes a certificate of the answer of a search, and writes its proof in VeriPB's format: that there is no
    /// solution, that the last of these solutions is a best one, or that there are no others; where goals compete, that
    /// each other solution is, in all goals, no better than one of these. What the certificate says is found out anew
    /// from the instance; a contradiction to the answer is an error. If a limit has ended the search, or ends the
    /// proof, and there is an objective, the certificate is about bounds: the last solution, if there is one, and the
    /// best value that is not ruled out; of several goals, of the first one. `None` if the answer is something else, or
    /// a limit was reached.
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
        self.certified(status, solutions, None, |claim| {
            certify::certify(&self.bound, &self.sources, claim, proof, options)
        })
    }

    /// Makes the certificate of an answer without its proof: what [`Instance::certify`] returns, if it proves the
    /// answer. So it is known what an earlier proof has to show. If a limit has ended the search, `proved` is the value
    /// than which no solution is better. `None` if the answer is something else, or a limit was reached.
    ///
    /// # Errors
    ///
    /// Something in the instance is not covered, or the instance is too large.
    ///
    /// ```
    /// use conjure_like::{EngineOptions, Model, SolveStatus, Text};
    ///
    /// let model = Model::read(&Text::new("none.essence", "find x : int(1..2)\nsuch that x > 2"))?;
    /// let (instance, options) = (model.instance(&[])?, EngineOptions::default());
    /// let certificate = instance.certificate(&SolveStatus::Unsatisfiable, &[], None, &options)?.unwrap();
    /// assert_eq!(certificate.verdict, "UNSATISFIABLE");
    /// assert!(certificate.formula.contains("* none.essence, line 2: x > 2"));
    /// # Ok::<(), conjure_like::Report>(())
    /// ```
    pub fn certificate(
        &self,
        status: &SolveStatus,
        solutions: &[Solution],
        proved: Option<i64>,
        options: &EngineOptions,
    ) -> Result<Option<Certificate>, Report> {
        self.certified(status, solutions, proved, |claim| certify::stated(&self.bound, &self.sources, claim, options))
    }

    fn certified(
        &self,
        status: &SolveStatus,
        solutions: &[Solution],
        proved: Option<i64>,
        make: impl FnOnce(&CertifiedClaim) -> Result<StatedFormula, Halt>,
    ) -> Result<Option<Certificate>, Report> {
        let certified = deep(|| {
            let goals = |solution: &Solution| {
                let value = solution::objective_value(&self.bound, solution.decided())?;
                let goals = value.as_ref().and_then(integers);
                goals.ok_or_else(|| {
                    let error = "certificates do not cover objectives that are not integers";
                    Halt::from(Diagnostic::error(Code::NOT_CERTIFIED, error))
                })
            };
            let mut found: Vec<(Vec<i64>, &Solution)> = match status {
                SolveStatus::Optimal | SolveStatus::TimeLimit | SolveStatus::Interrupted => {
                    solutions.last().into_iter().map(|last| (Vec::new(), last)).collect()
                }
                SolveStatus::AllSolutions if self.bound.model.objective.is_some() => {
                    solutions.iter().map(|solution| Ok((goals(solution)?, solution))).collect::<Result<_, Halt>>()?
                }
                SolveStatus::AllSolutions => solutions.iter().map(|solution| (Vec::new(), solution)).collect(),
                _ => Vec::new(),
            };
            // Each solver finds them in another order.
            found.sort_by(|(one, left), (other, right)| {
                one.cmp(other).then_with(|| left.decided().iter().map(value).cmp(right.decided().iter().map(value)))
            });
            let decided: Vec<SolutionValues> = found.iter().map(|(_, solution)| solution.decided().clone()).collect();
            let fronts: Vec<Vec<i64>>;
            let claim = match (status, &decided[..]) {
                (SolveStatus::Unsatisfiable, _) => CertifiedClaim::NoSolution,
                (SolveStatus::Optimal, [best]) => match goals(found[0].1)?[..] {
                    [value] => CertifiedClaim::Best(best, value),
                    _ => {
                        let error = "certificates do not cover goals in order of importance";
                        return Err(Diagnostic::error(Code::NOT_CERTIFIED, error).into());
                    }
                },
                (SolveStatus::TimeLimit | SolveStatus::Interrupted, [best]) => match goals(found[0].1).as_deref() {
                    Ok([value, ..]) => CertifiedClaim::Bounds(Some((best, *value)), proved),
                    _ => return Ok(None),
                },
                (SolveStatus::TimeLimit | SolveStatus::Interrupted, _) if self.bound.model.objective.is_some() => {
                    CertifiedClaim::Bounds(None, proved)
                }
                (SolveStatus::AllSolutions, _) if self.bound.model.objective.is_some() => {
                    fronts = found.iter().map(|(goals, _)| goals.clone()).collect();
                    CertifiedClaim::Front(&decided, &fronts)
                }
                (SolveStatus::AllSolutions, _) => CertifiedClaim::All(&decided),
                _ => return Ok(None),
            };
            let StatedFormula {
                text: formula,
                claim,
                verdict,
                objective,
                proved,
                found: value,
                variables,
                constraints,
            } = make(&claim)?;
            let solutions = found.iter().map(|(_, solution)| (*solution).clone()).collect();
            let found = value;
            Ok(Some(Certificate {
                formula,
                claim,
                verdict,
                objective,
                proved,
                found,
                solutions,
                variables,
                constraints,
            }))
        });
        match certified {
            Ok(certificate) => Ok(certificate),
            Err(halt) => self.limit(halt).map(|_| None),
        }
    }
}

fn value((_, value): &(DeclarationId, Value)) -> &Value {
    value
}

/// The value of an objective, or of its parts.
fn integers(value: &Value) -> Option<Vec<i64>> {
    let items = match value {
        Value::Tuple(items) => &items[..],
        value => std::slice::from_ref(value),
    };
    items.iter().map(|item| if let Value::Int(number) = item { Some(*number) } else { None }).collect()
}
