//! Bounds on the objective, and contradictions of sums.
//!
//! Linear duality comes first, because it needs no clauses. If it does not reach the value of the solution, CaDiCaL
//! searches for a better one. If it runs out of time, the bound is raised in steps: each step assumes that some
//! solution is below a number, and ends with a clause that refutes the assumption.

use super::{
    CertifiedClaim, ClaimProver,
    duality::{DualBound, LinearRelaxation, cliques},
};
use crate::{
    halt::Halt,
    reference::{PbLiteral, PbNumber, ReferenceGoal},
    solver::EngineOptions,
};
use std::time::Instant;

/// The number of multiplications for finding multipliers: a few hundredths of a second. Chosen.
const WORK: usize = 20_000_000;
/// The number of multiplications for finding multipliers if only a bound can be proved: a few seconds. Chosen.
const THOROUGH_WORK: usize = 2_000_000_000;

/// A lower bound on the objective, with the number of the constraint that states it.
type ProvedBound = (PbNumber, u64);

impl ClaimProver<'_> {
    /// Derives a contradiction of sums, if duality finds one.
    pub(super) fn contradiction_of_sums(&mut self) -> Option<u64> {
        let relaxation = self.relaxation(&[])?;
        // All points with a sum of at least 1 are excluded, so a bound of 1 is a contradiction.
        let bound = self.dual_bound(&relaxation, PbNumber::ONE, WORK);
        (bound.least >= PbNumber::ONE).then(|| relaxation.derive(&bound, &mut self.log.borrow_mut()))
    }

    /// The relaxation of the formula and its cliques, which are derived first.
    fn relaxation(&mut self, objective: &[(PbNumber, PbLiteral)]) -> Option<LinearRelaxation> {
        let formula = &self.stated.reference.formula;
        let cliques = cliques(&formula.constraints, &mut self.log.borrow_mut(), &self.for_half_of_the_time());
        let added = cliques.iter().map(|(number, clique)| (*number, clique));
        // The constraints of the formula have the first numbers in the proof, followed by the derived cliques.
        let rows = (1..).zip(&formula.constraints).chain(added);
        LinearRelaxation::new(rows, objective, formula.variables())
    }

    /// The bound that a relaxation gives.
    fn dual_bound(&self, relaxation: &LinearRelaxation, target: PbNumber, work: usize) -> DualBound {
        let bound = relaxation.bound(target, work, &self.for_half_of_the_time());
        bound.unwrap_or_else(|| relaxation.trivial_bound())
    }

    /// The options with half of the remaining time, which leaves time for later work, such as the search for a
    /// refutation.
    pub(super) fn for_half_of_the_time(&self) -> EngineOptions {
        let limits = self.options.limits.clone();
        let half = |deadline: Instant| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / 2
        };
        let deadline = limits.deadline.map(half);
        self.options.clone().limits(limits.deadline(deadline))
    }

    /// Proves that no solution is better than the claimed one, or the best bound that the limits allow. Without a
    /// solution, the bound is at most one more than the largest value of the objective.
    pub(super) fn bounds(&mut self, goal: &ReferenceGoal, value: Option<i64>) -> Result<ProvedBound, Halt> {
        self.clauses(0..self.stated.of_model)?;
        let mut incumbent = None;
        if let (Some(value), Some(solution)) = (value, self.stated.solutions.first()) {
            self.accepts(solution, &[value])?;
            incumbent = Some((value, self.logged_solution()));
        }
        let largest = goal.terms.iter().map(|(factor, _)| *factor).filter(|factor| *factor > PbNumber::ZERO);
        // If there is no solution, the bound can be one more than the largest value of the objective.
        let upper = match value {
            Some(value) => goal.minimised(value),
            None => largest.sum::<PbNumber>() + PbNumber::ONE,
        };
        // The bound of the relaxation is cheap and often good enough.
        let relaxation = self.relaxation(&goal.terms);
        let mut proved = None;
        if let Some(relaxation) = &relaxation {
            let bound = self.dual_bound(relaxation, upper, WORK);
            let number = relaxation.derive(&bound, &mut self.log.borrow_mut());
            proved = Some((bound.least, number));
            // The claimed solution is at the bound, so no better one exists.
            if bound.least >= upper {
                return Ok((upper, number));
            }
        }
        let is_best = matches!(self.stated.claim, CertifiedClaim::Best(..));
        if let Some((value, better)) = incumbent.filter(|_| is_best) {
            // The bound may still be raised later.
            self.translation.sat.limit(&self.for_half_of_the_time());
            self.translation.constraint(&goal.better(value).without_constants(), better);
            if let Some(number) = self.refuted()? {
                return Ok((upper, number));
            }
        }
        // Only a relaxation gives a first bound to raise.
        let (Some(relaxation), Some(mut proved)) = (relaxation, proved) else { return Err(self.limit()) };
        let bound = self.dual_bound(&relaxation, upper, THOROUGH_WORK);
        if bound.least > proved.0 {
            proved = (bound.least, relaxation.derive(&bound, &mut self.log.borrow_mut()));
        }
        self.raised(&goal.terms, proved, upper)
    }

    /// Raises the bound in steps until a limit is reached.
    fn raised(
        &mut self,
        terms: &[(PbNumber, PbLiteral)],
        proved: ProvedBound,
        upper: PbNumber,
    ) -> Result<ProvedBound, Halt> {
        let (mut proved, mut least_found, mut step) = (proved, upper, PbNumber::ONE);
        let two = PbNumber::ONE + PbNumber::ONE;
        while proved.0 < least_found && self.options.reached().is_none() {
            // A bound beyond the best known value would be false.
            let next = least_found.min(proved.0 + step);
            let Some(literal) = self.translation.reaches(terms, next) else { break };
            if literal.is_constant() {
                break;
            }
            // If a step takes half of the remaining time, it was too large.
            self.translation.sat.limit(&self.for_half_of_the_time());
            // If the solver refutes the assumption, the log contains the refutation.
            self.log.borrow_mut().refuted = None;
            match self.translation.sat.solve(&[(!literal).number()]) {
                Some(false) => {
                    let (refuted, contradiction) = (self.log.borrow().refuted, self.log.borrow().contradiction);
                    if let Some(contradiction) = contradiction {
                        return Ok((upper, contradiction));
                    }
                    // If the contradiction does not use the assumption, it proves everything.
                    let Some(clause) = refuted else { break };
                    proved = (next, self.translation.reached(literal, next, clause));
                    // Steps double while they succeed, so even a distant bound needs only a few.
                    step = step * two;
                }
                Some(true) => {
                    // The solver has found a better solution, which the bound cannot exceed.
                    least_found = self.sum_of(terms).min(least_found);
                    step = PbNumber::ONE;
                }
                // If even the smallest step takes too long, the search ends.
                None if step == PbNumber::ONE => break,
                None => step = PbNumber::ONE,
            }
        }
        Ok(proved)
    }

    /// Logs the solver's solution. Returns the number of the constraint that a solution is better than this one.
    fn logged_solution(&mut self) -> u64 {
        let mut log = self.log.borrow_mut();
        let mut line = "soli".to_owned();
        for literal in (1..=self.stated.reference.formula.variables() as i32).map(PbLiteral::numbered) {
            // The checker expects a complete assignment in the order of the variables.
            let literal = if self.translation.sat.is_true(literal.number()) { literal } else { !literal };
            line += " ";
            line += &log.name(literal);
        }
        log.step(&format!("{line};"))
    }
}
