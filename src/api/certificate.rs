//! Certificates that start at the model.

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

/// A certificate without its proof.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Certificate {
    /// The reference formula, in the format OPB.
    pub formula: String,
    /// The claim that the proof establishes about the formula, as a sentence.
    pub claim: String,
    /// The text that a checker prints for a valid proof, such as `BOUNDS 3 <= obj <= 3`.
    pub verdict: String,
    /// The relation between the objective of the model and the function that the formula minimises, as a sentence.
    pub objective: Option<String>,
    /// The proved dual bound, if a limit ended the search for a better solution or the proof of optimality: no solution
    /// is better than this value.
    pub proved: Option<i64>,
    /// The value of the objective (or of the first goal) in the solution of such a certificate; `None` if no solution
    /// was found.
    pub found: Option<i64>,
    /// The solutions of the answer, in an order that does not depend on the solver. If the formula excludes solutions,
    /// it does so in this order.
    pub solutions: Vec<Solution>,
    /// The number of variables of the formula.
    pub variables: usize,
    /// The number of constraints of the formula.
    pub constraints: usize,
}

impl Instance {
    /// Certifies the answer of a search, and writes its proof in VeriPB's format: that there is no solution, that the
    /// last solution is optimal, or that there are no others; for competing goals, that each other solution is
    /// dominated by one of these or equal in all goals. The claim is derived again from the instance, and a
    /// contradiction with the answer is an error. If a limit ended the search or ends the proof, and there is an
    /// objective, the certificate is about bounds: the last solution, if there is one, and the best value that is not
    /// ruled out (of several goals, of the first). Returns `None` if the answer is something else, or if a limit was
    /// reached.
    ///
    /// # Errors
    ///
    /// Returns an error if a part of the instance is not covered, if the instance is too large, or if the certificate
    /// contradicts the answer.
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

    /// Returns the certificate of an answer without its proof, as [`Instance::certify`] returns it after proving the
    /// answer. This lets a caller check an earlier proof. If a limit ended the search, `proved` is the dual bound.
    /// Returns `None` if the answer is something else, or if a limit was reached.
    ///
    /// # Errors
    ///
    /// Returns an error if a part of the instance is not covered, or if the instance is too large.
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

    fn goals(&self, solution: &Solution) -> Result<Vec<i64>, Halt> {
        let value = solution::objective_value(&self.bound, solution.decided())?;
        let goals = value.as_ref().and_then(integers);
        goals.ok_or_else(|| {
            let error = "certificates do not cover objectives that are not integers";
            Halt::from(Diagnostic::error(Code::NOT_CERTIFIED, error))
        })
    }

    /// The solutions that a certificate is about, with their goals if these compete. The order does not depend on the
    /// solver, because the formula must not.
    fn certified_solutions<'s>(
        &self,
        status: &SolveStatus,
        solutions: &'s [Solution],
    ) -> Result<Vec<(Vec<i64>, &'s Solution)>, Halt> {
        let mut found: Vec<(Vec<i64>, &Solution)> = match status {
            // An optimisation passes through several incumbents, and only the last one is certified.
            SolveStatus::Optimal | SolveStatus::TimeLimit | SolveStatus::Interrupted => {
                solutions.last().into_iter().map(|last| (Vec::new(), last)).collect()
            }
            SolveStatus::AllSolutions if self.bound.model.objective.is_some() => {
                solutions.iter().map(|solution| Ok((self.goals(solution)?, solution))).collect::<Result<_, Halt>>()?
            }
            SolveStatus::AllSolutions => solutions.iter().map(|solution| (Vec::new(), solution)).collect(),
            _ => Vec::new(),
        };
        found.sort_by(|(one, left), (other, right)| {
            one.cmp(other).then_with(|| left.decided().iter().map(value).cmp(right.decided().iter().map(value)))
        });
        Ok(found)
    }

    fn certified(
        &self,
        status: &SolveStatus,
        solutions: &[Solution],
        proved: Option<i64>,
        make: impl FnOnce(&CertifiedClaim) -> Result<StatedFormula, Halt>,
    ) -> Result<Option<Certificate>, Report> {
        let certified = deep(|| {
            let goals = |solution: &Solution| self.goals(solution);
            let found = self.certified_solutions(status, solutions)?;
            let decided: Vec<SolutionValues> = found.iter().map(|(_, solution)| solution.decided().clone()).collect();
            let fronts: Vec<Vec<i64>>;
            let claim = match (status, &decided[..]) {
                (SolveStatus::Unsatisfiable, _) => CertifiedClaim::NoSolution,
                // The formula minimises a single function; lexicographic goals would need a proof for each goal.
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
                    // With an objective, "all solutions" means the front of competing goals.
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

/// The integer value of an objective, or the values of its items.
fn integers(value: &Value) -> Option<Vec<i64>> {
    let items = match value {
        Value::Tuple(items) => &items[..],
        value => std::slice::from_ref(value),
    };
    items.iter().map(|item| if let Value::Int(number) = item { Some(*number) } else { None }).collect()
}
